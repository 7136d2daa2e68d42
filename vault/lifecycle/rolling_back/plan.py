"""What undoing some versions does to the memories they belong to: pure decisions over their histories."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise
from uuid import UUID

from vault.models import RollbackKind
from vault.types import Status

# Moves that another memory, or time, brings about: they go back with the other memory, or not at all.
MOVED_BY_OTHERS = frozenset({Status.SUPERSEDED, Status.EXPIRED, Status.ARCHIVED})


@dataclass(frozen=True, slots=True)
class Step:
    """One version. `matches`: it is to be undone; `settled`: an earlier rollback wrote it or dealt with it."""

    number: int
    status: Status
    written_at: datetime
    matches: bool = False
    settled: bool = False


@dataclass(frozen=True, slots=True)
class History:
    """One memory with all its versions, the first first."""

    memory_id: UUID
    subject_id: UUID
    namespace_id: int
    status: Status
    steps: tuple[Step, ...]
    superseded_by: UUID | None = None
    derived_from: tuple[UUID, ...] = ()

    @property
    def version(self) -> int:
        return self.steps[-1].number


@dataclass(frozen=True, slots=True)
class Change:
    """What a rollback does to one row. `row_id` is a memory's, or a quarantined write's to be rejected.

    `to_version` is the version to go back to, 0 for before the first; `to_status` the status to have then.
    `standing` is, of a conflict, the version of somebody else that would be lost.
    """

    kind: RollbackKind
    row_id: UUID
    subject_id: UUID
    namespace_id: int
    seen_version: int
    to_version: int = 0
    to_status: str = ""
    standing: int = 0


def is_move(step: Step, before: Step | None) -> bool:
    """Whether a version moved the status, and so left the statement as it was."""
    return before is not None and step.status is not before.status


def plan_matching(history: History) -> tuple[Change, ...]:
    """Undo the versions of one memory that match.

    What somebody else wrote after the first of them is not undone: the later ones go back as far as that, and
    of the rest a person decides.
    """
    wanted = [step.number for step, before in _with_before(history) if _is_to_undo(step, before)]
    if not wanted:
        return ()
    others = [
        step.number
        for step, before in _with_before(history)
        if step.number > wanted[0] and _is_of_others(step, before)
    ]
    if not others:
        return tuple(_go_back(history, wanted[0] - 1))
    later = [number for number in wanted if number > others[-1]]
    changes = list(_go_back(history, later[0] - 1)) if later else []
    conflict = _change(RollbackKind.CONFLICT, history, to_version=wanted[0] - 1, standing=others[-1])
    return (*changes, conflict)


def plan_derived(history: History, undone: Mapping[UUID, datetime]) -> Change | None:
    """What becomes of a memory that was derived from others; `undone` says from when each is to be undone."""
    derived_at = history.steps[0].written_at
    touched = any(undone[parent] <= derived_at for parent in history.derived_from if parent in undone)
    if not touched or history.status is Status.FORGOTTEN or history.steps[0].settled:
        return None
    others = [s.number for s, before in _with_before(history) if before and _is_of_others(s, before)]
    if others:
        return _change(RollbackKind.CONFLICT, history, to_version=0, standing=others[-1])
    return _change(RollbackKind.STALE, history)


def plan_revival(history: History, hidden: Mapping[UUID, UUID | None]) -> Change | None:
    """Whether a memory that gave way to others is served again; `hidden` maps those to their own successors."""
    if history.memory_id in hidden or history.status not in (Status.SUPERSEDED, Status.ARCHIVED):
        return None
    successor = history.superseded_by
    seen: set[UUID] = set()
    while successor is not None and successor in hidden and successor not in seen:
        seen.add(successor)
        successor = hidden[successor]
    if successor is not None:
        return None
    return _change(RollbackKind.REVIVE, history, to_status=Status.ACTIVE.value)


def undone_from(history: History) -> datetime | None:
    """The time of the first version of a memory that is to be undone."""
    return next(
        (step.written_at for step, before in _with_before(history) if _is_to_undo(step, before)), None
    )


def in_order(changes: Iterable[Change]) -> tuple[Change, ...]:
    """In the order of carrying out: by kind, then by subject, so that the list is the same each time."""
    kinds = list(RollbackKind)
    return tuple(sorted(changes, key=lambda c: (kinds.index(c.kind), c.subject_id, c.row_id, c.to_version)))


def _with_before(history: History) -> Iterator[tuple[Step, Step | None]]:
    steps: Sequence[Step | None] = (None, *history.steps)
    for before, step in pairwise(steps):
        if step is not None:
            yield step, before


def _is_to_undo(step: Step, before: Step | None) -> bool:
    moved_by_others = is_move(step, before) and step.status in MOVED_BY_OTHERS
    return step.matches and not step.settled and not moved_by_others


def _is_of_others(step: Step, before: Step | None) -> bool:
    """Whether somebody else said something by it, which nobody has asked to undo."""
    return not (step.matches or step.settled or is_move(step, before))


def _go_back(history: History, to_version: int) -> Iterator[Change]:
    if to_version == 0:
        if history.status is not Status.FORGOTTEN:
            yield _change(RollbackKind.FORGET, history)
        return
    moved_by_others = any(
        is_move(step, before) and not _is_to_undo(step, before)
        for step, before in _with_before(history)
        if step.number > to_version
    )
    status = history.status if moved_by_others else history.steps[to_version - 1].status
    yield _change(RollbackKind.RESTORE, history, to_version=to_version, to_status=status.value)


def _change(
    kind: RollbackKind, history: History, *, to_version: int = 0, to_status: str = "", standing: int = 0
) -> Change:
    return Change(
        kind=kind,
        row_id=history.memory_id,
        subject_id=history.subject_id,
        namespace_id=history.namespace_id,
        seen_version=history.version,
        to_version=to_version,
        to_status=to_status,
        standing=standing,
    )
