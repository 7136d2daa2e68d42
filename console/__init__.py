"""The staff console: plain pages over the services of the vault.

A page parses, calls one service and renders; who may open which page stands in `access`. Everything works as
forms and redirects; scripts only shorten the way. Road not taken: a single-page application over the API,
which would need script, a token in the browser and a second copy of every check.
"""
