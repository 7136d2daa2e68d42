"""Who calls: from `Authorization: Bearer`, and from nothing else."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.conf import settings
from django.http import HttpRequest
from django.utils import timezone
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from rest_framework.authentication import BaseAuthentication
from rest_framework.exceptions import AuthenticationFailed, NotAuthenticated, Throttled
from rest_framework.request import Request

from audit.actions import Action, Outcome
from vault.api import rate_limit, refusal_trail
from vault.api.scopes import scope_of_agent_token, scope_of_subject_token
from vault.keys import key_vault
from vault.lifecycle.tokens import SUBJECT_PREFIX
from vault.models import AgentToken, SubjectToken
from vault.retrieval.scope import Scope

SCHEME = "Bearer"
MAX_TOKEN_CHARACTERS = 200
FAILURES_PER_MINUTE = 600


@dataclass(frozen=True, slots=True)
class Caller:
    """A credential that was accepted; `id` is the credential's, for its rate limit."""

    id: UUID
    is_authenticated: bool = True


class BearerAuthentication(BaseAuthentication):
    """Accepts live agent and subject tokens. Every failure is recorded and answers the same 401."""

    def authenticate(self, request: Request) -> tuple[Caller, Scope]:
        now = timezone.now()
        given = _bearer(request.headers.get("Authorization", ""))
        found = _find(given)
        reason = _fault(given, found, now)
        if reason or found is None:
            _refuse(request, reason)
        request_id = request_id_of(request)
        if isinstance(found, SubjectToken):
            return Caller(found.pk), scope_of_subject_token(found, now=now, request_id=request_id)
        assert isinstance(found, AgentToken)  # noqa: S101 - for the type checker
        return Caller(found.pk), scope_of_agent_token(found, now=now, request_id=request_id)

    def authenticate_header(self, request: Request) -> str:
        return f'{SCHEME} realm="memory-vault"'


class BearerScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    """How OpenAPI names the credential."""

    target_class = BearerAuthentication
    name = "token"

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:
        return {"type": "http", "scheme": "bearer", "description": "An agent token or a subject token."}


def request_id_of(request: Request) -> str:
    return str(getattr(request, "vault_request_id", ""))


def scope_of(request: Request) -> Scope:
    """The scope of a request that was let in."""
    if not isinstance(request.auth, Scope):
        raise NotAuthenticated
    return request.auth


def _bearer(header: str) -> str:
    scheme, _, token = header.partition(" ")
    return token.strip() if scheme.lower() == SCHEME.lower() else ""


def _find(given: str) -> AgentToken | SubjectToken | None:
    """Look the credential up by its digest; one that is absent or malformed costs the same as a wrong one."""
    digest = key_vault().token_hash(given[:MAX_TOKEN_CHARACTERS])
    table = SubjectToken if given.startswith(SUBJECT_PREFIX) else AgentToken
    return table.objects.select_related("agent").filter(token_hash=digest).first()


def _fault(given: str, found: AgentToken | SubjectToken | None, now: datetime) -> str:
    """Why the credential is not accepted, as a code; empty when it is."""
    if not given:
        return "token_missing"
    if found is None:
        return "token_unknown"
    if found.revoked_at is not None:
        return "token_revoked"
    if found.expires_at is not None and found.expires_at <= now:
        return "token_expired"
    return "agent_suspended" if found.agent.suspended_at is not None else ""


def _refuse(request: Request, reason: str) -> None:
    """Record the failure and raise; an address that fails without end is slowed before it fills the log."""
    digest = key_vault().token_hash(f"address:{address_of(request)}")
    allowance = rate_limit.take(UUID(bytes=digest[:16]), limit=FAILURES_PER_MINUTE)
    if allowance.is_refused:
        raise Throttled(wait=allowance.wait_seconds)
    refusal_trail.append(
        Action.AUTH_FAILED,
        actor=refusal_trail.ANONYMOUS,
        outcome=Outcome.DENIED,
        request_id=request_id_of(request),
        reason=reason,
    )
    raise AuthenticationFailed


def address_of(request: Request | HttpRequest) -> str:
    """Where a request comes from, as far as we can know it; only ever kept as a keyed digest."""
    forwarded = request.META.get("HTTP_X_FORWARDED_FOR", "")
    if settings.SECURE_PROXY_SSL_HEADER and forwarded:
        # The last hop is the one that our own proxy has seen; the others are anybody's claim.
        return str(forwarded.rpartition(",")[2].strip())
    return str(request.META.get("REMOTE_ADDR", ""))
