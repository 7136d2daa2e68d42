"""`/subjects/{subject}` and `/subject-tokens`."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from audit.actions import Action
from vault.api.answers import SubjectOut, SubjectTokenOut
from vault.api.idempotency import Answer, Reservation
from vault.api.replay import answer_once
from vault.api.requests import SubjectPath, SubjectTokenIn
from vault.api.schema import KEYED
from vault.api.strict_json import check_text
from vault.api.validation import read_body, read_object
from vault.api.views.endpoint import Endpoint
from vault.lifecycle.tokens import issue_subject_token
from vault.retrieval.read import subject_overview
from vault.retrieval.scope import Right


class SubjectView(Endpoint):
    @extend_schema(operation_id="get_subject", responses=SubjectOut)
    def get(self, request: Request, subject: str) -> Response:
        """Counts of what is kept on a subject, by kind, status and namespace; its holds and last activity."""
        self.scope.require(Right.MEMORY_READ)
        check_text(subject, "/subject")
        named = read_object(SubjectPath, {"subject": subject})["subject"]
        return Response(SubjectOut(subject_overview(subject=named, scope=self.scope)).data)


class SubjectTokensView(Endpoint):
    @extend_schema(
        operation_id="issue_subject_token",
        request=SubjectTokenIn,
        responses={201: SubjectTokenOut},
        parameters=KEYED,
    )
    def post(self, request: Request) -> Response:
        """A short-lived token that reaches one subject only, never wider than its issuer."""
        self.scope.require(Right.TOKEN_ISSUE)
        body = read_body(SubjectTokenIn, request)

        def work(_: Reservation | None) -> Answer:
            issued = issue_subject_token(
                subject=body["subject"],
                scopes=body["scopes"],
                ttl_seconds=body["ttl_seconds"],
                scope=self.scope,
            )
            return Answer(201, SubjectTokenOut(issued).data, issued.subject_id)

        return answer_once(
            request,
            work,
            endpoint="subject-tokens",
            about=(body["subject"],),
            event=Action.SUBJECT_TOKEN_ISSUED,
        )
