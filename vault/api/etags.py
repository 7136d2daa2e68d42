"""Versions of memories as ETags, and the preconditions that name them (RFC 9110, section 13)."""

from __future__ import annotations

import re

from rest_framework.request import Request

from vault.errors import PreconditionRequired, StaleVersion

ETAG = re.compile(r'"v([1-9][0-9]{0,9})"')


def etag(version: int) -> str:
    return f'"v{version}"'


def expected_version(request: Request) -> int:
    """The version that If-Match names.

    Raises PreconditionRequired without one (`*` names none), StaleVersion for a tag that no memory can have.
    """
    version = optional_version(request)
    if version is None:
        raise PreconditionRequired
    return version


def optional_version(request: Request) -> int | None:
    """The version that If-Match names, if the header is there and names one."""
    given = request.headers.get("If-Match", "").strip()
    if given in ("", "*"):
        return None
    matched = ETAG.fullmatch(given)
    if matched is None:
        # A weak tag or one of another making: by the strong comparison it matches nothing.
        raise StaleVersion
    return int(matched[1])
