"""Rules that staff write: compiled to linear time, read over the folded text, answered as findings.

Every rule that matches speaks. What protects (mask, set aside, refuse) adds up and the gravest wins, as with all
findings; how a text is stored (as a preference, with priority, instead of the previous one) is for the first
rule in order to say, and is only labelled here.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any

import re2

from vault.errors import InvalidField
from vault.screening.credentials.scan import Scanned
from vault.screening.detection import Screening
from vault.screening.fields import SUBJECT, is_key
from vault.types import Action, Category, Finding, RuleAction

MAX_PATTERN_CHARACTERS = 500
# A pattern that compiles to more than this is refused: it would cost every write.
MAX_COMPILED_BYTES = 1 << 20
# A rule that meets a field in more places has found the field: each finding is sealed, told and masked by itself.
MAX_PLACES = 50

PROTECTING = {
    RuleAction.REDACT: Action.REDACT,
    RuleAction.QUARANTINE: Action.QUARANTINE,
    RuleAction.REFUSE: Action.REFUSE,
}


@lru_cache(maxsize=512)
def compiled(pattern: str) -> Any:
    """The machine for a pattern, in letters of either case. Raises InvalidField naming what is wrong with it."""
    if not pattern.strip() or len(pattern) > MAX_PATTERN_CHARACTERS:
        raise InvalidField("A pattern has 1 to 500 characters.", pointer="/pattern")
    options = re2.Options()
    options.case_sensitive = False
    options.log_errors = False
    options.max_mem = MAX_COMPILED_BYTES
    try:
        machine = re2.compile(pattern.encode(), options)
    except re2.error:
        raise InvalidField(
            "The pattern does not compile (RE2 syntax: no look-around, no back-references).",
            pointer="/pattern",
        ) from None
    if machine.search(b"") is not None:
        raise InvalidField("The pattern matches an empty text, and so everything.", pointer="/pattern")
    return machine


def matches(pattern: str, text: str) -> Iterator[tuple[int, int]]:
    """Where a pattern matches, in code points of the text."""
    scanned = Scanned(text)
    for match in compiled(pattern).finditer(scanned.utf8):
        start, end = (scanned.offset(edge) for edge in match.span())
        if start < end:
            yield start, end


def find_rules(screening: Screening) -> Sequence[Finding]:
    """What the namespace's live rules find in the fields; the subject's id is nobody's text."""
    found: list[Finding] = []
    if not screening.policy.rules:
        return found
    for pointer, form in screening.normalised.items():
        if pointer == SUBJECT:
            continue
        for rule in screening.policy.rules:
            screening.check_time()
            action = PROTECTING.get(rule.action, Action.ALLOW)
            if is_key(pointer) and action is Action.REDACT:
                action = Action.REFUSE
            for start, end in _places(rule.pattern, form.folded, screening):
                place = form.span(start, end)
                found.append(Finding(Category.RULE, rule.type, *place, 1.0, action, pointer, rule.detector))
    return found


def _places(pattern: str, text: str, screening: Screening) -> Sequence[tuple[int, int]]:
    """Where a pattern matches, touching matches as one; past MAX_PLACES, one place from the first to the last."""
    found: list[tuple[int, int]] = []
    for start, end in matches(pattern, text):
        screening.check_time()
        if found and (start <= found[-1][1] or len(found) > MAX_PLACES):
            found[-1] = (found[-1][0], end)
        else:
            found.append((start, end))
    return found if len(found) <= MAX_PLACES else [(found[0][0], found[-1][1])]
