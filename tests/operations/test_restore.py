"""Data of any date, keystore of now."""

from __future__ import annotations

import os
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.db import connections, transaction

from audit.models import AuditEntry
from tests.factories import make_memory, make_quarantined_write, make_scope, staff_scope
from tests.lifecycle.test_erasure import counts_of, erased
from vault.database import OWNER
from vault.errors import IntegrityFault, KeyDestroyed, NotFound, SubjectErased
from vault.keys import key_vault
from vault.lifecycle.approvals import approve
from vault.lifecycle.forget import forget_memory
from vault.lifecycle.holds import place_hold
from vault.lifecycle.integrity import verify_memories
from vault.lifecycle.tokens import create_agent
from vault.lifecycle.versions import list_versions
from vault.models import (
    Approval,
    ApprovalKind,
    LegalHold,
    Memory,
    MemoryVersion,
    Subject,
    SubjectToken,
    isolation,
)
from vault.occupancy import Occupied, occupied
from vault.operations import restore, transfer
from vault.operations.staging import SUFFIX
from vault.retrieval.read import ListQuery, get_memory, list_memories, subject_overview
from vault.retrieval.search import SearchQuery, search
from vault.retrieval.subjects import find_subject

pytestmark = pytest.mark.django_db(transaction=True)


def approved(operator, file: Path) -> str:
    """The id of an approval that an administrator gave."""
    asked = operator("restore", file, "--ask")["approval"]
    approve(approval_id=asked, kinds=[ApprovalKind.RESTORE], scope=staff_scope())
    return asked


def restored(operator, file: Path, *options: object):
    return operator("restore", file, "--approval", approved(operator, file), *options)


def rows(model):
    with transaction.atomic():
        isolation.open_everything()
        return list(model.objects.all())


def databases() -> list[str]:
    """What a restore left of this process's database; others restore on the same server at the same time."""
    own = str(connections[OWNER].settings_dict["NAME"]) + SUFFIX
    with connections[OWNER].cursor() as cursor:
        cursor.execute("SELECT datname FROM pg_database WHERE datname = %s", [own])
        return [name for (name,) in cursor.fetchall()]


def test_what_was_written_since_is_gone_and_what_was_there_is_served(operator, backed_up):
    old = make_memory("Prefers the aisle seat.", subject="S1").row
    file = backed_up()
    new = make_memory("Prefers the window seat.", subject="S1").row

    restored(operator, file)

    agent = make_scope()
    assert get_memory(memory_id=old.pk, scope=agent).content.text == "Prefers the aisle seat."
    with pytest.raises(NotFound):
        get_memory(memory_id=new.pk, scope=agent)


def test_what_was_forgotten_since_is_back_as_it_was(operator, backed_up):
    memory = make_memory("Prefers the aisle seat.", subject="S1").row
    file = backed_up()
    forget_memory(memory_id=memory.pk, expected_version=1, reason="wrong", scope=make_scope())

    restored(operator, file)

    assert get_memory(memory_id=memory.pk, scope=make_scope()).row.status == "active"


def test_an_erased_subject_stays_unreadable_on_every_path_and_the_others_are_served(operator, backed_up):
    gone = make_memory("Prefers the aisle seat.", subject="S1", embedded=True).row
    make_quarantined_write(subject="S1")
    other = make_memory("Prefers the aisle seat.", subject="S2", embedded=True).row
    file = backed_up()
    erased("S1")

    report = restored(operator, file)

    agent = make_scope()
    assert report["subjects"] == {"living": 1, "faulty": 0, "keyless": 0, "erased": 1, "created_since": 0}
    for read in (
        lambda: search(query=SearchQuery("S1", "seat"), scope=agent),
        lambda: list_memories(query=ListQuery("S1"), scope=agent),
        lambda: subject_overview(subject="S1", scope=agent),
        lambda: make_memory(subject="S1"),
    ):
        with pytest.raises(SubjectErased):
            read()
    for read in (
        lambda: get_memory(memory_id=gone.pk, scope=agent),
        lambda: list_versions(memory_id=gone.pk, scope=agent),
    ):
        with pytest.raises(NotFound):
            read()
    with pytest.raises(KeyDestroyed):
        key_vault().subject(gone.subject_id)
    assert set(counts_of(find_subject("S1")).values()) == {0}
    assert [hit.memory.row.pk for hit in search(query=SearchQuery("S2", "seat"), scope=agent).results] == [
        other.pk
    ]


def test_every_memory_verifies_after_a_restore(operator, backed_up):
    for number in range(3):
        make_memory(subject=f"S{number}")
    make_quarantined_write(subject="S0")
    file = backed_up()
    make_memory("Prefers the window seat.", subject="S1")

    restored(operator, file)

    assert [checked.memories for checked in verify_memories()] == [1, 1, 1]


