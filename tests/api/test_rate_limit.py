"""Rate limits per credential, shared by all processes."""

from __future__ import annotations

from datetime import timedelta
from uuid import uuid4

import pytest
from django.utils import timezone

from audit.models import AuditEntry
from vault.api import rate_limit
from vault.models import CallRate

pytestmark = pytest.mark.django_db

LIST = "/memories?subject=S1"


def test_every_answer_tells_what_is_left(agent, settings):
    settings.RATE_LIMIT_PER_MINUTE = 10

    response = agent.get(LIST)

    assert response["RateLimit-Limit"] == "10"
    assert response["RateLimit-Remaining"] == "9"
    assert response["RateLimit-Policy"] == '"credential";q=10;w=60'
    assert response["RateLimit"].startswith('"credential";r=9;t=')


def test_too_many_calls_are_told_when_to_come_back(agent, settings):
    settings.RATE_LIMIT_PER_MINUTE = 2

    responses = [agent.get(LIST) for _ in range(3)]

    assert [response.status_code for response in responses] == [404, 404, 429]
    assert responses[2].json()["code"] == "rate_limited"
    assert 1 <= int(responses[2]["Retry-After"]) <= 30
    assert responses[2]["RateLimit-Remaining"] == "0"


def test_a_refused_call_is_recorded(agent, settings):
    settings.RATE_LIMIT_PER_MINUTE = 1
    agent.get(LIST)
    agent.get(LIST)

    assert AuditEntry.objects.get(action="request.rate_limited").outcome == "refused"


def test_one_credential_does_not_use_up_anothers(agent, stranger, settings):
    settings.RATE_LIMIT_PER_MINUTE = 1
    agent.get(LIST)
    agent.get(LIST)

    assert stranger.get(LIST).status_code == 404


def test_a_refused_call_does_not_lengthen_the_wait():
    caller = uuid4()
    waits = [rate_limit.take(caller, limit=1).wait_seconds for _ in range(3)]

    assert waits[0] == 0
    assert waits[2] <= waits[1]


def test_what_has_leaked_out_is_let_in_again():
    caller = uuid4()
    rate_limit.take(caller, limit=1)
    CallRate.objects.filter(pk=caller).update(empty_at=timezone.now() - timedelta(seconds=1))

    assert not rate_limit.take(caller, limit=1).is_refused
