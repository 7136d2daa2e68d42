"""Whether a text only restates others: it keeps their names, numbers and denials, and adds nothing. Pure.

For a text that somebody else wrote over them and that is not believed: every doubt is a no.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from vault.writing.reconciling.pair import Pair
from vault.writing.reconciling.roles import turned_around
from vault.writing.reconciling.sameness import names_change_places, opposite_directions, spelled_apart
from vault.writing.reconciling.statement import Sort, Statement, Token, read

# The share of content words that have to stand in the other text.
SHARE = 0.8
_SENTENCES = re.compile(r"(?<=[.!?…])\s+(?=[^a-z])|(?<=[。！？।])|\n+")
_EXACT = (Sort.VALUE, Sort.CODE, Sort.MASKED)


def restates(text: str, sources: Sequence[str], *, share: float = SHARE) -> bool:
    """Whether nothing of the sources is left out of the text, and nothing stands in it that none of them says."""
    new = [read(part) for part in sentences_in(text)]
    old = [read(part) for source in sources for part in sentences_in(source)]
    if not new or not old or not all(statement.whole for statement in (*new, *old)):
        return False
    return (
        _exact(new) == _exact(old)
        and _named(old) <= _spelled(new)
        and _named(new, first_words=True) <= _spelled(old)
        and all(_is_covered(statement, old, share) for statement in new)
        and all(_is_covered(statement, new, share) for statement in old)
        and all(_agrees(statement, old) for statement in new)
        and all(_agrees(statement, new) for statement in old)
    )


def quotes(text: str, sources: Sequence[str], *, beside: Iterable[str] = ()) -> bool:
    """Whether each sentence is a stretch of one sentence of the sources: its words of content, all of them, in that
    order, with nothing between them left out. `beside` are words that may stand there anyway, such as who speaks.

    Which value belongs to which thing, who did what to whom and what was only asked, no set of words can tell.
    """
    spare = {key for word in beside for key in read(word).keys}
    old = [read(part) for source in sources for part in sentences_in(source)]
    new = [read(part) for part in sentences_in(text)]
    return bool(new) and all(any(_is_stretch(part, other, spare) for other in old) for part in new)


def _is_stretch(part: Statement, whole: Statement, spare: set[str]) -> bool:
    inner = [token.key for token in part.content if token.key not in spare]
    outer = [token.key for token in whole.content if token.key not in spare]
    places = range(len(outer) - len(inner) + 1)
    is_there = bool(inner) and any(outer[at : at + len(inner)] == inner for at in places)
    return is_there and part.asks == whole.asks and part.whole and whole.whole


def sentences_in(text: str) -> list[str]:
    return [part.strip() for part in _SENTENCES.split(text) if part.strip()]


def denies_alike(sentence: str, said: Sequence[str]) -> bool:
    """Whether a sentence denies something just where what it was drawn from does.

    Without a denial it must not rest on a sentence with one; one with a denial must rest on one that denies.
    """
    new, old = read(sentence), [read(part) for part in said]
    most = max((_shared(new, other) for other in old), default=0)
    if new.denials % 2:
        return any(other.denials % 2 and _shared(new, other) >= most / 2 for other in old)
    return any(not other.denials % 2 and _shared(new, other) == most for other in old)


def _agrees(statement: Statement, others: Sequence[Statement]) -> bool:
    """Whether of the sentences most like it one denies as it does, opposes nothing and leaves names their places."""
    most = max(_shared(statement, other) for other in others)
    nearest = [other for other in others if _shared(statement, other) == most]
    return any(_is_no_other(other, statement) for other in nearest)


def _is_no_other(old: Statement, new: Statement) -> bool:
    pair = Pair(old, new, 1.0)
    turned = names_change_places(pair) or turned_around(pair) or opposite_directions(old, new)
    return not (turned or old.denials % 2 != new.denials % 2 or pair.opposed or spelled_apart(old, new))


def _is_covered(statement: Statement, others: Iterable[Statement], share: float) -> bool:
    known = {key for other in others for key in other.keys}
    keys = statement.of(Sort.WORD, Sort.NAME)
    return len(keys & known) >= share * len(keys)


def _shared(one: Statement, other: Statement) -> int:
    return len(one.keys & other.keys)


def _exact(statements: Iterable[Statement]) -> set[str]:
    return {key for statement in statements for key in statement.of(*_EXACT)}


def _named(statements: Iterable[Statement], *, first_words: bool = False) -> set[str]:
    """Names as they are written; where wanted, also what begins a sentence, which has its capital anyway."""
    return {
        _bare(token)
        for statement in statements
        for place, token in enumerate(statement.tokens)
        if token.sort is Sort.NAME or (first_words and place == 0 and token.sort is Sort.WORD)
    }


def _spelled(statements: Iterable[Statement]) -> set[str]:
    tokens = [token for statement in statements for token in statement.tokens]
    return {_bare(token) for token in tokens} | {token.key for token in tokens}


def _bare(token: Token) -> str:
    return token.word.removesuffix("'s") or token.key
