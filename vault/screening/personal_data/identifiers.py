"""Numbers that states and institutions issue, by Presidio's patterns and check digits, matched by RE2.

Presidio's own engine runs each pattern with a backtracking machine and trusts one check digit: every
tenth order number passes some country's. Here the patterns find candidates in linear time, Presidio's
validators decide, and a bare run of digits counts only beside its name.
"""

from __future__ import annotations

import inspect
import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

# Presidio's e-mail recogniser would look up outside hosts; nothing of ours opens a socket.
os.environ["TLDEXTRACT_PUBLIC_SUFFIX_LIST_URLS"] = ""

import presidio_analyzer.predefined_recognizers as predefined
import re2
from presidio_analyzer import PatternRecognizer

from vault.screening.credentials.scan import Hit, Scanned
from vault.screening.personal_data.context import has_context

# Found by rules of our own, or by the model, or no personal data at all.
ELSEWHERE = frozenset(
    {
        "CREDIT_CARD",
        "IBAN_CODE",
        "EMAIL_ADDRESS",
        "URL",
        "DATE_TIME",
        "UUID",
        "US_BANK_NUMBER",
        "US_DRIVER_LICENSE",
    }
)
# Of these the recogniser checks no more than that a province has the number.
WITHOUT_CHECK_DIGIT = frozenset({"TR_LICENSE_PLATE"})
_IN_WORDS = re.compile(r"\s[^\W\d_]*[a-z]|[a-z][^\W\d_]*\s")
VALIDATED_WITH_CONTEXT = 0.95
VALIDATED_DISTINCT = 0.8
CONTEXT_ONLY = 0.65
ALONE = 0.5
NOTHING = 0.0
DISTINCT_PATTERN = 0.5
# A lookahead over 64 code points is enough for the longest number that any country issues.
WINDOW_CHARACTERS = 64

MORE_CONTEXT: Mapping[str, tuple[str, ...]] = {
    "TH_TNIN": ("thai id",),
    "SE_PERSONNUMMER": ("swedish id", "swedish id code", "pnr", "personal identity code"),
    "TR_NATIONAL_ID": ("kişi", "kimlik", "turkish id"),
    "FI_PERSONAL_IDENTITY_CODE": ("finnish id", "henkilötunnus"),
    "US_SSN": ("social security number", "ss number"),
    "ES_NIF": ("dni", "nif"),
    "IN_AADHAAR": ("aadhar",),
    "PL_PESEL": ("pesel",),
}

_LOOK_AROUND = re.compile(r"\(\?<?[=!](?:[^()\\]|\\.|\[[^\]]*\]|\((?:[^()\\]|\\.)*\))*\)")


@dataclass(frozen=True, slots=True)
class Pattern:
    """One pattern of a recogniser: a linear one that finds, and the original where it says more."""

    entity: str
    linear: str
    exact: re.Pattern[str] | None
    score: float
    recogniser: Any


def _linear(expression: str) -> str | None:
    """The expression without what RE2 has not; None when it cannot be had."""
    for candidate in (expression, re.sub(r"\\1", "[-:. ]?", _LOOK_AROUND.sub("", expression))):
        try:
            options = re2.Options()
            options.log_errors = False
            re2.compile(("(?ims)" + candidate).encode(), options)
        except re2.error:
            continue
        return "(?ims)" + candidate
    return None


@lru_cache(maxsize=1)
def patterns() -> tuple[Pattern, ...]:
    """Every pattern of every recogniser that is not found elsewhere."""
    found: list[Pattern] = []
    for _, kind in sorted(vars(predefined).items()):
        if not (
            inspect.isclass(kind) and issubclass(kind, PatternRecognizer) and kind is not PatternRecognizer
        ):
            continue
        recogniser: Any = kind()  # type: ignore[call-arg]  # every subclass names its own entity
        entity = recogniser.supported_entities[0]
        if entity in ELSEWHERE:
            continue
        for part in recogniser.patterns:
            linear = _linear(part.regex)
            if linear is None:
                continue
            is_same = linear == "(?ims)" + part.regex
            exact = None if is_same else _exact(part.regex)
            if is_same or exact is not None:
                found.append(Pattern(entity, linear, exact, part.score, recogniser))
    return tuple(found)


