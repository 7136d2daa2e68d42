"""What SQLite leaves in its files of keys that are gone: nothing."""

import random
import stat
from uuid import UUID, uuid4

import pytest

from vault.crypto import FileRootKey
from vault.crypto.errors import KeystoreExposed, KeystoreUnavailable
from vault.crypto.sqlite_store import SqliteStore
from vault.crypto.wrapping import new_data_key, unwrap_kek, wrap_data_key

PIECE_BYTES = 12


def pieces(wrapped):
    return [
        wrapped[start : start + PIECE_BYTES] for start in range(0, len(wrapped) - PIECE_BYTES, PIECE_BYTES)
    ]


def left_on_disk(folder, wrapped_keys):
    """How many of the wrapped keys have any piece left in any file of the keystore."""
    content = b"".join(path.read_bytes() for path in folder.iterdir())
    return sum(any(piece in content for piece in pieces(key)) for key in wrapped_keys)


@pytest.fixture
def crowd(file_vault, keystore_path, root_path):
    """Enough subjects that the table has many pages, with their wrapped keys; made in one go, for speed."""
    store = SqliteStore(keystore_path)
    with store.writing() as rows:
        kek = unwrap_kek(FileRootKey(root_path), rows.current_epoch())
        for _ in range(1000):
            rows.add_subject_key(wrap_data_key(new_data_key(), subject=uuid4().bytes, epoch=1, kek=kek))
        made = rows.subject_keys_under(1, after=b"", limit=1000)
    store.close()
    return {UUID(bytes=row.subject): row.wrapped for row in made}


def test_a_living_key_is_on_the_disk(crowd, keystore_path):
    """Without this, the others of this file would prove nothing."""
    assert left_on_disk(keystore_path.parent, crowd.values()) == len(crowd)


def test_a_destroyed_key_is_not(file_vault, crowd, keystore_path):
    destroyed = random.Random(7).sample(list(crowd), 150)
    for subject in destroyed:
        file_vault.destroy_subject(subject)

    assert left_on_disk(keystore_path.parent, [crowd[subject] for subject in destroyed]) == 0


def test_no_key_wrapped_under_an_old_epoch_is_left_after_a_roll(file_vault, crowd, keystore_path):
    file_vault.roll_epoch()

    assert left_on_disk(keystore_path.parent, crowd.values()) == 0


def test_the_key_of_an_old_epoch_is_not_left_after_a_roll(file_vault, keystore_path):
    store = SqliteStore(keystore_path)
    with store.reading() as rows:
        wrapped = rows.current_epoch().wrapped
    file_vault.roll_epoch()
    store.close()

    assert left_on_disk(keystore_path.parent, [wrapped]) == 0


def test_every_file_of_the_keystore_is_for_its_owner_alone(file_vault, keystore_path, make_subjects):
    [subject] = make_subjects(file_vault, 1)
    file_vault.witness_manifest(subject, 1, b"head")

    modes = {stat.S_IMODE(path.stat().st_mode) for path in keystore_path.parent.iterdir()}
    assert modes == {0o600}


def test_the_journal_of_a_transaction_is_for_its_owner_alone_and_goes_with_it(file_vault, keystore_path):
    journal = keystore_path.with_name(keystore_path.name + "-journal")
    store = SqliteStore(keystore_path)
    with store.writing() as rows:
        rows.begin_epoch(2, b"wrapped", "")
        assert stat.S_IMODE(journal.stat().st_mode) == 0o600
    store.close()

    assert not journal.exists()


def test_a_keystore_that_others_can_read_is_refused(file_vault, keystore_path):
    keystore_path.chmod(0o644)

    with pytest.raises(KeystoreExposed), SqliteStore(keystore_path).reading():
        pass


def test_a_keystore_that_went_away_is_not_made_anew(file_vault, keystore_path):
    keystore_path.rename(keystore_path.with_name("elsewhere"))

    with pytest.raises(KeystoreUnavailable), SqliteStore(keystore_path).reading():
        pass

    assert not keystore_path.exists()


def test_a_file_that_is_no_keystore_is_refused(keystore_path):
    keystore_path.parent.mkdir()
    keystore_path.write_bytes(b"no database at all" * 100)
    keystore_path.chmod(0o600)

    with pytest.raises(KeystoreUnavailable), SqliteStore(keystore_path).reading() as rows:
        rows.vault_keys()
