"""Opaque places in lists, signed and bound to who asked and for what."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

from django.core import signing

from vault.errors import InvalidField

SALT = "vault.cursor:"


@dataclass(frozen=True, slots=True)
class Place:
    """Beyond (`forward`) or before the row with this key; `key` is JSON."""

    forward: bool
    key: tuple[str | int, ...]


def write_cursor(place: Place, *, bound_to: Mapping[str, Any]) -> str:
    """A cursor that opens only for the same caller, subject and filters."""
    return signing.dumps([place.forward, *place.key], salt=_salt(bound_to))


def read_cursor(given: str, *, bound_to: Mapping[str, Any]) -> Place:
    """Open a cursor, or the address that held one. Raises InvalidField when edited or of another list."""
    try:
        forward, *key = signing.loads(_bare(given), salt=_salt(bound_to))
    except (signing.BadSignature, ValueError):
        raise InvalidField("Not a cursor of this list.", pointer="/cursor") from None
    return Place(bool(forward), tuple(key))


def page_address(
    base: str, parameters: Mapping[str, Any], place: Place | None, *, bound_to: Mapping[str, Any]
) -> str | None:
    """The address of another page of the same list; None without a place."""
    if place is None:
        return None
    return f"{base}?{urlencode({**parameters, 'cursor': write_cursor(place, bound_to=bound_to)})}"


def _bare(given: str) -> str:
    if "://" not in given:
        return given
    return parse_qs(urlsplit(given).query).get("cursor", [""])[0]


def _salt(bound_to: Mapping[str, Any]) -> str:
    # Bound through the key of the signature, so that the cursor itself says nothing of subject or filters.
    return SALT + json.dumps(bound_to, sort_keys=True, default=str)
