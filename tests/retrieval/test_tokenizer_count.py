import pytest
from hypothesis import given
from hypothesis import strategies as st

from vault.retrieval.tokenizer_count import count_tokens

HAN = st.characters(min_codepoint=0x4E00, max_codepoint=0x9FFF)
KANA = st.characters(min_codepoint=0x3041, max_codepoint=0x30FE)
HANGUL = st.characters(min_codepoint=0xAC00, max_codepoint=0xD7A3)
EMOJI = st.characters(min_codepoint=0x1F300, max_codepoint=0x1FAFF)


def test_nothing_costs_nothing():
    assert count_tokens("") == 0


def test_a_hundred_han_characters_are_never_counted_by_four():
    assert count_tokens("发" * 100) >= 60


def test_a_family_is_counted_with_all_its_joiners():
    assert count_tokens("👩\u200d👩\u200d👧") >= 11


@given(st.text(st.one_of(HAN, KANA, HANGUL, EMOJI), max_size=60))
def test_outside_ascii_the_count_is_the_bound_of_bytes(text):
    assert count_tokens(text) == len(text.encode())


@given(st.text(max_size=200))
def test_no_count_is_above_the_bytes_of_the_text(text):
    assert count_tokens(text) <= len(text.encode("utf-8", "surrogatepass"))


@given(st.text(max_size=80), st.text(max_size=80))
def test_counts_add_up_over_lines(first, second):
    assert count_tokens(f"{first}\n{second}") == count_tokens(first) + 1 + count_tokens(second)


@pytest.mark.parametrize(
    ("text", "least", "most"),
    [
        ("Invoice 8841 was rejected for code E12 purchase order missing.", 13, 18),
        ("The quick brown fox jumps over the lazy dog", 9, 10),
        ("internationalisation", 3, 6),
        ("0123456789", 4, 4),
        ("xkqzvbnwrtp", 6, 11),
        ("=========", 9, 9),
    ],
)
def test_latin_text_is_counted_tightly(text, least, most):
    assert least <= count_tokens(text) <= most


def test_five_memories_of_sixty_words_cost_about_three_hundred_tokens():
    memory = " ".join(["the", "team", "agreed", "to", "move", "Friday"] * 10)

    assert 300 <= 5 * count_tokens(memory) <= 330


def test_capitals_and_chains_of_letters_are_not_taken_for_words():
    assert count_tokens("REJECTED") > count_tokens("rejected")
    assert count_tokens("aGVsbG8gd29ybGQ") >= 8


@pytest.mark.parametrize("piece", ["a", " ", "\n", "1", "-", "é", "票"])
def test_a_long_run_is_counted_in_time(piece):
    assert count_tokens(piece * 8000) > 0
