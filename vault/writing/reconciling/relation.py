"""How a new statement stands to an old one: the same, its replacement, unclear, or another matter."""

from __future__ import annotations

from enum import StrEnum

from vault.writing.reconciling.cues import tells_of_a_turn
from vault.writing.reconciling.deed import done_once, for_somebody_else
from vault.writing.reconciling.evidence import evidence_of_change
from vault.writing.reconciling.frame import substitution
from vault.writing.reconciling.pair import Pair
from vault.writing.reconciling.sameness import says_the_same
from vault.writing.reconciling.separation import other_subject, speaks_of_another
from vault.writing.reconciling.statement import Statement
from vault.writing.reconciling.weight import Weight


class Relation(StrEnum):
    SAME = "same"
    REPLACES = "replaces"
    UNCLEAR = "unclear"
    APART = "apart"


# Below this the embedding sees no common topic, and words that two statements share are chance.
TOPIC_SIMILARITY = 0.27


def relate(old: Statement, new: Statement, similarity: float) -> Relation:
    """Compare two statements about one subject, the new one told later."""
    if similarity < TOPIC_SIMILARITY:
        return Relation.APART
    pair = Pair(old, new, similarity)
    deed = not old.past and done_once(pair)
    if says_the_same(pair) and not deed:
        return Relation.SAME
    if old.asks or new.asks or speaks_of_another(pair):
        return Relation.APART
    weight = substitution(pair)
    if weight is None:
        weight = _told_otherwise(pair)
    if weight is not Weight.NONE and deed:
        # It may break what was told, and does not end it.
        return Relation.APART if for_somebody_else(pair) else Relation.UNCLEAR
    if weight is Weight.STRONG and not (old.whole and new.whole):
        return Relation.UNCLEAR
    return _FOR_WEIGHT[weight]


def _told_otherwise(pair: Pair) -> Weight:
    """The evidence of change; a new subject may tell the end of an old matter, but not by its own values."""
    if not other_subject(pair):
        return evidence_of_change(pair)
    return Weight.WEAK if tells_of_a_turn(pair) else Weight.NONE


_FOR_WEIGHT = {Weight.STRONG: Relation.REPLACES, Weight.WEAK: Relation.UNCLEAR, Weight.NONE: Relation.APART}
