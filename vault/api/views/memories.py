"""`/memories`: writing one, and listing a subject's."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import Any
from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from audit.actions import Action
from vault.api.answers import MemoryOut, QuarantinedOut, WrittenOut
from vault.api.cursors import Place, page_address, read_cursor
from vault.api.drafts import draft_from
from vault.api.idempotency import Answer, Reservation
from vault.api.replay import answer_once
from vault.api.requests import MemoriesQuery, WriteIn
from vault.api.schema import KEYED, page_of
from vault.api.validation import read_body
from vault.api.views.endpoint import Endpoint
from vault.api.writes import write
from vault.retrieval.read import ListQuery, Page, Position, list_memories
from vault.retrieval.records import OpenedMemory
from vault.retrieval.scope import Right


class MemoriesView(Endpoint):
    parameters = MemoriesQuery

    @extend_schema(
        operation_id="write_memory",
        request=WriteIn,
        responses={200: WrittenOut, 201: WrittenOut, 202: QuarantinedOut},
        parameters=KEYED,
    )
    def post(self, request: Request) -> Response:
        """Write one memory: stored, merged into one that says the same, set aside, or refused.

        For whoever hands this to a model as a tool: keep what is likely to matter again, is not easily looked up again,
        will stay true, and is safe to keep: a wish, a rule, a decision, a lasting fact, a problem that comes back, a
        lesson. One statement a memory, that can be understood alone. Not the raw output of a tool, news of the moment,
        a mood, a guess as a fact, small talk, and never a credential.
        """
        self.scope.require(Right.MEMORY_WRITE)
        draft = draft_from(read_body(WriteIn, request), scope=self.scope)

        def work(reservation: Reservation | None) -> Answer:
            return write(draft, scope=self.scope, reservation=reservation)

        return answer_once(
            request, work, endpoint="memories", about=(draft.subject,), event=Action.MEMORY_WRITTEN
        )

    @extend_schema(operation_id="list_memories", parameters=[MemoriesQuery], responses=page_of(MemoryOut))
    def get(self, request: Request) -> Response:
        """A subject's memories, oldest first; only active ones unless another status is asked for."""
        self.scope.require(Right.MEMORY_READ)
        filters = {name: value for name, value in self.query.items() if name not in ("limit", "cursor")}
        bound_to = {"list": "memories", "caller": self.scope.author, **filters}
        given = self.query.get("cursor")
        place = read_cursor(given, bound_to=bound_to) if given else None
        page = list_memories(query=_list_query(self.query, filters, place), scope=self.scope)
        parameters = {**filters, "limit": self.query["limit"]}
        base = request.build_absolute_uri(request.path)
        following, preceding = _ends(page)
        return Response(
            {
                "results": MemoryOut(page.results, many=True).data,
                "next": page_address(base, parameters, following, bound_to=bound_to),
                "previous": page_address(base, parameters, preceding, bound_to=bound_to),
            }
        )


def _list_query(query: dict[str, Any], filters: dict[str, Any], place: Place | None) -> ListQuery:
    wanted = ListQuery(**filters, limit=query["limit"])
    if place is None:
        return wanted
    position = Position(datetime.fromisoformat(str(place.key[0])), UUID(str(place.key[1])))
    return replace(wanted, after=position) if place.forward else replace(wanted, before=position)


def _ends(page: Page) -> tuple[Place | None, Place | None]:
    """Where the pages on either side begin."""
    if not page.results:
        return None, None
    following = _place(page.results[-1], forward=True) if page.has_next else None
    preceding = _place(page.results[0], forward=False) if page.has_previous else None
    return following, preceding


def _place(opened: OpenedMemory, *, forward: bool) -> Place:
    return Place(forward, (opened.row.created_at.isoformat(), str(opened.row.pk)))
