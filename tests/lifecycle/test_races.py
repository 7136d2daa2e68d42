"""Two at once: what one transaction decides, the other finds decided."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor

import pytest
from django.db import connections, transaction
from django.utils import timezone

from audit.models import AuditEntry
from tests.factories import make_memory, make_quarantined_write, make_scope, staff_scope, suspicious
from tests.lifecycle.test_erasure import approved, counts_of
from vault.errors import AlreadyDecided, NotFound, StaleVersion, SubjectErased, VaultError
from vault.lifecycle import erasure_run, release
from vault.lifecycle.erasure_run import execute_erasure
from vault.lifecycle.forget import forget_memory
from vault.lifecycle.retention import expire_due
from vault.lifecycle.reviewing.deciding import reject_write, release_write
from vault.lifecycle.versions import roll_back
from vault.models import Memory, QuarantinedWrite, isolation
from vault.types import Action as Decision
from vault.types import MemoryDraft, Source, SourceType, Trust, Verdict
from vault.writing.landing import Landing, land

pytestmark = pytest.mark.django_db(transaction=True)


def at_once(*calls: Callable[[], object]) -> list[object]:
    """Run the calls in threads that start together; answers and refusals in their order."""
    barrier = threading.Barrier(len(calls))

    def run(call: Callable[[], object]) -> object:
        try:
            barrier.wait(10)
            return call()
        except VaultError as refusal:
            return refusal
        finally:
            connections.close_all()

    with ThreadPoolExecutor(len(calls)) as pool:
        return list(pool.map(run, calls))


@pytest.fixture
def judged(monkeypatch) -> None:
    monkeypatch.setattr(release, "judge", lambda *_, **__: suspicious("x"))


@pytest.mark.usefixtures("judged")
def test_of_two_reviewers_at_once_one_decides():
    write = make_quarantined_write()
    one, other = staff_scope(), staff_scope()

    answers = at_once(
        lambda: release_write(write_id=write.pk, revision=1, reason_code="fine", scope=one),
        lambda: reject_write(write_id=write.pk, revision=1, reason_code="bad", scope=other),
    )

    assert sum(isinstance(answer, AlreadyDecided) for answer in answers) == 1
    decisions = AuditEntry.objects.filter(action__in=["quarantine.released", "quarantine.rejected"])
    assert decisions.count() == 1
    assert AuditEntry.objects.filter(action="quarantine.decision_refused").count() == 1


@pytest.mark.usefixtures("judged")
def test_ten_clicks_on_release_make_one_memory():
    write, person = make_quarantined_write(), staff_scope()

    answers = at_once(
        *(
            lambda: release_write(write_id=write.pk, revision=1, reason_code="fine", scope=person)
            for _ in range(10)
        )
    )

    assert sum(isinstance(answer, AlreadyDecided) for answer in answers) == 9
    with transaction.atomic():
        isolation.open_everything()
        assert Memory.objects.count() == 1


def test_of_many_changes_at_one_version_one_wins():
    memory, agent = make_memory(), make_scope()

    answers = at_once(
        *(
            lambda: forget_memory(memory_id=memory.row.pk, expected_version=1, reason="wrong", scope=agent)
            for _ in range(10)
        )
    )

    assert sum(isinstance(answer, StaleVersion) for answer in answers) == 9


def test_two_expiry_jobs_at_once_expire_once():
    make_memory(expires_at=timezone.now())

    def expire() -> int:
        return expire_due(now=timezone.now(), limit=10)

    assert sorted(at_once(expire, expire, expire)) == [0, 0, 1]
    assert AuditEntry.objects.filter(action="memory.expired").count() == 1


def test_two_erasures_at_once_erase_once():
    make_memory(subject="S1")
    request = approved("S1")

    answers = at_once(lambda: execute_erasure(request.pk), lambda: execute_erasure(request.pk))

    assert answers == [None, None]
    entries = AuditEntry.objects.filter(target_id=str(request.pk))
    for action in (
        "erasure.executed",
        "keys.destroyed",
        "keys.rotated",
        "erasure.completed",
        "certificate.issued",
    ):
        assert entries.filter(action=action).count() == 1


def write(text: str, scope) -> object:
    """A write that has passed screening and comes down now."""
    draft = MemoryDraft(subject="S1", namespace="default", text=text, source=Source(SourceType.USER))
    landing = Landing(draft, (), None, Trust.STATED, scope.namespaces[0])
    with transaction.atomic(durable=True):
        return land(landing, verdict=Verdict(Decision.ALLOW), scope=scope, now=timezone.now())


def started(pool: ThreadPoolExecutor, call: Callable[[], object]) -> Future[object]:
    def run() -> object:
        try:
            return call()
        finally:
            connections.close_all()

    return pool.submit(run)


def test_writes_during_an_erasure_leave_no_row(monkeypatch):
    """A write that was screened before the erasure, and lands while its rows go, finds the subject erased."""
    subject = make_memory(subject="S1").row.subject
    request, agent = approved("S1"), make_scope()
    landed: list[Future[object]] = []
    note = erasure_run._note
    with ThreadPoolExecutor(1) as pool:

        def note_while_a_write_waits(event, *arguments, **facts):
            # Called inside the transaction that deletes the rows, so the write waits for its lock.
            if not landed:
                landed.append(started(pool, lambda: write("Prefers the aisle", agent)))
            note(event, *arguments, **facts)

        monkeypatch.setattr(erasure_run, "_note", note_while_a_write_waits)
        execute_erasure(request.pk)
        refusal = landed[0].exception(30)

    assert isinstance(refusal, SubjectErased)
    assert set(counts_of(subject).values()) == {0}


def test_nothing_brings_an_erased_memory_back():
    memory = make_memory(subject="S1")
    agent = make_scope()
    waiting = make_quarantined_write(subject=memory.row.subject)
    execute_erasure(approved("S1").pk)

    with pytest.raises(NotFound):
        roll_back(memory_id=memory.row.pk, version=1, expected_version=1, reason="x", scope=agent)
    with pytest.raises(SubjectErased):
        write("Prefers the aisle", agent)
    with transaction.atomic():
        isolation.open_everything()
        assert not QuarantinedWrite.objects.filter(pk=waiting.pk).exists()
    assert set(counts_of(memory.row.subject).values()) == {0}
