"""Rows of the desk as its tests look at them, and drafts that two people or a pattern are needed for."""

from __future__ import annotations

from django.db import transaction

from audit.models import AuditEntry
from vault.models import Memory, QuarantinedWrite, isolation
from vault.screening.verdict import decide
from vault.types import Action, Category, Finding, Verdict

RULE = Finding(Category.INJECTION, "override", 0, 4, 0.9, Action.QUARANTINE, detector="injection-rule")
CLAIM = Finding(
    Category.INJECTION, "high_impact:approval", 0, 4, 0.9, Action.QUARANTINE, detector="high-impact"
)


def verdict_of(*findings: Finding) -> Verdict:
    return decide(findings, policy_version=1)


def row(write: QuarantinedWrite) -> QuarantinedWrite:
    with transaction.atomic():
        isolation.open_everything()
        return QuarantinedWrite.objects.get(pk=write.pk)


def change(write: QuarantinedWrite, **fields: object) -> None:
    with transaction.atomic():
        isolation.open_everything()
        QuarantinedWrite.objects.filter(pk=write.pk).update(**fields)


def memories() -> list[Memory]:
    with transaction.atomic():
        isolation.open_everything()
        return list(Memory.objects.all())


def actions_on(target: object) -> list[str]:
    entries = AuditEntry.objects.filter(target_id=str(target)).order_by("pk")
    return list(entries.values_list("action", flat=True))
