"""Namespaces and their policies: made, read, changed and kept, version by version.

Promise: a policy is stored whole and valid or not at all; what it said before stays; and staff who want it to let
through more than before need a privacy officer's word. The road not taken: settings in a file. Those who answer for
the data must see what is in force and who made it so.
"""
