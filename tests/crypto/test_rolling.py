import base64
import os
import shutil

import pytest

from vault.crypto import EnvironmentRootKey, FileRootKey, open_vault, rolling
from vault.crypto.errors import RootKeyMissing
from vault.crypto.rows import Rows
from vault.errors import IntegrityFault, KeyDestroyed


@pytest.fixture(autouse=True)
def _small_batches(monkeypatch):
    monkeypatch.setattr(rolling, "BATCH", 4)


def test_the_living_open_what_they_sealed_before_a_roll(vault, make_subjects):
    subjects = make_subjects(vault, 11)
    sealed = {subject: vault.subject(subject).seal(subject.bytes, context=b"") for subject in subjects}
    vault.roll_epoch()

    assert all(vault.subject(s).open(sealed[s], context=b"") == s.bytes for s in subjects)


def test_everything_else_of_a_subject_stays_too(vault, make_subjects):
    [subject] = make_subjects(vault, 1)
    before = vault.subject(subject)
    vault.roll_epoch()
    after = vault.subject(subject)

    assert before.audit_reference == after.audit_reference
    assert before.fingerprint("text") == after.fingerprint("text")
    assert before.mac_manifest(b"head") == after.mac_manifest(b"head")


def test_the_vaults_own_keys_stay(vault, keystore, kms):
    digest, sealed = vault.reference_hash("acct-7"), vault.seal_system(b"text", context=b"")
    vault.roll_epoch()
    again = open_vault(keystore=keystore, root=kms)

    assert again.reference_hash("acct-7") == digest
    assert again.open_system(sealed, context=b"") == b"text"
    again.close()


def test_a_roll_tells_what_it_did(vault, make_subjects):
    make_subjects(vault, 9)
    roll = vault.roll_epoch()

    assert (roll.old_epoch, roll.new_epoch, roll.rewrapped, roll.root_destroyed) == (1, 2, 9, True)


def test_the_old_root_is_destroyed(vault, kms):
    vault.roll_epoch()

    assert kms.epochs() == [2]


def test_a_destruction_says_when_it_became_irrecoverable(vault, make_subjects):
    [subject] = make_subjects(vault, 1)
    before = vault.destroy_subject(subject)
    roll = vault.roll_epoch()
    after = vault.destroy_subject(subject)

    assert before.irrecoverable_at is None
    assert after.irrecoverable_at == roll.irrecoverable_at > after.unreadable_at == before.unreadable_at


def test_a_destruction_after_the_roll_waits_for_the_next(vault, make_subjects):
    [subject] = make_subjects(vault, 1)
    vault.roll_epoch()

    assert vault.destroy_subject(subject).irrecoverable_at is None


def test_a_roll_does_not_bring_the_destroyed_back(vault, make_subjects):
    one, two = make_subjects(vault, 2)
    vault.destroy_subject(one)
    vault.roll_epoch()

    with pytest.raises(KeyDestroyed):
        vault.subject(one)
    vault.subject(two)


def test_a_subject_destroyed_during_a_roll_stays_destroyed(vault, make_subjects):
    one, _ = make_subjects(vault, 2)
    vault.roll_epoch(before_destroy=lambda: vault.destroy_subject(one))

    with pytest.raises(KeyDestroyed):
        vault.subject(one)


def test_a_subject_created_during_a_roll_lives_on(vault, make_subjects):
    created = []
    vault.roll_epoch(before_destroy=lambda: created.extend(make_subjects(vault, 1)))

    vault.subject(created[0])


def test_an_old_copy_of_the_keystore_opens_nothing_after_a_roll(
    file_vault, keystore_path, root_path, make_subjects
):
    make_subjects(file_vault, 1)
    old_copy = keystore_path.with_name("old")
    shutil.copy(keystore_path, old_copy)
    file_vault.roll_epoch()

    with pytest.raises(RootKeyMissing):
        open_vault(keystore=old_copy, root=FileRootKey(root_path))


def test_a_root_that_cannot_end_an_epoch_is_told_of(keystore_path):
    root = EnvironmentRootKey(base64.b64encode(os.urandom(32)).decode())
    vault = open_vault(keystore=keystore_path, root=root, create=True)

    assert not vault.roll_epoch().root_destroyed
    vault.close()


