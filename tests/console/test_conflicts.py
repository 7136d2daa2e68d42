from __future__ import annotations

import pytest
from django.db import transaction

from audit.models import AuditEntry
from tests.factories import make_memory
from tests.lifecycle.rolling_back.writers import by, make_agent, now_of, rewrite, rolled_back
from vault.models import Conflict, isolation

pytestmark = pytest.mark.django_db


@pytest.fixture
def pair():
    standing = make_memory("The boat is red.", subject="S1", trust="verified")
    challenger = make_memory("The boat is blue.", subject="S1", trust="inferred")
    with transaction.atomic():
        isolation.open_everything()
        conflict = Conflict.objects.create(
            subject_id=standing.row.subject_id, namespace_id=standing.row.namespace_id, standing=standing.row,
            challenger=challenger.row,
        )  # fmt: skip
        isolation.close()
    return conflict, standing, challenger


def page_of(client, conflict, query: str = "") -> str:
    return client.get(f"/console/conflicts/{conflict.pk}/{query}").content.decode()


def decide(client, conflict, **given: object):
    data = {
        "decision": "kept",
        "reason": "other_is_wrong",
        "standing_version": 1,
        "challenger_version": 1,
        **given,
    }
    return client.post(f"/console/conflicts/{conflict.pk}/decide/", data)


def test_open_conflicts_are_listed_without_their_texts(reviewer, pair):
    conflict, *_ = pair

    page = reviewer.get("/console/conflicts/").content.decode()

    assert f"/console/conflicts/{conflict.pk}/" in page
    assert "boat" not in page


def test_both_texts_stand_side_by_side_with_their_trust(reviewer, pair):
    page = page_of(reviewer, pair[0])

    assert "The boat is <del>red</del>." in page
    assert "The boat is <ins>blue</ins>." in page
    assert 'class="badge verified"' in page
    assert 'class="badge inferred"' in page


def test_the_differences_can_be_read_in_one_text(reviewer, pair):
    page = page_of(reviewer, pair[0], "?view=inline")

    assert "[only in what stands: </span>red" in page
    assert "[only in the other: </span>blue" in page


def test_a_look_at_both_is_recorded(reviewer, pair):
    page_of(reviewer, pair[0])

    assert AuditEntry.objects.filter(action="memory.read", actor_id=str(reviewer.staff.pk)).count() == 2


@pytest.mark.parametrize(
    ("decision", "states"),
    [
        ("kept", ("active", "superseded")),
        ("replaced", ("superseded", "active")),
        ("both", ("active", "active")),
    ],
)
def test_a_decision_is_taken_with_a_reason(decision, states, reviewer, pair):
    conflict, standing, challenger = pair

    response = decide(reviewer, conflict, decision=decision)

    assert response["Location"] == "/console/conflicts/"
    assert (now_of(standing)[0], now_of(challenger)[0]) == states
    assert "The other is wrong" in page_of(reviewer, conflict)


@pytest.mark.parametrize(
    "given", [{"reason": ""}, {"reason": "because"}, {"decision": ""}, {"decision": "open"}]
)
def test_without_decision_and_reason_nothing_is_decided(given, reviewer, pair):
    decide(reviewer, pair[0], **given)

    assert "Two statements that contradict each other" in page_of(reviewer, pair[0])
    assert reviewer.get("/console/conflicts/").context["found"].total == 1


def test_the_second_of_two_is_told_who_was_quicker(reviewer, officer, pair):
    decide(reviewer, pair[0])

    response = decide(officer, pair[0], decision="replaced")

    assert response.status_code == 409
    assert reviewer.staff.email in response.content.decode()


def test_a_page_that_is_out_of_date_decides_nothing(reviewer, pair):
    rewrite(pair[1], author="agent:x", text="The boat is green.")

    assert decide(reviewer, pair[0]).status_code == 409


def test_an_auditor_looks_and_is_offered_no_decision(auditor, pair):
    assert "/decide/" not in page_of(auditor, pair[0])


def test_a_later_write_in_the_way_of_a_rollback_is_shown_beside_what_it_would_go_back_to(reviewer):
    bot = make_agent("mail-bot")
    memory = make_memory("The boat is red.")
    rewrite(memory, author=by(bot), text="The boat is blue.")
    rewrite(memory, author="staff:7", text="The boat is green.")
    rolled_back(agent_id=bot)
    conflict = reviewer.get("/console/conflicts/").context["found"].rows[0]

    page = page_of(reviewer, conflict)

    assert "The boat is <del>green</del>." in page
    assert "The boat is <ins>red</ins>." in page
    assert "Keep both" not in page
    decide(reviewer, conflict, decision="replaced", standing_version=3, challenger_version=3)
    assert now_of(memory) == ("active", "The boat is red.")


@pytest.mark.parametrize("value", ['"><img src=x onerror=alert(1)>', "{{7*7}}"])
def test_what_stands_in_a_statement_is_shown_as_text(value, reviewer, pair):
    rewrite(pair[1], author="agent:x", text=value)

    for query in ("", "?view=inline"):
        assert "<img src=x" not in page_of(reviewer, pair[0], query)


def test_what_is_not_there_is_not_found(reviewer):
    assert reviewer.get(f"/console/conflicts/{make_memory().row.pk}/").status_code == 404


@pytest.mark.parametrize("page", ["0", "-1", "9223372036854775808", "9" * 40, "x", "٣" * 30])
@pytest.mark.parametrize("register", ["conflicts", "upkeep"])
def test_a_page_that_no_list_has_is_the_first_one(reviewer, register, page):
    assert reviewer.get(f"/console/{register}/", {"page": page}).status_code == 200