def test_a_restored_subject_can_be_written_to_again(operator, backed_up):
    make_memory(subject="S1")
    file = backed_up()
    make_memory("Prefers the window seat.", subject="S1")
    restored(operator, file)

    again = make_memory("Prefers a table outside.", subject="S1")

    assert get_memory(memory_id=again.row.pk, scope=make_scope()).content.text == "Prefers a table outside."
    assert sum(checked.memories for checked in verify_memories()) == 2


def test_no_head_that_was_seen_before_passes_again(operator, backed_up):
    """The witness is never lowered: a manifest from before the restore is a replay afterwards too."""
    subject = make_memory(subject="S1").row.subject
    file = backed_up()
    make_memory("Prefers the window seat.", subject="S1")
    before = key_vault().witnessed_manifest(subject.pk)

    restored(operator, file)

    after = key_vault().witnessed_manifest(subject.pk)
    assert after.sequence > before.sequence


def test_a_set_that_did_not_fit_its_manifest_is_not_blessed(operator, backed_up):
    memory = make_memory(subject="S1").row
    with transaction.atomic():
        isolation.open_everything()
        Subject.objects.filter(pk=memory.subject_id).update(manifest_mac=bytes(32))
    file = backed_up()

    report = restored(operator, file)

    assert report["subjects"]["faulty"] == 1
    with pytest.raises(IntegrityFault):
        get_memory(memory_id=memory.pk, scope=make_scope())


def test_a_subject_that_came_since_stays_known_and_is_empty(operator, backed_up):
    make_memory(subject="S1")
    file = backed_up()
    make_memory(subject="S2")

    report = restored(operator, file)

    assert report["subjects"]["created_since"] == 1
    assert list_memories(query=ListQuery("S2"), scope=staff_scope()).results == ()
    assert make_memory("Prefers tea.", subject="S2").row.subject_id == find_subject("S2").pk


def test_a_hold_that_was_placed_since_still_stands(operator, backed_up):
    make_memory(subject="S1")
    file = backed_up()
    place_hold(subject="S1", reason_code="litigation", scope=staff_scope())

    restored(operator, file)

    assert [hold.released_at for hold in rows(LegalHold)] == [None]


def test_rights_and_approvals_are_those_of_today(operator, backed_up):
    make_memory(subject="S1")
    file = backed_up()
    agent = create_agent(name="came-later", actor=staff_scope().actor)

    restored(operator, file)

    assert type(agent).objects.filter(pk=agent.pk).exists()
    assert list(Approval.objects.values_list("status", flat=True)) == ["used"]


def test_no_token_or_answer_of_that_day_comes_back(operator, backed_up):
    subject = make_memory(subject="S1").row.subject
    file = backed_up()

    restored(operator, file)

    assert rows(SubjectToken) == []
    assert subject.pk == find_subject("S1").pk


def test_the_audit_log_is_todays_and_verifies(operator, backed_up, log_size):
    memory = make_memory(subject="S1").row
    get_memory(memory_id=memory.pk, scope=make_scope())
    file = backed_up()
    make_memory("Prefers the window seat.", subject="S1")
    size = log_size()

    restored(operator, file)

    assert log_size() > size
    entry = AuditEntry.objects.get(action="restore.done", outcome="ok")
    assert entry.facts["log_size"] >= entry.facts["backup_size"] > 0
    assert entry.facts["whole"] == 0


def test_a_vault_in_use_is_not_restored_without_an_approval(operator, backed_up):
    make_memory(subject="S1")
    file = backed_up()
    make_memory("Prefers the window seat.", subject="S1")

    with pytest.raises(CommandError, match="approval_required"):
        call_command("restore", str(file))

    assert len(rows(Memory)) == 2
    assert AuditEntry.objects.get(action="restore.done").outcome == "refused"


def test_a_home_whose_vault_runs_is_not_restored_into(backed_up, settings):
    make_memory(subject="S1")
    file = backed_up()

    with (
        occupied(settings.HOME, act="up", port=8123),
        pytest.raises(CommandError, match=rf"already: process {os.getpid()}, port 8123"),
    ):
        call_command("restore", str(file))

    assert not AuditEntry.objects.filter(action="restore.done").exists()


def test_a_restore_holds_the_home(backed_up, settings, monkeypatch):
    file = backed_up()

    def refused(**_: object) -> None:
        with pytest.raises(Occupied, match="A restore runs on"), occupied(settings.HOME, act="up"):
            pass
        raise NotFound

    monkeypatch.setattr("vault.management.commands.restore.restore_backup", refused)
    with pytest.raises(CommandError, match="not_found"):
        call_command("restore", str(file))


def test_what_a_restore_would_do_is_told_in_lines_for_people(backed_up):
    make_memory(subject="S1")
    out = StringIO()

    call_command("restore", str(backed_up()), "--dry-run", stdout=out)

    told = out.getvalue().splitlines()
    assert told[0] == "Nothing was changed. It would be:"
    assert "into: vault in use" in told
    assert "  living: 1" in told
    assert "lost entries: no" in told
    assert "{" not in out.getvalue()


