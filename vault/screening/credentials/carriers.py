"""Credentials that come inside something else: addresses, headers, key files, signed tokens."""

# ruff: noqa: E501 - a pattern is read in one piece

from __future__ import annotations

import base64
import binascii
import json
import re

from vault.screening.credentials.scan import Rule
from vault.screening.credentials.values import is_not_filler, is_placeholder

_USER_INFO = re.compile(r"^[^:]*:(.*)$", re.DOTALL)


def is_jwt(value: str) -> bool:
    """The header must decode to an object that names its algorithm, as RFC 7515 wants it."""
    header = value.partition(".")[0]
    try:
        decoded = base64.urlsafe_b64decode(header + "=" * (-len(header) % 4))
        parsed = json.loads(decoded)
    except (binascii.Error, ValueError):
        return False
    return isinstance(parsed, dict) and bool({"alg", "typ", "kid", "enc"} & parsed.keys())


def has_real_password(user_info: str) -> bool:
    """For `user:password` before an @: the password is written out, not named."""
    match = _USER_INFO.match(user_info)
    return match is not None and _is_written_out(match.group(1))


def _is_written_out(password: str) -> bool:
    return (
        len(password) >= 3
        and not password.startswith(("$", "{", "<", "%(", "["))
        and not is_placeholder(password)
    )


def is_real_basic(value: str) -> bool:
    """For `Basic <base64>`: what it decodes to is user:password (RFC 7617)."""
    try:
        decoded = base64.b64decode(value + "=" * (-len(value) % 4), validate=True)
    except (binascii.Error, ValueError):
        return False
    return b":" in decoded


RULES: tuple[Rule, ...] = (
    Rule(
        "private-key-block",
        "PRIVATE_KEY",
        ("private key",),
        r"-----BEGIN[ A-Z0-9]{0,40}PRIVATE KEY(?: BLOCK)?-----(?:[^-]|-[^-]){16,}(?:-----END[ A-Z0-9]{0,40}-----)?",
    ),
    Rule("putty-private-key", "PRIVATE_KEY", ("putty-user-key-file",), r"PuTTY-User-Key-File-\d:[\s\S]{40,}"),
    Rule(
        "signed-token",
        "JWT",
        ("eyj", "zxlk", "zxlq"),
        r"\bey[A-Za-z0-9_-]{10,}\.ey[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_=-]*)?",
        accept=lambda value: is_jwt(value) or (len(value) > 40 and value.count(".") == 2),
    ),
    Rule("encoded-signed-token", "JWT", ("zxl",), r"\bZXl[A-Za-z0-9+/]{8,}(?:[A-Za-z0-9+/]{4}){10,}={0,2}"),
    Rule(
        "credentials-in-address",
        "CONNECTION_STRING",
        ("://",),
        r"\b[A-Za-z][A-Za-z0-9+.-]{1,30}://([^\s/@:'\"<>]*:[^\s/'\"<>]+)@[\w\[]",
        1,
        accept=has_real_password,
    ),
    Rule(
        "credentials-in-address",
        "CONNECTION_STRING",
        ("//",),
        r"(?:^|[\s\"'=])//([^\s/@:'\"<>]+:[^\s/@'\"<>]{3,})@[\w\[]",
        1,
        accept=has_real_password,
    ),
    Rule(
        "connection-string-password",
        "CONNECTION_STRING",
        ("password=", "pwd="),
        r"(?i)(?:server|data source|host|hostname|uid|user id|user|database)\s*=[^;\n]+;(?:[^;\n]*;)*?\s*(?:password|pwd)\s*=\s*([^;\s\"'<>]{3,})",
        1,
        accept=_is_written_out,
    ),
    Rule(
        "basic-header",
        "CONNECTION_STRING",
        ("basic ",),
        r"(?i)\bbasic\s+([A-Za-z0-9+/]{8,}={0,2})(?:$|[\s\"'`,;\\])",
        1,
        accept=is_real_basic,
    ),
    Rule(
        "basic-header",
        "CONNECTION_STRING",
        ("basic ", "basic-"),
        r"(?i)\bbasic[\s-]auth\w{0,12}(?:[\s-](?:headers?|values?|tokens?|credentials?|strings?))?\s?(?:is|was|[:=])?\s?[\"'`]?([A-Za-z0-9+/]{8,}={0,2})(?:$|[\s\"'`,;.\\])",
        1,
        accept=is_real_basic,
    ),
    Rule(
        "bearer-header",
        "TOKEN",
        ("bearer ", "token ", "authorization"),
        r"(?i)authorization[\"']?\s*[:=,]\s*[\"']?(?:(?:bearer|token|apikey|api-key|digest|key)\s+)?([^\s\"'\\]{12,})",
        1,
        accept=lambda value: (
            is_not_filler(value) and not is_placeholder(value) and any(c.isdigit() for c in value)
        ),
    ),
    Rule(
        "bearer-token",
        "TOKEN",
        ("bearer ",),
        r"(?i)\bbearer\s+([\w.~+/=-]{16,})",
        1,
        accept=lambda value: any(c.isdigit() for c in value) and not is_placeholder(value),
    ),
    Rule(
        "command-line-user",
        "CONNECTION_STRING",
        ("-u", "--user"),
        r"(?i)\b(?:curl|wget|http|https)\b[\s\S]*?\s(?:-u|--user)[ =]?\s*[\"']?([^\s\"':]+:[\"']?[^\s\"']{3,})[\"']?",
        1,
        accept=has_real_password,
    ),
)
