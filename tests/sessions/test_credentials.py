"""What stood beside a credential goes nowhere: not into a question, a draft or a summary, whoever writes it."""

from __future__ import annotations

import pytest

from tests.sessions.talk import talk, turn
from vault.sessions.append import append_turns
from vault.sessions.credentials import carried_text
from vault.sessions.drafting import draft
from vault.sessions.extraction import draft_lasting
from vault.sessions.model_summary import lines_of_turns
from vault.sessions.read import recent_turns
from vault.sessions.records import TurnDraft
from vault.sessions.start import start_session
from vault.sessions.summarise import extract
from vault.sessions.transform import transform
from vault.types import Action, Category, Finding

MASKED = "TOKEN"
BESIDE = "We decided that the Marlowe depot always opens with <TOKEN>."
APART = "I prefer my bread from Hollin Mill."
ACCESS = "At the Marlowe depot we always log in as stores."


def secret() -> Finding:
    return Finding(
        detector="secrets", type=MASKED, category=Category.SECRET, action=Action.REDACT, score=1.0, pointer="/text",
        start=0, end=7,
    )  # fmt: skip


def told(text):
    return turn(1, "user", text, findings=(secret(),))


@pytest.mark.parametrize(
    ("text", "carried"),
    [
        (f"{BESIDE} {APART}", APART),
        (f"{ACCESS} It is <TOKEN>. {APART}", APART),
        (BESIDE, ""),
        ("Das Passwort steht unten.\n<TOKEN>", ""),
        ("I prefer replies by e-mail, and my password is <TOKEN>.", "I prefer replies by e-mail."),
        ("I live in Graz, my dog is Rex, and my password is <TOKEN>, ok?", "I live in Graz, my dog is Rex."),
        ("Ich mag Tee und mein Kennwort ist <TOKEN>.", "Ich mag Tee."),
        ("The Marlowe depot opens at nine, and the password is <TOKEN>.", ""),
        ("My password is <TOKEN>, and my depot is Marlowe.", ""),
        ("I have an account at Marlowe, and my password is <TOKEN>.", ""),
    ],
)
def test_only_the_sentences_apart_from_it_are_carried_on(text, carried):
    assert carried_text(told(text)) == carried


def test_talk_of_passwords_without_one_is_like_any_other():
    said = "We decided to change the password of the depot each May."

    assert carried_text(turn(1, "user", said)) == said


def test_no_draft_and_no_summary_quotes_it():
    turns = [told(f"{BESIDE} {ACCESS} {APART}")]

    texts = [d.text for d in draft_lasting(turns)] + [p.text for p in extract(turns)]

    assert [text for text in texts if "Marlowe" in text] == []
    assert any("Hollin" in text for text in texts)


def test_a_model_is_not_shown_it(model):
    model.says({"statements": []})

    draft([told(f"{BESIDE} {APART}"), *talk(("user", "The gate is on Mill Lane."))])

    assert "Hollin" in str(model.asked)
    assert "Marlowe" not in str(model.asked)
    assert "Marlowe" not in str(lines_of_turns([told(f"{BESIDE} {APART}")])[0].text)


@pytest.mark.django_db(transaction=True)
def test_no_question_is_filled_in_with_it(scope):
    session = start_session(subject="S1", namespace="default", scope=scope).row
    token = "ghp_" + "a1B2" * 9
    call = {"id": "c1", "name": "login", "arguments": {"place": "Marlowe", "key": token}}
    drafts = [
        TurnDraft("user", f"Hollin Mill wants bread. The deploy token for the Marlowe depot is {token}."),
        TurnDraft("assistant", tool_calls=(call,)),
    ]
    append_turns(session_id=session.pk, drafts=drafts, scope=scope)

    said = recent_turns(session_id=session.pk, scope=scope)

    query = transform("and since when?", said)
    assert "Hollin Mill" in query
    assert "Marlowe" not in query
    assert "TOKEN" not in query


def test_a_wish_that_was_asked_to_be_kept_outlives_the_credential_behind_it():
    said = "Please remember that I prefer replies by e-mail, and my password is <TOKEN>."

    assert [d.text for d in draft_lasting([told(said)])] == ['The user said: "I prefer replies by e-mail."']
