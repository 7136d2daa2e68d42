"""The bytes of an entry that become its leaf: one line of JSON is hashed, exported and checked offline."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import TypeAlias

Fact: TypeAlias = str | int | float | bool

ENCODING_VERSION = 1
_ENCODER = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False)


def instant(moment: datetime) -> str:
    """Write an aware time in UTC with microseconds; raises ValueError for a naive one."""
    if moment.tzinfo is None:
        raise ValueError("a time of the log must be aware")
    return moment.astimezone(UTC).replace(tzinfo=None).isoformat(timespec="microseconds") + "Z"


def leaf_bytes(seq: int, fields: Mapping[str, str | Mapping[str, Fact]]) -> bytes:
    """Encode one entry at its place: sorted keys, no spaces, ASCII, no newline.

    The place is part of the leaf, so an entry that was moved no longer fits where it stands.
    """
    return _ENCODER.encode({**fields, "seq": seq, "v": ENCODING_VERSION}).encode("ascii")
