"""`/subjects/{subject}/export` and `/exports/{id}`: asking for everything on a subject, following it, the file."""

from __future__ import annotations

from collections.abc import Iterable
from uuid import UUID

from django.http import StreamingHttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.negotiation import BaseContentNegotiation
from rest_framework.parsers import BaseParser
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from audit.actions import Action
from vault.api.exports import MEDIA_TYPE, ExportAcceptedOut, ExportIn, ExportOut
from vault.api.idempotency import Answer, Reservation
from vault.api.replay import answer_once
from vault.api.requests import SubjectPath
from vault.api.schema import KEYED
from vault.api.strict_json import check_text
from vault.api.validation import read_body, read_object
from vault.api.views.endpoint import Endpoint
from vault.api.views.subjects import SubjectView
from vault.lifecycle.access_export import get_export, open_download, request_export
from vault.retrieval.scope import Right
from vault.retrieval.subjects import require_subject

PURPOSE = "api_download"
SUFFIX = "/export"


class SubjectExportView(SubjectView):
    """A subject's id may end like this route: reading it is reading that subject."""

    @extend_schema(exclude=True)
    def get(self, request: Request, subject: str) -> Response:
        return super().get(request, subject + SUFFIX)

    @extend_schema(
        operation_id="request_export", request=ExportIn, responses={202: ExportAcceptedOut}, parameters=KEYED
    )
    def post(self, request: Request, subject: str) -> Response:
        """Ask for everything that is kept on a subject; somebody else approves it. While one is open, that is meant."""
        self.scope.require(Right.SUBJECT_EXPORT)
        check_text(subject, "/subject")
        named = read_object(SubjectPath, {"subject": subject})["subject"]
        reason = read_body(ExportIn, request)["reason"]

        def work(_: Reservation | None) -> Answer:
            found = require_subject(named, scope=self.scope)
            export = request_export(subject_id=found.pk, reason_code=reason, scope=self.scope)
            headers = {"Location": f"/api/v1/exports/{export.pk}"}
            return Answer(202, ExportAcceptedOut(export).data, export.subject_id, headers)

        return answer_once(
            request, work, endpoint="subjects/export", about=(named,), event=Action.EXPORT_REQUESTED
        )


class ExportView(Endpoint):
    @extend_schema(operation_id="get_export", responses=ExportOut)
    def get(self, request: Request, export_id: UUID) -> Response:
        """Where an export stands. A caller follows its own exports only."""
        self.scope.require(Right.SUBJECT_EXPORT)
        return Response(ExportOut(get_export(export_id=export_id, scope=self.scope)).data)


class AnyAccept(BaseContentNegotiation):
    """Whatever the caller says it takes: the file is a zip file, and a refusal a problem document."""

    def select_parser(self, request: Request, parsers: Iterable[BaseParser]) -> BaseParser:
        return next(iter(parsers))

    def select_renderer(
        self, request: Request, renderers: Iterable[BaseRenderer], format_suffix: str | None = None
    ) -> tuple[BaseRenderer, str]:
        renderer = next(iter(renderers))
        return renderer, str(renderer.media_type)


class ExportFileView(Endpoint):
    content_negotiation_class = AnyAccept

    @extend_schema(
        operation_id="get_export_file",
        responses={(200, MEDIA_TYPE): OpenApiResponse(OpenApiTypes.BINARY, description="The signed file.")},
    )
    def get(self, request: Request, export_id: UUID) -> StreamingHttpResponse:
        """The file: 409 until it is ready, 410 once its time is up. Each download is recorded."""
        self.scope.require(Right.SUBJECT_EXPORT)
        file = open_download(export_id=export_id, purpose=PURPOSE, scope=self.scope)
        headers = {
            "Content-Length": str(file.size),
            "Content-Disposition": f'attachment; filename="{file.name}"',
        }
        return StreamingHttpResponse(file.chunks, content_type=MEDIA_TYPE, headers=headers)
