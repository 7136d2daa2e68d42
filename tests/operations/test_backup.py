from __future__ import annotations

import hashlib
import json
import stat
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.db import transaction

from audit.models import AuditEntry
from tests.factories import make_memory, make_subject
from vault.crypto import FileRootKey, open_vault, restore_keystore
from vault.errors import IntegrityFault
from vault.models import Memory, isolation
from vault.operations import programs
from vault.operations.backup_file import NotABackup, read_dump, read_manifest, require_whole

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def backup(folder, operator) -> Path:
    make_memory("Prefers the aisle seat.", subject="S1")
    return Path(operator("backup", "--to", folder)["file"])


def test_a_backup_is_one_file_that_only_its_owner_reads(backup, folder):
    assert [path.name for path in folder.glob("*.backup")] == [backup.name]
    assert stat.S_IMODE(backup.stat().st_mode) == 0o600


def test_the_dump_inside_is_postgresqls_own(backup):
    assert next(read_dump(backup)).startswith(b"PGDMP")


def test_nothing_of_the_dump_stands_in_clear(backup):
    content = backup.read_bytes()

    assert b"PGDMP" not in content
    assert b"vault_memoryversion_pkey" not in content


def test_the_manifest_tells_counts_versions_and_the_logs_head_and_nobodys_name(backup):
    manifest = read_manifest(backup)

    assert manifest.rows["vault_memory"] == 1
    assert manifest.migrations["vault"].startswith("0")
    assert "aisle" not in json.dumps(manifest.as_json())
    assert "S1" not in json.dumps(manifest.as_json())


def test_the_description_beside_it_holds_the_sum_of_the_file(backup):
    described = json.loads(Path(f"{backup}.json").read_text())

    assert described["sha256"] == hashlib.sha256(backup.read_bytes()).hexdigest()
    assert described["bytes"] == backup.stat().st_size


def test_a_backup_leaves_an_entry_with_its_sum(backup):
    entry = AuditEntry.objects.get(action="backup.made")

    assert entry.facts["file_hash"] == hashlib.sha256(backup.read_bytes()).hexdigest()
    assert (entry.actor_kind, entry.actor_id) == ("system", "operator")


@pytest.mark.parametrize("place", [-1, -40, 60, 400])
def test_a_changed_byte_anywhere_is_noticed(backup, place):
    content = bytearray(backup.read_bytes())
    content[place] ^= 1
    backup.write_bytes(content)

    with pytest.raises(IntegrityFault):
        require_whole(backup)


def test_a_file_that_was_cut_short_is_noticed(backup):
    backup.write_bytes(backup.read_bytes()[:-100])

    with pytest.raises(IntegrityFault):
        require_whole(backup)


def test_another_file_is_no_backup(tmp_path):
    other = tmp_path / "letter"
    other.write_text("Dear operator")

    with pytest.raises(NotABackup):
        read_manifest(other)


def test_only_the_newest_are_kept(folder, operator):
    made = [Path(operator("backup", "--to", folder, "--keep", 2)["file"]).name for _ in range(4)]

    assert sorted(path.name for path in folder.glob("*.backup")) == made[2:]
    assert len(list(folder.glob("*.json"))) == 2


def test_the_keystores_copy_stands_apart_and_opens_what_is_in_the_backup(backup, folder, settings, tmp_path):
    copy = Path(settings.KEYSTORE_BACKUP_FILE)
    restore_keystore(copy=copy, keystore=tmp_path / "restored.sqlite3")
    found = open_vault(keystore=tmp_path / "restored.sqlite3", root=FileRootKey(Path(settings.ROOT_KEY_FILE)))

    assert not copy.is_relative_to(folder)
    assert found.subject(make_subject("S1").pk).audit_reference
    found.close()


def test_keys_are_not_backed_up_beside_the_data(folder, settings):
    settings.KEYSTORE_BACKUP_FILE = str(folder / "copy.sqlite3")

    with pytest.raises(CommandError, match="same folder"):
        call_command("backup", "--to", str(folder))


def test_a_dry_run_tells_what_it_would_write_and_writes_nothing(folder, operator):
    make_memory(subject="S1")

    told = operator("backup", "--to", folder, "--dry-run")

    assert told["manifest"]["rows"]["vault_memory"] == 1
    assert not folder.exists()
    assert not AuditEntry.objects.filter(action="backup.made").exists()


def test_a_missing_program_is_named_and_nothing_is_left(folder, monkeypatch):
    monkeypatch.setattr(programs, "_candidates", lambda _: [])

    with pytest.raises(CommandError, match="program_missing: pg_dump of PostgreSQL"):
        call_command("backup", "--to", str(folder))

    assert not folder.exists()


def test_a_dump_that_fails_leaves_no_file_and_no_entry(folder, monkeypatch):
    monkeypatch.setattr(programs, "login", lambda *_: ("dbname=nowhere_to_be_found host=nohost.invalid", {}))

    with pytest.raises(CommandError, match="program_failed"):
        call_command("backup", "--to", str(folder))

    assert list(folder.glob("*.backup*")) == []
    assert not AuditEntry.objects.filter(action="backup.made").exists()


def test_what_a_killed_backup_left_is_removed_by_the_next(folder, operator):
    folder.mkdir()
    (folder / "vault-20200101T000000000000Z.backup.part").write_bytes(b"half")

    operator("backup", "--to", folder)

    assert list(folder.glob("*.part")) == []


def test_the_password_stands_in_no_argument():
    login, environment = programs.login()

    assert environment["PGPASSWORD"] not in login


def test_a_backup_changes_no_row(backup):
    with transaction.atomic():
        isolation.open_everything()
        assert Memory.objects.count() == 1
