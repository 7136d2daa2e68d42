"""`kill -9` at every point of an erasure: run again, it comes to the same end."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from pathlib import Path
from uuid import UUID

import pytest
from django.db import connections

from audit.models import AuditEntry
from tests.factories import make_memory, make_quarantined_write, staff_scope
from tests.lifecycle.test_erasure import approved, counts_of
from vault.errors import KeyDestroyed
from vault.keys import key_vault
from vault.lifecycle.data_map import STORES, Store
from vault.lifecycle.erasure import get_request
from vault.lifecycle.erasure_run import execute_erasure
from vault.lifecycle.verify_certificate import verify_certificate
from vault.models import Subject

ROOT = Path(__file__).resolve().parents[2]
PATIENCE_SECONDS = 120
POINTS = [
    "before _erase_rows",
    f"in {STORES[0].name}",
    f"in {STORES[-1].name}",
    "before _destroy_key",
    "after destroy_subject",
    "before _end_epoch",
    "after roll_epoch",
    "before _look_again",
    "before _certify",
    "after publish_checkpoint",
    "after issue",
]
ONCE = ("erasure.executed", "keys.destroyed", "keys.rotated", "erasure.completed", "certificate.issued")

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def subject() -> Subject:
    subject = make_memory(subject="S1").row.subject
    make_quarantined_write(subject=subject)
    return subject


def killed_at(point: str, request_id: UUID) -> int:
    """Run the erasure in a process that is killed at this point; its exit status."""
    name = connections["default"].settings_dict["NAME"]
    url = re.sub(r"/[^/?]+(\?|$)", rf"/{name}\1", os.environ["DATABASE_URL"])
    hidden = {"DJANGO_ALLOW_ASYNC_UNSAFE"}
    answer = subprocess.run(
        [sys.executable, "-m", "tests.lifecycle.erasing_process", str(request_id), point],
        cwd=ROOT,
        env={
            **{key: value for key, value in os.environ.items() if key not in hidden},
            "DATABASE_URL": url,
            "DJANGO_SETTINGS_MODULE": "vault.settings",
        },
        timeout=PATIENCE_SECONDS,
        check=False,
    )
    return answer.returncode


def require_erased(subject: Subject, request_id: UUID) -> None:
    done = get_request(request_id=request_id, scope=staff_scope())
    assert done.status == "done"
    assert set(counts_of(subject).values()) == {0}
    with pytest.raises(KeyDestroyed):
        key_vault().subject(subject.pk)
    verify_certificate(done.certificate, public_keys=key_vault().signer().public_keys())
    for action in ONCE:
        assert AuditEntry.objects.filter(target_id=str(request_id), action=action).count() == 1, action


@pytest.mark.parametrize("point", POINTS)
def test_an_erasure_that_is_killed_converges(point, subject):
    request = approved("S1")

    assert killed_at(point, request.pk) == -signal.SIGKILL
    execute_erasure(request.pk)

    require_erased(subject, request.pk)


@pytest.mark.parametrize("store", [store.name for store in STORES])
def test_an_erasure_that_stops_in_any_store_has_deleted_nothing_and_converges(store, subject, monkeypatch):
    before, request, erase = counts_of(subject), approved("S1"), Store.erase

    def stop(self, subject_id):
        rows = erase(self, subject_id)
        if self.name == store:
            raise InterruptedError
        return rows

    with monkeypatch.context() as patch:
        patch.setattr(Store, "erase", stop)
        with pytest.raises(InterruptedError):
            execute_erasure(request.pk)
    assert counts_of(subject) == before
    execute_erasure(request.pk)

    require_erased(subject, request.pk)


def test_an_erasure_that_is_killed_twice_converges(subject):
    request = approved("S1")

    for point in ("after destroy_subject", "after roll_epoch"):
        assert killed_at(point, request.pk) == -signal.SIGKILL
    execute_erasure(request.pk)

    require_erased(subject, request.pk)
