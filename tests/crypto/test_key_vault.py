import pickle
from uuid import uuid4

import pytest

from tests.crypto.fakes import FakeKms
from vault.crypto import KeyMissing, Witness, key_vault, open_vault
from vault.crypto.errors import KeystoreFault, KeystoreMissing
from vault.errors import IntegrityFault, KeyDestroyed


def test_a_subject_opens_what_it_sealed(vault):
    subject = uuid4()
    vault.create_subject(subject)
    sealed = vault.subject(subject).seal(b"text", context=b"place")

    assert vault.subject(subject).open(sealed, context=b"place") == b"text"


def test_another_subject_does_not_open_it(vault, make_subjects):
    one, other = make_subjects(vault, 2)
    sealed = vault.subject(one).seal(b"text", context=b"place")

    with pytest.raises(IntegrityFault):
        vault.subject(other).open(sealed, context=b"place")


def test_creating_a_subject_again_keeps_its_key(vault, make_subjects):
    [subject] = make_subjects(vault, 1)
    sealed = vault.subject(subject).seal(b"text", context=b"")
    vault.create_subject(subject)

    assert vault.subject(subject).open(sealed, context=b"") == b"text"


def test_a_subject_that_never_was_has_no_keys(vault):
    with pytest.raises(KeyMissing):
        vault.subject(uuid4())


def test_a_destroyed_subject_has_no_keys(vault, make_subjects):
    [subject] = make_subjects(vault, 1)
    vault.subject(subject)
    vault.destroy_subject(subject)

    with pytest.raises(KeyDestroyed):
        vault.subject(subject)


def test_a_destroyed_subject_never_gets_a_key_again(vault, make_subjects):
    [subject] = make_subjects(vault, 1)
    vault.destroy_subject(subject)

    with pytest.raises(KeyDestroyed):
        vault.create_subject(subject)


def test_a_subject_without_a_key_can_be_kept_from_ever_having_one(vault):
    subject = uuid4()
    vault.destroy_subject(subject)

    with pytest.raises(KeyDestroyed):
        vault.create_subject(subject)


def test_destroying_a_subject_again_tells_of_the_first_time(vault, make_subjects):
    [subject] = make_subjects(vault, 1)

    assert vault.destroy_subject(subject) == vault.destroy_subject(subject)


def test_destroying_one_subject_leaves_the_others(vault, make_subjects):
    one, other = make_subjects(vault, 2)
    sealed = vault.subject(other).seal(b"text", context=b"")
    vault.destroy_subject(one)

    assert vault.subject(other).open(sealed, context=b"") == b"text"


def test_a_second_vault_on_the_same_keystore_sees_a_destruction_at_once(vault, keystore, kms, make_subjects):
    other = open_vault(keystore=keystore, root=kms)
    [subject] = make_subjects(vault, 1)
    other.subject(subject)
    vault.destroy_subject(subject)

    with pytest.raises(KeyDestroyed):
        other.subject(subject)
    other.close()


def test_a_vault_opened_again_has_the_same_keys(vault, keystore, kms, make_subjects):
    [subject] = make_subjects(vault, 1)
    sealed = vault.subject(subject).seal(b"text", context=b"")
    again = open_vault(keystore=keystore, root=kms, create=True)

    assert again.subject(subject).open(sealed, context=b"") == b"text"
    assert again.reference_hash("acct-7") == vault.reference_hash("acct-7")
    again.close()


def test_a_key_row_put_in_the_place_of_another_does_not_open(vault, store, make_subjects):
    one, other = make_subjects(vault, 2)
    with store.writing() as rows:
        row = rows.subject_key(other)
        rows.replace_subject_keys([row._replace(subject=one.bytes)])

    with pytest.raises(IntegrityFault):
        vault.subject(one)


def test_there_is_no_vault_without_a_keystore(keystore, kms):
    with pytest.raises(KeystoreMissing):
        open_vault(keystore=keystore, root=kms)


def test_a_lost_keystore_is_not_replaced_by_an_empty_one(keystore, kms):
    kms.new_epoch(1)

    with pytest.raises(KeystoreMissing):
        open_vault(keystore=keystore, root=kms, create=True)


def test_a_first_start_that_was_interrupted_is_taken_up_again(keystore, kms):
    kms.fail_on = "new_epoch"
    with pytest.raises(ConnectionError):
        open_vault(keystore=keystore, root=kms, create=True)
    kms.fail_on = ""

    open_vault(keystore=keystore, root=kms, create=True).close()


def test_an_emptied_keystore_is_not_begun_anew(keystore, store, kms):
    store.create()
    kms.new_epoch(7)

    with pytest.raises(KeystoreMissing):
        open_vault(keystore=keystore, root=kms, create=True)


def test_a_root_of_another_keystore_does_not_open_this_one(vault, keystore):
    stranger = FakeKms()
    stranger.new_epoch(1)

    with pytest.raises(IntegrityFault):
        open_vault(keystore=keystore, root=stranger)


def test_another_kind_of_database_is_refused(kms):
    with pytest.raises(KeystoreFault):
        open_vault(keystore="mysql://vault.example/keys", root=kms, create=True)


def test_what_belongs_to_no_subject_is_sealed_under_the_vaults_own_key(vault):
    sealed = vault.seal_system(b"text", context=b"place")

    assert vault.open_system(sealed, context=b"place") == b"text"
    with pytest.raises(IntegrityFault):
        vault.open_system(sealed, context=b"elsewhere")


def test_each_lookup_digest_has_its_own_key(vault):
    assert len({vault.reference_hash("x"), vault.visitor_hash("x"), vault.token_hash("x")}) == 3


def test_two_vaults_know_the_same_id_by_different_digests(vault, tmp_path):
    other = open_vault(keystore=tmp_path / "other", root=FakeKms(), create=True)

    assert other.reference_hash("acct-7") != vault.reference_hash("acct-7")
    other.close()


def test_the_newest_manifest_head_is_remembered(vault):
    subject = uuid4()
    vault.witness_manifest(subject, 1, b"first")
    vault.witness_manifest(subject, 2, b"second")

    assert vault.witnessed_manifest(subject) == Witness(2, b"second")


def test_a_manifest_head_that_comes_late_changes_nothing(vault):
    subject = uuid4()
    vault.witness_manifest(subject, 2, b"second")
    vault.witness_manifest(subject, 1, b"first")

    assert vault.witnessed_manifest(subject) == Witness(2, b"second")


def test_no_manifest_head_is_remembered_of_a_destroyed_subject(vault, make_subjects):
    [subject] = make_subjects(vault, 1)
    vault.witness_manifest(subject, 1, b"head")
    vault.destroy_subject(subject)

    assert vault.witnessed_manifest(subject) is None


def test_the_cache_is_bounded(file_vault, make_subjects, monkeypatch):
    monkeypatch.setattr(key_vault, "MAX_CACHED_SUBJECTS", 2)
    for subject in make_subjects(file_vault, 5):
        file_vault.subject(subject)

    assert len(file_vault._cache) == 2


def test_a_cached_subject_keeps_its_rotation(file_vault, make_subjects):
    [subject] = make_subjects(file_vault, 1)

    assert file_vault.subject(subject) is file_vault.subject(subject)


def test_keys_cannot_be_pickled(file_vault, make_subjects):
    [subject] = make_subjects(file_vault, 1)

    for holder in (file_vault, file_vault.subject(subject)):
        with pytest.raises(TypeError):
            pickle.dumps(holder)
