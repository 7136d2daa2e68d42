"""An append-only log that can be proved whole; it knows nothing of the application that writes to it.

Promise: an entry is written in the transaction of the change it tells of, or the change does not happen.
Entries are inserted without a lock on a chain head; a sealer gives them places in an RFC 6962 Merkle
tree afterwards, and signs the tree's head. `verify` names the first entry that was altered, lost or moved.

Not taken: a hash chain. It makes concurrent writers wait for each other's commits, and proving one
entry needs all that follow. The price is a window, the time until the next sealing, in which somebody with
the rights of the tables' owner could take an entry out unseen; so seal every few seconds.

The modules `merkle`, `canonical`, `tree_head`, `witness`, `faults`, `actions` and `offline` need no Django.
"""
