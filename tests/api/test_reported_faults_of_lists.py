"""D37: pages must neither skip nor repeat rows, and a cursor opens one list only."""

from __future__ import annotations

import pytest

pytestmark = pytest.mark.django_db

MOMENT = "2026-01-01T00:00:00Z"


@pytest.fixture
def crowd(agent):
    """25 memories of the same moment."""
    return {agent.written(f"Shelf {n} holds lamps", created_at=MOMENT)["id"] for n in range(25)}


def page(agent, address):
    response = agent._client.get(address, headers={"Authorization": f"Bearer {agent.token}"})
    assert response.status_code == 200, response.content
    return response.json()


def ids(answer):
    return [memory["id"] for memory in answer["results"]]


def test_d37_rows_of_one_moment_appear_once_each_way(agent, crowd):
    answer = page(agent, "/api/v1/memories?subject=S1&limit=10")
    seen = ids(answer)
    for n in range(5):
        agent.written(f"Drawer {n} holds fuses", created_at=MOMENT)
    agent.delete(f"/memories/{seen[0]}", If_Match='"v1"')
    while answer["next"]:
        answer = page(agent, answer["next"])
        seen += ids(answer)
    back = ids(answer)
    while answer["previous"]:
        answer = page(agent, answer["previous"])
        back = ids(answer) + back

    assert len(seen) == len(set(seen))
    assert crowd <= set(seen)
    assert len(back) == len(set(back))
    assert crowd - {seen[0]} <= set(back)


def test_d37_a_search_is_one_answer_and_repeats_nothing(agent, crowd):
    response = agent.post("/memories/search", {"subject": "S1", "query": "lamps", "k": 25})

    found = [hit["memory"]["id"] for hit in response.json()["results"]]
    assert set(found) == crowd
    assert len(found) == 25


@pytest.mark.parametrize("other", ["subject=S2", "subject=S1&kind=event", "subject=S1&namespace=default"])
def test_d37_a_cursor_of_another_list_is_refused(agent, crowd, other):
    agent.written("Keeps a bicycle.", subject="S2")
    cursor = page(agent, "/api/v1/memories?subject=S1&limit=10")["next"].rpartition("cursor=")[2]

    assert agent.get(f"/memories?{other}&cursor={cursor}").status_code == 400


def test_d37_a_cursor_of_another_caller_is_refused(agent, reader, crowd):
    cursor = page(agent, "/api/v1/memories?subject=S1&limit=10")["next"].rpartition("cursor=")[2]

    assert reader.get(f"/memories?subject=S1&limit=10&cursor={cursor}").status_code == 400


def test_d37_an_edited_cursor_is_refused(agent, crowd):
    cursor = page(agent, "/api/v1/memories?subject=S1&limit=10")["next"].rpartition("cursor=")[2]
    edited = cursor[:-1] + ("A" if cursor[-1] != "A" else "B")

    response = agent.get(f"/memories?subject=S1&cursor={edited}")

    assert response.status_code == 400
    assert response.json()["errors"][0]["pointer"] == "/cursor"
