"""What ends by itself: memories past their time, quarantined writes that nobody decided, answers for replay.

Every function works through one batch and says how many it did; its caller asks again while a batch was full.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from itertools import groupby
from uuid import UUID

from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet

from audit.actions import Action as Event
from audit.actions import Outcome
from vault.crypto import SubjectKeys
from vault.errors import IntegrityFault, SubjectErased
from vault.keys import key_vault
from vault.lifecycle import holds
from vault.lifecycle.desk import system_scope
from vault.models import (
    CallRate,
    IdempotencyRecord,
    LegalHold,
    Memory,
    QuarantinedWrite,
    SpentAssertion,
    Subject,
    SubjectToken,
    isolation,
)
from vault.retrieval import trail
from vault.retrieval.opening import open_current
from vault.types import QuarantineStatus, Status
from vault.writing.locks import lock_subject
from vault.writing.store import write_version

SCOPE = system_scope("retention")
EXPIRED = "expired"
# More than clocks of machines that serve one vault differ.
CLOCKS_APART = timedelta(hours=1)
NOTHING_KEPT = Q(ciphertext=b"", sealed_notes=b"")


def expire_due(*, now: datetime, limit: int) -> int:
    """Write an expired version for up to `limit` memories whose time is up; held subjects are left alone."""
    with transaction.atomic(durable=True):
        isolation.open_everything()
        due = not_held(Memory.objects.filter(status=Status.ACTIVE, expires_at__lte=now))
        found = list(due.order_by("expires_at").values_list("subject_id", "pk")[:limit])
    # By subject, so that each one's lock is taken once.
    return sum(
        _expire_of(subject_id, [pk for _, pk in group], now)
        for subject_id, group in groupby(sorted(found), key=lambda pair: pair[0])
    )


def lapse_due(*, now: datetime, limit: int) -> int:
    """Delete up to `limit` drafts kept long enough, with their notes; an undecided one lapses.

    None is ever released by time.
    """
    with transaction.atomic(durable=True):
        isolation.open_everything()
        due = not_held(QuarantinedWrite.objects.filter(lapses_at__lte=now).exclude(NOTHING_KEPT))
        found = list(due.order_by("lapses_at").values_list("subject_id", "pk")[:limit])
    return sum(
        _lapse_of(subject_id, [pk for _, pk in group], now)
        for subject_id, group in groupby(sorted(found), key=lambda pair: pair[0])
    )


def drop_expired_answers(*, now: datetime, limit: int) -> int:
    """Delete answers for replay whose time is up."""
    with transaction.atomic(durable=True):
        isolation.open_everything()
        due = IdempotencyRecord.objects.filter(expires_at__lte=now).values_list("pk", flat=True)[:limit]
        return IdempotencyRecord.objects.filter(pk__in=list(due)).delete()[0]


def drop_expired_tokens(*, now: datetime, limit: int) -> int:
    """Delete subject tokens whose time is up."""
    due = SubjectToken.objects.filter(expires_at__lte=now).values_list("pk", flat=True)[:limit]
    return SubjectToken.objects.filter(pk__in=list(due)).delete()[0]


def drop_spent_assertions(*, now: datetime, limit: int) -> int:
    """Forget numbers of assertions that are refused for their time anyway, on a machine whose clock is late too."""
    due = SpentAssertion.objects.filter(expires_at__lte=now - CLOCKS_APART).values_list("pk", flat=True)
    return SpentAssertion.objects.filter(pk__in=list(due[:limit])).delete()[0]


def drop_idle_rates(*, now: datetime, limit: int) -> int:
    """Delete the call rates that have run out: a caller without one starts from nothing, as they would."""
    idle = CallRate.objects.filter(empty_at__lte=now).values_list("pk", flat=True)[:limit]
    return CallRate.objects.filter(pk__in=list(idle), empty_at__lte=now).delete()[0]


def not_held(rows: QuerySet) -> QuerySet:  # type: ignore[type-arg]
    """Those of the rows whose subject no hold stands on."""
    held = LegalHold.objects.filter(subject_id=OuterRef("subject_id"), released_at__isnull=True)
    return rows.filter(~Exists(held))


def lock_unheld(subject_id: UUID) -> Subject | None:
    """The locked subject; None when it was erased, or a hold was placed, since the batch was chosen."""
    isolation.open_whole_subject(subject_id)
    try:
        subject = lock_subject(subject_id)
    except SubjectErased:
        return None
    return None if holds.is_held(subject_id) else subject


def _expire_of(subject_id: UUID, ids: Sequence[UUID], now: datetime) -> int:
    with transaction.atomic(durable=True):
        subject = lock_unheld(subject_id)
        if subject is None:
            return 0
        keys = key_vault().subject(subject.pk)
        rows = Memory.objects.filter(pk__in=ids, status=Status.ACTIVE, expires_at__lte=now)
        return sum(_expire(row, subject, now, keys) for row in rows.select_related("namespace"))


def _expire(memory: Memory, subject: Subject, now: datetime, keys: SubjectKeys) -> bool:
    try:
        content = open_current(memory, keys=keys)
    except IntegrityFault:
        # It cannot be sealed again; readers refuse it as it stands, and the others must not wait for it.
        trail.note(
            Event.MEMORY_INTEGRITY_FAULT, scope=SCOPE, kind="memory", target=memory.pk,
            subject_ref=keys.audit_reference, outcome=Outcome.FAILED,
        )  # fmt: skip
        return False
    memory.status = Status.EXPIRED.value
    write_version(
        memory, content, subject=subject, author=SCOPE.author, reason_code=EXPIRED, now=now,
        sealed=memory.namespace.sealed, keys=keys,
    )  # fmt: skip
    trail.note(
        Event.MEMORY_EXPIRED, scope=SCOPE, kind="memory", target=memory.pk, subject_ref=keys.audit_reference,
        version=memory.version,
    )  # fmt: skip
    return True


def _lapse_of(subject_id: UUID, ids: Sequence[UUID], now: datetime) -> int:
    with transaction.atomic(durable=True):
        subject = lock_unheld(subject_id)
        if subject is None:
            return 0
        reference = key_vault().subject(subject.pk).audit_reference
        rows = QuarantinedWrite.objects.select_for_update().filter(Q(pk__in=ids) & ~NOTHING_KEPT)
        return sum(_lapse(row, now, reference) for row in rows)


def _lapse(write: QuarantinedWrite, now: datetime, reference: str) -> bool:
    write.ciphertext = write.sealed_notes = b""
    if write.status == QuarantineStatus.PENDING:
        write.move_to(QuarantineStatus.LAPSED, by="")
        write.decided_at = now
        trail.note(
            Event.QUARANTINE_LAPSED, scope=SCOPE, kind="quarantine", target=write.pk, subject_ref=reference
        )
    write.save(update_fields=["ciphertext", "sealed_notes", "status", "decided_at"])
    return True
