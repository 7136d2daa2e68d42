"""`/visitor-links`: that a visitor turned out to be a subject, and taking that back."""

from __future__ import annotations

from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from audit.actions import Action
from vault.api.idempotency import Answer, Reservation
from vault.api.replay import answer_once
from vault.api.schema import KEYED
from vault.api.session_answers import LinkOut
from vault.api.session_requests import LinkIn
from vault.api.validation import read_body
from vault.api.views.endpoint import Endpoint
from vault.retrieval.scope import Right
from vault.sessions.linking import Linked, link_visitor, unlink_visitor


class VisitorLinksView(Endpoint):
    @extend_schema(operation_id="link_visitor", request=LinkIn, responses={201: LinkOut}, parameters=KEYED)
    def post(self, request: Request) -> Response:
        """Move a visitor's memories and sessions to a subject; the same link again is answered with 200."""
        self.scope.require(Right.TOKEN_ISSUE)
        body = read_body(LinkIn, request)

        def work(reservation: Reservation | None) -> Answer:
            def remember(linked: Linked) -> None:
                if reservation is not None:
                    reservation.finish(_answer(linked))

            return _answer(
                link_visitor(
                    visitor=body["visitor"],
                    subject=body.get("subject", ""),
                    assertion=body.get("assertion"),
                    scope=self.scope,
                    remember=remember,
                )
            )

        about = (body.get("subject", ""), body["visitor"])
        return answer_once(request, work, endpoint="visitor-links", about=about, event=Action.SUBJECT_LINKED)


class VisitorLinkView(Endpoint):
    @extend_schema(operation_id="unlink_visitor", responses={204: None})
    def delete(self, request: Request, link_id: UUID) -> Response:
        """Move back what a link moved; until its `undo_until`, and once."""
        self.scope.require(Right.TOKEN_ISSUE)
        unlink_visitor(link_id=link_id, scope=self.scope)
        return Response(status=204)


def _answer(linked: Linked) -> Answer:
    headers = {"Location": f"/api/v1/visitor-links/{linked.row.pk}"}
    return Answer(201 if linked.is_new else 200, LinkOut(linked).data, linked.row.subject_id, headers)
