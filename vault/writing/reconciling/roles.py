"""Who does what to whom: the same words in another order are often another statement.

A moved phrase says the same again ("On trains she prefers a window seat") where it keeps its preposition, and so do the
two sides of "is". Anything else that changes places may be another's act, another's doctor or another cause: then
nothing is merged, since the second statement would be lost.
"""

from __future__ import annotations

from collections.abc import Sequence

from vault.writing.reconciling.lexicon import CONJUNCTIONS, COPULAS, EXCEPTIONS, PERSONS, PREPOSITIONS
from vault.writing.reconciling.pair import Pair
from vault.writing.reconciling.statement import Sort, Statement

# From whom, to whom: what changes places between these is turned around.
_WAYS = frozenset({"from", "to", "von", "an", "zu", "de", "à", "a", "da", "desde", "hacia", "para"})
_INTRODUCING = PREPOSITIONS | CONJUNCTIONS
JOINING = frozenset(
    {"and", "or", "nor", "und", "oder", "et", "ou", "ni", "y", "o", "e", "и", "или", ",", "&", "/", "+"}
)
HOLDING = frozenset({"has", "have", "holds", "hat", "haben", "a", "ont", "tiene", "tienen", "ha"})
WITH = frozenset({"with", "at", "bei", "chez", "con"})


def turned_around(pair: Pair) -> bool:
    """Whether the two have their words in common and not who does it, to whom, or before what."""
    old, new = pair.old, pair.new
    return (
        bool(old.words & EXCEPTIONS) != bool(new.words & EXCEPTIONS)
        or _people_change_places(old, new)
        or _ways_change_places(old, new)
        or _clauses_change_places(old, new)
        or _another_acts(old, new)
        or _another_acts(new, old)
        or _parts_change_places(pair)
    )


def _people_change_places(old: Statement, new: Statement) -> bool:
    """ "I may call him", "he may call me"."""
    mine, theirs = ([PERSONS[t.word] for t in s.tokens if t.word in PERSONS] for s in (old, new))
    return mine != theirs and sorted(mine) == sorted(theirs)


def _ways_change_places(old: Statement, new: Statement) -> bool:
    mine, theirs = _ways(old), _ways(new)
    return any(
        way in theirs and theirs[way] != to and any(theirs[other] == to for other in theirs if other != way)
        for way, to in mine.items()
    )


def _ways(statement: Statement) -> dict[str, str]:
    """What stands behind each word of a way: a thing, or which person."""
    found: dict[str, str] = {}
    way = ""
    for token in statement.tokens:
        if token.word in _WAYS:
            way = token.word
        elif way and (token.word in PERSONS or token.sort is not Sort.FUNCTION):
            found.setdefault(way, PERSONS.get(token.word, token.key))
            way = ""
    return found


def _clauses_change_places(old: Statement, new: Statement) -> bool:
    """ "Tests before it deploys", "deploys before it tests"."""
    for word in old.words & new.words & CONJUNCTIONS:
        (before, after), (earlier, later) = _around(word, old), _around(word, new)
        if after != later and after & earlier and later & before:
            return True
    return False


def _around(word: str, statement: Statement) -> tuple[frozenset[str], frozenset[str]]:
    """What is said outside of the clause that a conjunction leads, and in it."""
    start = next(at for at, token in enumerate(statement.tokens) if token.word == word)
    rest = statement.tokens[start:]
    length = next((at for at, token in enumerate(rest) if token.sort is Sort.STOP), len(rest))
    inside = frozenset(t.key for t in rest[:length] if t in statement.content)
    return statement.keys - inside, inside


def _another_acts(old: Statement, new: Statement) -> bool:
    """Whether what one speaks of as an object does the same in the other."""
    if Sort.FUNCTION in (old.verb.sort, new.verb.sort) or old.verb.key != new.verb.key or not old.verbal:
        return False
    actors = {t.key for t in new.subject if not _leading(t.key, new)} - {t.key for t in old.subject}
    return bool(actors & old.predicate)


