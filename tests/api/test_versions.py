"""GET /memories/{id}/versions and POST /rollback."""

from __future__ import annotations

import pytest

pytestmark = pytest.mark.django_db


@pytest.fixture
def path(agent):
    memory = agent.written("Works at the bakery on Elm Row")
    at = f"/memories/{memory['id']}"
    agent.patch(at, {"text": "Works at the shipyard in Port Vane", "reason": "moved"}, If_Match='"v1"')
    return at


def test_the_history_tells_who_why_when_and_what(agent, path):
    versions = agent.get(f"{path}/versions").json()["results"]

    assert [version["version"] for version in versions] == [1, 2]
    assert versions[1]["reason"] == "moved"
    assert versions[1]["author"].startswith("agent:")
    assert versions[1]["written_at"].endswith("Z")
    assert {"change": "removed", "text": "bakery on Elm Row"} in versions[1]["diff"] or versions[1]["diff"]


def test_the_history_is_paged(agent, path):
    first = agent.get(f"{path}/versions?limit=1").json()
    cursor = first["next"].rpartition("cursor=")[2]
    second = agent.get(f"{path}/versions?limit=1&cursor={cursor}").json()

    assert [page["results"][0]["version"] for page in (first, second)] == [1, 2]
    assert second["next"] is None
    assert second["previous"] is not None


def test_rolling_back_writes_a_new_version_with_the_old_content(agent, path):
    response = agent.post(f"{path}/rollback", {"version": 1, "reason": "mistake"}, If_Match='"v2"')

    assert response.status_code == 200, response.content
    assert response.json()["text"] == "Works at the bakery on Elm Row"
    assert response["ETag"] == '"v3"'


def test_rolling_back_wants_a_version(agent, path):
    assert agent.post(f"{path}/rollback", {"version": 1, "reason": "mistake"}).status_code == 428


def test_rolling_back_an_older_version_is_stale(agent, path):
    response = agent.post(f"{path}/rollback", {"version": 1, "reason": "mistake"}, If_Match='"v1"')

    assert response.status_code == 412


@pytest.mark.parametrize(
    "body", [{"version": 1}, {"reason": "x"}, {"version": 0, "reason": "x"}, {"version": True, "reason": "x"}]
)
def test_a_rollback_names_version_and_reason(agent, path, body):
    assert agent.post(f"{path}/rollback", body, If_Match='"v2"').status_code == 400


def test_rolling_back_to_a_version_that_never_was_is_not_found(agent, path):
    response = agent.post(f"{path}/rollback", {"version": 9, "reason": "mistake"}, If_Match='"v2"')

    assert response.status_code == 404


@pytest.mark.parametrize("rest", ["/versions", "/rollback"])
def test_a_stranger_finds_no_history(stranger, path, rest):
    response = stranger.get(path + rest) if rest == "/versions" else stranger.post(path + rest, {})

    assert response.status_code == 404
