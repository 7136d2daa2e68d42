from __future__ import annotations

import json
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from audit.models import AuditEntry
from tests.factories import make_memory, make_scope, staff_scope
from vault.crypto import FileRootKey, open_vault
from vault.errors import ApprovalRequired, SameApprover
from vault.keys import copy_keystore, key_vault
from vault.lifecycle.approvals import approve, refuse
from vault.lifecycle.key_epoch import ask_key_epoch, carry_out_key_epoch, key_state
from vault.models import ApprovalKind
from vault.retrieval.read import get_memory
from vault.retrieval.scope import Scope

pytestmark = pytest.mark.django_db
KINDS = [ApprovalKind.KEY_EPOCH]


def run(*arguments: object) -> dict:
    out = StringIO()
    call_command("rotate_keys", *map(str, arguments), "--json", stdout=out)
    return json.loads(out.getvalue())


def approved(asker: Scope | None = None):
    asked = ask_key_epoch(reason_code="routine", scope=asker or staff_scope())
    return approve(approval_id=asked.pk, kinds=KINDS, scope=staff_scope())


def test_a_roll_ends_the_epoch_and_everybody_is_still_served():
    memory = make_memory("Prefers the aisle seat.").row
    before = key_state().epoch

    carry_out_key_epoch(approved(), staff_scope())

    assert key_state().epoch == before + 1
    assert [epoch.state for epoch in key_vault().epochs() if epoch.number == before] == ["destroyed"]
    assert get_memory(memory_id=memory.pk, scope=make_scope()).content.text == "Prefers the aisle seat."


def test_a_roll_leaves_an_entry_beside_the_approvals_own():
    approval = approved()

    carry_out_key_epoch(approval, staff_scope())

    entries = AuditEntry.objects.filter(target_id=str(approval.pk)).order_by("pk")
    assert list(entries.values_list("action", flat=True)) == [
        "approval.requested", "approval.given", "approval.used", "keys.rotated",
    ]  # fmt: skip
    assert key_state().last_rolled_at == entries.last().at


def test_the_one_who_asks_cannot_approve():
    asker = staff_scope()
    asked = ask_key_epoch(reason_code="routine", scope=asker)

    with pytest.raises(SameApprover):
        approve(approval_id=asked.pk, kinds=KINDS, scope=asker)


def test_what_nobody_approved_rolls_nothing():
    before = key_state().epoch
    asked = ask_key_epoch(reason_code="routine", scope=staff_scope())

    with pytest.raises(ApprovalRequired):
        carry_out_key_epoch(asked, staff_scope())

    assert key_state().epoch == before
    assert AuditEntry.objects.get(action="keys.rotated").outcome == "refused"


def test_a_refused_request_rolls_nothing():
    asked = ask_key_epoch(reason_code="routine", scope=staff_scope())
    refused = refuse(approval_id=asked.pk, kinds=KINDS, ground_code="not_justified", scope=staff_scope())

    with pytest.raises(ApprovalRequired):
        carry_out_key_epoch(refused, staff_scope())


def test_an_approval_rolls_once():
    approval = approved()
    carry_out_key_epoch(approval, staff_scope())

    with pytest.raises(ApprovalRequired):
        carry_out_key_epoch(approval, staff_scope())


def test_an_approval_of_an_epoch_that_has_ended_since_rolls_nothing():
    approval = approved()
    key_vault().roll_epoch()
    before = key_state().epoch

    with pytest.raises(ApprovalRequired):
        carry_out_key_epoch(approval, staff_scope())

    assert key_state().epoch == before


def test_a_roll_renews_the_keystores_copy(tmp_path: Path, settings):
    settings.KEYSTORE_BACKUP_FILE = str(tmp_path / "copy.sqlite3")
    subject = make_memory().row.subject_id
    copy_keystore(Path(settings.KEYSTORE_BACKUP_FILE))

    carry_out_key_epoch(approved(), staff_scope())

    root = FileRootKey(Path(settings.ROOT_KEY_FILE))
    copied = open_vault(keystore=Path(settings.KEYSTORE_BACKUP_FILE), root=root)
    assert copied.subject(subject).audit_reference == key_vault().subject(subject).audit_reference
    copied.close()


def test_a_copy_that_cannot_be_renewed_stops_the_roll_before_anything_ends(
    tmp_path: Path, settings, monkeypatch
):
    settings.KEYSTORE_BACKUP_FILE = str(tmp_path / "copy.sqlite3")
    copy_keystore(Path(settings.KEYSTORE_BACKUP_FILE))
    memory, approval, before = make_memory().row, approved(), key_state().epoch

    def full(*_):
        raise OSError

    with monkeypatch.context() as patch:
        patch.setattr(type(key_vault()), "copy_keystore", full)
        with pytest.raises(OSError):  # noqa: PT011 - whatever the disk says
            carry_out_key_epoch(approval, staff_scope())

    assert "destroyed" not in [epoch.state for epoch in key_vault().epochs() if epoch.number == before]
    assert get_memory(memory_id=memory.pk, scope=make_scope()).row.pk == memory.pk
    key_vault().roll_epoch()


def test_the_operator_asks_and_carries_out_at_the_command_line():
    before = key_state().epoch
    asked = run("--ask")
    assert asked["status"] == "asked"
    with pytest.raises(CommandError, match="approval_required"):
        run("--approval", asked["approval"])
    approve(approval_id=asked["approval"], kinds=KINDS, scope=staff_scope())

    rolled = run("--approval", asked["approval"])

    assert (rolled["old_epoch"], rolled["new_epoch"]) == (before, before + 1)


def test_a_dry_run_counts_the_keys_and_rolls_nothing():
    make_memory()
    before = key_state().epoch

    told = run("--dry-run")

    assert told["epoch"] == before == key_state().epoch
    assert told["keys"] >= 1


@pytest.mark.parametrize("arguments", [(), ("--ask", "--dry-run")])
def test_the_command_does_nothing_unless_told_exactly_one_thing(arguments: tuple[str, ...]):
    with pytest.raises(CommandError):
        run(*arguments)


def test_an_approval_that_is_not_there_is_not_found():
    with pytest.raises(CommandError, match="not_found"):
        run("--approval", "00000000-0000-0000-0000-000000000001")
