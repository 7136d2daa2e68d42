"""Whether two statements are about different things, however alike their words are."""

from __future__ import annotations

from itertools import pairwise

from vault.writing.reconciling.lexicon import COPULAS, CORRECTIONS, FUNCTIONAL, KIN
from vault.writing.reconciling.pair import Pair
from vault.writing.reconciling.statement import Sort, Token


def speaks_of_another(pair: Pair) -> bool:
    return pair.adds or _other_codes(pair) or _other_person(pair)


def _other_codes(pair: Pair) -> bool:
    """Two order numbers are two orders; two door codes may be the old one and the new one."""
    mine, theirs = pair.old.of(Sort.CODE), pair.new.of(Sort.CODE)
    return bool(mine and theirs and not mine & theirs and not pair.old.keys & FUNCTIONAL)


def other_subject(pair: Pair) -> bool:
    """Each subject has something that the other statement lacks altogether: the Bath shop, the Exeter shop.

    Or they are two people, or the new one is about something of the old one's: "Ana", "Ana's team".
    """
    old, new = pair.old.subject, pair.new.subject
    mine = [t for t in old if t.key not in pair.new.keys]
    theirs = [t for t in new if _is_new(t, pair)]
    if mine and theirs:
        return True
    people = [{t.key for t in subject if t.key in pair.names} for subject in (old, new)]
    holder = pair.old.verb.word in COPULAS and people[1] <= pair.old.predicate
    if people[0] and people[1] and not people[0] & people[1] and not holder:
        return True
    return any(t.word.endswith("'s") and _is_new(after, pair) for t, after in pairwise(new))


def _is_new(token: Token, pair: Pair) -> bool:
    return (
        token.key not in pair.old.keys and token.sort is not Sort.NEGATION and token.word not in CORRECTIONS
    )


def _other_person(pair: Pair) -> bool:
    """The new statement is about a relative of whom the old one does not speak, or the other way round."""
    return {t.key for t in pair.old.subject} & KIN != {t.key for t in pair.new.subject} & KIN
