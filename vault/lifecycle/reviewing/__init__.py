"""The review desk: what was set aside is listed, looked at, claimed and decided once.

What is listed opens no text. What is opened is masked; the text itself is revealed for a purpose, as an entry.
A decision names the revision that was read, so that nobody releases a text they have not seen, and it is taken
under the lock of the subject. The road not taken: deciding by the row's status alone.
"""
