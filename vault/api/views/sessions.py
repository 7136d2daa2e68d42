"""`/sessions`: short-term memory. Starting, adding turns, the window, and the end."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from audit.actions import Action
from vault.api.drafts import default_namespace
from vault.api.idempotency import Answer, Reservation
from vault.api.replay import answer_once
from vault.api.schema import KEYED
from vault.api.session_answers import EndedOut, SessionOut, TurnPageOut, TurnsOut, WindowOut
from vault.api.session_requests import EndIn, SessionIn, TurnIn, TurnsIn, TurnsQuery, WindowIn, WindowQuery
from vault.api.validation import read_body, read_object
from vault.api.views.endpoint import Endpoint
from vault.models import Session
from vault.retrieval.scope import Right
from vault.sessions.append import ALONE, IN_A_LIST, Appended, append_turns
from vault.sessions.end import Ended, end_session
from vault.sessions.erase_turn import erase_turn
from vault.sessions.read import read_session, read_turns
from vault.sessions.records import SessionView, TurnDraft
from vault.sessions.start import start_session
from vault.sessions.window import read_window


class SessionsView(Endpoint):
    @extend_schema(
        operation_id="start_session", request=SessionIn, responses={201: SessionOut}, parameters=KEYED
    )
    def post(self, request: Request) -> Response:
        """Start a session for a subject, signed for or named, for a visitor, or for somebody new."""
        self.scope.require(Right.SESSION_WRITE)
        body = read_body(SessionIn, request)

        def work(reservation: Reservation | None) -> Answer:
            def remember(view: SessionView) -> None:
                if reservation is not None:
                    reservation.finish(_started(view))

            view = start_session(
                subject=body.get("subject", ""),
                visitor=body.get("visitor", ""),
                assertion=body.get("assertion"),
                namespace=body.get("namespace") or default_namespace(self.scope, Right.SESSION_WRITE),
                scope=self.scope,
                remember=remember,
            )
            return _started(view)

        about = (body.get("subject", ""), body.get("visitor", ""))
        return answer_once(request, work, endpoint="sessions", about=about, event=Action.SESSION_STARTED)


class OneSessionView(Endpoint):
    @extend_schema(operation_id="get_session", responses=SessionOut)
    def get(self, request: Request, session_id: UUID) -> Response:
        """A session as it stands, without its words."""
        self.scope.require(Right.SESSION_READ)
        return Response(SessionOut(read_session(session_id=session_id, scope=self.scope)).data)


class TurnsView(Endpoint):
    parameters = TurnsQuery

    @extend_schema(operation_id="list_turns", parameters=[TurnsQuery], responses=TurnPageOut)
    def get(self, request: Request, session_id: UUID) -> Response:
        """Turns as they were stored, in their order; `after` is the number to go on behind."""
        self.scope.require(Right.SESSION_READ)
        page = read_turns(
            session_id=session_id, after=self.query["after"], limit=self.query["limit"], scope=self.scope
        )
        return Response(TurnPageOut(page).data)

    @extend_schema(operation_id="add_turns", request=TurnsIn, responses={201: TurnsOut}, parameters=KEYED)
    def post(self, request: Request, session_id: UUID) -> Response:
        """Add turns: one, or `{"turns": [...]}`. A secret is replaced before anything is stored."""
        self.scope.require(Right.SESSION_WRITE)
        drafts = [_draft(turn) for turn in _turns(request)]
        pointer = ALONE if _is_alone(request) else IN_A_LIST

        def work(reservation: Reservation | None) -> Answer:
            def remember(session: Session, stored: Any) -> None:
                if reservation is not None:
                    reservation.finish(_appended(Appended(session, tuple(stored))))

            return _appended(
                append_turns(
                    session_id=session_id, drafts=drafts, pointer=pointer, scope=self.scope, remember=remember
                )
            )

        return answer_once(
            request, work, endpoint="sessions/turns", about=(str(session_id),), event=Action.SESSION_TURN
        )


class WindowView(Endpoint):
    parameters = WindowQuery

    @extend_schema(operation_id="read_window", parameters=[WindowQuery], responses=WindowOut)
    def get(self, request: Request, session_id: UUID) -> Response:
        """What of the session, its summary and the memories fits into `max_tokens`."""
        return self._window(session_id, self.query["max_tokens"])

    @extend_schema(operation_id="ask_window", request=WindowIn, responses=WindowOut)
    def post(self, request: Request, session_id: UUID) -> Response:
        """The same, with the memories looked for anew by `query`."""
        body = read_body(WindowIn, request)
        return self._window(session_id, body["max_tokens"], query=body["query"])

    def _window(self, session_id: UUID, max_tokens: int, *, query: str = "") -> Response:
        self.scope.require(Right.SESSION_READ)
        window = read_window(session_id=session_id, max_tokens=max_tokens, query=query, scope=self.scope)
        return Response(WindowOut(window).data)


class TurnView(Endpoint):
    @extend_schema(operation_id="erase_turn", responses={204: None})
    def delete(self, request: Request, session_id: UUID, number: int) -> Response:
        """Erase a turn with the answers to its calls, and make every summary that quoted it anew."""
        self.scope.require(Right.SESSION_WRITE)
        erase_turn(session_id=session_id, number=number, scope=self.scope)
        return Response(status=204)


class EndView(Endpoint):
    @extend_schema(operation_id="end_session", request=EndIn, responses=EndedOut, parameters=KEYED)
    def post(self, request: Request, session_id: UUID) -> Response:
        """End a session; what should outlast it is drafted, and each draft is written like any other."""
        self.scope.require(Right.SESSION_WRITE)
        body = read_body(EndIn, request)

        def work(reservation: Reservation | None) -> Answer:
            def remember(ended: Ended) -> None:
                if reservation is not None:
                    reservation.finish(_ended(ended))

            return _ended(
                end_session(
                    session_id=session_id, extract=body["extract"], scope=self.scope, remember=remember
                )
            )

        return answer_once(
            request, work, endpoint="sessions/end", about=(str(session_id),), event=Action.SESSION_ENDED
        )


def _turns(request: Request) -> list[dict[str, Any]]:
    """The turns of the body: a list under `turns`, or one turn alone."""
    if _is_alone(request):
        return [read_object(TurnIn, request.data)]
    return list(read_object(TurnsIn, request.data)["turns"])


def _is_alone(request: Request) -> bool:
    return isinstance(request.data, dict) and "role" in request.data


def _draft(turn: Mapping[str, Any]) -> TurnDraft:
    return TurnDraft(
        role=turn["role"].value,
        text=turn["text"],
        tool_calls=tuple(turn.get("tool_calls", ())),
        tool_call=turn.get("tool_call", ""),
        conclusion=turn["conclusion"],
        speaker=turn.get("speaker", ""),
        is_outside=turn["outside"],
    )


def _started(view: SessionView) -> Answer:
    headers = {"Location": f"/api/v1/sessions/{view.row.pk}"}
    return Answer(201, SessionOut(view).data, view.row.subject_id, headers)


def _appended(appended: Appended) -> Answer:
    return Answer(201, TurnsOut(appended).data, appended.session.subject_id)


def _ended(ended: Ended) -> Answer:
    return Answer(200, EndedOut(ended).data, ended.view.row.subject_id)
