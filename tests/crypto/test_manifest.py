from dataclasses import replace
from uuid import uuid4

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vault.crypto.manifest import Manifest, Witness
from vault.errors import IntegrityFault

SUBJECT = uuid4()
MANIFEST = Manifest(b"k" * 32, SUBJECT)

ENTRY = st.tuples(st.uuids(), st.integers(1, 9), st.binary(min_size=32, max_size=32))
ENTRIES = st.lists(ENTRY, max_size=12, unique=True)


def an_entry(version=1):
    return (uuid4(), version, b"d" * 32)


def passes(state, entries, mac=None):
    MANIFEST.check(state, mac or MANIFEST.seal(state), entries)
    return True


@given(entries=ENTRIES, data=st.data())
def test_a_manifest_built_step_by_step_is_that_of_the_set_in_any_order(entries, data):
    state = MANIFEST.of([])
    for entry in entries:
        state = MANIFEST.add(state, entry)

    assert passes(state, data.draw(st.permutations(entries)))
    assert state.sequence == state.count == len(entries)


@given(entries=ENTRIES, extra=ENTRY)
def test_adding_and_removing_leaves_the_same_set(entries, extra):
    state = MANIFEST.remove(MANIFEST.add(MANIFEST.of(entries), extra), extra)

    assert passes(state, entries)
    assert state.sequence == 2


def test_replacing_an_entry_takes_one_step():
    old, new = an_entry(1), an_entry(2)

    state = MANIFEST.replace(MANIFEST.of([old]), old, new)

    assert passes(state, [new])
    assert state.sequence == 1


@given(entries=ENTRIES.filter(bool), data=st.data())
def test_a_row_that_vanished_is_noticed(entries, data):
    state = MANIFEST.of(entries)
    entries.remove(data.draw(st.sampled_from(entries)))

    with pytest.raises(IntegrityFault):
        passes(state, entries)


def test_an_old_version_put_back_is_noticed():
    memory = uuid4()
    state = MANIFEST.of([(memory, 2, b"n" * 32)])

    with pytest.raises(IntegrityFault):
        passes(state, [(memory, 1, b"o" * 32)])


def test_a_row_that_stands_there_twice_is_noticed():
    one, two = an_entry(), an_entry()

    with pytest.raises(IntegrityFault):
        passes(MANIFEST.of([one]), [one, two, two])


def test_another_ciphertext_under_the_same_version_is_noticed():
    memory = uuid4()

    with pytest.raises(IntegrityFault):
        passes(MANIFEST.of([(memory, 1, b"a" * 32)]), [(memory, 1, b"b" * 32)])


@pytest.mark.parametrize("change", [{"count": 5}, {"sequence": 5}, {"value": bytes(48)}, {"value": b""}])
def test_an_altered_state_is_noticed(change):
    state = MANIFEST.of([an_entry()])

    with pytest.raises(IntegrityFault):
        passes(replace(state, **change), None, mac=MANIFEST.seal(state))


def test_the_manifest_of_another_subject_with_the_same_key_is_noticed():
    state = MANIFEST.of([an_entry()])
    other = Manifest(b"k" * 32, uuid4())

    with pytest.raises(IntegrityFault):
        MANIFEST.check(state, other.seal(state))


def test_the_value_tells_nothing_of_the_set():
    entries = [an_entry()]

    assert MANIFEST.of(entries).value[16:] != MANIFEST.of(entries).value[16:]


def test_a_manifest_never_counts_below_nothing():
    with pytest.raises(IntegrityFault):
        MANIFEST.remove(MANIFEST.of([]), an_entry())


def test_a_state_older_than_its_witness_is_noticed():
    old = MANIFEST.of([])
    new = MANIFEST.add(old, an_entry())

    with pytest.raises(IntegrityFault):
        MANIFEST.check_witness(old, MANIFEST.seal(old), Witness(new.sequence, MANIFEST.seal(new)))


def test_another_state_of_the_same_age_as_the_witness_is_noticed():
    one, other = MANIFEST.of([an_entry()], sequence=3), MANIFEST.of([an_entry()], sequence=3)

    with pytest.raises(IntegrityFault):
        MANIFEST.check_witness(one, MANIFEST.seal(one), Witness(3, MANIFEST.seal(other)))


def test_the_witnessed_state_and_newer_ones_pass():
    state = MANIFEST.of([an_entry()], sequence=3)
    newer = MANIFEST.add(state, an_entry())
    witness = Witness(3, MANIFEST.seal(state))

    MANIFEST.check_witness(state, MANIFEST.seal(state), witness)
    MANIFEST.check_witness(newer, MANIFEST.seal(newer), witness)


def test_a_state_that_nobody_witnessed_passes():
    state = MANIFEST.of([])

    MANIFEST.check_witness(state, MANIFEST.seal(state), None)
