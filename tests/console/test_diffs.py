from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from console.diffs import side_by_side
from vault.lifecycle.diff import word_diff

WORDS = st.text(alphabet="ab c", max_size=40)


@given(WORDS, WORDS)
def test_each_side_is_one_of_the_two_texts(old, new):
    sides = side_by_side(word_diff(old, new))

    assert "".join(text for _, text in sides.before) == old
    assert "".join(text for _, text in sides.after) == new


def test_what_went_stands_on_the_left_and_what_came_on_the_right():
    sides = side_by_side(word_diff("the red boat", "the blue boat"))

    assert ("removed", "red") in sides.before
    assert ("added", "blue") in sides.after


def test_an_invisible_character_that_came_is_named():
    sides = side_by_side(word_diff("pay", "pay \u200b"))

    assert any("U+200B" in text for change, text in sides.after if change == "added")
