"""Words in a new statement that speak of change, and how much of the old one it must name for them to count."""

from __future__ import annotations

from vault.writing.reconciling.lexicon import CORRECTIONS, ENDED, ENDINGS_OF_STATE, TURNS
from vault.writing.reconciling.pair import Pair
from vault.writing.reconciling.statement import Sort

# Shares of the old statement's things that the new one names again.
MOST_OF_IT, HALF_OF_IT, SOME_OF_IT = 0.6, 0.5, 0.3


def says_ended(pair: Pair) -> bool:
    words = [t.word for t in pair.new.tokens]
    said = any(tuple(words[at : at + 2]) in ENDED or word in ENDED for at, word in enumerate(words))
    return said and bool(pair.new.denials)  # "any more?" ends nothing


def turns(pair: Pair) -> bool:
    return bool(pair.new.words & (ENDINGS_OF_STATE | TURNS) - pair.old.words)


def corrects(pair: Pair) -> bool:
    return bool(pair.new.words & (ENDINGS_OF_STATE | CORRECTIONS) - pair.old.words)


def tells_of_a_turn(pair: Pair) -> bool:
    """Whether a statement with another subject speaks of a change in what was said."""
    ended = bool(pair.new.words & ENDINGS_OF_STATE - pair.old.words)
    anchored = any(
        t.sort in (Sort.CODE, Sort.VALUE) and t.key in pair.new.predicate for t in pair.old.subject
    )  # "order 5561" as what is done to
    return ended and (anchored or pair.share_said_again >= MOST_OF_IT) and not pair.old.past
