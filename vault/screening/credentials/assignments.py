"""Values that a label beside them makes credentials: in code, in settings, and in prose.

A password label takes anything that a person would choose as one; a key label takes only what a machine
would issue. Words, names of variables and the stand-ins of documents are neither.
"""

# ruff: noqa: E501 - a pattern is read in one piece

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from vault.screening.credentials.labels import (
    HINTS,
    KEY_PART,
    KEY_PATTERN,
    PASSWORD_PATTERN,
    WORD_PART,
)
from vault.screening.credentials.scan import Hit, Scanned
from vault.screening.credentials.values import classes, is_opaque, is_password_like, is_placeholder, is_word

_BEFORE, _AFTER = r"[A-Za-z0-9_.\-]*", r"[A-Za-z0-9_.\-]*"
_QUOTED = r"\"([^\"\n]{3,})\"|'([^'\n]{3,})'|`([^`\n]{3,})`"
_BARE = r"([^\s\"'`<>,;]{4,})"
_SIGN = r"[\"'`]?\]?\)?\s{0,4}(?:=>|:{1,2}=|\?=|\|\|:|={1,3}|!={1,2}|:|,|->|\()\s{0,4}[@(]?\s?"
_OPEN = r"[\"'“”‘’«»「『（(`*]{0,3}"
# A value in prose ends at a space or at a closing quote; what ends the sentence is trimmed off.
_CLOSED = r"\s\"“”‘’«»「」『』（）。，、；`\p{Han}\p{Hiragana}\p{Katakana}\p{Hangul}"
_PROSE_VALUE = rf"([^:：=,{_CLOSED}][^{_CLOSED}]{{3,}})"
_IS = (
    r"(?:\s(?:for|to|of|on|at|in|von|für|de|du|para|del|della)\s[^\n.:;=]{1,60}?)?(?:\s?\([^)\n]{1,40}\))?\s{0,3}"
    r"(?:\bis(?:\snow|\sstill)?|\bused\sto\sbe|\bwas|\bare|=|[:：]|→|->|set\sto|changed\sto|change\sto|reset\sto|updated\sto|to|will\sbe|"
    r"lautet|heißt|ist|war|\bes|\best|è|é|är|\ber|jest|this|on|это|—|–|-|है|は|是|为|為|은|는|:)\s{0,3}[:：]?\s{0,2}"
)
# What announces a value that comes after it.
_ANNOUNCED = (
    r"(?:as\sfollows|(?:is\s|are\s)?the\sfollowing|(?:is\s|are\s)?below|wie\sfolgt|comme\ssuit|ci-dessous|"
    r"(?:es\s)?(?:la|el)\ssiguiente|(?:est\s)?(?:la|le)\ssuivante?|(?:è\s)?(?:la|il)\sseguente|a\scontinuación)"
)
_ANNOUNCING = rf"[^\n.:]{{0,50}}?\b{_ANNOUNCED}\s?[.:]?\s{{0,6}}{_OPEN}"
# A line of its own below one that names it.
_BELOW = rf"[^\n]{{0,50}}[.:]?[^\S\n]{{0,3}}\n\s{{0,8}}{_OPEN}{_PROSE_VALUE}[\"'`]?[^\S\n]{{0,3}}(?:\n|$)"

Accept = Callable[[str], bool]


def find_assigned(scanned: Scanned, *, label: str = "") -> Iterator[Hit]:
    """Values beside a label; `label` is the name of the field that the whole text stands in."""
    if label:
        yield from _whole_value(scanned.text, label)
    if not any(hint in scanned.lowered for hint in HINTS):
        return
    for name, kind, pattern, accept in FORMS:
        for start, end, match in scanned.matches(pattern):
            del start, end
            yield from _accepted(scanned, match, name, kind, accept)


def _accepted(
    scanned: Scanned, match: re.Match[bytes], name: str, kind: str, accept: Accept
) -> Iterator[Hit]:
    for group, value in enumerate(match.groups(), start=1):
        if value is None:
            continue
        start = scanned.offset(match.start(group))
        if kind == "API_KEY" and _NO_SECRET.search(scanned.text[scanned.offset(match.start()) : start]):
            continue
        raw = scanned.text[start : scanned.offset(match.end(group))]
        if is_placeholder(raw) or _goes_on_with_the_label(scanned.text, start):
            continue
        trimmed = raw.rstrip(".,;:)]}'")
        chosen = trimmed if accept(trimmed) else raw
        if accept(chosen):
            yield Hit(kind, start, start + len(chosen), 0.85, name)


