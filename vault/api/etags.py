"""Versions of memories as ETags, and the preconditions that name them (RFC 9110, section 13)."""

from __future__ import annotations

import re

from rest_framework.request import Request

from vault.errors import InvalidField, PreconditionRequired

ETAG = re.compile(r'"v([1-9][0-9]{0,9})"')
WANTED = 'If-Match is the ETag as it was answered, quotation marks and all: "v1".'


def etag(version: int) -> str:
    return f'"v{version}"'


def expected_version(request: Request) -> int:
    """The version that If-Match names.

    Raises PreconditionRequired without one (`*` names none), InvalidField for what is no tag of a memory.
    """
    version = optional_version(request)
    if version is None:
        raise PreconditionRequired
    return version


def optional_version(request: Request) -> int | None:
    """The version that If-Match names, if the header is there and names one. Raises InvalidField for another form."""
    given = request.headers.get("If-Match", "").strip()
    if given in ("", "*"):
        return None
    matched = ETAG.fullmatch(given)
    if matched is None:
        # A weak tag or one of another making matches nothing, and to read the memory again would not help.
        raise InvalidField(WANTED, pointer="/If-Match")
    return int(matched[1])
