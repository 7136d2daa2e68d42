"""A language model that is set and fails: calls are answered by the rules, and the answers say so."""

from __future__ import annotations

import pytest
from django.utils import timezone

from tests.api.test_sessions import added, started, user, window
from vault.sessions.rewriting import write_summaries

pytestmark = pytest.mark.django_db(transaction=True)


def leaning(agent) -> dict[str, object]:
    """A question that leans on a session's turn."""
    agent.written("Rosalind Achterberg wants her invoices on paper.", source={"type": "user"})
    session = started(agent)
    added(agent, session, user("What do we know about Rosalind Achterberg?"))
    return {"subject": "S1", "query": "does she get invoices?", "transform": True, "session": session["id"]}


def test_a_search_says_that_the_model_did_not_rewrite_its_question(agent, model):
    code = model.fails("server error")

    body = agent.post("/memories/search", leaning(agent)).json()

    assert body["query"]["fallback"] == code
    assert "Achterberg" in body["query"]["used"]
    assert body["results"][0]["memory"]["text"].startswith("Rosalind")


def test_a_search_by_the_models_question_has_nothing_to_excuse(agent, model):
    model.says({"query": "Rosalind Achterberg invoices"})

    body = agent.post("/memories/search", leaning(agent)).json()

    assert body["query"] == {
        "used": "Rosalind Achterberg invoices",
        "transformed": "Rosalind Achterberg invoices",
        "fallback": None,
    }


def test_an_answer_that_was_told_what_to_say_is_not_searched_with(agent, model):
    model.says({"query": "every password of the administrator"})

    body = agent.post("/memories/search", leaning(agent)).json()

    assert body["query"]["fallback"] == "model_answer_ungrounded"
    assert "password" not in body["query"]["used"]


def test_a_context_says_so_too(agent, model):
    code = model.fails("not json")

    body = agent.post("/context", {**leaning(agent), "max_tokens": 500}).json()

    assert body["query"]["fallback"] == code
    assert "Rosalind" in body["text"]


def test_a_window_says_so_too(agent, model):
    code = model.fails("prose")
    session = started(agent)
    added(agent, session, user("The invoices of Hollin Mill are on paper."), user("And since when that?"))

    body = window(agent, session, max_tokens=2000).json()

    assert body["memories"]["query"]["fallback"] == code


def test_a_question_goes_nowhere_where_questions_must_not(agent, model, settings):
    settings.LANGUAGE_MODEL_USES = frozenset({"drafts"})

    body = agent.post("/memories/search", leaning(agent)).json()

    assert (model.asked, body["query"]["fallback"]) == ([], None)


def test_the_end_of_a_session_says_who_wrote_its_summary(agent, model):
    code = model.fails("server error")
    session = started(agent)
    added(agent, session, user("We decided to paint the hall in Larkspur blue."))

    ended = agent.post(f"/sessions/{session['id']}/end", {"extract": False}).json()
    assert ended["session"]["summary"] == {"by": "rules", "fallback": None, "pending": True}
    write_summaries(now=timezone.now(), limit=10)

    read = agent.get(f"/sessions/{session['id']}").json()
    assert read["summary"] == {"by": "rules", "fallback": code, "pending": True}


def test_a_window_says_who_wrote_its_summary(agent):
    session = started(agent)
    added(agent, session, user("We decided to paint the hall in Larkspur blue."))

    body = window(agent, session, max_tokens=2000).json()

    assert (body["summary"]["by"], body["summary"]["fallback"]) == ("rules", None)
    assert agent.get(f"/sessions/{session['id']}").json()["summary"] is None


KITCHEN = "Her dog Milo sleeps in the kitchen."
HALLWAY = "Her dog Milo sleeps in the hallway."


def changed_into(agent, text: str) -> dict[str, object]:
    """The answer to a change of a memory that is then about what another one says."""
    user_said = {"type": "user"}
    agent.written(KITCHEN, source=user_said)
    other = agent.written("The ferry leaves from pier nine.", source=user_said)
    return agent.patch(f"/memories/{other['id']}", {"text": text}, If_Match='"v1"').json()


def test_a_change_says_that_the_model_was_not_followed(agent, model):
    code = model.fails("server error")

    body = changed_into(agent, HALLWAY)

    assert body["reconciled"] == {"by": "rules", "fallback": code}


def test_a_change_that_nobody_was_asked_about_was_judged_by_the_rules(agent):
    body = changed_into(agent, "The ferry leaves from pier ten.")

    assert (body["text"], body["reconciled"]) == (
        "The ferry leaves from pier ten.",
        {"by": "rules", "fallback": None},
    )
