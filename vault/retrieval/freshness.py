"""What the block says of a memory's age: "check live" for what changes by itself, "old" past the age its policy names.

A namespace sets the ages under `freshness`: `{"old_after_days": {"fact": 365, "event": 365, "lesson": null}}`; null
never labels a kind. The label changes no order and hides nothing: recency has its own weight.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from types import MappingProxyType
from typing import Any

from vault.errors import InvalidField
from vault.models import Memory
from vault.retrieval.context import CHECK_LIVE
from vault.types import Kind

SECTION = "freshness"
OLD = "old"
MAX_DAYS = 36_500
Ages = Mapping[Kind, int | None]
DEFAULT_AGES: Ages = MappingProxyType({Kind.FACT: 365, Kind.EVENT: 365, Kind.LESSON: 730})


def old_after(policy: Mapping[str, Any]) -> Ages:
    """The age in days from which each kind is old; the defaults with what the policy says. Raises InvalidField."""
    section = policy.get(SECTION, {})
    if not isinstance(section, Mapping) or not set(section) <= {"old_after_days"}:
        raise InvalidField(pointer=f"/{SECTION}")
    given = section.get("old_after_days", {})
    if not isinstance(given, Mapping) or not set(given) <= set(Kind):
        raise InvalidField(pointer=f"/{SECTION}/old_after_days")
    return {kind: _days(given.get(kind.value, DEFAULT_AGES[kind]), kind) for kind in Kind}


def notes_of(row: Memory, *, ages: Ages, now: datetime) -> tuple[str, ...]:
    """The notes of one line of a block."""
    days = ages[Kind(row.kind)]
    old = days is not None and now - last_said(row) > timedelta(days=days)
    return (*((CHECK_LIVE,) if row.volatile else ()), *((OLD,) if old else ()))


def last_said(row: Memory) -> datetime:
    """When the statement was last made: said again counts; otherwise when it happened or was written."""
    if row.seen_count > 1:
        return row.updated_at
    return row.occurred_at or row.created_at


def _days(value: Any, kind: Kind) -> int | None:
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= MAX_DAYS:
        raise InvalidField(pointer=f"/{SECTION}/old_after_days/{kind}")
    return value
