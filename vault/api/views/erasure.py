"""`/erasure-requests`: asking for an erasure, following it, and its signed certificate."""

from __future__ import annotations

from uuid import UUID

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from audit.actions import Action
from vault.api.answers import ErasureOut
from vault.api.idempotency import Answer, Reservation
from vault.api.replay import answer_once
from vault.api.requests import ErasureIn
from vault.api.schema import KEYED
from vault.api.validation import read_body
from vault.api.views.endpoint import Endpoint
from vault.lifecycle.erasure import certificate_of, get_request, request_erasure
from vault.retrieval.scope import Right


class ErasureRequestsView(Endpoint):
    @extend_schema(
        operation_id="request_erasure", request=ErasureIn, responses={201: ErasureOut}, parameters=KEYED
    )
    def post(self, request: Request) -> Response:
        """Ask for a subject's erasure; somebody else approves it. While one is open, that one is answered."""
        self.scope.require(Right.SUBJECT_ERASE)
        body = read_body(ErasureIn, request)

        def work(_: Reservation | None) -> Answer:
            filed = request_erasure(
                subject=body["subject"],
                reason_code=body["reason"],
                evidence=body["evidence"],
                scope=self.scope,
            )
            headers = {"Location": f"/api/v1/erasure-requests/{filed.pk}"}
            return Answer(201, ErasureOut(filed).data, filed.subject_id, headers)

        return answer_once(
            request,
            work,
            endpoint="erasure-requests",
            about=(body["subject"],),
            event=Action.ERASURE_REQUESTED,
        )


class ErasureRequestView(Endpoint):
    @extend_schema(operation_id="get_erasure_request", responses=ErasureOut)
    def get(self, request: Request, request_id: UUID) -> Response:
        """Where an erasure stands. A caller follows its own requests only."""
        self.scope.require(Right.SUBJECT_ERASE)
        return Response(ErasureOut(get_request(request_id=request_id, scope=self.scope)).data)


class CertificateView(Endpoint):
    @extend_schema(operation_id="get_erasure_certificate", responses=OpenApiTypes.OBJECT)
    def get(self, request: Request, request_id: UUID) -> Response:
        """The signed certificate of an erasure that is done; 409 until then."""
        self.scope.require(Right.SUBJECT_ERASE)
        return Response(certificate_of(request_id=request_id, scope=self.scope))