def test_the_old_epoch_lives_until_the_backup_was_made(vault, kms):
    seen = []
    vault.roll_epoch(before_destroy=lambda: seen.append(kms.epochs()))

    assert seen == [[1, 2]]


@pytest.mark.parametrize("refused", ["new_epoch", "rewrap", "sign", "destroy"])
def test_a_roll_that_the_root_refused_is_finished_by_the_next(vault, kms, make_subjects, refused):
    subjects = make_subjects(vault, 9)
    sealed = {subject: vault.subject(subject).seal(b"text", context=b"") for subject in subjects}
    kms.fail_on = refused
    with pytest.raises(ConnectionError):
        vault.roll_epoch()
    kms.fail_on = ""

    roll = vault.roll_epoch()

    assert kms.epochs() == [roll.new_epoch]
    assert all(vault.subject(s).open(sealed[s], context=b"") == b"text" for s in subjects)


def test_a_backup_that_failed_keeps_the_old_epoch(vault, kms):
    def no_space() -> None:
        raise OSError

    with pytest.raises(OSError):  # noqa: PT011 - the caller's own error comes through as it is
        vault.roll_epoch(before_destroy=no_space)

    assert kms.epochs() == [1, 2]


def test_a_damaged_key_stops_the_roll_before_anything_ends(vault, store, kms, make_subjects):
    subject, _ = make_subjects(vault, 2)
    with store.writing() as rows:
        row = rows.subject_key(subject)
        rows.replace_subject_keys([row._replace(wrapped=row.wrapped[:-1] + b"?")])

    with pytest.raises(IntegrityFault) as fault:
        vault.roll_epoch()

    assert fault.value.facts == {"subject": subject}
    assert 1 in kms.epochs()


def test_destroying_the_damaged_subject_lets_the_roll_go_on(vault, store, kms, make_subjects):
    subject, _ = make_subjects(vault, 2)
    with store.writing() as rows:
        row = rows.subject_key(subject)
        rows.replace_subject_keys([row._replace(wrapped=row.wrapped[:-1] + b"?")])
    vault.destroy_subject(subject)

    vault.roll_epoch()

    assert 1 not in kms.epochs()


def test_a_roll_forgets_the_cached_keys_of_the_epoch_that_ended(file_vault, make_subjects):
    [subject] = make_subjects(file_vault, 1)
    before = file_vault.subject(subject)
    file_vault.roll_epoch()

    assert file_vault.subject(subject) is not before


def test_a_changed_environment_secret_takes_over_with_a_roll(keystore_path, make_subjects):
    old, new = (base64.b64encode(os.urandom(32)).decode() for _ in range(2))
    vault = open_vault(keystore=keystore_path, root=EnvironmentRootKey(old), create=True)
    [subject] = make_subjects(vault, 1)
    vault.close()
    both = open_vault(keystore=keystore_path, root=EnvironmentRootKey(new, previous=old))
    both.roll_epoch()
    both.close()

    only_new = open_vault(keystore=keystore_path, root=EnvironmentRootKey(new))
    only_new.subject(subject)
    only_new.close()


def test_no_key_moves_to_an_epoch_that_another_roll_has_left_behind(
    vault, kms, store, make_subjects, monkeypatch
):
    subjects = make_subjects(vault, 3)
    begin, times = rolling._begin, []

    def overtaken_once(some_store, root):
        begun = begin(some_store, root)
        if not times:
            times.append(begin(some_store, root))  # another process begins the next epoch at this moment
        return begun

    monkeypatch.setattr(rolling, "_begin", overtaken_once)
    moved_to = []
    replace = Rows.replace_subject_keys

    def watched(rows, keys):
        moved_to.extend((key.epoch, rows.current_epoch().number) for key in keys)
        replace(rows, keys)

    monkeypatch.setattr(Rows, "replace_subject_keys", watched)

    vault.roll_epoch()

    assert moved_to
    assert all(epoch == current for epoch, current in moved_to)
    for subject in subjects:
        vault.subject(subject)
