"""Versions of memories as ETags, and the preconditions that name them (RFC 9110, section 13)."""

from __future__ import annotations

import re

from rest_framework.request import Request

from vault.errors import InvalidField, PreconditionRequired, StaleVersion

ETAG = re.compile(r'"v([1-9][0-9]{0,9})"')
# Any tag of HTTP: where it is none of a memory's, it matches nothing.
TAG = re.compile(r'(?:W/)?"[^"]*"(?:\s*,\s*(?:W/)?"[^"]*")*')
WANTED = 'If-Match is the ETag as it was answered, quotation marks and all: "v1".'


def etag(version: int) -> str:
    return f'"v{version}"'


def expected_version(request: Request) -> int:
    """The version that If-Match names.

    Raises PreconditionRequired without one (`*` names none), StaleVersion for a tag that no memory can have,
    InvalidField for what is no tag.
    """
    version = optional_version(request)
    if version is None:
        raise PreconditionRequired
    return version


def optional_version(request: Request) -> int | None:
    """The version that If-Match names, if the header is there and names one. Raises StaleVersion, InvalidField."""
    given = request.headers.get("If-Match", "").strip()
    if given in ("", "*"):
        return None
    matched = ETAG.fullmatch(given)
    if matched is None:
        # To read the memory again would not help: the form is named.
        if TAG.fullmatch(given):
            raise StaleVersion(WANTED)
        raise InvalidField(WANTED, pointer="/If-Match")
    return int(matched[1])
