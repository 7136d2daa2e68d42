"""The demo: a supplier's story and real conversations, told to a running vault over HTTP.

Promise: what it prints has happened. Status codes, scores and times are the vault's own answers, taken by the
public client; a figure that is reckoned and not measured says so. Only what no API offers to an agent uses
the database: making the demo's credentials, and the second person who approves an erasure.
"""
