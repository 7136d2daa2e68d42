"""Bounds that keep screening linear in time, and the refusal that follows when they do not suffice."""

from __future__ import annotations

import time

# A request body is at most 64 KiB, so no field is longer; what is beyond is not read and is reported.
MAX_TEXT_CHARACTERS = 65_536


class ScreeningTimeout(Exception):
    """A detector ran past its deadline; the write is set aside, never taken as clean."""


def check_deadline(deadline: float | None) -> None:
    """Raise ScreeningTimeout once the monotonic clock (seconds) has passed the deadline."""
    if deadline is not None and time.monotonic() > deadline:
        raise ScreeningTimeout
