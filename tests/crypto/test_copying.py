import stat
from uuid import uuid4

import pytest

from vault.crypto import FileRootKey, Witness, open_vault, restore_keystore
from vault.crypto.errors import KeystoreFault, KeystoreMissing
from vault.errors import KeyDestroyed


@pytest.fixture
def copy(tmp_path):
    return tmp_path / "backup" / "keystore.sqlite3"


def test_a_copy_opens_what_the_keystore_sealed(vault, kms, make_subjects, copy):
    [subject] = make_subjects(vault, 1)
    sealed = vault.subject(subject).seal(b"text", context=b"")
    vault.copy_keystore(copy)
    opened = open_vault(keystore=copy, root=kms)

    assert opened.subject(subject).open(sealed, context=b"") == b"text"
    opened.close()


def test_the_erased_stay_erased_in_a_copy(vault, kms, make_subjects, copy):
    [subject] = make_subjects(vault, 1)
    vault.destroy_subject(subject)
    vault.copy_keystore(copy)
    opened = open_vault(keystore=copy, root=kms)

    with pytest.raises(KeyDestroyed):
        opened.subject(subject)
    opened.close()


def test_a_copy_holds_the_witnesses(vault, kms, copy):
    subject = uuid4()
    vault.witness_manifest(subject, 4, b"head")
    vault.copy_keystore(copy)
    opened = open_vault(keystore=copy, root=kms)

    assert opened.witnessed_manifest(subject) == Witness(4, b"head")
    opened.close()


def test_a_copy_made_before_the_old_epoch_ends_is_good_afterwards(vault, kms, make_subjects, copy):
    [subject] = make_subjects(vault, 1)
    vault.roll_epoch(before_destroy=lambda: vault.copy_keystore(copy))
    opened = open_vault(keystore=copy, root=kms)

    opened.subject(subject)
    opened.close()


def test_a_new_copy_overwrites_the_one_before(vault, store, make_subjects, wrapped_key, copy, tmp_path):
    [subject] = make_subjects(vault, 1)
    wrapped = wrapped_key(store, subject)
    vault.copy_keystore(copy)
    (tmp_path / "blocks").hardlink_to(copy)
    vault.destroy_subject(subject)
    vault.copy_keystore(copy)

    assert wrapped not in (tmp_path / "blocks").read_bytes()
    assert wrapped not in copy.read_bytes()


def test_a_copy_is_for_its_owner_alone(vault, copy):
    vault.copy_keystore(copy)

    assert {stat.S_IMODE(path.stat().st_mode) for path in copy.parent.iterdir()} == {0o600}


def test_a_copy_is_restored_where_there_is_no_keystore(
    file_vault, copy, make_subjects, emptied_postgres, root_path
):
    [subject] = make_subjects(file_vault, 1)
    file_vault.copy_keystore(copy)
    restore_keystore(copy=copy, keystore=emptied_postgres)
    restored = open_vault(keystore=emptied_postgres, root=FileRootKey(root_path))

    restored.subject(subject)
    restored.close()


def test_a_copy_never_replaces_a_keystore(vault, keystore, copy):
    vault.copy_keystore(copy)

    with pytest.raises(KeystoreFault):
        restore_keystore(copy=copy, keystore=keystore)


def test_a_copy_that_is_not_there_is_not_restored(copy, tmp_path):
    with pytest.raises(KeystoreMissing):
        restore_keystore(copy=copy, keystore=tmp_path / "new")

    assert not (tmp_path / "new").exists()