def _goes_on_with_the_label(text: str, start: int) -> bool:
    """Whether the "value" is the rest of a name, as in `password_field` or `password-reset`."""
    return text[start : start + 1] in ("_", "-") and text[start - 1 : start].isalnum()


def _whole_value(text: str, label: str) -> Iterator[Hit]:
    value = text.strip()
    is_password = bool(_PASSWORD_NAME.search(label))
    if (is_password and is_password_like(value) and " " not in value) or (
        _KEY_NAME.search(label) and is_opaque(value) and " " not in value
    ):
        yield Hit("PASSWORD" if is_password else "API_KEY", 0, len(text), 0.85, "labelled-field")


_PASSWORD_NAME = re.compile(rf"(?:^|[^a-z])(?:{WORD_PART})(?:$|[^a-z])|{PASSWORD_PATTERN}", re.IGNORECASE)
_KEY_NAME = re.compile(rf"(?:^|[^a-z])(?:{KEY_PART})(?:$|[^a-z])|{KEY_PATTERN}", re.IGNORECASE)
# Keys of tables, caches and public halves: what stands beside them is meant to be seen.
_NO_SECRET = re.compile(
    r"(?i)(?:unique|primary|foreign|cache|sort|partition|idempotency|public|object|storage|row|map|dict|hash|index|"
    r"routing|group|lookup|session_?id|query|press|hit)[\s_.-]?(?:keys?|tokens?)|tokeni[sz]|max[_-]?tokens?|(?:key|token)s?_?(?:name|type|length|size|count|url|file|path)"
)
_NAMES_OF_METHODS = re.compile(
    r"(?i)^(?:sha-?\d+|md5|oauth-?\d?|openid|base\d\d|utf-?\d+|[0-9]fa|http\d?|https?://.*|rsa-?\d*|aes-?\d*|"
    r"argon2\w*|pbkdf2\w*|bcrypt\d*|v\d[\d.]*|rfc-?\d+|p\d+|\d+[-\w]*(?:char|day|hour|min|time|digit|step|factor)\w*)$"
)


def _password(value: str) -> bool:
    return is_password_like(value) and not _NAMES_OF_METHODS.match(value)


def _chosen(value: str) -> bool:
    """For a password without a verb before it: letters with digits or signs among them."""
    return (
        _password(value) and classes(value) >= 2 and any(c.isalpha() for c in value) and not _is_path(value)
    )


_PATH = re.compile(
    r"^(?:[~.]{0,2}/|[A-Za-z]:\\|https?://)|^[\w.+-]+@[\w-]+\.[\w.]+$|^[\w-]+\.(?:[a-z]{2,4})$|"
    r"^[A-Za-z]+(?:[-_/.:]{1,2}[A-Za-z]+)*\d?$|^\d+(?:[-_/.:]\d+)*$"
)


def _is_path(value: str) -> bool:
    """Paths, addresses and dotted or dashed words: what documents put after a label."""
    return bool(_PATH.match(value))


def _quoted(value: str) -> bool:
    """A quoted value beside a password label: also a phrase of a few words."""
    if _password(value):
        return True
    words = value.split()
    return 1 < len(words) <= 6 and not is_placeholder(value) and not value.endswith((".", "?", "!", ":"))


def _key(value: str) -> bool:
    return is_opaque(value) and not _is_path(value) and not _NAMES_OF_METHODS.match(value)


def _short_key(value: str) -> bool:
    return is_opaque(value, length=8, bits=2.5) and not _is_path(value) and not _NAMES_OF_METHODS.match(value)


def _strong(value: str) -> bool:
    return len(value) >= 6 and classes(value) >= 3 and _chosen(value)


def _any_word(value: str) -> bool:
    return not is_placeholder(value) and not value.isdigit() and (_password(value) or is_word(value))


