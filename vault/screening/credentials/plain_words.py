"""Passwords that are plain words: only after a clear statement, with nothing after them, and if they say nothing *about* one.

"The password is sunshine" states one; "the password is wrong" and "the password is kept in the safe" do not.
"""

# ruff: noqa: E501 - a pattern is read in one piece

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from vault.screening.credentials.said_about import CONNECTING, INFINITIVES, is_said_about
from vault.screening.credentials.scan import Hit, Scanned
from vault.screening.credentials.values import is_placeholder, is_word

TYPE = "PASSWORD"
SCORE = 0.75

# Those of the four languages in which we know what is said about one.
_NAME = r"(?:pass(?:word|wort|phrase|code|wd)|pwd|kennwort|mot\sde\spasse|mdp|contrase(?:ñ|n)a)"
_LOGIN = r"(?:user(?:name)?|login|account|benutzer(?:name)?|nutzer(?:name)?|utilisateur|identifiant|usuario|e-?mail)"
_WORD = r"([\p{L}][\p{L}'’-]{3,30})"
_OPEN = r"[\"“„'‘«*`]{0,2}"
# Nothing of the clause comes after the value, but the other half of the login.
_END = rf"[\"”“'’»*`]{{0,2}}\s?(?:[.!]?\s{{0,3}}(?:$|\n)|[.;!]\s|,?\s(?:and|und|et|y)\s(?:the|his|her|my|our|your|der|die|das|le|la|el)?\s?(?:{_LOGIN})\b|[,;/]\s?(?:the\s|his\s|her\s|my\s)?(?:{_LOGIN})\b)"
_OF = r"(?:\s(?:for|to|of|on|at|in|von|für|zum|zur|vom|im|de|du|des|pour|para|del)\s[^\n.:;=,!?]{1,50}?)?"
_IS = r"\s(?:is(?:\s(?:now|still|simply|just|currently|again))?|was|used\sto\sbe|ist(?:\sjetzt|\snoch|\seinfach)?|war|lautet|heißt|est|était|es|era)\s(?:now\s|the\sword\s|das\sWort\s|le\smot\s|la\spalabra\s)?"
_MADE = r"(?:set|changed|reset|updated|switched|put)"
# Before a code's brace or comma a name and a colon are the field of a record.
_CODE = re.compile(
    r"[{}\[\]<>]|=>|;\s*(?:\n|$)|\(\)|^\s*(?:def|class|const|let|var|function|import)\s", re.MULTILINE
)
_WORD_IN_PHRASE = re.compile(r"^[^\W\d_]{2,}$")
MIN_PHRASE = 4
_INNER_CAPITAL = re.compile(r"[a-z][A-Z]")


def _stated(value: str) -> bool:
    return is_word(value) and not (
        is_placeholder(value) or is_said_about(value) or _INNER_CAPITAL.search(value)
    )


def _set_to(value: str) -> bool:
    return _stated(value) and value.lower() not in INFINITIVES


def _phrase(value: str) -> bool:
    """Words drawn by lot: nothing among them that holds a sentence together, or says how something is."""
    words = value.lower().split()
    return (
        len(words) >= MIN_PHRASE
        and all(_WORD_IN_PHRASE.match(word) for word in words)
        and not CONNECTING.intersection(words)
        and not any(is_said_about(word) for word in words[1:])
    )


# name, pattern, what its value must look like
_FORMS: tuple[tuple[str, str, Callable[[str], bool]], ...] = (
    # The passphrase for the archive is five words that mean nothing
    (
        "phrase",
        rf"(?i)\b{_NAME}{_OF}(?:{_IS}|\s?[:：]\s?){_OPEN}(\p{{L}}{{2,20}}(?: \p{{L}}{{2,20}}){{3,9}})[\"”“'’»*`]{{0,2}}[.!]?\s{{0,3}}(?:$|\n|[.;]\s)",
        _phrase,
    ),
    # his login is maria and the password is sunshine
    ("stated", rf"(?i)\b{_NAME}{_OF}{_IS}{_OPEN}{_WORD}{_END}", _stated),
    # Passwort: gartenzwerg
    (
        "line",
        rf"(?im)(?:^|[\s(,;/-]){_NAME}{_OF}\s?[:：]\s{{0,3}}{_OPEN}{_WORD}{_END}",
        _stated,
    ),
    # We changed the password to sunshine
    (
        "set",
        rf"(?i)\b(?:{_MADE}\s(?:the|my|our|his|her|their|your)\s(?:\w+\s)?{_NAME}{_OF}|{_NAME}{_OF}\s(?:is|was|has\sbeen|got)\s(?:now\s)?{_MADE})\sto\s{_OPEN}{_WORD}{_END}",
        _set_to,
    ),
    # Das Passwort habe ich auf Gartenzwerg gestellt
    (
        "set",
        rf"(?i)\b{_NAME}{_OF}\s[^\n.:;,]{{0,40}}?\b(?:auf|in|zu)\s{_OPEN}([\p{{L}}\d][^\s\"“”.,;]{{3,40}})[\"”“'’»]?\s(?:um)?(?:gestellt|gesetzt|geändert|gelegt)\b",
        _set_to,
    ),
    # log in with user maria and password sunshine
    (
        "pair",
        rf"(?i)\b{_LOGIN}\s(?:is\s|ist\s|est\s|es\s|:\s?)?{_OPEN}[^\s,;:/]{{2,60}}?{_OPEN}(?:\s?[,;/]\s?|\s)(?:and\s|with\s|und\s|mit\s|et\s|y\s|con\s|avec\s)?(?:the\s|das\s|le\s|la\s)?{_NAME}\s{_OPEN}{_WORD}{_END}",
        _stated,
    ),
)
_NEAR = re.compile(r"(?i)pass|pwd|kennwort|mdp|contrase")
# "user name and password Monday": the word before is a part of the name.
_PART_OF_NAME = re.compile(
    r"(?i)\b(?:user|login|account|e-?mail)[\s-](?:name|names|id|ids|email|e-mail|address|and|or|with|has|is|enters|accounts?|logins?)[\s,/]"
)


def find_plain_words(scanned: Scanned) -> Iterator[Hit]:
    text = scanned.text
    if not _NEAR.search(text):
        return
    is_code = bool(_CODE.search(text))
    for name, pattern, accept in _FORMS:
        if name == "line" and is_code:
            continue
        for start, end, match in scanned.matches(pattern, group=1):
            before = text[scanned.offset(match.start()) : start]
            if accept(text[start:end]) and not (name == "pair" and _PART_OF_NAME.match(before)):
                yield Hit(TYPE, start, end, SCORE, f"plain-password-{name}")
