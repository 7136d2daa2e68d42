"""Follow-up questions: what gets filled in, and what is left alone."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vault.sessions.leaning import Said, leans
from vault.sessions.transform import transform

# A busy machine must not decide.

TALK = [
    Said("user", "Who signs for deliveries at Hollin Mill?"),
    Said("assistant", "The caretaker, until five. Order 55210 came yesterday."),
]


@pytest.mark.parametrize(
    "question",
    [
        "and after that?",
        "since when?",
        "What about Sundays?",
        "did he ever miss one?",
        "who pays them?",
        "the caretaker, or us?",
    ],
)
def test_a_question_that_leans_gets_the_names_of_the_talk(question):
    assert "Hollin Mill" in transform(question, TALK)


def test_what_was_masked_is_nothing_to_search_for():
    talk = [Said("user", "Order 55210 for Hollin Mill was sent back. The portal opens with <API_KEY>.")]
    query = transform("why was that?", talk)
    assert "Hollin Mill" in query
    assert "API_KEY" not in query


@pytest.mark.parametrize(
    "question",
    [
        "When does the shop in Ghent close?",
        "What is the price of ticket KX-40?",
        "ok, different topic: who teaches class 7B?",
        "Does Imogen Farrow still want her post in print?",
        "Quel est le numéro de la mairie de Quimper ?",
        "why is test_invoice_total slow?",
    ],
)
def test_a_question_that_stands_alone_stays_exactly_as_it_is(question):
    assert transform(question, TALK) == question


def test_identifiers_are_kept_whole():
    talk = [
        Said("user", "The rotor guard broke."),
        Said("assistant", "For the DX-5 that is part G-20, release 3.8."),
    ]

    assert {"DX-5", "G-20", "3.8"} <= set(transform("any left?", talk).split())


def test_the_day_after_a_weekday_is_named():
    talk = [Said("user", "Imogen is away on Thursday.")]

    assert "Friday" in transform("and the day after?", talk)


def test_chatter_is_dropped_from_a_question_that_leans():
    assert not transform("ok thanks, and since when?", TALK).startswith("ok")


def test_a_question_in_another_language_gets_its_noun():
    talk = [
        Said("user", "Was wissen wir über die Firma Brandauer?"),
        Said("assistant", "Sie zahlt monatlich."),
    ]

    assert "Brandauer" in transform("und seit wann?", talk)


def test_a_question_in_japanese_gets_what_it_points_to():
    talk = [Said("user", "荷物はどこですか。"), Said("assistant", "神戸の倉庫です。")]

    assert "倉庫" in transform("そこは何時までですか。", talk)


def test_without_a_talk_a_question_stays_as_it_is():
    assert transform("and since when?", []) == "and since when?"


def test_a_query_does_not_grow_with_the_talk():
    long_talk = [
        Said("user", f"Pallet {n} of Hollin Mill went to hall {n} with carrier number {n}.")
        for n in range(50)
    ]

    assert len(transform("since when?", long_talk).split()) < 25


@given(st.text(max_size=80), st.lists(st.text(max_size=80), max_size=5))
def test_any_text_gives_a_query_and_one_that_stands_alone_is_untouched(question, lines):
    turns = [Said("user", line) for line in lines]

    used = transform(question, turns)

    assert used == question or leans(question, turns)
