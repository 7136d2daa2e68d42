from __future__ import annotations

import time

from hypothesis import given
from hypothesis import strategies as st

from vault.lifecycle.diff import Piece, word_diff

WORDS = st.lists(st.sampled_from(["a", "the", "bolt", " ", "  ", "\n", ".", "é", "née"]), max_size=40).map(
    "".join
)


def test_equal_texts_have_one_piece():
    assert word_diff("Prefers tea.", "Prefers tea.") == (Piece("same", "Prefers tea."),)


def test_a_replaced_word_is_shown_as_gone_and_come():
    assert word_diff("Prefers tea at noon", "Prefers coffee at noon") == (
        Piece("same", "Prefers "),
        Piece("removed", "tea"),
        Piece("added", "coffee"),
        Piece("same", " at noon"),
    )


def test_an_inserted_word_leaves_the_rest_alone():
    assert word_diff("cat sat", "the cat sat") == (Piece("added", "the "), Piece("same", "cat sat"))


def test_from_nothing_all_is_added():
    assert word_diff("", "new") == (Piece("added", "new"),)


def test_two_empty_texts_have_no_piece():
    assert word_diff("", "") == ()


@given(WORDS, WORDS)
def test_the_pieces_give_back_both_texts(old: str, new: str):
    pieces = word_diff(old, new)

    assert "".join(piece.text for piece in pieces if piece.change != "added") == old
    assert "".join(piece.text for piece in pieces if piece.change != "removed") == new


@given(st.text(max_size=60), st.text(max_size=60))
def test_no_character_of_any_script_is_lost(old: str, new: str):
    pieces = word_diff(old, new)

    assert "".join(piece.text for piece in pieces if piece.change != "added") == old


def test_a_text_of_one_repeated_word_is_compared_quickly():
    started = time.perf_counter()

    word_diff("x " + "a b " * 2000, "y " + "b a " * 2000)

    assert time.perf_counter() - started < 1