def _parts_change_places(pair: Pair) -> bool:
    if Sort.STOP in (pair.old.verb.sort, pair.new.verb.sort):
        return False  # a label and its value: "public holidays: closed"
    mine, theirs = _told(pair.old, pair), _told(pair.new, pair)
    if mine == theirs or sorted(mine) != sorted(theirs):
        return False
    first = next(at for at, (one, other) in enumerate(zip(mine, theirs, strict=True)) if one != other)
    last = next(at for at in range(len(mine), 0, -1) if mine[at - 1] != theirs[at - 1])
    before, after = mine[first:last], theirs[first:last]
    for cut in range(1, len(before)):
        front, back = before[:cut], before[cut:]
        if back + front == after:
            return not _may_change_places(front, back, pair)
    return True


def _told(statement: Statement, pair: Pair) -> list[str]:
    """What both speak of, in the order of one; denials and verbs aside, which stand where grammar wants them."""
    verbs = {s.verb.key for s in (pair.old, pair.new) if s.verb.sort is Sort.WORD}
    shared = pair.old.keys & pair.new.keys
    keys = (t.key for t in statement.content if t.key in shared and t.sort is not Sort.NEGATION)
    return list(dict.fromkeys(key for key in keys if key not in verbs))


def _may_change_places(front: Sequence[str], back: Sequence[str], pair: Pair) -> bool:
    return (
        _is_phrase(front, pair)
        or _is_phrase(back, pair)
        or _are_equated(front, back, pair)
        or _are_joined(front, back, pair)
        or _is_held(front, back, pair)
        or _are_one(front, back, pair)
    )


def _is_phrase(part: Sequence[str], pair: Pair) -> bool:
    """Whether a preposition or conjunction leads the part in both, or it says when or how much."""
    is_led = all(_leading(part[0], statement) for statement in (pair.old, pair.new))
    return is_led or all(key in pair.old.values for key in part)


def _leading(key: str, statement: Statement) -> str:
    """The preposition or conjunction right before a word, articles and the like aside."""
    for token in reversed(statement.tokens[: _place(key, statement)]):
        if token.word in _INTRODUCING:
            return token.word
        if token.sort is not Sort.FUNCTION or token.word in COPULAS:
            break
    return ""


def _are_equated(front: Sequence[str], back: Sequence[str], pair: Pair) -> bool:
    """ "Clara is her manager", "her manager is Clara": both sides of one "is"."""
    if not {pair.old.verb.word, pair.new.verb.word} <= COPULAS:
        return False
    subject = {t.key for t in pair.old.subject}
    return set(front) <= subject and not set(back) & subject


def _are_joined(front: Sequence[str], back: Sequence[str], pair: Pair) -> bool:
    """ "Neither meat nor fish": parts of one list have no order."""
    start, end = _place(front[-1], pair.old) + 1, _place(back[0], pair.old)
    between = [
        t for t in pair.old.tokens[start:end] if t.sort not in (Sort.FUNCTION, Sort.NEGATION, Sort.STOP)
    ]
    return start < end and not between and any(t.word in JOINING for t in pair.old.tokens[start:end])


def _is_held(front: Sequence[str], back: Sequence[str], pair: Pair) -> bool:
    """ "The keys lie with the porter", "the porter has the keys"."""
    has = [s for s in (pair.old, pair.new) if s.verb.word in HOLDING]
    other = [s for s in (pair.old, pair.new) if s.verb.word not in HOLDING]
    return len(has) == 1 and any(_leading(part[0], other[0]) in WITH for part in (front, back))


def _are_one(front: Sequence[str], back: Sequence[str], pair: Pair) -> bool:
    """ "Her dog Milo", "Milo the dog": a name and what it is of, with nothing but an article between."""
    keys = {*front, *back}
    between = range(_place(front[-1], pair.old) + 1, _place(back[0], pair.old))
    is_close = all(pair.old.tokens[at].sort is Sort.FUNCTION for at in between)
    owns = any(t.key in keys and t.word.endswith("'s") for s in (pair.old, pair.new) for t in s.tokens)
    return is_close and not owns and len(keys & pair.names) == 1 and len(keys) == len(front) + len(back) == 2


def _place(key: str, statement: Statement) -> int:
    return next(at for at, token in enumerate(statement.tokens) if token.key == key)
