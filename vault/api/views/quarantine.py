"""`/quarantine/{id}`: what became of a write that was set aside."""

from __future__ import annotations

from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from vault.api.answers import QuarantineStateOut
from vault.api.views.endpoint import Endpoint
from vault.lifecycle.reviewing.reading import quarantine_state
from vault.retrieval.scope import Right


class QuarantineView(Endpoint):
    @extend_schema(operation_id="get_quarantined_write", responses=QuarantineStateOut)
    def get(self, request: Request, write_id: UUID) -> Response:
        """The state of the caller's own write, without its text."""
        self.scope.require(Right.MEMORY_WRITE)
        return Response(QuarantineStateOut(quarantine_state(write_id=write_id, scope=self.scope)).data)
