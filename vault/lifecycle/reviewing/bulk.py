"""One decision on many writes: all of them or none, with a result for each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from uuid import UUID

from django.db import transaction

from audit.actions import Action as Event
from vault.errors import InvalidField, VaultError
from vault.lifecycle.desk import require_staff
from vault.lifecycle.release import Cleared
from vault.lifecycle.reviewing.deciding import (
    Variant,
    clear_for_one,
    reject_locked,
    release_locked,
)
from vault.lifecycle.reviewing.undecided import KIND, find_write, lock_undecided, read_undecided
from vault.models import isolation
from vault.retrieval import trail
from vault.retrieval.scope import Scope

MAX_BULK = 50


class BulkVerb(StrEnum):
    RELEASE = "release"
    REJECT = "reject"


@dataclass(frozen=True, slots=True)
class Choice:
    """One write at the revision that was listed."""

    write_id: UUID
    revision: int


@dataclass(frozen=True, slots=True)
class ItemResult:
    """What became of one write: its memory if it was let in, or the refusal that kept all from being decided."""

    write_id: UUID
    memory_id: UUID | None = None
    refusal: VaultError | None = None


@dataclass(frozen=True, slots=True)
class BulkResult:
    """`done` is true when every write was decided; otherwise none was."""

    done: bool
    items: tuple[ItemResult, ...]


class _OneFailed(Exception):
    """Ends the transaction of a bulk decision, so that none of it stays."""


def decide_many(*, choices: Sequence[Choice], verb: BulkVerb, reason_code: str, scope: Scope) -> BulkResult:
    """Take one decision on up to MAX_BULK writes for one reason; if one cannot be decided so, none is.

    A high-impact claim is never let in this way. Raises InvalidField for none, too many, or the same write twice.
    """
    require_staff(scope)
    if not 0 < len(choices) <= MAX_BULK or len({choice.write_id for choice in choices}) < len(choices):
        raise InvalidField(f"Mark between one and {MAX_BULK} writes.", pointer="/writes")
    cleared, results = _clear_all(choices, scope) if verb is BulkVerb.RELEASE else ({}, {})
    if not results:
        results = _decide_all(choices, cleared, reason_code=reason_code, scope=scope)
    items = tuple(results.get(choice.write_id, ItemResult(choice.write_id)) for choice in choices)
    for item in items:
        if item.refusal is not None:
            trail.note_refusal(
                Event.QUARANTINE_DECISION_REFUSED, scope=scope, kind=KIND, target=item.write_id,
                reason=item.refusal.code, bulk=len(choices),
            )  # fmt: skip
    return BulkResult(all(item.refusal is None for item in items), items)


def _clear_all(choices: Sequence[Choice], scope: Scope) -> tuple[dict[UUID, Cleared], dict[UUID, ItemResult]]:
    """Mask and embed every draft before the transaction opens; also what is refused already."""
    cleared: dict[UUID, Cleared] = {}
    refused: dict[UUID, ItemResult] = {}
    for choice in choices:
        try:
            read = read_undecided(choice.write_id, choice.revision)
            cleared[choice.write_id] = clear_for_one(read, Variant.AS_IS, scope=scope)
        except VaultError as refusal:
            refused[choice.write_id] = ItemResult(choice.write_id, refusal=refusal)
    return cleared, refused


def _decide_all(
    choices: Sequence[Choice], cleared: Mapping[UUID, Cleared], *, reason_code: str, scope: Scope
) -> dict[UUID, ItemResult]:
    """Decide in one transaction; after a refusal only the refusals are left."""
    results: dict[UUID, ItemResult] = {}
    try:
        with transaction.atomic(durable=True):
            for choice in _in_lock_order(choices):
                results[choice.write_id] = _decide_one(
                    choice, cleared.get(choice.write_id), reason_code=reason_code, scope=scope
                )
            if any(result.refusal is not None for result in results.values()):
                raise _OneFailed
    except _OneFailed:
        return {key: result for key, result in results.items() if result.refusal is not None}
    return results


def _in_lock_order(choices: Sequence[Choice]) -> list[Choice]:
    """By subject, as all who lock several subjects must go, so that two never wait for each other."""
    isolation.open_everything()
    found: dict[UUID, UUID] = {}
    for choice in choices:
        try:
            found[choice.write_id] = find_write(choice.write_id).subject_id
        except VaultError:
            continue
    return sorted(choices, key=lambda choice: (str(found.get(choice.write_id, "")), str(choice.write_id)))


def _decide_one(choice: Choice, cleared: Cleared | None, *, reason_code: str, scope: Scope) -> ItemResult:
    try:
        # A savepoint: what the next one needs of the transaction is still there after a refusal.
        with transaction.atomic():
            write, subject = lock_undecided(choice.write_id, choice.revision)
            if cleared is None:
                reject_locked(write, reason_code=reason_code, scope=scope)
                return ItemResult(choice.write_id)
            memory = release_locked(
                write, subject, cleared, reason_code=reason_code, variant=Variant.AS_IS, scope=scope
            )
            return ItemResult(choice.write_id, memory.row.pk)
    except VaultError as refusal:
        return ItemResult(choice.write_id, refusal=refusal)
