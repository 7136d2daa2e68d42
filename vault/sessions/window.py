"""The window: what of a session, of its summary and of the memories fits into a prompt.

Turns are chosen by the numbers that stand in clear, so only those that are shown are opened. Memories are looked for at
the right moments only; between them a window works from those that were found last.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from uuid import UUID

from django.utils import timezone

from audit.actions import Action as Event
from vault.crypto import SubjectKeys
from vault.errors import VaultError
from vault.models import Session, Turn
from vault.retrieval import trail
from vault.retrieval.context import BlockMemory
from vault.retrieval.integrity import reading
from vault.retrieval.scope import Right, Scope
from vault.retrieval.session_set import turns_kept
from vault.retrieval.token_counter import token_counter
from vault.retrieval.turns import OpenedTurn, open_turns
from vault.sessions.arrange import Arrangement, arrange
from vault.sessions.candidates import candidates, incomplete_turns
from vault.sessions.finding import find_session, find_whole_session, note_denied, require_active
from vault.sessions.fit import Unit, choose, needed
from vault.sessions.recollection import Recollection, recollect
from vault.sessions.strongest import Strongest, strongest_of
from vault.sessions.summaries import points_of_session, subject_points
from vault.sessions.summarise import Point
from vault.sessions.together import Shown, arrange_together

# From this share of the window on, older turns give way to their summary.
FULL_SHARE = 0.8


@dataclass(frozen=True, slots=True)
class Window:
    """What a prompt gets, in the order memories, summary, turns; `tokens` counts all of it."""

    session: Session
    max_tokens: int
    arrangement: Arrangement = field(repr=False)
    turns: tuple[OpenedTurn, ...] = field(repr=False)
    recollection: Recollection = field(repr=False)
    incomplete: int
    total: int
    counting: str

    @property
    def tokens(self) -> int:
        return self.arrangement.tokens

    @property
    def omitted(self) -> int:
        """Turns that are not shown, whatever the reason."""
        return self.total - len(self.turns)


@dataclass(frozen=True, slots=True)
class Inside:
    """What was read of a session before anything is decided."""

    session: Session
    units: list[Unit]
    incomplete: int
    points: list[Point] = field(repr=False)
    # Whether the points are all there are, and not only the weightiest.
    is_all: bool
    is_full: bool
    total: int


def read_window(*, session_id: UUID, max_tokens: int, query: str = "", scope: Scope) -> Window:
    """The window of a session; with `query`, memories are looked for anew.

    Raises NotFound, InvalidTransition when the session is over, InvalidField when the budget does not hold what every
    window holds.
    """
    try:
        with reading(scope=scope, kind="session"):
            session, keys = find_whole_session(session_id=session_id, scope=scope, right=Right.SESSION_READ)
            require_active(session, now=timezone.now())
            inside = _inside(session, max_tokens, keys)
            # Raised here, before anything is searched or counted as used.
            choose(needed(inside.units), budget=max_tokens)
        recollection = recollect(session=session, query=query, max_tokens=max_tokens, scope=scope)
        with reading(scope=scope, kind="session"):
            session = find_session(session_id=session_id, scope=scope, right=Right.SESSION_READ)
            shown = _shown(inside, recollection, max_tokens, since=session.started_at)
            if shown.arrangement.summary.has_room and not inside.is_all:
                inside = replace(inside, points=_all_points(session, keys))
                shown = _shown(inside, recollection, max_tokens, since=session.started_at)
            arrangement = shown.arrangement
            turns = _opened(session, arrangement.chosen.numbers, keys)
            trail.note(
                Event.SESSION_READ, scope=scope, kind="session", target=session.pk, subject_ref=keys.audit_reference,
                count=len(turns), memories=len(arrangement.memories), held_back=shown.held_back,
            )  # fmt: skip
    except VaultError as refusal:
        note_denied(refusal, Event.SESSION_READ, session_id=session_id, scope=scope)
        raise
    return Window(
        session,
        max_tokens,
        arrangement,
        turns,
        recollection,
        inside.incomplete,
        inside.total,
        token_counter().method,
    )


def _inside(session: Session, max_tokens: int, keys: SubjectKeys) -> Inside:
    units = candidates(session, max_tokens=max_tokens)
    incomplete = incomplete_turns(session)
    full = session.token_count > FULL_SHARE * max_tokens
    strongest = strongest_of(session, keys=keys) if full else Strongest([])
    points = [*strongest.above(subject_points(session, keys=keys)), *strongest.points]
    return Inside(session, units, incomplete, points, strongest.is_all, full, turns_kept(session))


def _all_points(session: Session, keys: SubjectKeys) -> list[Point]:
    return [*subject_points(session, keys=keys), *points_of_session(session, keys=keys)]


def _shown(inside: Inside, recollection: Recollection, max_tokens: int, *, since: datetime) -> Shown:
    def arranged(lines: Sequence[BlockMemory[UUID]], points: Sequence[Point]) -> Arrangement:
        return arrange(
            units=inside.units, points=points, memories=lines, max_tokens=max_tokens, needs_summary=inside.is_full,
            same=recollection.same,
        )  # fmt: skip

    return arrange_together(
        lines=recollection.lines, memories=recollection.memories, points=inside.points,
        question=recollection.used, since=since, arrange=arranged,
    )  # fmt: skip


def is_full(units: Sequence[Unit], max_tokens: int) -> bool:
    """Whether the turns take so much of the window that older ones give way to their summary."""
    return sum(unit.tokens for unit in units) > FULL_SHARE * max_tokens


def _opened(session: Session, numbers: Sequence[int], keys: SubjectKeys) -> tuple[OpenedTurn, ...]:
    rows = Turn.objects.filter(session=session, number__in=numbers).order_by("number")
    return tuple(open_turns(rows, keys=keys))
