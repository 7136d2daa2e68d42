"""What a rollback would change: the whole list, before anybody asks for it."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db import transaction

from audit.actions import Action as Event
from audit.log import relax_commit
from vault.errors import IntegrityFault, InvalidField, KeyDestroyed
from vault.keys import key_vault
from vault.lifecycle.desk import require_staff
from vault.lifecycle.rolling_back.criteria import Criteria
from vault.lifecycle.rolling_back.matching import load_histories, matching_versions, waiting_writes
from vault.lifecycle.rolling_back.plan import (
    Change,
    History,
    in_order,
    plan_derived,
    plan_matching,
    plan_revival,
    undone_from,
)
from vault.lifecycle.versions import compare
from vault.models import Memory, MemoryVersion, QuarantinedWrite, RollbackKind, isolation
from vault.retrieval import trail
from vault.retrieval.opening import open_version
from vault.retrieval.scope import Scope
from vault.writing.store import has_twin

KIND = "rollback"
MAX_CHANGES = 20_000
HIDES = (RollbackKind.FORGET, RollbackKind.STALE)


@dataclass(frozen=True, slots=True)
class Preview:
    """What would change, in the order of carrying out. `unreadable` rows could not be compared, and stay."""

    criteria: Criteria
    changes: tuple[Change, ...]
    unreadable: int = 0

    @property
    def counts(self) -> dict[str, int]:
        """How many rows each kind of change meets."""
        found = Counter(change.kind.value for change in self.changes)
        return {kind.value: found[kind.value] for kind in RollbackKind if found[kind.value]}

    @property
    def digest(self) -> bytes:
        return digest_of(self.changes)


def digest_of(changes: Collection[Change]) -> bytes:
    """SHA-256 over a canonical line of JSON: of each change its kind, row, seen version, and where it goes."""
    lines = sorted([c.kind.value, str(c.row_id), c.seen_version, c.to_version, c.to_status] for c in changes)
    return hashlib.sha256(json.dumps(lines, separators=(",", ":")).encode()).digest()


def preview_rollback(*, criteria: Criteria, scope: Scope) -> Preview:
    """List what undoing these writes would change; an audited read that changes nothing.

    Raises InvalidField when it would be more than MAX_CHANGES rows.
    """
    require_staff(scope)
    with transaction.atomic(durable=True):
        relax_commit()
        isolation.open_everything()
        preview = find_changes(criteria)
        trail.note(Event.ROLLBACK_PREVIEWED, scope=scope, kind=KIND, count=len(preview.changes))
    return preview


def find_changes(criteria: Criteria) -> Preview:
    """The preview, in the caller's transaction with all rows open."""
    matches, unreadable = matching_versions(criteria)
    histories = load_histories(matches, matches)
    changes = [change for history in histories for change in plan_matching(history)]
    changes = [change for change in changes if not _is_restored_already(change)]
    derived = _derived(histories, changes)
    stale = {change.row_id for change in derived if change.kind is RollbackKind.STALE}
    # Going back to how it was made would serve what it was made of.
    changes = [change for change in changes if change.row_id not in stale] + derived
    changes += _revivals(changes)
    writes, closed = waiting_writes(criteria)
    changes += [_rejection(write) for write in writes]
    if len(changes) > MAX_CHANGES:
        raise InvalidField("These are too many at once; choose a shorter time.", pointer="/until")
    return Preview(criteria, in_order(changes), unreadable + closed)


def _derived(histories: list[History], changes: list[Change]) -> list[Change]:
    """What was made from the undone ones, and from what was made from those."""
    goes = {change.row_id for change in changes if change.kind is not RollbackKind.CONFLICT}
    undone: dict[UUID, datetime] = {
        history.memory_id: since
        for history in histories
        if history.memory_id in goes and (since := undone_from(history)) is not None
    }
    found: list[Change] = []
    rewritten = {change.row_id for change in changes if change.kind is RollbackKind.RESTORE}
    known = {history.memory_id: history for history in histories if history.memory_id in rewritten}
    looked = {change.row_id for change in changes} - rewritten
    fresh: Collection[UUID] = list(undone)
    while fresh:
        rows = Memory.objects.filter(derived_from__overlap=list(fresh)).exclude(pk__in=looked)
        loaded = load_histories(list(rows.values_list("pk", flat=True)), {})
        children = [known.get(child.memory_id, child) for child in loaded]
        looked.update(child.memory_id for child in children)
        planned = [(child, change) for child in children if (change := plan_derived(child, undone))]
        found += [change for _, change in planned]
        stale = [child for child, change in planned if change.kind is RollbackKind.STALE]
        undone.update({child.memory_id: child.steps[0].written_at for child in stale})
        fresh = [child.memory_id for child in stale]
    return found


def _revivals(changes: list[Change]) -> Iterator[Change]:
    hidden_ids = {change.row_id for change in changes if change.kind in HIDES}
    hidden = dict(Memory.objects.filter(pk__in=hidden_ids).values_list("pk", "superseded_by_id"))
    stale = {change.row_id for change in changes if change.kind is RollbackKind.STALE}
    absorbed = Memory.objects.filter(pk__in=stale).values_list("derived_from", flat=True)
    parents = {parent for row in absorbed for parent in row}
    # One that gave way to a hidden one may itself have replaced others; those stay replaced by it.
    replaced = set(Memory.objects.filter(superseded_by__in=hidden_ids).values_list("pk", flat=True))
    for history in load_histories(parents | replaced, {}):
        change = plan_revival(history, hidden)
        if change is not None and not _stands_already(history.memory_id):
            yield change


def _stands_already(memory_id: UUID) -> bool:
    memory = Memory.objects.get(pk=memory_id)
    return has_twin(memory, bytes(memory.fingerprint))


def _is_restored_already(change: Change) -> bool:
    """Whether somebody took it back by hand: what they wrote last is what going back would give."""
    if change.kind is not RollbackKind.CONFLICT or change.to_version == 0:
        return False
    rows = MemoryVersion.objects.filter(memory_id=change.row_id)
    keys = key_vault().subject(change.subject_id)
    try:
        before, after = (
            open_version(rows.get(number=number), keys=keys)
            for number in (change.to_version, change.standing)
        )
    except (IntegrityFault, KeyDestroyed):
        return False
    seen = compare(before, after)
    same_text = all(piece.change == "same" for piece in seen.changes)
    return same_text and not set(seen.labels) - {"status"}


def _rejection(write: QuarantinedWrite) -> Change:
    return Change(
        kind=RollbackKind.REJECT,
        row_id=write.pk,
        subject_id=write.subject_id,
        namespace_id=write.namespace_id,
        seen_version=write.revision,
    )
