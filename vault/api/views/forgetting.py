"""`/memories/forget`: forgetting what matches a filter."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from audit.actions import Action
from vault.api.forgetting import ForgetMatchingIn, ForgottenOut, filter_from
from vault.api.idempotency import Answer, Reservation
from vault.api.replay import answer_once
from vault.api.schema import KEYED
from vault.api.validation import read_body
from vault.api.views.endpoint import Endpoint
from vault.lifecycle.forget_matching import forget_matching
from vault.retrieval.scope import Right
from vault.retrieval.subjects import require_subject


class ForgetMatchingView(Endpoint):
    @extend_schema(
        operation_id="forget_matching_memories",
        request=ForgetMatchingIn,
        responses=ForgottenOut,
        parameters=KEYED,
    )
    def post(self, request: Request) -> Response:
        """Forget up to 100 memories of a subject that match all that is named, and say which; all or none."""
        self.scope.require(Right.MEMORY_WRITE)
        body = read_body(ForgetMatchingIn, request)

        def work(_: Reservation | None) -> Answer:
            done = forget_matching(
                subject=body["subject"], where=filter_from(body), reason=body["reason"], scope=self.scope
            )
            subject = require_subject(body["subject"], scope=self.scope)
            return Answer(200, ForgottenOut(done).data, subject.pk)

        return answer_once(
            request, work, endpoint="memories/forget", about=(body["subject"],), event=Action.MEMORY_FORGOTTEN
        )
