"""Two statements that are one sentence but for one place: what stands in that place decides."""

from __future__ import annotations

from vault.writing.reconciling.lexicon import FUNCTIONAL, MANY_VALUED, OPPOSITES
from vault.writing.reconciling.pair import Pair
from vault.writing.reconciling.statement import Sort, Token
from vault.writing.reconciling.weight import Weight

# The least share of words in common, of both, at which two statements are one sentence.
ONE_SENTENCE = 0.6
NEARLY_THE_SAME = 0.8


def substitution(pair: Pair) -> Weight | None:
    """The weight of the one place in which the two differ; None where they are not one sentence."""
    old, new = pair.old.content, pair.new.content
    alike = sum(t.key in pair.new.keys for t in old) + sum(t.key in pair.old.keys for t in new)
    if alike < ONE_SENTENCE * (len(old) + len(new)):
        return None  # whatever their order: it spares most pairs the alignment
    differing = sum(len(was) + len(now) for was, now in pair.spans)
    if len(old) + len(new) - differing < ONE_SENTENCE * (len(old) + len(new)):
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


def _replaced(pair: Pair, was: tuple[Token, ...], now: tuple[Token, ...]) -> Weight:
    old = pair.old
    # Another subject is another matter, and what was done is not undone by what was done another time.
    if was[0] in old.subject or old.past:
        return Weight.NONE
    if _opposite(was, now):
        return Weight.STRONG
    names_one_holder = bool(old.keys & FUNCTIONAL)
    if any(t.sort is Sort.CODE for t in was):
        return Weight.STRONG if names_one_holder else Weight.NONE
    if all(t.sort is Sort.VALUE for t in (*was, *now)):
        return Weight.STRONG if names_one_holder or old.head else Weight.WEAK
    if old.keys & MANY_VALUED:
        return Weight.NONE
    if names_one_holder:
        return Weight.STRONG
    return Weight.WEAK if pair.similarity >= NEARLY_THE_SAME else Weight.NONE


def _opposite(was: tuple[Token, ...], now: tuple[Token, ...]) -> bool:
    return any(other.key in OPPOSITES.get(token.key, ()) for token in was for other in now)
