"""`/memories/search` and `/context`: finding memories, as rows and as a block for a prompt.

Both only read, so an Idempotency-Key on them has no effect: an answer from the past could serve what has
expired or been forgotten since.
"""

from __future__ import annotations

import time
from dataclasses import asdict, replace
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from vault import metrics
from vault.api.drafts import per_kind_from, query_from
from vault.api.requests import ContextIn, SearchIn
from vault.api.search_answers import ContextOut, SearchOut
from vault.api.validation import read_body
from vault.api.views.endpoint import Endpoint
from vault.retrieval.recall import build_context
from vault.retrieval.scope import Right, Scope
from vault.retrieval.search import SearchQuery, search
from vault.sessions.asking import Asking, search_text


class SearchView(Endpoint):
    @extend_schema(operation_id="search_memories", request=SearchIn, responses=SearchOut)
    def post(self, request: Request) -> Response:
        """The k best memories of one subject, with the parts of their scores."""
        self.scope.require(Right.MEMORY_READ)
        query, asking = _asked(read_body(SearchIn, request), scope=self.scope)
        found = search(query=query, scope=self.scope)
        answer = replace(found, transformed=asking.transformed, fallback=asking.fallback)
        metrics.count_retrieval(
            mode=query.way.value, seconds=answer.took_ms / 1000, found=len(answer.results)
        )
        return Response(SearchOut(replace(answer, took_ms=round(answer.took_ms, 3))).data)


class ContextView(Endpoint):
    @extend_schema(operation_id="build_context", request=ContextIn, responses=ContextOut)
    def post(self, request: Request) -> Response:
        """The best memories as a block of text that stays within `max_tokens`, header included."""
        self.scope.require(Right.MEMORY_READ)
        body = read_body(ContextIn, request)
        query, asking = _asked(body, scope=self.scope)
        started = time.perf_counter()
        answer = build_context(
            query=query, max_tokens=body["max_tokens"], per_kind=per_kind_from(body), scope=self.scope
        )
        metrics.count_retrieval(
            mode=query.way.value, seconds=time.perf_counter() - started, found=len(answer.memories)
        )
        return Response(ContextOut({**asdict(answer), "query": asking}).data)


def _asked(body: dict[str, Any], *, scope: Scope) -> tuple[SearchQuery, Asking]:
    """The search, and its text as the session fills it in where that was asked for."""
    query = query_from(body)
    asking = search_text(
        question=query.query,
        session_id=query.session,
        wanted=query.transform,
        subject=query.subject,
        scope=scope,
    )
    return replace(query, query=asking.used), asking
