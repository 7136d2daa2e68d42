"""Words with a part in the comparison: function words, negations, cues of change, opposites, near-synonyms.

Sets of content words hold keys (stems, synonyms brought together); the others hold words as they are written.
"""

from __future__ import annotations

from collections.abc import Mapping

from vault.writing.reconciling.numerals import MONTHS
from vault.writing.reconciling.stemming import stem
from vault.writing.reconciling.vocabulary import entries, words

# Where a word stands in two groups, the first group counts.
SYNONYM: Mapping[str, str] = {
    stem(word): stem(group.split()[0]) for group in reversed(entries("synonyms")) for word in group.split()
}


def key_of(word: str) -> str:
    """What a word is compared by: its stem, or that of the first of its synonyms."""
    stemmed = stem(word)
    return SYNONYM.get(stemmed, stemmed)


def _keys(section: str) -> frozenset[str]:
    return frozenset(key_of(word) for word in words(section))


FUNCTION = words("function")
NEGATIONS = words("negations")
DIRECTIONAL = words("directional")
OPPOSITE_DIRECTIONS = tuple(tuple(pair.split("/")) for pair in sorted(words("opposite_directions")))
UPPER_BOUNDS, LOWER_BOUNDS = words("upper_bounds"), words("lower_bounds")
ENDINGS_OF_STATE = words("endings")
TURNS = words("turns")
CORRECTIONS = TURNS | words("corrections")
COPULAS = words("copulas")
PREPOSITIONS = words("prepositions")
CONJUNCTIONS, EXCEPTIONS = words("conjunctions"), words("exceptions")
PERSONS = {
    word: person for person in ("third_person", "second_person", "first_person") for word in words(person)
}
ONLY = words("only")
HABITS = words("habits")
OCCASIONS = words("occasions") | frozenset(MONTHS)

LIGHT = _keys("light")
PLACE_VERBS = _keys("place_verbs")
ROLE_ADJECTIVES = _keys("role_adjectives")
ADDITIONS = _keys("additions")
CIRCUMSTANCES = _keys("circumstances")
ROLES = _keys("roles")
FUNCTIONAL = ROLES | _keys("functional")
MANY_VALUED = _keys("many_valued")
OPEN_STATES, CLOSING_STATES = _keys("open_states"), _keys("closing_states")
KIN = _keys("kin")
SKIPPED = _keys("skipped")
WISHES = _keys("wishes")
EXCLUSIVE = tuple(frozenset(key_of(word) for word in line.split()) for line in entries("ways"))


def _transitions() -> tuple[tuple[frozenset[str], frozenset[str]], ...]:
    sides = (line.split(" > ") for line in entries("transitions"))
    return tuple((frozenset(states.split()), frozenset(steps.split())) for states, steps in sides)


TRANSITIONS = _transitions()


def _opposites() -> Mapping[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for pair in words("opposites"):
        one, other = (key_of(word) for word in pair.split("/"))
        found.setdefault(one, set()).add(other)
        found.setdefault(other, set()).add(one)
    return {word: frozenset(others) for word, others in found.items()}


OPPOSITES = _opposites()

# Two or three words that stand for one.
PHRASES: Mapping[tuple[str, ...], str] = {
    **{(verb, "to"): key_of("manager") for verb in ("reports", "report", "reporting")},
    **{(verb, "down"): key_of("decline") for verb in ("turn", "turned", "turns")},
    **{(verb, "off"): key_of("approve") for verb in ("sign", "signed", "signs")},
    **{(verb, "up"): key_of("collect") for verb in ("pick", "picks", "picked")},
    **{(verb, "up"): key_of("stop") for verb in ("give", "gave", "gives", "given")},
    **{(nobody, but): "only" for nobody in ("nobody", "none", "nothing") for but in ("but", "except")},
    **{("on", its, "way"): key_of("underway") for its in ("its", "their", "the")},
    **{phrase: key_of("underway") for phrase in (("in", "transit"), ("en", "route"), ("en", "camino"))},
    ("from", "now"): "now",
    ("instead", "of"): "rather-than",
}
# "No longer" and its like, as one word or as two that stand together.
ENDED: frozenset[str | tuple[str, str]] = frozenset({"anymore", "longer"}) | frozenset(
    {
        ("any", "more"), ("any", "longer"), ("no", "more"), ("nicht", "mehr"), ("keine", "mehr"), ("ya", "no"),
        ("não", "mais"), ("non", "più"), ("ne", "plus"), ("n", "plus"), ("لم", "يعد"), ("لم", "تعد"),
        ("अब", "नहीं"), ("ab", "nahi"), ("больше", "не"),
    }
)  # fmt: skip
