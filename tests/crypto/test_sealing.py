import pytest
from hypothesis import given
from hypothesis import strategies as st

from vault.crypto.sealing import OVERHEAD_BYTES, new_key, open_sealed, seal, subkey
from vault.errors import IntegrityFault

KEY = new_key()


@given(plaintext=st.binary(max_size=500), context=st.binary(max_size=100))
def test_what_was_sealed_opens_where_it_was_sealed_for(plaintext, context):
    assert open_sealed(seal(plaintext, key=KEY, context=context), key=KEY, context=context) == plaintext


@given(context=st.binary(max_size=100), elsewhere=st.binary(max_size=100))
def test_a_ciphertext_moved_to_another_place_does_not_open(context, elsewhere):
    sealed = seal(b"text", key=KEY, context=context)
    if context == elsewhere:
        return

    with pytest.raises(IntegrityFault):
        open_sealed(sealed, key=KEY, context=elsewhere)


@given(plaintext=st.binary(max_size=40), data=st.data())
def test_a_flipped_bit_anywhere_does_not_open(plaintext, data):
    sealed = bytearray(seal(plaintext, key=KEY, context=b"place"))
    bit = data.draw(st.integers(0, len(sealed) * 8 - 1))
    sealed[bit // 8] ^= 1 << bit % 8

    with pytest.raises(IntegrityFault):
        open_sealed(bytes(sealed), key=KEY, context=b"place")


@given(length=st.integers(0, OVERHEAD_BYTES + 3))
def test_a_cut_ciphertext_does_not_open(length):
    sealed = seal(b"text", key=KEY, context=b"place")

    with pytest.raises(IntegrityFault):
        open_sealed(sealed[:length], key=KEY, context=b"place")


def test_another_key_does_not_open():
    with pytest.raises(IntegrityFault):
        open_sealed(seal(b"text", key=KEY, context=b""), key=new_key(), context=b"")


def test_the_same_text_sealed_twice_looks_different():
    assert seal(b"text", key=KEY, context=b"") != seal(b"text", key=KEY, context=b"")


def test_a_fault_says_nothing_of_what_was_sealed():
    with pytest.raises(IntegrityFault) as fault:
        open_sealed(seal(b"canary", key=KEY, context=b"canary"), key=KEY, context=b"other")

    assert "canary" not in repr(fault.value) + fault.value.detail + repr(fault.value.facts)


def test_the_subkeys_of_two_purposes_differ():
    assert subkey(KEY, "content") != subkey(KEY, "vector") != KEY


def test_a_subkey_is_the_same_each_time():
    assert subkey(KEY, "content") == subkey(KEY, "content")
