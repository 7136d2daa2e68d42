"""`/memories/{id}/versions` and `/rollback`: what a memory said before, and going back to it."""

from __future__ import annotations

from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from audit.actions import Action
from vault.api.answers import MemoryOut, VersionOut
from vault.api.cursors import Place, page_address, read_cursor
from vault.api.etags import expected_version
from vault.api.existence import require_memory
from vault.api.idempotency import Answer, Reservation
from vault.api.rendering import memory_answer
from vault.api.replay import answer_once
from vault.api.requests import PageQuery, RollbackIn
from vault.api.schema import CONDITIONAL, KEYED, page_of
from vault.api.validation import read_body
from vault.api.views.endpoint import Endpoint
from vault.lifecycle.versions import VersionView, list_versions, roll_back
from vault.retrieval.scope import Right


class VersionsView(Endpoint):
    parameters = PageQuery

    @extend_schema(operation_id="list_versions", parameters=[PageQuery], responses=page_of(VersionOut))
    def get(self, request: Request, memory_id: UUID) -> Response:
        """Every version of a memory, the first one first, with what changed against the one before."""
        bound_to = {"list": "versions", "caller": self.scope.author, "memory": str(memory_id)}
        given, limit = self.query.get("cursor"), self.query["limit"]
        place = read_cursor(given, bound_to=bound_to) if given else None
        versions = list_versions(memory_id=memory_id, scope=self.scope)
        start = _start(versions, place, limit)
        page = versions[start : start + limit]
        base = request.build_absolute_uri(request.path)
        following = Place(True, (start + limit,)) if start + limit < len(versions) else None
        preceding = Place(True, (max(0, start - limit),)) if start else None
        return Response(
            {
                "results": VersionOut(page, many=True).data,
                "next": page_address(base, {"limit": limit}, following, bound_to=bound_to),
                "previous": page_address(base, {"limit": limit}, preceding, bound_to=bound_to),
            }
        )


def _start(versions: tuple[VersionView, ...], place: Place | None, limit: int) -> int:
    """Versions are only ever added at the end, so an offset names the same version for ever."""
    return min(int(place.key[0]), len(versions)) if place else 0


class RollbackView(Endpoint):
    @extend_schema(
        operation_id="roll_back_memory",
        request=RollbackIn,
        responses=MemoryOut,
        parameters=[*CONDITIONAL, *KEYED],
    )
    def post(self, request: Request, memory_id: UUID) -> Response:
        """Write a new version with the content of an old one."""
        require_memory(memory_id, scope=self.scope, right=Right.MEMORY_WRITE)
        expected = expected_version(request)
        body = read_body(RollbackIn, request)

        def work(_: Reservation | None) -> Answer:
            rolled = roll_back(
                memory_id=memory_id,
                version=body["version"],
                expected_version=expected,
                reason=body["reason"],
                scope=self.scope,
            )
            return memory_answer(rolled)

        return answer_once(
            request,
            work,
            endpoint="memories/rollback",
            about=(str(memory_id),),
            event=Action.MEMORY_ROLLED_BACK,
        )
