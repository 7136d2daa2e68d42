"""Rules that name what they see: structure that only an order has, and claims of high impact.

A rule is a set of word classes that meet in one clause, or a pattern. Some rules decide by themselves;
the others explain a score and mark claims that need trust to be believed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import re2

from vault.screening.injection.features import Segment, has
from vault.screening.injection.lexicon import bit


@dataclass(frozen=True, slots=True)
class RuleHit:
    """Where a rule matched: a span of the reading it was found in, and what carried that reading."""

    rule: str
    start: int
    end: int
    carrier: str = ""


@dataclass(frozen=True, slots=True)
class Meeting:
    """A rule of word classes: all of `needs` in one clause, and none of `unless`."""

    rule: str
    needs: tuple[str, ...]
    unless: tuple[str, ...] = ()


_PLACE = r"(?:https?://|www\.)[^\s<>\"']*"
_HOLE = r"(?:\{\{?[^{}\n]{1,60}\}|<[a-zA-Z][a-zA-Z _-]{1,40}>|\[[A-Z_ ]{3,40}\]|\$\{?[A-Z_]{3,40}|%s)"
_CARRIED = r"(?:chat|conversation|message|question|history|data|token|answer|notes?|query)"
# re2 throughout: these run over whole texts, and an attacker chooses the text.
# An address outside with a hole to be filled: whatever fills it leaves the house.
DECISIVE = {
    "link_with_data": re2.compile(
        rf"(?i){_PLACE}[=/]{_HOLE}"
        r"|https?://[^\s<>\"']+[?&][a-z_]{1,20}=\S{0,20}\s+(?:followed by|plus|with|and then|carrying)\b"
        rf"[^.\n]{{0,80}}\b{_CARRIED}"
    ),
    "spreadsheet_call": re2.compile(
        r"(?i)=\s*(?:IMPORTDATA|IMPORTXML|IMPORTHTML|WEBSERVICE|IMPORTRANGE)\s*\("
    ),
    "chat_template": re2.compile(
        r"<\|(?:im_start|im_end|system|assistant|endoftext)\|?>|\[/?INST\]|<</?SYS>>"
    ),
}
SHAPES = {
    "role_tag": re2.compile(r"(?i)</?(?:system|assistant|developer)(?:[ _-][a-z]{1,20})?>"),
    "marker": re2.compile(
        r"\[[A-Z _:-]{0,40}(?:SYSTEM|ADMIN|REMEMBER|PERSIST|MEMORY|OVERRIDE|INSTRUCTION)[A-Z _:-]{0,40}\]"
    ),
    "tool_call": re2.compile(
        r"(?i)<tool_call>|\"(?:tool|function)\"\s*:\s*\"[a-z_]{3,40}\"\s*,\s*\"(?:arguments|parameters|args)\""
    ),
}
MEETINGS = (
    Meeting("override_rules", ("override", "rules", "prior"), ("discussion",)),
    Meeting("reveal_secret", ("reveal", "secrets", "you")),
    Meeting("send_data_out", ("send", "data", "standing")),
    Meeting("skip_checks", ("skip", "checks", "standing")),
    Meeting("secrecy", ("secrecy", "user")),
    Meeting("unlimited_persona", ("persona", "unlimited")),
)
HIGH_IMPACT = (
    Meeting("money", ("money", "approved", "standing")),
    Meeting("payment_details", ("money", "exec", "send")),
    Meeting("approval", ("approved", "skip", "checks")),
    Meeting("permission", ("approved", "admin")),
    Meeting("credentials", ("send", "secrets")),
    Meeting("standing_order", ("standing", "include", "response")),
    Meeting("speaks_for_staff", ("authority", "approved")),
)
_WORDS_AT_MOST = 40


def decisive(text: str, carrier: str) -> Iterator[RuleHit]:
    """Hits that need no score."""
    for rule, pattern in DECISIVE.items():
        for match in pattern.finditer(text):
            yield RuleHit(rule, match.start(), match.end(), carrier)


def explain(text: str, parts: list[Segment], carrier: str) -> Iterator[RuleHit]:
    """Hits that say why a score is high."""
    for rule, pattern in SHAPES.items():
        for match in pattern.finditer(text):
            yield RuleHit(rule, match.start(), match.end(), carrier)
    for part in parts:
        for meeting in MEETINGS:
            if meets(part, meeting):
                yield RuleHit(meeting.rule, part.start, part.end, carrier)


def claims(parts: list[Segment]) -> set[str]:
    """Names of the high-impact claims that clauses make."""
    return {meeting.rule for part in parts for meeting in HIGH_IMPACT if meets(part, meeting)}


def meets(part: Segment, meeting: Meeting) -> bool:
    if len(part.words) > _WORDS_AT_MOST:
        return False
    mask = part.mask
    return has(mask, *meeting.needs) and not any(mask & bit(name) for name in meeting.unless)