def _exact(expression: str) -> re.Pattern[str] | None:
    """The original, for a look at one candidate; None for the few that only another engine takes."""
    try:
        return re.compile(expression, re.IGNORECASE | re.MULTILINE | re.DOTALL)
    except re.error:
        return None


@lru_cache(maxsize=1)
def _prefilter() -> Any:
    options = re2.Options()
    options.log_errors = False
    options.max_mem = 64 << 20
    gate = re2.Set.SearchSet(options)
    for pattern in patterns():
        gate.Add(pattern.linear.encode())
    gate.Compile()
    return gate


def find_identifiers(
    scanned: Scanned, *, label: str = "", words: Mapping[str, tuple[str, ...]]
) -> Iterator[Hit]:
    """`words` are more context words, per type."""
    if not any(c.isdigit() for c in scanned.text):
        return
    table = patterns()
    best: dict[tuple[str, int, int], Hit] = {}
    for index in _prefilter().Match(scanned.utf8) or ():
        pattern = table[index]
        for start, end, _ in scanned.matches(pattern.linear):
            hit = _judge(scanned, pattern, start, end, label, words)
            if hit is not None:
                key = (hit.type, hit.start, hit.end)
                if key not in best or best[key].score < hit.score:
                    best[key] = hit
    yield from best.values()


def _judge(
    scanned: Scanned, pattern: Pattern, start: int, end: int, label: str, words: Mapping[str, tuple[str, ...]]
) -> Hit | None:
    text = scanned.text
    if pattern.exact is not None:
        match = pattern.exact.match(text, start, min(start + WINDOW_CHARACTERS, len(text)))
        if match is None:
            return None
        end = match.end()
    value = text[start:end]
    if (
        not any(c.isdigit() for c in value)
        or _is_embedded(text, start, end)
        or pattern.recogniser.invalidate_result(value)
    ):
        return None
    valid = pattern.recogniser.validate_result(value)
    if valid is False:
        return None
    near = has_context(
        scanned.lowered,
        start,
        end,
        (
            *(pattern.recogniser.context or ()),
            *MORE_CONTEXT.get(pattern.entity, ()),
            *words.get(pattern.entity, ()),
        ),
        label,
    )
    if not near and _IN_WORDS.search(value):
        # "14 and 16" has the form of a number plate.
        return None
    is_checked = valid is True and pattern.entity not in WITHOUT_CHECK_DIGIT
    score = _score(value, text, pattern.score, is_valid=is_checked, near=near)
    return Hit(pattern.entity, start, end, score, "presidio") if score else None


def _is_embedded(text: str, start: int, end: int) -> bool:
    """Part of a longer code, a time or a fraction, such as the middle of 2024-01-15T14:22 or of a hash."""
    before, after = text[max(start - 2, 0) : start], text[end : end + 2]
    if _goes_on(before[-1:], text[start]) or _goes_on(text[end - 1], after[:1]):
        return True
    tied_left = before[-1:] in ("-", ":", "/", ".", "_", "%") and before[:1].isalnum() and len(before) == 2
    tied_right = after[:1] in ("-", ":", "/", "_", "%") and after[1:].isalnum()
    return tied_left or tied_right


def _goes_on(one: str, next_one: str) -> bool:
    """Letters and digits without an edge between them; beside Han characters there never is one."""
    return one.isascii() and one.isalnum() and next_one.isascii() and next_one.isalnum()


def _score(value: str, text: str, base: float, *, is_valid: bool, near: bool) -> float:
    if near:
        return VALIDATED_WITH_CONTEXT if is_valid else CONTEXT_ONLY
    is_alone = len(value) >= 0.6 * len(text.strip())
    is_distinct = not value.isdigit()
    if is_valid and is_distinct:
        return VALIDATED_DISTINCT
    if is_valid or base >= DISTINCT_PATTERN:
        return (
            max(ALONE, base if is_distinct else 0.0)
            if is_alone or (base >= DISTINCT_PATTERN and is_distinct)
            else NOTHING
        )
    return ALONE if is_alone and is_distinct else NOTHING
