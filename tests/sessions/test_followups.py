"""Questions after turns about something: what stands alone is left alone, what leans gets what it lacks."""

from __future__ import annotations

import pytest

from tests.sessions import followups_later as later
from tests.sessions import followups_subject as subject
from tests.sessions.followups import ALONE, LEANING, said
from vault.sessions.leaning import Said
from vault.sessions.subject_matter import names_its_matter, takes_up
from vault.sessions.tongue import is_of_another_tongue, tongue_of
from vault.sessions.transform import transform


@pytest.mark.parametrize(("turns", "question"), ALONE)
def test_a_question_that_names_what_it_is_about_is_left_alone(turns, question):
    assert transform(question, said(turns)) == question


@pytest.mark.parametrize(("turns", "question", "wanted"), LEANING)
def test_a_question_that_leans_gets_what_it_lacks(turns, question, wanted):
    query = transform(question, said(turns)).casefold()

    assert [word for word in wanted if word not in query] == []


def test_of_questions_that_the_rules_were_not_written_for_few_are_taken_wrongly():
    filled_in = [question for turns, question in later.ALONE if transform(question, said(turns)) != question]
    lost = [
        question
        for turns, question, wanted in later.LEANING
        if not all(word in transform(question, said(turns)).casefold() for word in wanted)
    ]

    assert (filled_in, lost) == (["Which bin goes out on Thursday?"], ["how long is the contract?"])


@pytest.mark.parametrize(
    ("text", "tongue"),
    [
        ("wann anrufen?", "de"),
        ("When does it leave?", "en"),
        ("Quand ferme-t-elle ?", "fr"),
        ("¿Dónde está la llave?", "es"),
        ("鍵はどこですか。", "cjk"),
        ("चाबी कहाँ है?", "hi"),
        ("Brandauer 4471", ""),
    ],
)
def test_little_words_tell_the_language(text, tongue):
    assert tongue_of(text) == tongue


@pytest.mark.parametrize(
    ("question", "is_another"),
    [("wann anrufen?", True), ("when to call?", False), ("Brandauer?", False)],
)
def test_a_language_that_is_not_known_is_no_other_language(question, is_another):
    assert is_of_another_tongue(question, ["The invoice is with them.", "4471"]) is is_another


def test_a_question_in_another_language_is_filled_in_when_it_plainly_refers_back():
    talk = [Said("user", "The invoice of Penrose Glass came twice.")]

    assert "Penrose" in transform("und seit wann?", talk)
    assert "Penrose" in transform("Wer hat sie geschickt?", talk)
    assert "Penrose" in transform("Wie lange dauert das?", talk)


@pytest.mark.parametrize(
    ("question", "named"),
    [
        ("who isn't allowed?", False),
        ("which seat?", False),
        ("what's the rent?", False),
        ("What is the price?", False),
        ("Where are the towels?", True),
        ("the towels?", False),
        ("opening hours swimming pool", True),
        ("", False),
    ],
)
def test_one_word_names_a_matter_only_as_the_noun_of_a_question(question, named):
    assert names_its_matter(question) is named


@pytest.mark.parametrize(
    ("question", "taken"),
    [
        ("who mends the printer?", True),
        ("who mends the printer on floor 3?", False),
        ("do printers need a permit?", False),
        ("does this scanner need paper?", True),
    ],
)
def test_a_noun_is_taken_up_as_a_known_one_and_not_by_the_way(question, taken):
    assert takes_up(question, ["The printer is out of ink."]) is taken


def test_a_time_of_day_is_no_noun_to_point_at():
    assert not takes_up("What is for lunch this week?", ["Lunch was late."])


@pytest.mark.parametrize(("turns", "question"), subject.ALONE)
def test_a_pronoun_of_the_subject_and_a_matter_of_its_own_take_nothing_from_the_turns(turns, question):
    assert transform(question, said(turns)) == question


@pytest.mark.parametrize(("turns", "question", "query"), subject.NEW_NOUNS)
def test_a_new_noun_takes_what_was_asked_and_not_the_old_noun(turns, question, query):
    assert transform(question, said(turns)) == query


@pytest.mark.parametrize(("turns", "question", "wanted"), subject.LEANING)
def test_a_pronoun_leans_where_somebody_or_something_it_may_mean_was_spoken_of(turns, question, wanted):
    query = transform(question, said(turns)).casefold()

    assert [word for word in wanted if word not in query] == []


def test_what_fills_a_question_in_is_no_verb_of_talk():
    query = transform("and when does it arrive?", said(subject.PRINTER)).casefold().split()

    assert {"let", "look", "create", "ordered", "will"}.isdisjoint(query)
