"""What was denied is affirmed, what was said is denied, or is said to have ended."""

from __future__ import annotations

from vault.writing.reconciling.cues import HALF_OF_IT, MOST_OF_IT, SOME_OF_IT, says_ended
from vault.writing.reconciling.lexicon import CORRECTIONS, WISHES
from vault.writing.reconciling.pair import Pair
from vault.writing.reconciling.sameness import same_limits
from vault.writing.reconciling.statement import Sort, Statement
from vault.writing.reconciling.vocabulary import words
from vault.writing.reconciling.weight import Weight


def now_affirmed(pair: Pair) -> Weight:
    """What was denied is so: "is not a member", "joined as a member"."""
    if not (pair.old.denials % 2 and not pair.new.denials % 2) or same_limits(pair):
        return Weight.NONE
    denied = _denied(pair.old)
    affirmed = len(denied & pair.new.keys) >= MOST_OF_IT * len(denied) if denied else False
    return Weight.graded(
        strong=affirmed and pair.topic >= MOST_OF_IT, weak=affirmed and pair.topic >= SOME_OF_IT
    )


def taken_up(pair: Pair) -> Weight:
    """What was not wanted is subscribed to, agreed to or asked for: whether it is wanted now, a person decides."""
    if not pair.old.denials % 2 or pair.new.denials or not pair.new.words & _TAKEN_UP:
        return Weight.NONE
    refused = _denied(pair.old) - WISHES
    return Weight.graded(strong=False, weak=bool(refused) and refused <= pair.new.keys)


_TAKEN_UP = words("taken_up")


def _denied(statement: Statement) -> frozenset[str]:
    """What stands after a denial in its clause."""
    found: set[str] = set()
    denied = False
    for token in statement.tokens:
        if token.sort is Sort.STOP or token.word in {"but", "and", "aber", "und", "mais", "et", "pero", "y"}:
            denied = False
        elif token.sort is Sort.NEGATION:
            denied = True
        elif denied and token.sort in (Sort.WORD, Sort.NAME, Sort.CODE):
            found.add(token.key)
    return frozenset(found)


def now_denied(pair: Pair) -> Weight:
    """What was said is denied; strong only if all of it is, since a denial may concern one case of many."""
    if pair.old.denials % 2 or not pair.new.denials % 2 or not pair.said_again or same_limits(pair):
        return Weight.NONE
    whole = pair.old.predicate <= pair.new.keys and not _narrowed(pair)
    return Weight.graded(strong=whole, weak=pair.topic >= HALF_OF_IT)


def _narrowed(pair: Pair) -> bool:
    """Whether the denial goes on with words of its own: "can't swim" against "can't swim in cold water"."""
    denied = False
    own = {t.key for t in pair.alone_in_new if t.word not in CORRECTIONS}
    for token in pair.new.tokens:
        if token.sort is Sort.STOP:
            denied = False
        elif token.sort is Sort.NEGATION:
            denied = True
        elif denied and token.key in own:
            return True
    return False


def ended(pair: Pair) -> Weight:
    """ "No longer", "not any more" of what the old statement says, and not of something else of its subject."""
    if not says_ended(pair) or not pair.said_again:
        return Weight.NONE
    return Weight.graded(
        strong=pair.old.verbal and pair.coverage >= HALF_OF_IT, weak=pair.coverage >= SOME_OF_IT
    )
