"""A session as staff see it: what became of each turn, and how full its window was as it went on.

Nothing here changes a row; every look is recorded.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from uuid import UUID

from django.db import transaction

from audit.actions import Action as Event
from audit.log import relax_commit
from vault.crypto import SubjectKeys
from vault.errors import IntegrityFault, InvalidField, NotFound, ScopeMissing
from vault.keys import key_vault
from vault.models import Memory, Session, SessionStatus, SessionSummary, SummaryLevel, Turn, isolation
from vault.retrieval import trail
from vault.retrieval.integrity import check_manifest, reading
from vault.retrieval.opening import open_memories
from vault.retrieval.records import OpenedMemory
from vault.retrieval.scope import Scope
from vault.retrieval.session_set import check_session
from vault.retrieval.subjects import reference_of
from vault.retrieval.turns import OpenedTurn, open_turns
from vault.sessions.arrange import NOTHING, Arrangement, Digest, arrange, digest
from vault.sessions.finding import note_denied
from vault.sessions.fit import TurnNumbers, choose, units_of
from vault.sessions.not_stored import NotStored, not_stored_of
from vault.sessions.records import SessionView
from vault.sessions.summaries import points_in, points_of_session
from vault.sessions.window import is_full

TURNS_SHOWN = 200
SESSIONS_SHOWN = 50
MEMORIES_SHOWN = 50
# The window is drawn at so many places at most.
STEPS = 60
# More than any summary of a session has.
SUMMARY_TOKENS = 100_000
SHOWN, SUMMARISED, LEFT_OUT = "shown", "summarised", "left_out"


@dataclass(frozen=True, slots=True)
class TimelineTurn:
    """One turn, what becomes of it in a window of the budget, and what was written from it.

    It may be shown and quoted by a summary as well, once its session is over.
    """

    opened: OpenedTurn = field(repr=False)
    fate: str
    memories: tuple[UUID, ...] = ()
    is_quoted: bool = False
    # Drafts from it that were set aside or refused when the session ended.
    not_stored: tuple[NotStored, ...] = ()


@dataclass(frozen=True, slots=True)
class Step:
    """After the turn of this number: tokens of all turns so far, and of those a window would have shown."""

    number: int
    said: int
    shown: int


@dataclass(frozen=True, slots=True)
class Timeline:
    view: SessionView
    budget: int
    turns: tuple[TimelineTurn, ...] = field(repr=False)
    steps: tuple[Step, ...]
    # Of what is not shown; of a session that is over, what was kept of all of it.
    summary: str = field(repr=False)
    memories: tuple[OpenedMemory, ...] = field(repr=False)

    @property
    def counts(self) -> dict[str, int]:
        """How many of the turns a window shows, a summary quotes, and neither."""
        return {
            SHOWN: sum(turn.fate == SHOWN for turn in self.turns),
            SUMMARISED: sum(turn.is_quoted for turn in self.turns),
            LEFT_OUT: sum(turn.fate == LEFT_OUT for turn in self.turns),
        }


def sessions_of(*, subject_id: UUID, scope: Scope) -> tuple[Session, ...]:
    """A subject's sessions, the newest first, without their words. Raises ScopeMissing."""
    _require_staff(scope)
    with transaction.atomic(durable=True):
        relax_commit()
        isolation.open_everything()
        rows = (
            Session.objects.filter(subject_id=subject_id).select_related("namespace").order_by("-started_at")
        )
        found = tuple(rows[:SESSIONS_SHOWN])
        trail.note(Event.SESSION_READ, scope=scope, kind="subject", count=len(found))
    return found


def session_timeline(*, session_id: UUID, budget: int, scope: Scope) -> Timeline:
    """The last turns of a session with their fates at this budget.

    Raises NotFound, ScopeMissing, KeyDestroyed, and IntegrityFault, recorded, when what is stored is not what was.
    """
    _require_staff(scope)
    try:
        with reading(scope=scope, kind="session"):
            isolation.open_everything()
            session = Session.objects.select_related("subject", "namespace").filter(pk=session_id).first()
            if session is None or session.subject.erased_at is not None:
                raise NotFound
            keys = key_vault().subject(session.subject_id)
            check_manifest(session.subject_id, keys=keys)
            check_session(session.pk, keys=keys)
            isolation.open_everything()
            timeline = _timeline(session, budget, keys)
            trail.note(
                Event.SESSION_READ, scope=scope, kind="session", target=session.pk, subject_ref=keys.audit_reference,
                count=len(timeline.turns),
            )  # fmt: skip
    except IntegrityFault as fault:
        note_denied(fault, Event.SESSION_READ, session_id=session_id, scope=scope)
        raise
    return timeline


