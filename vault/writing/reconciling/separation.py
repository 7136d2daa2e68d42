"""Whether two statements are about different things, however alike their words are."""

from __future__ import annotations

from vault.writing.reconciling.lexicon import FUNCTIONAL, KIN, TURNS
from vault.writing.reconciling.pair import Pair
from vault.writing.reconciling.statement import Sort


def speaks_of_another(pair: Pair) -> bool:
    return pair.adds or _other_codes(pair) or _other_person(pair)


def _other_codes(pair: Pair) -> bool:
    """Two order numbers are two orders; two door codes may be the old one and the new one."""
    mine, theirs = pair.old.of(Sort.CODE), pair.new.of(Sort.CODE)
    return bool(mine and theirs and not mine & theirs and not pair.old.keys & FUNCTIONAL)


def other_subject(pair: Pair) -> bool:
    """Each subject has something that the other statement lacks altogether: the Bath shop, the Exeter shop."""
    mine = [t for t in pair.old.subject if t.key not in pair.new.keys]
    theirs = [t for t in pair.new.subject if t.key not in pair.old.keys and t.sort is not Sort.NEGATION and t.key not in TURNS]
    return bool(mine and theirs)


def _other_person(pair: Pair) -> bool:
    """The new statement is about a relative of whom the old one does not speak, or the other way round."""
    return {t.key for t in pair.old.subject} & KIN != {t.key for t in pair.new.subject} & KIN
