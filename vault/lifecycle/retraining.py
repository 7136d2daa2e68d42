"""What reviewers taught the injection filter: texts it was wrong about, and texts it was right about.

A set for retraining takes texts of many subjects out of the vault at once, so two people stand for it, each
subject's part is an entry, and only what was decided for a reason about the filter itself is in it. The rows have
the form that `vault.screening.injection.train` reads.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from itertools import groupby
from uuid import UUID

from django.db import transaction
from django.db.models import QuerySet

from audit.actions import Action as Event
from vault.errors import IntegrityFault
from vault.keys import key_vault
from vault.lifecycle.approvals import Act, ask, spend
from vault.lifecycle.desk import refusals_noted, require_staff
from vault.models import Approval, ApprovalKind, Memory, QuarantinedWrite, isolation
from vault.retrieval import trail
from vault.retrieval.opening import open_current
from vault.retrieval.scope import Scope
from vault.screening import redact
from vault.types import QuarantineStatus, Status
from vault.writing.set_aside import open_draft

KIND = "retraining_set"
WRONGLY_FLAGGED = "false_positive"
RIGHTLY_FLAGGED = "instruction_not_memory"
ACT = Act(ApprovalKind.RETRAINING)
OWN = "operator"


@dataclass(frozen=True, slots=True)
class TaughtText:
    """One row: label 1 is an instruction, 0 an honest memory. Text is masked as policy masks it."""

    text: str = field(repr=False)
    label: int
    kind: str
    source: str = "review-desk"
    lang: str = ""
    licence: str = OWN


def count_taught(*, scope: Scope) -> dict[int, int]:
    """How many decisions each label could come from; opens no text."""
    require_staff(scope)
    with transaction.atomic(durable=True):
        isolation.open_everything()
        return {0: _released().count(), 1: _rejected().count()}


def ask_for_set(*, reason_code: str, scope: Scope) -> Approval:
    """Ask for a second person's word to take the set out."""
    require_staff(scope)
    with transaction.atomic(durable=True):
        return ask(act=ACT, reason_code=reason_code, scope=scope)


def take_set(*, scope: Scope) -> list[dict[str, object]]:
    """The rows, once, on an approval. Raises ApprovalRequired."""
    require_staff(scope)
    with (
        refusals_noted(Event.EXPORT_DOWNLOADED, scope=scope, kind=KIND),
        transaction.atomic(durable=True),
    ):
        isolation.open_everything()
        spend(act=ACT, scope=scope)
        rows: list[dict[str, object]] = []
        for subject_id, texts in groupby(
            sorted(_taught(), key=lambda pair: pair[0]), key=lambda pair: pair[0]
        ):
            part = [asdict(text) for _, text in texts]
            trail.note(
                Event.EXPORT_DOWNLOADED, scope=scope, kind=KIND, count=len(part), reason=KIND,
                subject_ref=key_vault().subject(subject_id).audit_reference,
            )  # fmt: skip
            rows += part
    return rows


def _released() -> QuerySet[QuarantinedWrite]:
    return _decided(QuarantineStatus.RELEASED, WRONGLY_FLAGGED).filter(released_as__isnull=False)


def _rejected() -> QuerySet[QuarantinedWrite]:
    return _decided(QuarantineStatus.REJECTED, RIGHTLY_FLAGGED).exclude(ciphertext=b"")


def _decided(status: QuarantineStatus, reason_code: str) -> QuerySet[QuarantinedWrite]:
    """Decisions for a reason about the filter, on subjects that did not ask to be left alone."""
    return QuarantinedWrite.objects.filter(
        status=status, reason_code=reason_code, subject__erased_at=None, subject__restricted_at=None
    )


def _taught() -> Iterator[tuple[UUID, TaughtText]]:
    released = _released().values_list("released_as", flat=True)
    for memory in Memory.objects.filter(pk__in=released, status=Status.ACTIVE).select_related("namespace"):
        try:
            content = open_current(memory, keys=key_vault().subject(memory.subject_id))
        except IntegrityFault:
            continue
        yield memory.subject_id, TaughtText(content.text, 0, "ordinary_memory")
    for write in _rejected():
        draft, verdict = open_draft(write, keys=key_vault().subject(write.subject_id))
        masked, _ = redact(draft, verdict.findings)
        yield write.subject_id, TaughtText(masked.text, 1, "memory_poison")
