"""Problem documents (RFC 9457): how every refusal under /api reads."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from http import HTTPStatus
from typing import Any

from vault.api.refusals import FieldError

CONTENT_TYPE = "application/problem+json"
TYPE_PREFIX = "urn:memory-vault:problem:"
CODE_OF_STATUS = {
    400: "bad_request",
    401: "unauthenticated",
    403: "forbidden",
    404: "not_found",
    405: "method_not_allowed",
    406: "not_acceptable",
    413: "body_too_large",
    415: "unsupported_media_type",
    429: "rate_limited",
    500: "internal_error",
    503: "unavailable",
}
# What to do about it, the same for every cause: why a credential is not accepted is nobody's business.
DETAIL_OF_STATUS = {
    401: "Send a valid token as Authorization: Bearer TOKEN.",
    404: "There is no such resource.",
    405: "This address does not take that method; Allow names those that it takes.",
    406: "The answer is JSON; Accept has to allow it.",
    413: "The body is larger than the API takes.",
    415: "Send the body as Content-Type: application/json.",
    429: "Too many calls; wait as long as Retry-After says.",
}


def problem(
    *,
    status: int,
    code: str,
    detail: str = "",
    errors: Iterable[FieldError] = (),
    members: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """One problem document; `members` are extension members, and hold no submitted value."""
    document: dict[str, Any] = {
        "type": TYPE_PREFIX + code,
        "title": code.replace("_", " ").capitalize(),
        "status": status,
        "code": code,
        "detail": detail,
    }
    listed = [{"pointer": e.pointer, "code": e.code, "detail": e.detail} for e in errors]
    if listed:
        document["errors"] = listed
    return {**document, **(members or {})}


def problem_of_status(status: int) -> dict[str, Any]:
    """The document for a refusal that says nothing but its status."""
    code = CODE_OF_STATUS.get(status, HTTPStatus(status).name.lower())
    return problem(status=status, code=code, detail=DETAIL_OF_STATUS.get(status, ""))
