"""The public pages, for data subjects: no session, no cookie but the one that protects forms, no script needed.

Promise: an answer never depends on whether a subject exists, unless who asks has proved to be that subject. What
is personal goes in by POST; an address holds a random value at most, and works once.
"""
