"""Two statements that are one sentence but for one place: what stands in that place decides."""

from __future__ import annotations

from vault.writing.reconciling.lexicon import (
    COPULAS,
    CORRECTIONS,
    FUNCTIONAL,
    MANY_VALUED,
    ONLY,
    OPEN_STATES,
    OPPOSITES,
)
from vault.writing.reconciling.pair import Pair
from vault.writing.reconciling.statement import Sort, Token
from vault.writing.reconciling.weight import Weight

# The least share of words in common, of both, at which two statements are one sentence.
ONE_SENTENCE = 0.6
SHORT, SHORT_SENTENCE = 2, 0.5
NEARLY_THE_SAME = 0.8


def substitution(pair: Pair) -> Weight | None:
    """The weight of the one place in which the two differ; None where they are not one sentence."""
    old, new = pair.old.content, pair.new.content
    alike = sum(t.key in pair.new.keys for t in old) + sum(t.key in pair.old.keys for t in new)
    least = ONE_SENTENCE if max(len(old), len(new)) > SHORT else SHORT_SENTENCE
    if alike < least * (len(old) + len(new)):
        return None  # whatever their order: it spares most pairs the alignment
    differing = sum(len(was) + len(now) for was, now in pair.spans)
    if len(old) + len(new) - differing < least * (len(old) + len(new)):
        return None
    if pair.old.words & ONLY and not pair.new.words & ONLY:
        return None
    if not pair.spans:
        return Weight.WEAK if pair.old.directions != pair.new.directions else Weight.NONE
    if len(pair.spans) > 1:
        return None
    was, now = pair.spans[0]
    if was and now:
        return _replaced(pair, was, now)
    if all(t.sort is Sort.NEGATION for t in (*was, *now)):
        return Weight.WEAK if pair.old.past else Weight.STRONG
    return None


def _replaced(pair: Pair, was: tuple[Token, ...], now: tuple[Token, ...]) -> Weight | None:
    old = pair.old
    # Another subject is another matter, and what was done is not undone by what was done another time.
    if was[0] in old.subject:
        return Weight.NONE
    if _opposite(was, now):
        # Without a verb nobody can tell whether the subject is another; and what was done may be done otherwise.
        return Weight.STRONG if old.verbal and not old.past else Weight.WEAK
    if old.past:
        return Weight.NONE
    names_one_holder = bool(old.keys & FUNCTIONAL)
    if any(t.word in CORRECTIONS for t in now):
        return None  # it is said that something changed: the evidence tells what
    if all(t.sort is Sort.NEGATION for t in was) or any(t.key in OPEN_STATES for t in was):
        return None  # a denial, or what was open, and another verb in its place: the evidence tells
    if any(t.sort is Sort.CODE for t in was):
        return Weight.STRONG if names_one_holder else Weight.NONE
    if all(t.sort is Sort.VALUE for t in (*was, *now)):
        return Weight.STRONG if names_one_holder or old.head else Weight.WEAK
    verb = old.verb.word
    if old.keys & MANY_VALUED or verb in {"has", "have"}:
        return Weight.NONE
    if names_one_holder:
        return Weight.STRONG
    return Weight.WEAK if verb in COPULAS or pair.similarity >= NEARLY_THE_SAME else Weight.NONE


def _opposite(was: tuple[Token, ...], now: tuple[Token, ...]) -> bool:
    return any(other.key in OPPOSITES.get(token.key, ()) for token in was for other in now)
