"""Undoing what one agent, source or session wrote in a stretch of time.

Promise: the list of what would change is fixed before a second person approves it, and nothing else is done;
every change is a new version, so nothing is destroyed, and a legal hold is no obstacle; what somebody else
wrote since is kept, and a person decides; a rollback that was killed goes on where it was, and one that is
asked for again finds nothing.

What an agent merged into a known memory only moved that memory's dates and count: there is no text to undo.

The road not taken: one large transaction (it would lock every subject that it touches until the end), and
keeping the criteria and matching again when the job runs (what was approved would not be what is done).
"""
