"""Another value, holder, place or way in the place of the one that was told."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from vault.writing.reconciling.amounts import Measure
from vault.writing.reconciling.cues import HALF_OF_IT, MOST_OF_IT, SOME_OF_IT, corrects
from vault.writing.reconciling.lexicon import (
    COPULAS,
    EXCLUSIVE,
    PLACE_VERBS,
    PREPOSITIONS,
    ROLE_ADJECTIVES,
    ROLES,
    TRANSITIONS,
    WISHES,
    key_of,
)
from vault.writing.reconciling.numerals import UNITS
from vault.writing.reconciling.pair import Pair
from vault.writing.reconciling.statement import Sort, Statement, Token
from vault.writing.reconciling.weight import Weight

SHORT_FILLER = 3

_CASES = frozenset({Measure.DATE.value, Measure.WEEKDAY.value, Measure.YEAR.value})


def other_value(pair: Pair) -> Weight:
    """Another value of the same measure. A second measure that differs too, or another name, is a second case."""
    clashing = pair.clashing()
    if not clashing or not pair.topic or pair.old.past:
        return Weight.NONE
    if _names_apart(pair) or (len(clashing) > 1 and clashing & _CASES):
        return Weight.NONE
    cue, role = corrects(pair), bool(pair.old.keys & pair.new.keys & ROLES)
    if pair.new.past and clashing <= _CASES and not (cue and (role or pair.topic >= HALF_OF_IT)):
        return Weight.NONE  # the day of something that was done
    sure = clashing != {Measure.NUMBER} or role or cue or _counts_the_same(pair)
    enough = SOME_OF_IT if cue or role else MOST_OF_IT
    return Weight.graded(strong=sure and pair.topic >= enough, weak=pair.topic >= SOME_OF_IT)


def _counts_the_same(pair: Pair) -> bool:
    return bool(_beside_numbers(pair.old.content) & _beside_numbers(pair.new.content))


def _beside_numbers(content: Sequence[Token]) -> frozenset[str]:
    """The words before and after each bare number: what it counts."""
    return frozenset(
        beside.key
        for at, token in enumerate(content)
        if token.measure == Measure.NUMBER
        for beside in content[max(0, at - 1) : at + 2]
        if beside.sort is not Sort.VALUE
    )


def elsewhere(pair: Pair) -> Weight:
    """The same verb of which there is one answer at a time, with another name: lives in Turin, lives in Milan."""
    verbs = {s.verb.key for s in (pair.old, pair.new)}
    same = len(verbs) == 1 and verbs <= PLACE_VERBS and _names_apart(pair)
    return Weight.graded(strong=same and corrects(pair), weak=same)


def _names_apart(pair: Pair) -> bool:
    """Whether each statement has a name that the other lacks."""
    return all(any(t.sort is Sort.NAME for t in alone) for alone in (pair.alone_in_old, pair.alone_in_new))


def other_holder(pair: Pair) -> Weight:
    """The same role, of which there is one at a time, with another name."""
    if not _roles(pair.old) & _roles(pair.new):
        return Weight.NONE
    said = {t.key for t in pair.old.tokens[pair.old.head :] if t.sort is Sort.NAME}
    names = pair.new.of(Sort.NAME) - pair.old.keys
    replaced = bool(said and names and not said & pair.new.keys)
    return Weight.graded(strong=replaced and pair.coverage >= SOME_OF_IT, weak=replaced)


def other_filler(pair: Pair) -> Weight:
    """ "The delivery address is ...", once this and once that: one subject, of which there is one at a time.

    Short ones with nothing in common are the old and the new; where they share words, one may say more of the other.
    """
    old, new = pair.old, pair.new
    if not (old.verb.word in COPULAS and new.verb.word in COPULAS) or old.past or new.past:
        return Weight.NONE
    slot = frozenset(t.key for t in old.subject)
    if not slot & ROLES or slot != {t.key for t in new.subject} or _begins_apart(old, new):
        return Weight.NONE
    was, now = old.predicate - {old.verb.key}, new.predicate - {new.verb.key}
    if not was - now or not now - was:
        return Weight.NONE
    short = not was & now and max(len(was), len(now)) <= SHORT_FILLER
    return Weight.graded(strong=short and _filled_with(old) == _filled_with(new), weak=True)


def _filled_with(statement: Statement) -> frozenset[Sort]:
    """The sorts of what stands behind "is": a name, a value, or words alone."""
    sorts = {t.sort for t in statement.tokens[statement.head :]}
    return frozenset(sorts & {Sort.NAME, Sort.VALUE, Sort.CODE})


def _begins_apart(old: Statement, new: Statement) -> bool:
    """Whether one says what it is and the other where, when or for whom: "is the annex", "is for parcels"."""
    after = [s.tokens[s.head + 1].word if s.head + 1 < len(s.tokens) else "" for s in (old, new)]
    relates = [word in PREPOSITIONS for word in after]
    return relates[0] != relates[1] or (all(relates) and after[0] != after[1])


def _roles(statement: Statement) -> frozenset[str]:
    """Roles that are told of: as the subject, after "is", or at the very beginning."""
    said = {t.key for t in statement.subject} | {t.key for t in statement.content[:1]}
    said.add(statement.verb.key)  # "reports to"
    if statement.words & COPULAS:
        said |= statement.predicate
    following = {t.key: after.key for t, after in pairwise(statement.content)}
    # "The favourite book" and "the favourite film" are two.
    return frozenset(
        f"{r} {following.get(r, '')}" if r in ROLE_ADJECTIVES else r
        for r in ROLES & said
        if following.get(r) not in UNITS
    )


def moved_on(pair: Pair) -> Weight:
    """A state and the step that ends it: lives somewhere, moved elsewhere."""
    old, new = pair.old.signs, pair.new.signs
    passed = not pair.new.denials and any(states & old and steps & new - old for states, steps in TRANSITIONS)
    names = pair.old.of(Sort.NAME) & pair.new.keys
    return Weight.graded(strong=passed and not names - {t.key for t in pair.old.subject}, weak=passed)


def other_wish(pair: Pair) -> Weight:
    """Of a few ways that exclude each other, another one is asked for."""
    if not (pair.old.keys | pair.new.keys) & WISHES:
        return Weight.NONE
    for ways in EXCLUSIVE:
        before, behind = _ways(pair.old, ways)[0], _ways(pair.new, ways)[1]
        mine, theirs = before or pair.old.keys & ways, (pair.new.keys & ways) - behind
        if mine and theirs and not mine & theirs:
            topic = (pair.old.things - ways - WISHES) & pair.new.keys
            return Weight.graded(strong=bool(topic) or mine <= behind, weak=True)
    return Weight.NONE


def _ways(statement: Statement, ways: frozenset[str]) -> tuple[frozenset[str], frozenset[str]]:
    """The ways before and behind "rather than" or, of what is preferred, "to": two none where neither is said."""
    preferred = _PREFER in statement.keys
    words = [t.word for t in statement.tokens]
    for at, word in enumerate(words):
        turn = word in _RATHER_THAN or (preferred and word in _PREFERRED_TO)
        before, behind = (
            frozenset(t.key for t in side) & ways for side in (statement.tokens[:at], statement.tokens[at:])
        )
        if turn and before and behind:
            return before, behind - before
    return frozenset(), frozenset()


_PREFER = key_of("prefer")
_PREFERRED_TO = frozenset({"to", "over", "vor", "à", "a"})
_RATHER_THAN = frozenset({"rather-than", "than", "statt", "anstatt", "plutôt", "que"})
