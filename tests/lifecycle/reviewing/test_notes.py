from __future__ import annotations

import pytest
from django.db import connection, transaction
from django.utils import timezone

from audit.models import AuditEntry
from tests.factories import make_quarantined_write, make_scope, staff_scope
from tests.lifecycle.reviewing.desk import change, row
from tests.lifecycle.test_erasure import approved
from vault.errors import AlreadyDecided, IntegrityFault, InvalidField, ScopeMissing, SecretDetected
from vault.lifecycle.erasure_run import execute_erasure
from vault.lifecycle.retention import lapse_due
from vault.lifecycle.reviewing.notes import MAX_CHARACTERS, add_note
from vault.lifecycle.reviewing.reading import look_at_write
from vault.models import QuarantinedWrite, isolation

pytestmark = pytest.mark.django_db
TOKEN = "gh" + "p_" + "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"
TEXT = "The supplier says that it is theirs."


def notes(write) -> list[str]:
    return [note.text for note in look_at_write(write_id=write.pk, scope=staff_scope()).notes]


def test_colleagues_read_what_was_noted_in_order():
    write = make_quarantined_write()

    add_note(write_id=write.pk, text=TEXT, scope=staff_scope())
    add_note(write_id=write.pk, text="Asked again.", scope=staff_scope())

    assert notes(write) == [TEXT, "Asked again."]


def test_a_note_stands_nowhere_in_clear():
    write = make_quarantined_write()
    add_note(write_id=write.pk, text=TEXT, scope=staff_scope())

    with transaction.atomic(), connection.cursor() as cursor:
        isolation.open_everything()
        cursor.execute("SELECT w::text FROM vault_quarantinedwrite w")
        rows = str(cursor.fetchall())
    assert "supplier" not in rows
    assert TEXT.encode().hex() not in rows
    assert not AuditEntry.objects.filter(facts__icontains="supplier").exists()


def test_a_credential_in_a_note_is_refused_and_kept_nowhere():
    write = make_quarantined_write()

    with pytest.raises(SecretDetected):
        add_note(write_id=write.pk, text=f"Notes for the staging box {TOKEN}", scope=staff_scope())

    assert bytes(row(write).sealed_notes) == b""
    entry = AuditEntry.objects.get(action="quarantine.noted")
    assert (entry.outcome, entry.reason) == ("refused", "secret_detected")


def test_a_note_that_was_moved_to_another_write_does_not_open():
    write, other = make_quarantined_write(), make_quarantined_write()
    add_note(write_id=write.pk, text=TEXT, scope=staff_scope())
    change(other, sealed_notes=bytes(row(write).sealed_notes))

    with pytest.raises(IntegrityFault):
        notes(other)


def test_notes_go_with_the_subject():
    write = make_quarantined_write(subject="S1")
    add_note(write_id=write.pk, text=TEXT, scope=staff_scope())

    execute_erasure(approved("S1").pk)

    with transaction.atomic():
        isolation.open_everything()
        assert not QuarantinedWrite.objects.exists()


@pytest.mark.parametrize("status", ["pending", "released", "rejected"])
def test_notes_go_when_the_time_of_the_draft_is_over(status):
    write = make_quarantined_write()
    add_note(write_id=write.pk, text=TEXT, scope=staff_scope())
    decided_by = "" if status == "pending" else "staff:1"
    change(write, status=status, decided_by=decided_by, ciphertext=b"", lapses_at=timezone.now())

    lapse_due(now=timezone.now(), limit=10)

    assert bytes(row(write).sealed_notes) == b""


@pytest.mark.parametrize("text", ["", " \n", "x" * (MAX_CHARACTERS + 1)])
def test_a_note_has_some_text_and_not_too_much(text):
    with pytest.raises(InvalidField):
        add_note(write_id=make_quarantined_write().pk, text=text, scope=staff_scope())


def test_a_decided_write_takes_no_note():
    with pytest.raises(AlreadyDecided):
        add_note(write_id=make_quarantined_write(status="rejected").pk, text=TEXT, scope=staff_scope())


def test_an_agent_leaves_no_note():
    with pytest.raises(ScopeMissing):
        add_note(write_id=make_quarantined_write().pk, text=TEXT, scope=make_scope())
