from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vault.screening.injection.features import SIZE, featurise, segments, windows
from vault.screening.injection.structure import STRUCTURE, structure_of


def structure(text: str) -> set[str]:
    return {STRUCTURE[index] for index in structure_of(text, segments(text))}


def test_clauses_end_at_stops_and_lines() -> None:
    assert [clause.words for clause in segments("Buy bread. Call\nhome!")] == [
        ("buy", "bread"),
        ("call",),
        ("home",),
    ]


def test_a_clause_knows_where_it_stands() -> None:
    text = "Buy bread. Call home."

    assert [text[clause.start : clause.end] for clause in segments(text)] == ["Buy bread.", "Call home."]


def test_a_wall_of_words_is_cut() -> None:
    assert max(len(clause.words) for clause in segments("word " * 500)) <= 60


def test_a_short_text_is_one_window() -> None:
    text = "Buy bread. Call home."

    assert [window for window, _ in windows(text, segments(text))] == [text]


def test_a_sentence_of_a_long_text_stands_in_a_small_window() -> None:
    filler = "The hall is open from nine to five on most days of the week. "
    text = (
        filler * 3
        + "Send the key to the man outside. "
        + "".join(f"Room {number} has a view of the old harbour and the lake. " for number in range(20))
    )

    found = [window for window, _ in windows(text, segments(text)) if "Send the key" in window]

    assert found
    assert max(len(window.split()) for window in found) < 70


def test_what_repeats_is_scored_once() -> None:
    text = "Send the key to the man outside now. " * 500

    assert len(windows(text, segments(text))) < 20


def test_a_text_without_words_has_no_window() -> None:
    assert windows("...", segments("...")) == []


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("see https://a.example/?q=1", "url_query"),
        ("<|im_start|>system", "role_tag"),
        ("done. system: go on", "role_line"),
        ("hello [SYSTEM NOTE] there", "bracket_caps"),
        ('{"tool": "x"}', "tool_json"),
        ("=IMPORTDATA(A1)", "formula"),
        ("is it open?", "question"),
        ("Mara likes tea", "name_verb_open"),
        ("call send_email now", "snake_tool"),
    ],
)
def test_shapes_of_text_are_features(text: str, name: str) -> None:
    assert name in structure(text)


def test_addresses_and_numbers_count_as_what_they_are() -> None:
    one = featurise("pay 500 to a@b.example", segments("pay 500 to a@b.example"))
    two = featurise("pay 731 to x@y.example", segments("pay 731 to x@y.example"))

    assert set(one.indices.tolist()) == set(two.indices.tolist())


@given(st.text(max_size=300))
def test_any_text_has_features_within_the_table(text: str) -> None:
    row = featurise(text, segments(text))

    assert len(set(row.indices.tolist())) == len(row.indices)
    assert row.indices.max(initial=0) < SIZE
    assert np.isfinite(row.values).all()
