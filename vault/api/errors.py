"""The one place that knows HTTP status codes: a table from refusals to answers."""

from __future__ import annotations

import math
from typing import Any

import structlog
from django.core.exceptions import PermissionDenied, RequestDataTooBig, SuspiciousOperation
from django.db import InterfaceError, OperationalError
from django.http import Http404
from psycopg_pool import PoolTimeout
from rest_framework import exceptions
from rest_framework.response import Response

from audit.faults import AuditError
from audit.proofs import NotProvableError
from vault import errors, metrics
from vault.api import refusal_trail
from vault.api.answers import FindingOut
from vault.api.problems import CONTENT_TYPE, problem, problem_of_status
from vault.api.refusals import (
    BodyTooLarge,
    DatabaseUnavailable,
    FieldError,
    InternalError,
    InvalidRequest,
    KeystoreUnavailable,
)
from vault.crypto import KeystoreFault
from vault.crypto.assertion import AssertionRefused

HTTP_STATUS: dict[type[errors.VaultError], int] = {
    errors.InvalidField: 400,
    errors.ScopeMissing: 403,
    errors.SameApprover: 403,
    errors.ApprovalRequired: 403,
    AssertionRefused: 403,
    errors.NotFound: 404,
    errors.InvalidTransition: 409,
    errors.SubjectOnHold: 409,
    errors.CapReached: 409,
    errors.IdempotencyInProgress: 409,
    errors.SubjectErased: 410,
    errors.KeyDestroyed: 410,
    errors.ExportExpired: 410,
    errors.StaleVersion: 412,
    BodyTooLarge: 413,
    errors.SecretDetected: 422,
    errors.CategoryNotAllowed: 422,
    errors.NotWorthKeeping: 422,
    errors.IdempotencyMismatch: 422,
    errors.PreconditionRequired: 428,
    errors.IntegrityFault: 500,
    InternalError: 500,
    DatabaseUnavailable: 503,
    KeystoreUnavailable: 503,
}
# What the outside world may do to a request, as refusals of ours.
TRANSLATED: tuple[tuple[type[Exception] | tuple[type[Exception], ...], type[errors.VaultError]], ...] = (
    ((OperationalError, InterfaceError, PoolTimeout), DatabaseUnavailable),
    (KeystoreFault, KeystoreUnavailable),
    (NotProvableError, errors.NotFound),
    (AuditError, errors.IntegrityFault),
    (Http404, errors.NotFound),
    (RequestDataTooBig, BodyTooLarge),
)
RETRY_SOON_SECONDS = 1
log = structlog.get_logger(__name__)


def exception_handler(exc: Exception, context: dict[str, Any]) -> Response:
    """Answer whatever a view raised as a problem document; nothing of an unknown exception is told."""
    if isinstance(exc, exceptions.APIException | PermissionDenied | SuspiciousOperation):
        return _answer_of_framework(exc)
    status, document = account_for(exc, request=context.get("request"))
    response = Response(document, status=status, content_type=CONTENT_TYPE)
    if status == 503:
        response["Retry-After"] = str(RETRY_SOON_SECONDS)
    return response


def account_for(exc: Exception, *, request: Any) -> tuple[int, dict[str, Any]]:
    """Log, count and record what was raised; status and document of its answer."""
    refusal = as_refusal(exc)
    status, document = problem_of(refusal)
    if status >= 500:
        log.error("request_failed", code=refusal.code, exc_info=exc)
    metrics.count_error(refusal.code)
    refusal_trail.note(refusal, request=request)
    return status, document


def as_refusal(exc: Exception) -> errors.VaultError:
    """The refusal that an exception stands for; InternalError for what nobody foresaw."""
    for kinds, refusal in TRANSLATED:
        if isinstance(exc, kinds):
            return refusal()
    return exc if isinstance(exc, errors.VaultError) else InternalError()


def problem_of(refusal: errors.VaultError) -> tuple[int, dict[str, Any]]:
    """Status and document of a refusal."""
    status = status_of(refusal)
    if status == 500 and not isinstance(refusal, errors.IntegrityFault):
        return status, problem(status=status, code=InternalError.code)
    return status, problem(
        status=status,
        code=refusal.code,
        detail=refusal.detail,
        errors=_field_errors(refusal),
        members=_members(refusal),
    )


def status_of(refusal: errors.VaultError) -> int:
    """The status of the nearest class in the table; a refusal without one is a fault of ours."""
    return next((HTTP_STATUS[kind] for kind in type(refusal).__mro__ if kind in HTTP_STATUS), 500)


def _field_errors(refusal: errors.VaultError) -> tuple[FieldError, ...]:
    if isinstance(refusal, InvalidRequest):
        return refusal.errors
    if isinstance(refusal, errors.InvalidField):
        return (FieldError(str(refusal.facts.get("pointer", "")), refusal.code, refusal.detail),)
    return ()


def _members(refusal: errors.VaultError) -> dict[str, Any]:
    """What it is that is not there; where and what kind the findings of a refused write are: never the values."""
    if isinstance(refusal, errors.NoSuchSubject):
        return {"missing": "subject"}
    findings = refusal.facts.get("findings")
    return {"findings": FindingOut(findings, many=True).data} if isinstance(findings, tuple) else {}


def _answer_of_framework(exc: Exception) -> Response:
    status = exc.status_code if isinstance(exc, exceptions.APIException) else 403
    if isinstance(exc, SuspiciousOperation):
        status = 400
    document = problem_of_status(status)
    metrics.count_error(document["code"])
    response = Response(document, status=status, content_type=CONTENT_TYPE)
    wait_seconds = getattr(exc, "wait", None)
    if wait_seconds is not None:
        response["Retry-After"] = str(max(1, math.ceil(wait_seconds)))
    challenge = getattr(exc, "auth_header", None)
    if challenge:
        response["WWW-Authenticate"] = challenge
    return response
