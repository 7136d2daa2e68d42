"""Ids of rows: UUIDv7, so that a b-tree grows at one end."""

from __future__ import annotations

from uuid import UUID

from uuid_utils.compat import uuid7


def new_id() -> UUID:
    """A fresh time-ordered id."""
    return uuid7()
