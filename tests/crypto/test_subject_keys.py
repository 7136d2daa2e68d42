from uuid import uuid4

import numpy as np
import pytest

from vault.crypto.subject_keys import MAX_ROTATIONS, SubjectKeys
from vault.crypto.wrapping import new_data_key
from vault.errors import IntegrityFault


@pytest.fixture
def keys(subject_id):
    return SubjectKeys(subject_id, new_data_key())


@pytest.fixture
def stranger(subject_id):
    return SubjectKeys(subject_id, new_data_key())


@pytest.fixture
def subject_id():
    return uuid4()


def units(count, dimensions=384, seed=0):
    vectors = np.random.default_rng(seed).standard_normal((count, dimensions)).astype(np.float32)
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def test_two_subjects_know_the_same_words_by_different_hashes(keys, stranger):
    assert not set(keys.token_hashes(["invoice", "refund"])) & set(
        stranger.token_hashes(["invoice", "refund"])
    )
    assert keys.fingerprint("text") != stranger.fingerprint("text")


def test_an_attribute_and_a_token_of_the_same_name_have_different_hashes(keys):
    assert keys.slot_hash("language") != keys.token_hashes(["language"])[0]


def test_a_query_finds_its_protected_neighbour(keys):
    vectors = units(200)
    protected = np.array([keys.protect(vector) for vector in vectors])
    query = vectors[17] + 0.3 * units(1, seed=9)[0]

    nearest = np.argsort(-(protected @ keys.rotate(query)))[:5]

    assert 17 in nearest


def test_a_strangers_query_finds_nothing(keys, stranger):
    vectors = units(400)
    protected = np.array([keys.protect(vector, noise=0.0) for vector in vectors])

    ranks = [
        int(np.sum(protected @ stranger.rotate(v) > protected[i] @ stranger.rotate(v)))
        for i, v in enumerate(vectors)
    ]

    # Among 400, a guess at random has the right one at rank 200 on average.
    assert 140 < np.mean(ranks) < 260


def test_a_protected_vector_is_not_the_vector(keys):
    [vector] = units(1)

    assert abs(float(keys.protect(vector, noise=0.0) @ vector)) < 0.3


def test_the_same_vector_protected_twice_differs(keys):
    [vector] = units(1)

    assert not np.allclose(keys.protect(vector), keys.protect(vector))


def test_protected_vectors_are_float32(keys):
    assert keys.protect(units(1)[0]).dtype == keys.rotate(units(1)[0]).dtype == np.float32


def test_only_so_many_rotations_are_held(keys):
    for dimensions in range(2, 8):
        keys.rotate(units(1, dimensions)[0])

    assert len(keys._rotations) <= MAX_ROTATIONS


def test_a_manifest_head_is_verified(keys):
    keys.verify_manifest(b"head", keys.mac_manifest(b"head"))


def test_another_manifest_head_is_not_verified(keys):
    with pytest.raises(IntegrityFault):
        keys.verify_manifest(b"other", keys.mac_manifest(b"head"))


def test_the_audit_reference_is_random_and_stays(subject_id):
    data_key = new_data_key()

    assert (
        SubjectKeys(subject_id, data_key).audit_reference == SubjectKeys(subject_id, data_key).audit_reference
    )
    assert (
        SubjectKeys(subject_id, data_key).audit_reference
        != SubjectKeys(subject_id, new_data_key()).audit_reference
    )


def test_the_audit_reference_fits_in_a_url(keys):
    assert keys.audit_reference.replace("-", "").replace("_", "").isalnum()
    assert len(keys.audit_reference) == 22
