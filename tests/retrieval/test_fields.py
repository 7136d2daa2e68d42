import pytest

from vault.retrieval.fields import index_text, speaker_of


def test_the_speaker_is_a_keyword_and_not_part_of_the_meaning():
    words = index_text(text="I sail.", metadata={"speaker": "Mira"})

    assert (words.keyword, words.embedded, words.speaker) == ("Mira: I sail.", "I sail.", "Mira")


def test_without_a_speaker_both_indexes_read_the_text():
    words = index_text(text="I sail.", metadata={})

    assert words.keyword == words.embedded == "I sail."


@pytest.mark.parametrize("value", [None, 7, ["Mira"], "", "  ", "x" * 81])
def test_anything_but_a_short_string_is_nobody(value):
    assert speaker_of({"speaker": value}) == ""


def test_no_text_shows_in_a_repr():
    assert "sail" not in repr(index_text(text="I sail.", metadata={"speaker": "Mira"}))
