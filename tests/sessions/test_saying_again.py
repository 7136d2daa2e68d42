"""Drafts that say the same: one is kept, and what differs in a fact stays apart."""

from __future__ import annotations

import pytest

from tests.sessions.talk import talk, turn
from vault.embedding import EmbeddingFailed
from vault.sessions import saying_again
from vault.sessions.drafting import draft
from vault.sessions.extraction import draft_lasting
from vault.sessions.saying_again import Saying, without_repeats


def kept(*texts, speakers=(), ranks=(), most=12):
    drafts = list(range(len(texts)))
    found = without_repeats(
        drafts,
        saying=lambda n: Saying(texts[n], speakers[n] if speakers else "", ranks[n] if ranks else 0),
        most=most,
    )
    return [texts[n] for n in found]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("I prefer tea to coffee.", "I prefer tea over coffee."),
        ("Our office is in Graz.", "Our office is located in Graz."),
        ("My daughter Noor goes to Wickham School.", "Noor, my daughter, goes to Wickham School."),
    ],
)
def test_what_says_the_same_in_other_words_is_drafted_once(one, other):
    assert len(kept(one, other)) == 1


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Our gate closes at 8.", "Our gate closes at 9."),
        ("I eat meat on Sundays.", "I never eat meat on Sundays."),
        ("Our office is in Graz.", "Our office is in Linz."),
        ("Ana helps Bo with the books.", "Bo helps Ana with the books."),
    ],
)
def test_a_differing_fact_is_another_statement(one, other):
    assert kept(one, other) == [one, other]


def test_the_same_words_of_two_people_are_two_facts():
    assert len(kept("I live in Graz.", "I live in Graz.", speakers=("Odalys", "Benno"))) == 2


def test_the_better_believed_of_two_is_kept_in_the_place_of_the_other():
    assert kept("I prefer tea to coffee.", "I prefer tea over coffee.", ranks=(1, 2)) == [
        "I prefer tea over coffee."
    ]


def test_repeats_take_no_place_from_others():
    assert kept("I prefer tea.", "I prefer tea.", "We close at four.", "The gate is red.", most=2) == [
        "I prefer tea.", "We close at four.",
    ]  # fmt: skip


def test_without_the_model_the_words_decide(monkeypatch):
    def fail(texts):
        raise EmbeddingFailed

    monkeypatch.setattr(saying_again, "embed", fail)

    assert len(kept("I prefer tea to coffee.", "I prefer tea over coffee.", "I prefer tea to milk.")) == 2


def test_nothing_is_said_twice_of_nothing():
    assert kept() == []


def test_as_i_said_is_no_news():
    turns = talk(("user", "I am allergic to peanuts."), ("user", "As I said, I'm allergic to peanuts."))

    assert len(draft_lasting(turns)) == 1


def test_a_model_drafts_once_what_it_says_twice(model):
    turns = talk(("user", "I prefer tea to coffee."), ("user", "I prefer tea over coffee."))
    texts = ("The user prefers tea to coffee.", "The user prefers tea over coffee.")
    model.says(
        {"statements": [{"turn": n, "label": "preference", "text": t} for n, t in enumerate(texts, 1)]}
    )

    assert [d.text for d in draft(turns).drafts] == [texts[0]]


def test_what_a_tool_returned_does_not_become_the_assistants_word():
    said = "Contracts with suppliers above 5,000 need two signatures."
    turns = [
        turn(1, "tool", "", trust="untrusted", conclusion=said),
        turn(2, "assistant", said, trust="inferred"),
    ]

    assert {d.turn: d.trust for d in draft_lasting(turns)}[1] == "untrusted"


@pytest.mark.parametrize(
    "fault",
    [
        "The printer is jammed right now.",
        "The lift is stuck on the third floor at the moment.",
        "The heating has been off since this morning.",
        "Printer is jammed, cannot print the labels.",
        "La impresora está atascada ahora mismo.",
        "Der Drucker klemmt gerade.",
        "L'imprimante est bloquée en ce moment.",
    ],
)
def test_a_fault_of_the_moment_is_nothing_to_keep(fault):
    assert draft_lasting(talk(("user", fault))) == []


@pytest.mark.parametrize(
    "fault",
    [
        "The printer jams every Monday morning.",
        "The scanner jams whenever the paper is thicker than 120 g.",
        "Jedes Mal, wenn es regnet, klemmt der Drucker.",
        "It turned out that the printer only jams with the thin paper.",
    ],
)
def test_a_fault_that_comes_back_is_kept(fault):
    assert len(draft_lasting(talk(("user", fault)))) == 1
