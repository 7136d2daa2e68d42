"""What a backup says of each subject against what the keys of now say: erased since, living, or not to be trusted.

A restored manifest is older than the head that was witnessed outside the database, which a read takes for a
replay. So every set that is whole gets a new head, newer than all that were ever seen; no witness is ever lowered,
and a set that does not fit its manifest keeps the old head and goes on being refused.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from vault.crypto import KeyMissing, ManifestState
from vault.errors import IntegrityFault, KeyDestroyed
from vault.keys import key_vault
from vault.lifecycle.erasure_run import erase_everywhere
from vault.lifecycle.integrity import EVERY_ROW
from vault.models import Subject, isolation
from vault.retrieval.integrity import StoredSet, stored_set

EMPTY = ManifestState(b"", 0, 0)


@dataclass(slots=True)
class Examined:
    """The subjects of a backup, sorted."""

    living: dict[UUID, ManifestState] = field(default_factory=dict)
    faulty: dict[UUID, StoredSet] = field(default_factory=dict)
    keyless: set[UUID] = field(default_factory=set)
    erased: set[UUID] = field(default_factory=set)

    def counts(self) -> Mapping[str, int]:
        return {name: len(getattr(self, name)) for name in ("living", "faulty", "keyless", "erased")}


@dataclass(frozen=True, slots=True)
class Head:
    """A subject's new manifest head, to be witnessed after the commit."""

    subject: UUID
    sequence: int
    mac: bytes


def examine(*, erased_now: Mapping[UUID, datetime]) -> Examined:
    """Sort the subjects of the connected database, and delete in it all rows of those who are erased today."""
    examined = Examined()
    with transaction.atomic(durable=True):
        isolation.open_everything()
        for subject_id in list(Subject.objects.order_by("pk").values_list("pk", flat=True)):
            _sort(subject_id, examined, erased_now)
    return examined


def _sort(subject_id: UUID, examined: Examined, erased_now: Mapping[UUID, datetime]) -> None:
    if subject_id in erased_now:
        _erase_again(subject_id, erased_now[subject_id])
        examined.erased.add(subject_id)
        return
    stored = stored_set(subject_id, limit=EVERY_ROW)
    try:
        keys = key_vault().subject(subject_id)
        if stored.state.sequence or stored.rows:
            stored.check(keys)
        examined.living[subject_id] = stored.state
    except KeyDestroyed:
        _erase_again(subject_id)
        examined.erased.add(subject_id)
    except KeyMissing:
        examined.keyless.add(subject_id)
    except IntegrityFault:
        examined.faulty[subject_id] = stored


def renew_heads(examined: Examined) -> Iterator[Head]:
    """Give every living subject of the vault a head that is newer than any before; erase who was erased meanwhile.

    Needs the transaction that restores, with everything open and nobody else at work.
    """
    rows = list(Subject.objects.filter(erased_at__isnull=True).values_list("pk", "manifest_sequence"))
    for subject_id, sequence in rows:
        if subject_id in examined.keyless:
            continue
        if subject_id in examined.erased:
            # Known as erased before the locks were taken, and as living by today's row: the key decides.
            _erase_again(subject_id)
        elif subject_id in examined.faulty:
            stored = examined.faulty[subject_id]
            _store(subject_id, stored.state, stored.mac)
        else:
            head = _renew(subject_id, examined.living.get(subject_id, EMPTY), sequence)
            if head is not None:
                yield head


def _renew(subject_id: UUID, state: ManifestState, sequence: int) -> Head | None:
    try:
        keys = key_vault().subject(subject_id)
    except KeyDestroyed:
        _erase_again(subject_id)
        return None
    except KeyMissing:
        return None
    witness = key_vault().witnessed_manifest(subject_id)
    newest = max(sequence, state.sequence, witness.sequence if witness else 0)
    if not newest:
        return None
    whole = state if state.value else keys.manifest.of(())
    renewed = replace(whole, sequence=newest + 1)
    mac = keys.manifest.seal(renewed)
    _store(subject_id, renewed, mac)
    return Head(subject_id, renewed.sequence, mac)


def _store(subject_id: UUID, state: ManifestState, mac: bytes) -> None:
    Subject.objects.filter(pk=subject_id).update(
        manifest_value=state.value,
        manifest_count=state.count,
        manifest_sequence=state.sequence,
        manifest_mac=mac,
    )


def _erase_again(subject_id: UUID, erased_at: datetime | None = None) -> None:
    erase_everywhere(subject_id, erased_at=erased_at or _destroyed_at(subject_id))


def _destroyed_at(subject_id: UUID) -> datetime:
    """When the key went; asking a second time tells of the first. A living key is never asked."""
    try:
        key_vault().subject(subject_id)
    except KeyDestroyed:
        return key_vault().destroy_subject(subject_id).unreadable_at
    return timezone.now()
