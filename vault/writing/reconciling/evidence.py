"""Signs in a new statement that an old one, told in other words, no longer holds."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

from vault.writing.reconciling.cues import HALF_OF_IT, MOST_OF_IT, SOME_OF_IT, turns
from vault.writing.reconciling.denial import ended, now_affirmed, now_denied, taken_up
from vault.writing.reconciling.diet import eats_what_was_left_out
from vault.writing.reconciling.lexicon import (
    CLOSING_STATES,
    ENDINGS_OF_STATE,
    HABITS,
    OCCASIONS,
    ONLY,
    OPEN_STATES,
    SKIPPED,
    TURNS,
)
from vault.writing.reconciling.pair import Pair
from vault.writing.reconciling.replacement import (
    elsewhere,
    moved_on,
    other_filler,
    other_holder,
    other_value,
    other_wish,
)
from vault.writing.reconciling.statement import Sort
from vault.writing.reconciling.weight import Weight

# A longer statement makes more than one point, and a change in one leaves the others.
ONE_POINT = 12
LONG_SIMILARITY = 0.5


def evidence_of_change(pair: Pair) -> Weight:
    """The strongest sign; what was done once, and what holds in another case, is never replaced by itself."""
    weight = max(sign(pair) for sign in _SIGNS)
    long = max(len(pair.old.content), len(pair.new.content)) > ONE_POINT
    if weight is Weight.STRONG and (pair.old.past or pair.circumstances or long or pair.old.sentences > 1):
        weight = Weight.WEAK
    if weight is Weight.WEAK and long and pair.topic < HALF_OF_IT and pair.similarity < LONG_SIMILARITY:
        return Weight.NONE
    return weight


def _turned(pair: Pair) -> Weight:
    """A word of change or ending beside what the old statement says."""
    if not turns(pair) or not pair.said_again:
        return Weight.NONE
    if pair.new.keys & SKIPPED and pair.old.signs & HABITS and pair.new.signs & OCCASIONS:
        return Weight.NONE  # one occasion left out; the habit stands
    return Weight.graded(
        strong=pair.topic >= HALF_OF_IT and pair.share_said_again >= SOME_OF_IT,
        weak=pair.topic >= SOME_OF_IT and pair.share_said_again >= SOME_OF_IT,
    )


def _left_behind(pair: Pair) -> Weight:
    """ "Switched from X to Y", where X is what the old statement says."""
    tokens = pair.new.tokens
    left = {
        tokens[at + 2].key
        for at, token in enumerate(tokens[:-2])
        if token.word in TURNS and tokens[at + 1].word in {"from", "von", "de", "da"}
    }
    return Weight.graded(strong=bool(left & pair.old.predicate), weak=False)


def _settled(pair: Pair) -> Weight:
    """What was open, pending or broken is closed, approved or mended."""
    old, new = pair.old, pair.new
    # "Opens at seven" and "ships daily" are what is done every day, and no state that was, or step that ends it.
    if old.verb.key in OPEN_STATES or (new.verb.key in CLOSING_STATES and not new.past):
        return Weight.NONE
    if not pair.old.keys & OPEN_STATES or not (
        pair.new.keys & CLOSING_STATES - pair.old.keys | pair.new.words & ENDINGS_OF_STATE
    ):
        return Weight.NONE
    same_thing = bool(pair.old.of(Sort.CODE, Sort.VALUE) & pair.new.keys)
    return Weight.graded(strong=same_thing or pair.coverage >= HALF_OF_IT, weak=pair.coverage >= HALF_OF_IT)


def _reversed(pair: Pair) -> Weight:
    if not pair.opposed or pair.old.denials % 2 != pair.new.denials % 2:
        return Weight.NONE  # the opposite denied is the same again
    return Weight.graded(strong=pair.coverage >= MOST_OF_IT, weak=pair.coverage >= SOME_OF_IT)


def _no_longer_only(pair: Pair) -> Weight:
    """ "Only for reading" does not go with "all day"."""
    tokens = pair.old.tokens
    limits = any(
        t.word in ONLY and after.sort is not Sort.VALUE and after.word not in {"a", "an"}
        for t, after in pairwise(tokens)
    )
    limited = limits and not pair.new.words & ONLY and bool(pair.alone_in_new)
    return Weight.graded(strong=limited and pair.coverage >= MOST_OF_IT, weak=False)


_SIGNS: tuple[Callable[[Pair], Weight], ...] = (
    now_affirmed,
    now_denied,
    taken_up,
    ended,
    _turned,
    _left_behind,
    other_value,
    elsewhere,
    _no_longer_only,
    _settled,
    _reversed,
    other_holder,
    other_filler,
    moved_on,
    other_wish,
    eats_what_was_left_out,
)
