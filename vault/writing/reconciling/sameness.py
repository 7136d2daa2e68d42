"""Whether a new statement only repeats an old one in other words or another format."""

from __future__ import annotations

from vault.writing.reconciling.amounts import Measure
from vault.writing.reconciling.lexicon import LOWER_BOUNDS, OPPOSITE_DIRECTIONS, UPPER_BOUNDS
from vault.writing.reconciling.pair import Pair
from vault.writing.reconciling.roles import turned_around
from vault.writing.reconciling.statement import Sort, Statement, unaccented
from vault.writing.reconciling.stemming import stem

# Measured on labelled pairs and on notes from conversations: the least similarity at which two statements without
# a differing fact are the same, by how many words either has alone. More words of its own are news.
ONE_WORD_SIMILARITY = 0.68
TWO_WORDS_SIMILARITY = 0.76
NEARLY_ALL_SHARED, NEARLY_ALL_SIMILARITY = 0.78, 0.8
SAME_VALUE_SIMILARITY = 0.57
SAME_LIMIT_SIMILARITY = 0.4
MOST_OTHER_WORDS = 5
NEVER = 2.0
# A number by itself may only name a thing, and a year or a day a period: none shows that the same is meant.
_WEAK_MEASURES = frozenset({Measure.NUMBER.value, Measure.YEAR.value, Measure.WEEKDAY.value})
_EMPTY_WORDS = frozenset(
    stem(word) for word in ["person", "people", "thing", "time", "way", "line", "located"]
)


def says_the_same(pair: Pair) -> bool:
    """True only where no number, name, code, date, unit, denial or limit differs."""
    old, new = pair.old, pair.new
    if not (old.whole and new.whole) or old.asks != new.asks or not _same_facts(pair) or pair.opposed:
        return False
    if turned_around(pair):
        return False
    if old.sequence == new.sequence:
        return True
    if (
        names_change_places(pair)
        or opposite_directions(old, new)
        or not old.keys & new.keys
        or _other_wording(pair)
    ):
        return False
    return pair.similarity >= _least_similarity(pair)


def names_change_places(pair: Pair) -> bool:
    """Who does it to whom: "Ana helps Bo" is not "Bo helps Ana"."""
    mine = [t.key for t in pair.old.content if t.key in pair.names and t.key in pair.new.keys]
    theirs = [t.key for t in pair.new.content if t.key in pair.names and t.key in pair.old.keys]
    return list(dict.fromkeys(mine)) != list(dict.fromkeys(theirs))


def _least_similarity(pair: Pair) -> float:
    mine = [t for t in pair.alone_in_old if t.key not in _EMPTY_WORDS]
    theirs = [t for t in pair.alone_in_new if t.key not in _EMPTY_WORDS]
    others = len(mine) + len(theirs)
    if same_limits(pair) and others <= MOST_OTHER_WORDS:
        return SAME_LIMIT_SIMILARITY
    if _telling(pair) and others <= MOST_OTHER_WORDS and pair.old.past == pair.new.past:
        return SAME_VALUE_SIMILARITY
    if others <= 2:
        return ONE_WORD_SIMILARITY if others <= 1 else TWO_WORDS_SIMILARITY
    everything = len(pair.old.content) + len(pair.new.content)
    return NEARLY_ALL_SIMILARITY if others <= (1 - NEARLY_ALL_SHARED) * everything else NEVER


HALF = 0.5


def _telling(pair: Pair) -> bool:
    """Whether the values that they share are such as two statements seldom share by chance."""
    return any(t.measure not in _WEAK_MEASURES for t in pair.old.content if t.sort is Sort.VALUE)


def _same_facts(pair: Pair) -> bool:
    old, new = pair.old, pair.new
    if old.of(Sort.MASKED) or new.of(Sort.MASKED):
        return False  # what screening hid may differ
    exact = (Sort.VALUE, Sort.CODE, Sort.SYMBOL)
    if old.of(*exact) != new.of(*exact) or not _same_names(old, new):
        return False
    return old.denials % 2 == new.denials % 2 or same_limits(pair)


def same_limits(pair: Pair) -> bool:
    """Whether both set a limit by the same value from the same side: "not before nine", "from nine on"."""
    mine, theirs = _limits(pair.old), _limits(pair.new)
    return bool(mine) and mine == theirs and pair.old.values == pair.new.values


def _limits(statement: Statement) -> frozenset[tuple[str, bool]]:
    """Each value that is a limit, and whether what lies below it is meant."""
    found: set[tuple[str, bool]] = set()
    upper: bool | None = None
    denied = False
    for token in statement.tokens:
        if token.sort is Sort.STOP:
            upper, denied = None, False
        elif token.sort is Sort.NEGATION:
            denied = not denied
        elif token.sort is Sort.VALUE:
            if upper is not None:
                found.add((token.key, upper != denied))
            upper, denied = None, False
        elif token.word in UPPER_BOUNDS or token.key in UPPER_BOUNDS:
            upper = True
        elif token.word in LOWER_BOUNDS or token.key in LOWER_BOUNDS:
            upper = False
        elif token.sort is not Sort.FUNCTION:
            upper = None  # "from home on Friday" limits no Friday
    return frozenset(found)


def opposite_directions(old: Statement, new: Statement) -> bool:
    mine, theirs = old.words - new.words, new.words - old.words
    return any(
        (one in mine and other in theirs) or (other in mine and one in theirs)
        for one, other in OPPOSITE_DIRECTIONS
    )


def _same_names(old: Statement, new: Statement) -> bool:
    """Every name of one stands in the other as it is written, whatever its case there."""
    return _names(old) <= _spelled(new) and _names(new) <= _spelled(old) and not spelled_apart(old, new)


def _names(statement: Statement) -> set[str]:
    return {t.word.removesuffix("'s") for t in statement.content if t.sort is Sort.NAME}


def _spelled(statement: Statement) -> set[str]:
    return {unaccented(word.removesuffix("'s")) for word in statement.words} | set(statement.keys)


def spelled_apart(old: Statement, new: Statement) -> bool:
    """Two words of one stem that differ by a last vowel ("Julian", "Juliane") may be two names."""
    spelled = {t.key: t.word for t in new.content if t.sort in (Sort.WORD, Sort.NAME)}
    return any(
        t.word != other and t.word.rstrip(_VOWELS) == other.rstrip(_VOWELS)
        for t in old.content
        if t.sort in (Sort.WORD, Sort.NAME) and (other := spelled.get(t.key, t.word))
    )


_VOWELS = "aeioy"


def _other_wording(pair: Pair) -> bool:
    """Whether words stand in the place of others in one sentence, or a word narrows what was said.

    Of scripts that the embedding was not made for, its similarity says nothing about words that differ.
    """
    if any(
        not t.word.isascii() and not unaccented(t.word).isascii()
        for t in (*pair.alone_in_old, *pair.alone_in_new)
    ):
        return True
    if len(pair.spans) != 1:
        return False
    was, now = pair.spans[0]
    if not was and _telling(pair):
        return False
    return bool(now) and pair.coverage >= HALF and not all(t.key in _EMPTY_WORDS for t in now)
