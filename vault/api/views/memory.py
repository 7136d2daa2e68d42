"""`/memories/{id}`: one memory, its change, its forgetting and its return."""

from __future__ import annotations

from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from audit.actions import Action
from vault.api.answers import ChangedOut, MemoryOut, QuarantinedOut
from vault.api.etags import etag, expected_version, optional_version
from vault.api.existence import require_memory
from vault.api.forgetting import ForgottenMemoryOut
from vault.api.idempotency import Answer, Reservation
from vault.api.rendering import memory_answer, memory_response
from vault.api.replay import answer_once, respond
from vault.api.requests import ChangeIn, ForgetIn, RestoreIn
from vault.api.schema import CONDITIONAL, KEYED, OPTIONALLY_CONDITIONAL
from vault.api.validation import read_body
from vault.api.views.endpoint import Endpoint
from vault.api.writes import change
from vault.lifecycle.forget import forget_memory, restore_memory
from vault.retrieval.read import get_memory
from vault.retrieval.scope import Right


class MemoryView(Endpoint):
    @extend_schema(operation_id="get_memory", responses=MemoryOut)
    def get(self, request: Request, memory_id: UUID) -> Response:
        """One memory. An expired one is not found, like one that never was."""
        return memory_response(get_memory(memory_id=memory_id, scope=self.scope))

    @extend_schema(
        operation_id="change_memory",
        request=ChangeIn,
        responses={200: ChangedOut, 202: QuarantinedOut},
        parameters=CONDITIONAL,
    )
    def patch(self, request: Request, memory_id: UUID) -> Response:
        """Replace fields; the whole is screened again, and what stood there stays as a version."""
        require_memory(memory_id, scope=self.scope, right=Right.MEMORY_WRITE)
        version = expected_version(request)
        body = read_body(ChangeIn, request)
        return respond(change(memory_id, body, expected_version=version, scope=self.scope))

    @extend_schema(
        operation_id="forget_memory",
        request=ForgetIn,
        responses={200: ForgottenMemoryOut},
        parameters=CONDITIONAL,
    )
    def delete(self, request: Request, memory_id: UUID) -> Response:
        """Forget: the memory leaves every list and search, and can be restored."""
        require_memory(memory_id, scope=self.scope, right=Right.MEMORY_WRITE)
        version = expected_version(request)
        reason = read_body(ForgetIn, request)["reason"]
        done = forget_memory(memory_id=memory_id, expected_version=version, reason=reason, scope=self.scope)
        return Response(ForgottenMemoryOut(done).data, headers={"ETag": etag(done.row.version)})


class RestoreView(Endpoint):
    @extend_schema(
        operation_id="restore_memory",
        request=RestoreIn,
        responses=MemoryOut,
        parameters=[*OPTIONALLY_CONDITIONAL, *KEYED],
    )
    def post(self, request: Request, memory_id: UUID) -> Response:
        """Bring a forgotten memory back. Without If-Match the current version is meant."""
        standing = require_memory(memory_id, scope=self.scope, right=Right.MEMORY_WRITE)
        version = optional_version(request) or standing.version
        reason = read_body(RestoreIn, request)["reason"]

        def work(_: Reservation | None) -> Answer:
            restored = restore_memory(
                memory_id=memory_id, expected_version=version, reason=reason, scope=self.scope
            )
            return memory_answer(restored)

        return answer_once(
            request, work, endpoint="memories/restore", about=(str(memory_id),), event=Action.MEMORY_RESTORED
        )
