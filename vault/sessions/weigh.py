"""How much a turn matters for a window: one number, from its role and from what it says. Pure.

Bands, so that an order by the number is the order of priorities: instructions of the system, then wishes and rules of
the user, then decisions and promises, then the rest.
"""

from __future__ import annotations

from vault.sessions.roles import Role
from vault.writing.worth.cues import NAME, NUMBER, Cue, has, is_question

SYSTEM = 1.0
WISH = 0.9
DECISION = 0.8
MIN_COUNTED_WORDS = 4


def weigh(role: str, text: str, *, conclusion: str = "") -> float:
    """The importance of a turn, 0..1, with two decimals."""
    if role == Role.SYSTEM:
        return SYSTEM
    is_tool = role == Role.TOOL
    said = conclusion if is_tool else text
    if not is_question(said):
        if role == Role.USER and (has(Cue.PREFERENCE, said) or has(Cue.CONSTRAINT, said)):
            return WISH
        if not is_tool and (has(Cue.DECISION, said) or has(Cue.ACTION, said)):
            return DECISION
    return round(_rest(said, is_tool=is_tool), 2)


def _rest(text: str, *, is_tool: bool) -> float:
    words = len(text.split())
    if not words:
        return 0.1
    value = 0.25 + 0.1 * bool(NUMBER.search(text)) + 0.1 * bool(NAME.search(text))
    value += 0.1 * has(Cue.SOLVED, text) + min(words, 40) / 400
    if words < MIN_COUNTED_WORDS or (has(Cue.GREETING, text) and words < 2 * MIN_COUNTED_WORDS):
        value -= 0.2
    return max(0.05, value - 0.1 * is_question(text) - 0.05 * is_tool)
