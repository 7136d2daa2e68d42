"""Signs in a new statement that an old one, told in other words, no longer holds."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from vault.writing.reconciling.lexicon import (
    CLOSING_STATES,
    COPULAS,
    CORRECTIONS,
    ENDED,
    ENDINGS_OF_STATE,
    EXCLUSIVE,
    HABITS,
    OCCASIONS,
    ONLY,
    OPEN_STATES,
    PLACE_VERBS,
    ROLE_ADJECTIVES,
    ROLES,
    SKIPPED,
    TRANSITIONS,
    TURNS,
    WISHES,
)
from vault.writing.reconciling.numerals import UNITS
from vault.writing.reconciling.pair import Pair
from vault.writing.reconciling.sameness import same_limits
from vault.writing.reconciling.statement import Sort, Statement, Token
from vault.writing.reconciling.values import Measure
from vault.writing.reconciling.weight import Weight

# Shares of the old statement's things that the new one names again.
MOST_OF_IT, HALF_OF_IT, SOME_OF_IT = 0.6, 0.5, 0.3


def evidence_of_change(pair: Pair) -> Weight:
    """The strongest sign; what was done once, and what holds in another case, is never replaced by itself."""
    weight = max(sign(pair) for sign in _SIGNS)
    long = max(len(pair.old.content), len(pair.new.content)) > ONE_POINT
    if weight is Weight.STRONG and (pair.old.past or pair.circumstances or long):
        weight = Weight.WEAK
    if weight is Weight.WEAK and long and pair.topic < HALF_OF_IT and pair.similarity < LONG_SIMILARITY:
        return Weight.NONE
    return weight


# A longer statement makes more than one point, and a change in one leaves the others.
ONE_POINT = 12
LONG_SIMILARITY = 0.5


def _now_affirmed(pair: Pair) -> Weight:
    """What was denied is so: "is not a member", "joined as a member"."""
    if not (pair.old.denials % 2 and not pair.new.denials % 2) or same_limits(pair):
        return Weight.NONE
    denied = _denied(pair.old)
    affirmed = len(denied & pair.new.keys) >= MOST_OF_IT * len(denied) if denied else False
    return Weight.graded(strong=affirmed and pair.topic >= MOST_OF_IT, weak=affirmed and pair.topic >= SOME_OF_IT)


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


def _now_denied(pair: Pair) -> Weight:
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


def _ended(pair: Pair) -> Weight:
    """ "No longer", "not any more" of what the old statement says, and not of something else of its subject."""
    if not _says_ended(pair) or not pair.said_again:
        return Weight.NONE
    return Weight.graded(strong=pair.old.verbal and pair.coverage >= HALF_OF_IT, weak=pair.coverage >= SOME_OF_IT)


def _says_ended(pair: Pair) -> bool:
    words = [t.word for t in pair.new.tokens]
    return any(tuple(words[at : at + 2]) in ENDED or word in ENDED for at, word in enumerate(words))


def _turned(pair: Pair) -> Weight:
    """A word of change or ending beside what the old statement says."""
    if not _cue(pair) or not pair.said_again:
        return Weight.NONE
    if pair.new.keys & SKIPPED and pair.old.signs & HABITS and pair.new.signs & OCCASIONS:
        return Weight.NONE  # one occasion left out; the habit stands
    return Weight.graded(
        strong=pair.topic >= HALF_OF_IT and pair.share_said_again >= SOME_OF_IT,
        weak=pair.topic >= SOME_OF_IT and pair.share_said_again >= SOME_OF_IT,
    )


def _cue(pair: Pair) -> bool:
    return bool(pair.new.words & (ENDINGS_OF_STATE | TURNS) - pair.old.words)


def _correction(pair: Pair) -> bool:
    return bool(pair.new.words & (ENDINGS_OF_STATE | CORRECTIONS) - pair.old.words)


def tells_of_a_turn(pair: Pair) -> bool:
    """Whether a statement with another subject speaks of a change in what was said."""
    ended = bool(pair.new.words & ENDINGS_OF_STATE - pair.old.words)
    anchored = any(
        t.sort in (Sort.CODE, Sort.VALUE) and t.key in pair.new.predicate for t in pair.old.subject
    )  # "order 5561" as what is done to
    return ended and (anchored or pair.share_said_again >= MOST_OF_IT) and not pair.old.past


def _left_behind(pair: Pair) -> Weight:
    """ "Switched from X to Y", where X is what the old statement says."""
    tokens = pair.new.tokens
    left = {
        tokens[at + 2].key
        for at, token in enumerate(tokens[:-2])
        if token.word in TURNS and tokens[at + 1].word in {"from", "von", "de", "da"}
    }
    return Weight.graded(strong=bool(left & pair.old.predicate), weak=False)


def _other_value(pair: Pair) -> Weight:
    """Another value of the same measure. A second measure that differs too, or another name, is a second case."""
    clashing = pair.clashing()
    if not clashing or not pair.topic or pair.old.past:
        return Weight.NONE
    if _names_apart(pair) or (len(clashing) > 1 and clashing & _CASES):
        return Weight.NONE
    cue, role = _correction(pair), bool(pair.old.keys & pair.new.keys & ROLES)
    if pair.new.past and clashing <= _CASES and not (cue and (role or pair.topic >= HALF_OF_IT)):
        return Weight.NONE  # the day of something that was done
    sure = clashing != {Measure.NUMBER} or role or cue or _counts_the_same(pair)
    enough = SOME_OF_IT if cue or role else MOST_OF_IT
    return Weight.graded(strong=sure and pair.topic >= enough, weak=pair.topic >= SOME_OF_IT)


_CASES = frozenset({Measure.DATE.value, Measure.WEEKDAY.value, Measure.YEAR.value})


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


def _elsewhere(pair: Pair) -> Weight:
    """The same verb of which there is one answer at a time, with another name: lives in Turin, lives in Milan."""
    verbs = {s.tokens[s.head].key for s in (pair.old, pair.new)}
    same = len(verbs) == 1 and verbs <= PLACE_VERBS and _names_apart(pair)
    return Weight.graded(strong=same and _correction(pair), weak=same)


def _names_apart(pair: Pair) -> bool:
    """Whether each statement has a name that the other lacks."""
    return all(any(t.sort is Sort.NAME for t in alone) for alone in (pair.alone_in_old, pair.alone_in_new))


def _no_longer_only(pair: Pair) -> Weight:
    """ "Only for reading" does not go with "all day"."""
    tokens = pair.old.tokens
    limits = any(
        t.word in ONLY and after.sort is not Sort.VALUE and after.word not in {"a", "an"}
        for t, after in zip(tokens, tokens[1:], strict=False)
    )
    limited = limits and not pair.new.words & ONLY and bool(pair.alone_in_new)
    return Weight.graded(strong=limited and pair.coverage >= MOST_OF_IT, weak=False)


def _settled(pair: Pair) -> Weight:
    """What was open, pending or broken is closed, approved or mended."""
    if not pair.old.keys & OPEN_STATES or not (pair.new.keys & CLOSING_STATES - pair.old.keys | pair.new.words & ENDINGS_OF_STATE):
        return Weight.NONE
    same_thing = bool(pair.old.of(Sort.CODE, Sort.VALUE) & pair.new.keys)
    return Weight.graded(strong=same_thing or pair.coverage >= HALF_OF_IT, weak=pair.coverage >= HALF_OF_IT)


def _reversed(pair: Pair) -> Weight:
    if not pair.opposed or pair.old.denials % 2 != pair.new.denials % 2:
        return Weight.NONE  # the opposite denied is the same again
    return Weight.graded(strong=pair.coverage >= MOST_OF_IT, weak=pair.coverage >= SOME_OF_IT)


def _other_holder(pair: Pair) -> Weight:
    """The same role, of which there is one at a time, with another name."""
    if not _roles(pair.old) & _roles(pair.new):
        return Weight.NONE
    said = {t.key for t in pair.old.tokens[pair.old.head :] if t.sort is Sort.NAME}
    names = pair.new.of(Sort.NAME) - pair.old.keys
    replaced = bool(said and names and not said & pair.new.keys)
    return Weight.graded(strong=replaced and pair.coverage >= SOME_OF_IT, weak=replaced)


def _roles(statement: Statement) -> frozenset[str]:
    """Roles that are told of: as the subject, after "is", or at the very beginning."""
    said = {t.key for t in statement.subject} | {t.key for t in statement.content[:1]}
    said.add(statement.tokens[statement.head].key)  # "reports to"
    if statement.words & COPULAS:
        said |= statement.predicate
    following = {t.key: after.key for t, after in zip(statement.content, statement.content[1:], strict=False)}
    # "The favourite book" and "the favourite film" are two.
    return frozenset(f"{r} {following.get(r, '')}" if r in ROLE_ADJECTIVES else r for r in ROLES & said if following.get(r) not in UNITS)


def _moved_on(pair: Pair) -> Weight:
    """A state and the step that ends it: lives somewhere, moved elsewhere."""
    old, new = pair.old.signs, pair.new.signs
    passed = not pair.new.denials and any(states & old and steps & new - old for states, steps in TRANSITIONS)
    names = pair.old.of(Sort.NAME) & pair.new.keys
    return Weight.graded(strong=passed and not names - {t.key for t in pair.old.subject}, weak=passed)


def _other_wish(pair: Pair) -> Weight:
    """Of a few ways that exclude each other, another one is asked for."""
    for ways in EXCLUSIVE:
        mine, theirs = pair.old.keys & ways, pair.new.keys & ways
        if mine and theirs and not mine & theirs and (pair.old.keys | pair.new.keys) & WISHES:
            topic = (pair.old.things - ways - WISHES) & pair.new.keys
            return Weight.graded(strong=bool(topic), weak=True)
    return Weight.NONE


_SIGNS: tuple[Callable[[Pair], Weight], ...] = (
    _now_affirmed,
    _now_denied,
    _ended,
    _turned,
    _left_behind,
    _other_value,
    _no_longer_only,
    _elsewhere,
    _settled,
    _reversed,
    _other_holder,
    _moved_on,
    _other_wish,
)
