"""Upkeep: what keeps a store healthy without a person, and the registers in which people see what it did.

Promise: nothing is lost in silence. What a cap pushes out, what consolidation puts together and what nobody uses
stands in a register, with an entry in the log, and can be brought back; only what its namespace's policy gave an
end is destroyed, after a grace period, and never under a hold.

The road not taken: deleting rows. A count that falls without a trace cannot be told from a loss.
"""
