"""Answering a POST once: with an Idempotency-Key the first answer is given again."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from rest_framework.request import Request
from rest_framework.response import Response

from audit.actions import Action, Outcome
from vault.api.authentication import scope_of
from vault.api.idempotency import Answer, Attempt, Reservation, once
from vault.errors import InvalidField
from vault.retrieval import trail

KEY = re.compile(r"[\x21-\x7e]{1,255}")
KEY_HEADER = "Idempotency-Key"
REPLAYED = "idempotent_replay"

Work = Callable[[Reservation | None], Answer]


def answer_once(
    request: Request, work: Work, *, endpoint: str, about: tuple[str, ...], event: Action
) -> Response:
    """Answer by `work`, or by what it answered before under the same key; see `vault.api.idempotency`.

    `endpoint` is the route's name; `about` are subjects and path arguments. A replay is recorded as `event`,
    skipped.
    """
    key = idempotency_key(request)
    if key is None:
        return respond(work(None))
    attempt = attempt_of(request, key, endpoint=endpoint, about=about, body=request.data)
    answer, replayed = once(attempt, work)
    if replayed:
        trail.note_refusal(
            event, scope=scope_of(request), kind="request", outcome=Outcome.SKIPPED, reason=REPLAYED
        )
    return respond(answer, replayed=replayed)


def attempt_of(request: Request, key: str, *, endpoint: str, about: tuple[str, ...], body: Any) -> Attempt:
    # If-Match belongs to the request: with another one it asks for something else.
    fingerprint = [about, body, request.headers.get("If-Match", "")]
    return Attempt.of(
        key=key, caller=scope_of(request).author, endpoint=endpoint, about=about, request=fingerprint
    )


def idempotency_key(request: Request) -> str | None:
    """The key that was sent, if one was. Raises InvalidField for what is no key."""
    key = request.headers.get(KEY_HEADER)
    if key is not None and not KEY.fullmatch(key):
        raise InvalidField(
            "An Idempotency-Key is 1 to 255 visible ASCII characters.", pointer=f"/{KEY_HEADER}"
        )
    return key


def respond(answer: Answer, *, replayed: bool = False) -> Response:
    response = Response(answer.body, status=answer.status, headers=dict(answer.headers))
    if replayed:
        response["Idempotent-Replayed"] = "true"
    return response