# name, type, pattern, what its value must look like
FORMS: tuple[tuple[str, str, str, Accept], ...] = (
    (
        "assigned-password",
        "PASSWORD",
        rf"(?i){_BEFORE}(?:{WORD_PART}){_AFTER}{_SIGN}(?:{_QUOTED})",
        _quoted,
    ),
    (
        "assigned-password",
        "PASSWORD",
        rf"(?i){_BEFORE}(?:{WORD_PART}){_AFTER}[\"'`]?\s?[:=]{{1,2}}\s?{_BARE}",
        _chosen,
    ),
    ("assigned-key", "API_KEY", rf"(?i){_BEFORE}(?:{KEY_PART}){_AFTER}{_SIGN}(?:{_QUOTED})", _key),
    (
        "assigned-key",
        "API_KEY",
        rf"(?i){_BEFORE}(?:{KEY_PART}){_AFTER}[\"'`]?\s?(?:[:=]|\?=|:{{1,2}}=|=>)\s{{0,3}}{_BARE}",
        _key,
    ),
    (
        "compared-password",
        "PASSWORD",
        rf"(?i)(?:{_QUOTED})\s?[!=]={{1,2}}\s?{_BEFORE}(?:{WORD_PART}|{KEY_PART})",
        _quoted,
    ),
    ("password-in-prose", "PASSWORD", rf"(?i)(?:{PASSWORD_PATTERN}){_IS}{_OPEN}{_PROSE_VALUE}", _password),
    ("password-in-prose", "PASSWORD", rf"(?i)(?:{PASSWORD_PATTERN})\s{{0,2}}{_OPEN}{_PROSE_VALUE}", _chosen),
    (
        "quoted-password",
        "PASSWORD",
        rf"(?i)(?:{PASSWORD_PATTERN}){_IS}[\"“‘'«「『]([^\s\"”’'»」』]{{4,}})[\"”’'»」』]",
        _any_word,
    ),
    ("announced-password", "PASSWORD", rf"(?i)(?:{PASSWORD_PATTERN}){_ANNOUNCING}{_PROSE_VALUE}", _chosen),
    ("announced-password", "PASSWORD", rf"(?i)(?:{PASSWORD_PATTERN}){_BELOW}", _chosen),
    ("announced-key", "API_KEY", rf"(?i)(?:{KEY_PATTERN}|\bkey)s?{_ANNOUNCING}{_PROSE_VALUE}", _key),
    ("announced-key", "API_KEY", rf"(?i)(?:{KEY_PATTERN}|\bkey)s?{_BELOW}", _key),
    ("key-in-prose", "API_KEY", rf"(?i)(?:{KEY_PATTERN}|\bkey)s?{_IS}{_OPEN}{_PROSE_VALUE}", _short_key),
    ("key-in-prose", "API_KEY", rf"(?i)(?:{KEY_PATTERN})s?\s{_OPEN}{_PROSE_VALUE}", _key),
    (
        "value-before-label",
        "API_KEY",
        rf"(?i)\b(?:use|using|with|add|enter|paste|send|set)\s{_OPEN}([^\s\"'`]{{6,}})[\"'`]?\s(?:as|for|is)\s(?:the|my|our|your|a|an)\s[\w .-]{{0,40}}?(?:key|token|secret|credential|password|{PASSWORD_PATTERN})",
        _short_key,
    ),
    (
        "value-before-label",
        "PASSWORD",
        rf"(?i){_OPEN}([^\s\"'`]{{6,}})[\"'`]?\sis\s(?:the|my|our|your|his|her|their)\s(?:new\s)?[\w .-]{{0,30}}?(?:{PASSWORD_PATTERN}|api key|access token|secret)\b",
        _chosen,
    ),
    (
        "login-pair",
        "PASSWORD",
        rf"(?i)\b(?:credentials?|creds|log-?ins?)\b[^\n]{{0,90}}?\s[/|]\s?{_PROSE_VALUE}",
        _strong,
    ),
    (
        "login-pair",
        "PASSWORD",
        rf"(?i)\b(?:credentials?|creds|log-?ins?)\b[^\n]{{0,60}}?(?:,|:|and)\s{_OPEN}{_PROSE_VALUE}",
        _strong,
    ),
    (
        "tagged-value",
        "PASSWORD",
        r"(?i)<[\w.-]{0,40}(?:password|passwd|pwd|passphrase)[\w.-]{0,20}>([^<\n]{4,})</",
        _password,
    ),
    (
        "tagged-value",
        "API_KEY",
        r"(?i)<[\w.-]{0,40}(?:secret|token|key)[\w.-]{0,20}>\{?(?:[^<\n]{0,80}?\s)?([^<\s{}]{12,})\}?</",
        _short_key,
    ),
    ("pin", "PASSWORD", rf"(?i)\bPINs?\b(?:{_IS}|{_ANNOUNCING})(\d{{4,8}})\b", str.isdigit),
    (
        "login-pair",
        "PASSWORD",
        rf"(?i)\b(?:user|login|username)[\s:=]{{1,3}}\S{{1,60}}[\s,;/]{{1,3}}(?:and\s)?pass[\s:=]{{1,3}}{_OPEN}{_PROSE_VALUE}",
        _chosen,
    ),
    (
        "card-security-code",
        "CARD_SECURITY_CODE",
        r"(?i)\b(?:cvv2?|cvc2?|card security code)\W{0,3}(?:is\s|code\s|number\s)?\W{0,2}(\d{3,4})\b",
        str.isdigit,
    ),
)
