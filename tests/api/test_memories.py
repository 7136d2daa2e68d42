"""POST and GET /memories."""

from __future__ import annotations

import pytest

pytestmark = pytest.mark.django_db


def test_a_write_is_created_with_the_whole_memory(agent):
    response = agent.write("Prefers replies in Hindi", attribute="reply_language", source={"type": "user"})

    body = response.json()
    assert response.status_code == 201
    assert body["outcome"] == "created"
    assert body["memory"]["trust"] == "stated"
    assert response["ETag"] == '"v1"'
