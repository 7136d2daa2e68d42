"""The turns that a window may show, chosen by the database from the numbers in clear. Reads no ciphertext.

Of a short session, all. Of a long one, what comes first by the window's own order until the budget is spent, with a
margin for those that do not fit: so a window costs by its size and not by the session's.
"""

from __future__ import annotations

from django.db.models import F, Q, QuerySet, Sum, Window

from vault.models import Session, Turn
from vault.sessions.fit import TurnNumbers
from vault.sessions.roles import Role

# Up to here all turns are looked at.
FEW_TURNS = 300
RECENT_ROWS = 60
# What does not fit is skipped for what stands behind it, as far as this.
MARGIN_TOKENS = 500

COLUMNS = ("number", "role", "importance", "tokens", "calls", "unit", "repeated")


def candidates(session: Session, *, max_tokens: int) -> list[TurnNumbers]:
    """The numbers of the turns to choose from, in their order. The session's rows must be open to the transaction."""
    rows = Turn.objects.filter(session=session)
    if session.turn_count > FEW_TURNS:
        rows = rows.filter(_with_their_units(rows, _first_ones(rows, max_tokens)))
    return [TurnNumbers(*row) for row in rows.order_by("number").values_list(*COLUMNS)]


def _first_ones(rows: QuerySet[Turn], max_tokens: int) -> set[tuple[int, int | None]]:
    """Number and unit of the system's turns, the newest of the user, the recent ones and the weightiest."""
    spent = Window(Sum("tokens"), order_by=[F("importance").desc(), F("number").desc()])
    weightiest = (
        rows.filter(repeated=False).annotate(spent=spent).filter(spent__lte=max_tokens + MARGIN_TOKENS)
    )
    newest = rows.order_by("-number")
    found = set(rows.filter(role=Role.SYSTEM).values_list("number", "unit"))
    found |= set(newest.filter(role=Role.USER)[:1].values_list("number", "unit"))
    found |= set(newest[:RECENT_ROWS].values_list("number", "unit"))
    return found | set(weightiest.values_list("number", "unit"))


def _with_their_units(rows: QuerySet[Turn], found: set[tuple[int, int | None]]) -> Q:
    """Those turns, and whatever stands or falls with them."""
    heads = {unit or number for number, unit in found}
    return Q(number__in=heads) | Q(unit__in=heads)
