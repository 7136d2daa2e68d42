"""What every answer carries, and problem documents for refusals that no view of the API has met."""

from __future__ import annotations

import json
from collections.abc import Callable

import structlog
from django.http import HttpRequest, HttpResponse

from vault.api.problems import CONTENT_TYPE, problem_of_status
from vault.api.request_ids import request_id_from
from vault.uncaught import connect

API_PREFIX = "/api/"
FIRST_ERROR = 400


class RequestIdMiddleware:
    """Takes or makes X-Request-Id; under /api forbids caches and turns Django's own errors into problems."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response
        # Here, since its line is to carry the request's id.
        connect()

    def __call__(self, request: HttpRequest) -> HttpResponse:
        request_id = request_id_from(request.headers.get("X-Request-Id"))
        request.vault_request_id = request_id  # type: ignore[attr-defined]
        with structlog.contextvars.bound_contextvars(request_id=request_id):
            response = self.get_response(request)
        if request.path.startswith(API_PREFIX):
            response = _as_problem(response)
            response["Cache-Control"] = "no-store"
        response["X-Request-Id"] = request_id
        return response


def _as_problem(response: HttpResponse) -> HttpResponse:
    status = response.status_code
    if status < FIRST_ERROR or response.get("Content-Type", "").startswith(CONTENT_TYPE):
        return response
    body = json.dumps(problem_of_status(status))
    answer = HttpResponse(body, status=status, content_type=CONTENT_TYPE)
    for header in ("Allow", "Retry-After", "WWW-Authenticate"):
        if header in response:
            answer[header] = response[header]
    return answer
