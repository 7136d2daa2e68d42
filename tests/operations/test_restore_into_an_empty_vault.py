"""After the loss of a machine: keystore and root put back, the database empty."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.db import transaction

from audit.configured import configured_witness
from audit.models import AuditEntry
from tests.factories import make_memory, make_scope, make_staff
from tests.lifecycle.namespaces.policies import change, kept
from tests.lifecycle.test_erasure import erased
from vault.database import OWNER
from vault.errors import SubjectErased
from vault.lifecycle.desk import system_scope
from vault.lifecycle.integrity import verify_memories
from vault.lifecycle.key_epoch import ask_key_epoch
from vault.models import Approval, MemoryIndex, StaffUser, isolation
from vault.retrieval.read import ListQuery, get_memory, list_memories
from vault.retrieval.subjects import find_subject

pytestmark = pytest.mark.django_db(transaction=True)


def lose_the_database(*, witness_too: bool = True) -> None:
    call_command("flush", database=OWNER, interactive=False, verbosity=0)
    if witness_too:
        configured_witness().unlink()


def test_everything_comes_back_without_an_approval(operator, backed_up, log_size):
    memory = make_memory("Prefers the aisle seat.", subject="S1").row
    person = make_staff(email="ilse@vault.example")
    get_memory(memory_id=memory.pk, scope=make_scope())
    file = backed_up()
    lose_the_database()

    told = operator("restore", file)

    assert told["into"] == "empty vault"
    assert get_memory(memory_id=memory.pk, scope=make_scope()).content.text == "Prefers the aisle seat."
    assert StaffUser.objects.get(email="ilse@vault.example").pk == person.pk
    assert AuditEntry.objects.filter(action="memory.read").count() == 2
    assert log_size() > 1
    assert [checked.memories for checked in verify_memories()] == [1]


def test_vectors_and_what_policies_said_come_back(operator, backed_up):
    make_memory(subject="S1", embedded=True)
    change({"upkeep": {"cap": 5}})
    file = backed_up()
    lose_the_database()

    operator("restore", file)

    assert kept() == [(1, {}), (2, {"upkeep": {"cap": 5}})]
    with transaction.atomic():
        isolation.open_everything()
        assert MemoryIndex.objects.filter(vector__isnull=False).count() == 1


def test_who_was_erased_since_stays_erased(operator, backed_up):
    make_memory(subject="S1")
    file = backed_up()
    erased("S1")
    lose_the_database()

    told = operator("restore", file)

    assert told["subjects"]["erased"] == 1
    with pytest.raises(SubjectErased):
        list_memories(query=ListQuery("S1"), scope=make_scope())
    assert find_subject("S1").erased_at is not None


def test_numbers_that_came_back_are_not_given_again(operator, backed_up):
    make_memory(subject="S1")
    make_staff(email="ilse@vault.example")
    file = backed_up()
    lose_the_database()

    operator("restore", file)

    assert make_staff(email="later@vault.example").pk != StaffUser.objects.get(email="ilse@vault.example").pk


def test_an_approval_that_was_open_that_day_is_not_open_any_more(operator, backed_up):
    ask_key_epoch(reason_code="drill", scope=system_scope("operator"))
    make_memory(subject="S1")
    file = backed_up()
    lose_the_database()

    operator("restore", file)

    assert list(Approval.objects.values_list("status", flat=True)) == ["expired"]


def test_a_log_that_the_witness_knows_to_be_longer_is_not_rewound_silently(operator, backed_up, log_size):
    memory = make_memory(subject="S1").row
    file = backed_up()
    get_memory(memory_id=memory.pk, scope=make_scope())
    log_size()
    lose_the_database(witness_too=False)

    with pytest.raises(CommandError, match="entries_lost"):
        call_command("restore", str(file))

    assert find_subject("S1") is None


def test_a_loss_that_is_accepted_stands_in_the_log_and_the_witness_is_kept(operator, backed_up, log_size):
    memory = make_memory(subject="S1").row
    file = backed_up()
    get_memory(memory_id=memory.pk, scope=make_scope())
    lost = log_size()
    witnessed = configured_witness().read_bytes()
    lose_the_database(witness_too=False)

    operator("restore", file, "--accept-lost-entries")

    log_size()
    entry = AuditEntry.objects.get(action="restore.done", outcome="ok")
    assert (entry.facts["lost_size"], entry.facts["whole"]) == (lost, 1)
    assert entry.facts["backup_size"] < lost
    aside = list(Path(configured_witness().parent).glob("*.lost-*"))
    assert [path.read_bytes() for path in aside] == [witnessed]


def test_a_dry_run_tells_of_the_loss(operator, backed_up, log_size):
    memory = make_memory(subject="S1").row
    file = backed_up()
    get_memory(memory_id=memory.pk, scope=make_scope())
    size = log_size()
    lose_the_database(witness_too=False)

    assert operator("restore", file, "--dry-run")["lost_entries"]["size"] == size


def test_nobody_is_signed_in_afterwards(operator, backed_up, client):
    make_memory(subject="S1")
    client.force_login(make_staff(), backend="django.contrib.auth.backends.ModelBackend")
    session = client.session.session_key
    file = backed_up()
    lose_the_database()

    operator("restore", file)

    assert not client.session.exists(session)
