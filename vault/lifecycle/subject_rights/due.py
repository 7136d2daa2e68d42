"""When a request has to be answered: one calendar month, once extended by two more (Art. 12(3) GDPR). Pure."""

from __future__ import annotations

import calendar
from datetime import datetime, timedelta
from enum import StrEnum

MONTHS = 1
EXTENSION_MONTHS = 2
DUE_SOON = timedelta(days=7)


class Urgency(StrEnum):
    IN_TIME = "in_time"
    DUE_SOON = "due_soon"
    OVERDUE = "overdue"


def add_months(moment: datetime, months: int) -> datetime:
    """The same day and time so many calendar months later; the last of the month where it has no such day."""
    ordinal = moment.year * 12 + moment.month - 1 + months
    year, month = divmod(ordinal, 12)
    last = calendar.monthrange(year, month + 1)[1]
    return moment.replace(year=year, month=month + 1, day=min(moment.day, last))


def due_of(received_at: datetime) -> datetime:
    return add_months(received_at, MONTHS)


def extended_due_of(received_at: datetime) -> datetime:
    """Counted from the receipt, so that a short month in between takes nothing away."""
    return add_months(received_at, MONTHS + EXTENSION_MONTHS)


def urgency(due_at: datetime, *, now: datetime) -> Urgency:
    """How near the date of an open request is; on the date itself it is overdue."""
    if due_at <= now:
        return Urgency.OVERDUE
    return Urgency.DUE_SOON if due_at - now <= DUE_SOON else Urgency.IN_TIME
