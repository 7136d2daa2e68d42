"""PUT and DELETE /subjects/{subject}/contact."""

from __future__ import annotations

from urllib.parse import quote

import pytest

from tests.lifecycle.subject_rights.people import EMAIL
from tests.lifecycle.subject_rights.test_contacts import addresses
from vault.retrieval.scope import Right

pytestmark = pytest.mark.django_db


def put(caller, subject: str = "S1", body: object = None):
    return caller.call(
        "put", f"/subjects/{quote(subject, safe='')}/contact", {"email": EMAIL} if body is None else body
    )


def test_a_contact_is_registered_and_removed(agent):
    agent.written("The depot opens at six.")

    assert put(agent).status_code == 204
    assert addresses() == [EMAIL]
    assert agent.delete("/subjects/S1/contact").status_code == 204
    assert addresses() == []


def test_a_contact_is_never_read_here(agent):
    agent.written("The depot opens at six.")
    put(agent)

    assert agent.get("/subjects/S1/contact").status_code == 404


def test_an_id_that_ends_like_the_route_is_an_id(agent):
    agent.written("The depot opens at six.", subject="a/contact")

    assert agent.get("/subjects/a%2Fcontact").json()["subject"] == "a/contact"


def test_a_stranger_and_an_unknown_subject_are_answered_alike(agent, stranger):
    agent.written("The depot opens at six.")

    foreign, unknown = put(stranger), put(stranger, "nobody")

    assert (foreign.status_code, foreign.json()) == (404, unknown.json())


def test_it_needs_the_right_to_export(agent, caller_for):
    agent.written("The depot opens at six.")
    writer = caller_for("writer", scopes=[Right.MEMORY_READ, Right.MEMORY_WRITE])

    assert put(writer).status_code == 403


@pytest.mark.parametrize(
    "body", [{}, {"email": ""}, {"email": 7}, {"email": "nobody"}, {"email": EMAIL, "phone": "1"}, []]
)
def test_what_is_no_address_is_refused_without_an_echo(agent, body):
    agent.written("The depot opens at six.")
    answer = put(agent, body=body)

    assert answer.status_code == 400
    assert b"nobody" not in answer.content
