"""POST /memories/{id}/feedback, and what upkeep adds to the answers."""

from __future__ import annotations

import pytest

from audit.models import AuditEntry
from tests.factories import make_namespace
from vault.models import Namespace
from vault.retrieval.scope import Right

pytestmark = pytest.mark.django_db


@pytest.fixture
def memory(agent):
    return agent.written("Prefers aisle seats")


def say(caller, memory, useful=True, **headers):
    return caller.post(f"/memories/{memory['id']}/feedback", {"useful": useful}, **headers)


def test_a_word_is_taken_once_a_day(agent, memory):
    answers = [say(agent, memory).json() for _ in range(2)]

    assert answers == [
        {"memory": memory["id"], "useful": True, "counted": True},
        {"memory": memory["id"], "useful": True, "counted": False},
    ]


def test_a_word_changes_neither_version_nor_text(agent, memory):
    say(agent, memory, useful=False)

    assert agent.get(f"/memories/{memory['id']}").json() == memory


def test_who_may_read_may_say(reader, memory):
    assert say(reader, memory).status_code == 200


def test_who_may_not_read_may_not(caller_for, memory):
    writer = caller_for("writer", scopes=[Right.MEMORY_WRITE])

    assert (say(writer, memory).status_code, say(writer, memory).json()["code"]) == (403, "scope_missing")


def test_a_stranger_finds_no_such_memory(stranger, memory):
    response = say(stranger, memory)

    assert (response.status_code, response.json()["code"]) == (404, "not_found")
    assert AuditEntry.objects.filter(action="access.denied").exists()


@pytest.mark.parametrize("body", [{}, {"useful": 1}, {"useful": "yes"}, {"useful": True, "why": "it was"}])
def test_another_shape_is_refused_by_its_field(agent, memory, body):
    response = agent.post(f"/memories/{memory['id']}/feedback", body)

    assert response.status_code == 400


def test_a_forgotten_memory_is_not_found(agent, memory):
    agent.delete(f"/memories/{memory['id']}", If_Match='"v1"')

    assert say(agent, memory).status_code == 404


def test_a_key_replays_the_first_answer(agent, memory):
    first, again = (say(agent, memory, Idempotency_Key="word-1") for _ in range(2))

    assert again["Idempotent-Replayed"] == "true"
    assert again.json() == first.json()


def test_a_memory_says_whether_it_is_pinned(memory):
    assert memory["pinned"] is False


def test_a_write_says_what_gave_way_to_it(agent):
    make_namespace()
    Namespace.objects.filter(name="default").update(policy={"upkeep": {"cap": 1}})
    old = agent.written("The ferry leaves from pier nine.")

    answer = agent.write("Her brother repairs old violins.").json()

    assert (answer["outcome"], answer["archived"]) == ("created", [old["id"]])


def test_a_cap_that_nothing_may_give_way_to_refuses(agent):
    make_namespace()
    old = agent.written("The ferry leaves from pier nine.")
    Namespace.objects.filter(name="default").update(policy={"upkeep": {"cap": 1}})
    agent.delete(f"/memories/{old['id']}", If_Match='"v1"')
    agent.written("Her brother repairs old violins.")

    response = agent.post(f"/memories/{old['id']}/restore", {}, If_Match='"v2"')

    assert (response.status_code, response.json()["code"]) == (409, "cap_reached")


def test_a_class_of_the_metadata_gives_a_memory_its_end(agent):
    make_namespace()
    rules = {"lives": [{"match": {"class": "temporary"}, "days": 1}]}
    Namespace.objects.filter(name="default").update(policy={"upkeep": rules})

    memory = agent.written("The gate is open until noon.", metadata={"class": "temporary"})

    assert memory["expires_at"] is not None
