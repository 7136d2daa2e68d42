"""GET /memories: lists, their filters and their pages."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from vault.models import Memory, isolation

pytestmark = pytest.mark.django_db


def pointers(response):
    return {error["pointer"] for error in response.json()["errors"]}


def listed(agent, query="subject=S1"):
    response = agent.get(f"/memories?{query}")
    assert response.status_code == 200, response.content
    return response.json()


def test_a_list_holds_the_subjects_own_memories(agent):
    agent.written("The depot opens at six.")
    agent.written("The lantern code is marzipan.", subject="S2")

    assert [memory["subject"] for memory in listed(agent)["results"]] == ["S1"]


@pytest.mark.parametrize(
    ("query", "count"),
    [
        ("kind=event", 1),
        ("kind=lesson", 0),
        ("attribute=opening", 1),
        ("attribute=closing", 0),
        ("status=superseded", 0),
        ("trust=inferred", 2),
        ("trust=verified", 0),
        ("namespace=default", 2),
    ],
)
def test_a_list_can_be_filtered(agent, query, count):
    agent.written("The depot opens at six.", attribute="opening")
    agent.written("The depot was flooded in May.", kind="event")

    assert len(listed(agent, f"subject=S1&{query}")["results"]) == count


@pytest.mark.parametrize(
    ("query", "pointer"),
    [
        ("", "/subject"),
        ("subject=S1&colour=red", "/colour"),
        ("subject=S1&subject=S2", "/subject"),
        ("subject=S1&kind=rumour", "/kind"),
        ("subject=S1&limit=0", "/limit"),
        ("subject=S1&limit=101", "/limit"),
        ("subject=S1&limit=ten", "/limit"),
        ("subject=S1&cursor=abc", "/cursor"),
        ("subject=%00", "/subject"),
        ("subject=abc%00", "/subject"),
        ("subject=%ff", ""),
        ("subject=%E2%80%8B", "/subject"),
    ],
)
def test_a_query_that_breaks_its_contract_is_named(agent, query, pointer):
    response = agent.get(f"/memories?{query}")

    assert response.status_code == 400
    assert pointers(response) == {pointer}


def test_a_query_string_where_none_has_a_meaning_is_refused(agent):
    response = agent.call("post", "/memories?dry_run=1", {"subject": "S1", "text": "The depot opens."})

    assert pointers(response) == {"/dry_run"}


def test_an_unknown_subject_is_not_found(agent):
    assert agent.get("/memories?subject=nobody").status_code == 404


def test_a_list_is_paged_in_both_directions(agent):
    ids = [agent.written(f"Depot number {n} opens at six.")["id"] for n in range(5)]

    first = listed(agent, "subject=S1&limit=2")
    second = agent._client.get(first["next"], headers={"Authorization": f"Bearer {agent.token}"}).json()
    back = agent._client.get(second["previous"], headers={"Authorization": f"Bearer {agent.token}"}).json()

    assert [m["id"] for m in first["results"]] == ids[:2]
    assert first["previous"] is None
    assert [m["id"] for m in second["results"]] == ids[2:4]
    assert [m["id"] for m in back["results"]] == ids[:2]


def test_the_last_page_has_no_next(agent):
    agent.written("The depot opens at six.")

    assert listed(agent, "subject=S1&limit=1")["next"] is None


def test_what_has_expired_is_not_listed_before_any_job_has_met_it(agent):
    memory = agent.written("The voucher is valid.", expires_at="2999-01-01T00:00:00Z")
    isolation.open_everything()
    Memory.objects.filter(pk=memory["id"]).update(expires_at=datetime.now(UTC) - timedelta(seconds=1))

    assert listed(agent)["results"] == []
