"""Rules that staff write: drafted, tried on what is kept, and only then switched on.

Promise: a rule never goes live untried, an edit never changes what is live, and every version stays. The road
not taken: rules as code or settings; those who answer for the data must be able to write, try and end a rule.
"""