def _timeline(session: Session, budget: int, keys: SubjectKeys) -> Timeline:
    numbers = _numbers(session)
    arrangement = _arranged(session, numbers, budget, keys)
    shown = set(arrangement.chosen.numbers) if arrangement else set()
    kept = _digest(session, arrangement, keys)
    quoted = {turn for point in kept.points if not point.session for turn in point.turns}
    rows = Turn.objects.filter(session=session).order_by("-number")[:TURNS_SHOWN]
    memories = open_memories(
        list(Memory.objects.filter(session_id=session.pk, subject_id=session.subject_id)[:MEMORIES_SHOWN]),
        subject=session.subject,
    )
    not_stored = not_stored_of(session, keys=keys)
    turns = tuple(
        TimelineTurn(
            turn,
            _fate(turn.row.number, shown, quoted),
            _written_from(turn.row.number, memories),
            turn.row.number in quoted,
            tuple(draft for draft in not_stored if draft.turn == turn.row.number),
        )
        for turn in open_turns(reversed(rows), keys=keys)
    )
    view = SessionView(session, reference_of(session.subject), session.namespace.name)
    return Timeline(view, budget, turns, _steps(numbers, budget), kept.text, memories)


def _numbers(session: Session) -> list[TurnNumbers]:
    rows = Turn.objects.filter(session=session).order_by("number")
    names = ("number", "role", "importance", "tokens", "calls", "unit", "repeated")
    return [TurnNumbers(*row) for row in rows.values_list(*names)]


def _arranged(
    session: Session, numbers: Sequence[TurnNumbers], budget: int, keys: SubjectKeys
) -> Arrangement | None:
    """The window without memories; None where the budget does not hold what every window holds."""
    units, _ = units_of(numbers)
    full = is_full(units, budget)
    points = points_of_session(session, keys=keys) if full and session.status == SessionStatus.ACTIVE else []
    try:
        return arrange(units=units, points=points, memories=(), max_tokens=budget, needs_summary=full)
    except InvalidField:
        return None


def _digest(session: Session, arrangement: Arrangement | None, keys: SubjectKeys) -> Digest:
    """While a session goes on, the summary in its window; afterwards, the one that was made when it ended."""
    if session.status == SessionStatus.ACTIVE:
        return arrangement.summary if arrangement else NOTHING
    row = SessionSummary.objects.filter(session=session, level=SummaryLevel.SESSION).first()
    return digest(points_in(row, keys=keys), budget=SUMMARY_TOKENS) if row else NOTHING


def _fate(number: int, shown: set[int], quoted: set[int]) -> str:
    if number in shown:
        return SHOWN
    return SUMMARISED if number in quoted else LEFT_OUT


def _written_from(number: int, memories: Sequence[OpenedMemory]) -> tuple[UUID, ...]:
    return tuple(memory.row.pk for memory in memories if memory.content.metadata.get("turn") == number)


def _steps(numbers: Sequence[TurnNumbers], budget: int) -> tuple[Step, ...]:
    stride = max(1, -(-len(numbers) // STEPS))
    ends = [*range(stride, len(numbers), stride), len(numbers)] if numbers else []
    return tuple(
        Step(
            numbers[end - 1].number,
            sum(t.tokens for t in numbers[:end]),
            _shown_tokens(numbers[:end], budget),
        )
        for end in ends
    )


def _shown_tokens(numbers: Sequence[TurnNumbers], budget: int) -> int:
    units, incomplete = units_of(numbers)
    try:
        return choose(units, budget=budget, incomplete=incomplete).tokens
    except InvalidField:
        return 0


def _require_staff(scope: Scope) -> None:
    if scope.actor.kind != "staff" or not scope.everything:
        raise ScopeMissing
