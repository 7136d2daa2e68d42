"""The rights of data subjects: asked for on the public page, proved, decided by staff, followed by a number.

Promise: nobody learns whether a subject exists without having proved to be them. The public page writes the same
row for every address and looks nothing up; a worker does that later. A subject's own words are taken only after
the proof, screened for credentials, and sealed under the subject's key.

The road not taken: a reference number before the proof. Whoever typed in somebody else's address would hold it,
and could fetch the answer once the other had confirmed.
"""
