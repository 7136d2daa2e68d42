import pytest
from hypothesis import given
from hypothesis import strategies as st

from vault.crypto.fingerprints import identity_digest, keyed_digest, token_digests
from vault.errors import InvalidField

KEY, OTHER_KEY = b"k" * 32, b"o" * 32
TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=40)


@given(first=TEXT, second=TEXT)
def test_a_digest_is_equal_exactly_for_equal_text(first, second):
    assert (keyed_digest(KEY, first) == keyed_digest(KEY, second)) == (first == second)


def test_a_digest_has_32_bytes():
    assert len(keyed_digest(KEY, "")) == 32


def test_another_key_gives_another_digest():
    assert keyed_digest(KEY, "text") != keyed_digest(OTHER_KEY, "text")


def test_an_identifier_is_one_in_both_unicode_spellings():
    assert identity_digest(KEY, "Ren\u00e9") == identity_digest(KEY, "Rene\u0301")


def test_an_identifier_keeps_its_case():
    assert identity_digest(KEY, "Acct-7") != identity_digest(KEY, "acct-7")


def test_an_identifier_keeps_its_blanks():
    assert identity_digest(KEY, "acct-7") != identity_digest(KEY, "acct-7 ")


def test_look_alike_identifiers_stay_apart():
    assert identity_digest(KEY, "a") != identity_digest(KEY, "\u0430")


def test_texts_in_other_scripts_do_not_fall_together():
    texts = ["प्राथमिकता", "優先言語", "предпочтение", "تفضيل"]

    assert len({keyed_digest(KEY, text) for text in texts}) == len(texts)


def test_token_digests_keep_the_order_of_the_tokens():
    one, two = token_digests(KEY, ["invoice", "8841"])

    assert [two, one] == token_digests(KEY, ["8841", "invoice"])


def test_a_token_digest_has_16_bytes():
    assert [len(digest) for digest in token_digests(KEY, ["a", "b"])] == [16, 16]


def test_a_lone_surrogate_is_refused_without_telling_the_text():
    with pytest.raises(InvalidField) as refusal:
        keyed_digest(KEY, "canary\ud800")

    assert refusal.value.__suppress_context__
    assert "canary" not in refusal.value.detail
