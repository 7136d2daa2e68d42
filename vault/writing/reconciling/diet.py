"""A way of eating, and the food that it leaves out."""

from __future__ import annotations

from vault.writing.reconciling.deed import done_once
from vault.writing.reconciling.lexicon import COPULAS, TURNS
from vault.writing.reconciling.pair import Pair
from vault.writing.reconciling.vocabulary import entries, words
from vault.writing.reconciling.weight import Weight

_EATING, _TAKING = words("eating"), words("taking")
_LEFT_OUT = tuple(
    (frozenset(diets.split()), frozenset(food.split()))
    for diets, food in (line.split(" > ") for line in entries("left_out"))
)


def eats_what_was_left_out(pair: Pair) -> Weight:
    """ "Is vegetarian", and eats meat. To name the food, or to have had it once, ends no way of eating."""
    old, new = pair.old, pair.new
    named = any(diets & old.signs and food & new.signs - old.signs for diets, food in _LEFT_OUT)
    if not named or new.denials:
        return Weight.NONE
    habit = new.verb.word in _EATING or bool(new.words & TURNS)
    once = bool(new.words & _TAKING) and done_once(pair)
    return Weight.graded(strong=habit, weak=once or new.verb.word in COPULAS)
