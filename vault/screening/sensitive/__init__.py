"""Sensitive categories: what a text says of a person's health, belief, politics and the like.

A lexicon proposes, and closeness to example sentences decides: the words of these categories are also
the words of shops, machines and timetables. The examples and the terms were written for this vault.
In other languages than English the vectors say little, and the marked terms decide alone.
"""

from __future__ import annotations

from vault.screening.sensitive.judge import SensitiveHit, find_sensitive, load_examples

__all__ = ["SensitiveHit", "find_sensitive", "load_examples"]
