"""Writing: from a draft to a sealed, versioned, findable memory, or to a person's desk.

Promise: text is stored only after it was screened; one transaction holds the memory, its version, its
indexes, its manifest, the audit entry and the answer for replay, or none of them.

The road not taken: screening inside the transaction (a slow detector would hold locks); embedding in a
queue (the text would lie in a broker, and an erasure could be overtaken).
"""
