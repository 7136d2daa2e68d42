"""The assertion of a calling application: a compact JWS (RFC 7515) with Ed25519 (RFC 8037). Pure, strict.

One algorithm and no choice: the header cannot talk the vault into another. Claims are looked at only once the
signature holds. What an assertion is good for is its audience: each use of the vault names one of its own.
"""

from __future__ import annotations

import base64
import binascii
import json
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from vault.crypto.small_order import has_small_order
from vault.errors import VaultError

ALGORITHM = "EdDSA"
HEADER = frozenset({"alg", "kid", "typ"})
CLAIMS = frozenset({"sub", "aud", "iat", "exp", "jti"})
LONGEST_LIFE = timedelta(minutes=10)
# How far the application's clock may run ahead of ours.
LEEWAY = timedelta(seconds=30)
MAX_CHARACTERS = 4096
MAX_SUBJECT_CHARACTERS = 256
NONCE_CHARACTERS = (16, 128)


class AssertionRefused(VaultError):
    """`facts["reason"]` is a code for the log; the answer is the same for all of them."""

    code = "assertion_refused"
    detail = "The confirmation by the application is not valid, was used before, or has expired."


@dataclass(frozen=True, slots=True)
class Claims:
    """What an application says: its own id of the subject, until when, and a number that is used once."""

    subject: str = field(repr=False)
    expires_at: datetime
    nonce: str


def key_id(token: str) -> UUID:
    """Which key a token says it is signed with; nothing of it is believed. Raises AssertionRefused."""
    header = _object(_parts(token)[0])
    if header.get("alg") != ALGORITHM or not set(header) <= HEADER:
        raise AssertionRefused(reason="algorithm")
    try:
        return UUID(str(header.get("kid")))
    except ValueError:
        raise AssertionRefused(reason="key") from None


def read_claims(token: str, *, public_key: bytes, audience: str, now: datetime) -> Claims:
    """The claims of a token that this key signed for this audience, in time. Raises AssertionRefused."""
    header, claims, signature = _parts(token)
    if has_small_order(public_key):
        # No private key is needed to sign for it, whoever registered it.
        raise AssertionRefused(reason="key")
    try:
        signed = f"{header}.{claims}".encode("ascii")
        Ed25519PublicKey.from_public_bytes(public_key).verify(_bytes(signature), signed)
    except InvalidSignature:
        raise AssertionRefused(reason="signature") from None
    return _checked(_object(claims), audience=audience, now=now)


def _checked(claims: dict[str, Any], *, audience: str, now: datetime) -> Claims:
    if set(claims) != CLAIMS:
        raise AssertionRefused(reason="claims")
    issued, expires = _instant(claims["iat"]), _instant(claims["exp"])
    subject, nonce = claims["sub"], claims["jti"]
    if claims["aud"] != audience:
        raise AssertionRefused(reason="audience")
    if not timedelta(0) < expires - issued <= LONGEST_LIFE:
        raise AssertionRefused(reason="life")
    if issued > now + LEEWAY or expires <= now:
        raise AssertionRefused(reason="time")
    if not isinstance(subject, str) or not _is_reference(subject):
        raise AssertionRefused(reason="subject")
    shortest, longest = NONCE_CHARACTERS
    if not isinstance(nonce, str) or not shortest <= len(nonce) <= longest:
        raise AssertionRefused(reason="nonce")
    return Claims(subject, expires, nonce)


def _is_reference(subject: str) -> bool:
    """Whether it could be a subject's id of a request: of a length, something to see, and no NUL."""
    has_something = any(character.isprintable() and not character.isspace() for character in subject)
    return has_something and "\0" not in subject and len(subject) <= MAX_SUBJECT_CHARACTERS


def _parts(token: str) -> tuple[str, str, str]:
    parts = token.strip().split(".")
    if len(token) > MAX_CHARACTERS or len(parts) != 3 or not token.isascii():
        raise AssertionRefused(reason="format")
    return parts[0], parts[1], parts[2]


def _bytes(part: str) -> bytes:
    """Base64url without padding, in its one spelling: no token has a second form."""
    try:
        decoded = base64.b64decode(part + "=" * (-len(part) % 4), altchars=b"-_", validate=True)
    except (ValueError, binascii.Error):
        raise AssertionRefused(reason="format") from None
    if base64.urlsafe_b64encode(decoded).rstrip(b"=").decode("ascii") != part:
        raise AssertionRefused(reason="format")
    return decoded


def _object(part: str) -> dict[str, Any]:
    try:
        value = json.loads(_bytes(part), object_pairs_hook=_once)
        # Half a surrogate pair, written as an escape, is no text that can be hashed or looked up.
        json.dumps(value, ensure_ascii=False).encode()
    except (ValueError, RecursionError):
        raise AssertionRefused(reason="format") from None
    if not isinstance(value, dict):
        raise AssertionRefused(reason="format")
    return value


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a name is given twice")
    return found


def _instant(value: Any) -> datetime:
    if isinstance(value, bool) or not isinstance(value, int):
        raise AssertionRefused(reason="time")
    try:
        return datetime.fromtimestamp(value, UTC)
    except (ValueError, OverflowError, OSError):
        raise AssertionRefused(reason="time") from None
