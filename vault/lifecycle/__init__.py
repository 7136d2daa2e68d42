"""What happens to memories after they were written: versions, review, retention, holds and erasure.

Promise: every verb is one service that the console, the API and the jobs share; a change and its audit entry
are one transaction; what takes long is a job that is a row, and a job that is killed is taken up again.

The road not taken: state in the broker (a filesystem or Redis message is lost or delivered twice, a row is
neither); an erasure that marks rows and purges them later (it would not be one); cascading deletes (they hide
which stores an erasure went over).

`verify_certificate` and `verify_export`, and what they import, need no Django.
"""
