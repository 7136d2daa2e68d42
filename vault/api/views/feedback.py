"""`/memories/{id}/feedback`: whether a memory that was served was of use."""

from __future__ import annotations

from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from audit.actions import Action
from vault.api.answers import FeedbackOut
from vault.api.existence import require_memory
from vault.api.idempotency import Answer, Reservation
from vault.api.replay import answer_once
from vault.api.requests import FeedbackIn
from vault.api.schema import KEYED
from vault.api.validation import read_body
from vault.api.views.endpoint import Endpoint
from vault.lifecycle.upkeep.feedback import give_feedback
from vault.retrieval.scope import Right


class FeedbackView(Endpoint):
    @extend_schema(operation_id="give_feedback", request=FeedbackIn, responses=FeedbackOut, parameters=KEYED)
    def post(self, request: Request, memory_id: UUID) -> Response:
        """Say whether a memory was of use. One word a day counts; another of that day takes its place."""
        standing = require_memory(memory_id, scope=self.scope, right=Right.MEMORY_READ)
        useful = read_body(FeedbackIn, request)["useful"]

        def work(_: Reservation | None) -> Answer:
            given = give_feedback(memory_id=memory_id, useful=useful, scope=self.scope)
            return Answer(200, FeedbackOut(given).data, standing.subject_id)

        return answer_once(
            request, work, endpoint="memories/feedback", about=(str(memory_id),), event=Action.MEMORY_FEEDBACK
        )
