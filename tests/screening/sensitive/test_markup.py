"""Tags and web addresses inside a text: where they stand, and what is left without them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vault.embedding import embed
from vault.screening.sensitive import find_sensitive
from vault.screening.sensitive.markup import markup_in, without


@pytest.mark.parametrize(
    ("text", "markup"),
    [
        ('<div class="b c">x</div>', ['<div class="b c">', "</div>"]),
        ("one<br/>two", ["<br/>"]),
        ("<a href='/white'>here</a>", ["<a href='/white'>", "</a>"]),
        ("see https://example.com/white-paper, please", ["https://example.com/white-paper,"]),
        ("see www.example.com/white", ["www.example.com/white"]),
    ],
)
def test_tags_and_addresses_are_found(text, markup):
    assert [text[start:end] for start, end in markup_in(text)] == markup


@pytest.mark.parametrize(
    "text", ["<I am ill>", "a < b and c > d", "<my son, since May>", "3 <4", "no markup"]
)
def test_what_only_looks_like_a_tag_is_text(text):
    assert markup_in(text) == []


@given(st.text(alphabet="<>ab =\"'/:.w", max_size=60))
def test_the_places_lie_in_order_and_apart_and_only_they_are_taken_out(text):
    spans = markup_in(text)
    edges = [edge for span in spans for edge in span]
    assert edges == sorted(edges)
    between = [
        text[start:end] for start, end in zip([0, *edges[1::2]], [*edges[::2], len(text)], strict=True)
    ]
    assert without(text, spans).split() == " ".join(between).split()


@pytest.mark.parametrize(
    "text",
    [
        '<div class="homework">The second homework is due on Friday</div>',
        "The share is at https://example.com/lily_white/pink and open to all",
    ],
)
def test_a_plain_word_in_markup_says_nothing_of_anybody(text):
    assert find_sensitive(text, embed=embed) == []


def test_what_is_said_between_tags_is_found_in_its_place():
    text = '<p class="note"><b>Tomke</b> was diagnosed with asthma in May</p>'
    (hit,) = find_sensitive(text, embed=embed)
    assert hit.category == "health"
    assert text[hit.start : hit.end] == "diagnos"


def test_a_statement_inside_an_attribute_is_found():
    text = '<img alt="My brother was diagnosed with asthma"> the picture'
    assert [hit.category for hit in find_sensitive(text, embed=embed)] == ["health"]


def test_a_statement_in_angle_brackets_is_found():
    assert [hit.category for hit in find_sensitive("<My brother has asthma>", embed=embed)] == ["health"]
