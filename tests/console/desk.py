"""The review desk as its pages' tests use it: rows, decisions, verdicts."""

from __future__ import annotations

from datetime import timedelta

from django.db import transaction
from django.utils import timezone

from audit.models import AuditEntry
from tests.factories import make_quarantined_write, suspicious
from vault.lifecycle import release
from vault.models import QuarantinedWrite, isolation
from vault.types import Action, Category, Finding, Verdict

RELEASE = {"reason": "false_positive", "revision": 1}
REJECT = {"reason": "untrusted_source", "revision": 1}


def state(write: QuarantinedWrite) -> QuarantinedWrite:
    with transaction.atomic():
        isolation.open_everything()
        return QuarantinedWrite.objects.get(pk=write.pk)


def change(write: QuarantinedWrite, **fields) -> None:
    with transaction.atomic():
        isolation.open_everything()
        QuarantinedWrite.objects.filter(pk=write.pk).update(**fields)


def actions(*names: str) -> list[str]:
    return list(AuditEntry.objects.filter(action__in=names).values_list("action", flat=True))


def act(client, write, verb: str, data=None, query: str = ""):
    return client.post(f"/console/queue/{write.pk}/{verb}/{query}", data or {})


def page_of(client, write, query: str = "") -> str:
    return client.get(f"/console/queue/{write.pk}/{query}").content.decode()


def reveal(client, write, view: str = "original", purpose: str = "decide"):
    return act(client, write, "reveal", {"purpose": purpose, "view": view})


def due_in(hours: int) -> QuarantinedWrite:
    return make_quarantined_write(due_at=timezone.now() + timedelta(hours=hours))


def verdict(*reasons: str) -> Verdict:
    finding = Finding(Category.INJECTION, "instruction", 0, 3, 0.9, Action.QUARANTINE)
    return Verdict(Action.QUARANTINE, (finding,), reasons)


def let_detectors_rest(monkeypatch) -> None:
    """Say at every release that the text is suspected, whatever it is: the detectors have tests of their own.

    Names and notes are screened still.
    """
    monkeypatch.setattr(release, "judge", lambda *_, **__: suspicious("x"))