def test_an_approval_of_another_file_is_not_enough(operator, backed_up):
    make_memory(subject="S1")
    first = backed_up()
    make_memory("Prefers the window seat.", subject="S1")
    second = backed_up()

    with pytest.raises(CommandError, match="approval_required"):
        operator("restore", second, "--approval", approved(operator, first))


def test_an_approval_restores_once(operator, backed_up):
    make_memory(subject="S1")
    file = backed_up()
    approval = approved(operator, file)
    operator("restore", file, "--approval", approval)

    with pytest.raises(CommandError, match="approval_required"):
        operator("restore", file, "--approval", approval)


def test_a_request_alone_is_not_an_approval(operator, backed_up):
    make_memory(subject="S1")
    file = backed_up()
    asked = operator("restore", file, "--ask")

    assert asked["status"] == "asked"
    with pytest.raises(CommandError, match="approval_required"):
        operator("restore", file, "--approval", asked["approval"])


def test_a_stranger_approval_is_not_found(operator, backed_up):
    make_memory(subject="S1")

    with pytest.raises(CommandError, match="not_found"):
        operator("restore", backed_up(), "--approval", "00000000-0000-0000-0000-000000000001")


def test_a_dry_run_tells_what_would_happen_and_changes_nothing(operator, backed_up):
    make_memory(subject="S1")
    make_memory(subject="S2")
    file = backed_up()
    erased("S1")
    make_memory(subject="S3")

    told = operator("restore", file, "--dry-run")

    assert told["subjects"] == {"living": 1, "faulty": 0, "keyless": 0, "erased": 1, "created_since": 1}
    assert told["approval_needed"]
    assert "vault_memory" in told["tables"]["restored"]
    assert "audit_entry" in told["tables"]["kept"]
    assert len(rows(Memory)) == 2
    assert databases() == []


@pytest.mark.parametrize("step", ["take_over", "renew_heads"])
def test_a_restore_that_stops_on_the_way_has_changed_nothing(operator, backed_up, step, monkeypatch):
    make_memory(subject="S1")
    file = backed_up()
    make_memory("Prefers the window seat.", subject="S1")
    approval = approved(operator, file)

    def stop(*_, **__):
        raise InterruptedError

    with monkeypatch.context() as patch:
        patch.setattr(restore, step, stop)
        with pytest.raises(CommandError):
            operator("restore", file, "--approval", approval)

    assert len(rows(Memory)) == 2
    assert databases() == []
    operator("restore", file, "--approval", approval)
    assert len(rows(Memory)) == 1


def test_what_a_killed_restore_left_behind_is_removed_by_the_next(operator, backed_up):
    make_memory(subject="S1")
    file = backed_up()
    with connections[OWNER].cursor() as cursor:
        cursor.execute(f'CREATE DATABASE "{connections[OWNER].settings_dict["NAME"]}{SUFFIX}"')

    restored(operator, file)

    assert databases() == []


def test_an_altered_file_restores_nothing(operator, backed_up):
    make_memory(subject="S1")
    file = backed_up()
    approval = approved(operator, file)
    content = bytearray(file.read_bytes())
    content[-30] ^= 1
    file.write_bytes(content)

    with pytest.raises(CommandError, match=r"approval_required|integrity_error"):
        operator("restore", file, "--approval", approval)
    with pytest.raises(CommandError, match="integrity_error"):
        operator("restore", file, "--ask")
    with pytest.raises(CommandError, match="integrity_error"):
        operator("restore", file, "--dry-run")
    assert databases() == []


def test_the_policies_are_forced_again_afterwards(operator, backed_up):
    make_memory(subject="S1")
    restored(operator, backed_up())

    with transaction.atomic():
        assert not MemoryVersion.objects.exists()
    with connections[OWNER].cursor() as cursor:
        cursor.execute("SELECT count(*) FROM pg_class WHERE relrowsecurity AND NOT relforcerowsecurity")
        assert cursor.fetchone() == (0,)


def test_a_vault_that_does_not_come_to_rest_is_left_alone(operator, backed_up, monkeypatch):
    make_memory(subject="S1")
    file = backed_up()
    approval = approved(operator, file)
    monkeypatch.setattr(transfer, "LOCK_SECONDS", 1)

    with transaction.atomic(using=OWNER):
        with connections[OWNER].cursor() as cursor:
            cursor.execute("LOCK TABLE vault_memory IN ROW EXCLUSIVE MODE")
        writer, connections[OWNER].connection = connections[OWNER].connection, None
        try:
            with pytest.raises(CommandError, match="vault_busy"):
                operator("restore", file, "--approval", approval)
        finally:
            writer.close()
