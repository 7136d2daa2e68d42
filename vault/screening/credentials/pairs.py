"""Logins that are written as a pair: "admin / letmein99" behind a word that says what it opens."""

# ruff: noqa: E501 - a pattern is read in one piece

from __future__ import annotations

import re
from collections.abc import Iterator

from vault.screening.credentials.scan import Hit, Scanned
from vault.screening.credentials.values import is_placeholder

TYPE = "PASSWORD"
SCORE = 0.8

# What is told of nothing but logins, and what is told of much else: there the account must look like one.
_LOGIN = r"log-?ins?|logon|log\s?in|sign-?\s?in|credentials?|creds|wi-?fi|wlan|hotspot|vpn|zugangsdaten|anmeldung|identifiants?"
_THING = r"router|admin(?:istrator)?|account|panel|portal|dashboard|console|server|ssh|ftp|database|zugang|konto|connexion|acceso|cuenta"
_OPENED = rf"{_LOGIN}|{_THING}"
_ACCOUNT = r"([\p{L}\d][^\s/|:,;\"']{1,60})"
_VALUE = r"([^\s/|,;\"'()<>]{6,60})"
_PAIR = rf"(?i)\b(?:{_OPENED})\b[^\n/|]{{0,60}}?(?:[:=]|\b(?:with|mit|avec|con|as|is|are|ist|use|using|via|enter|in)\b)\s{{0,2}}[\"'“]?{_ACCOUNT}[\"'”]?\s?[/|]\s?[\"'“]?{_VALUE}[\"'”]?(?:[\s,;)]|$)"
_SAYS_LOGIN = re.compile(rf"(?i)\b(?:{_LOGIN})\b")
_ACCOUNT_NAME = re.compile(
    r"(?i)^(?:.+@.+\..+|admin\w*|root|user\w*|guest|test|demo|pi|gast|benutzer|invit[ée]|invitado)$"
)
# Debian12, Xbox360: a product and its number as much as a password.
_NAME_AND_NUMBER = re.compile(r"^[A-Z][a-z]+\d+$")
_NEAR = re.compile(rf"(?i){_OPENED}")
_MEASURE = re.compile(r"(?i)\d+g(?:hz)?$|^[\d.,]+[^\W\d_]{1,4}[\d.]*$|^[\d:.,hH-]+$|^[12]\d{3}\D")
_NAMED_VERSION = re.compile(
    r"(?i)^(?:v|version|wpa|php|http|tls|ssl|ipv|win|windows|ios|android|sha|wifi|iphone|ipad)[-.]?\d"
)
MIN_LETTERS = 3


def find_pairs(scanned: Scanned) -> Iterator[Hit]:
    text = scanned.text
    if not (("/" in text or "|" in text) and _NEAR.search(text)):
        return
    for start, end, match in scanned.matches(_PAIR, group=2):
        opened = text[scanned.offset(match.start()) : scanned.offset(match.start(1))]
        account = text[scanned.offset(match.start(1)) : scanned.offset(match.end(1))]
        value = text[start:end].rstrip(".!?:")
        if _is_chosen(value) and _is_login(opened, account, value):
            yield Hit(TYPE, start, start + len(value), SCORE, "login-pair")


def _is_login(opened: str, account: str, value: str) -> bool:
    if _ACCOUNT_NAME.match(account):
        return True
    says_login = bool(_SAYS_LOGIN.search(opened)) and not _is_measure(account)
    return says_login and (":" in opened or not _NAME_AND_NUMBER.match(value))


def _is_chosen(value: str) -> bool:
    letters = sum(c.isalpha() for c in value)
    return (
        letters >= MIN_LETTERS
        and any(c.isdigit() for c in value)
        and not is_placeholder(value)
        and not _is_measure(value)
        and "@" not in value[1:-1]
    )


def _is_measure(value: str) -> bool:
    return bool(_MEASURE.match(value) or _NAMED_VERSION.match(value))
