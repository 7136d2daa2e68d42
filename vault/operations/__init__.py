"""Backup and restore of a whole vault.

Promise: a backup is one sealed file of one moment; a restore brings back the data of any date under the keys of
now, so that the erased stay erased; until its last commit nothing has changed, and after it everything has.

The road not taken: restoring into the database in place, table by table (a fault half-way leaves neither the
old nor the new); a second database that takes the first one's name (it would take the audit log, the approvals
and the access rights of that day along).
"""
