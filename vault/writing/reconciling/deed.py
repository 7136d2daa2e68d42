"""What was done once, told from what holds: a deed breaks a rule or a habit, and does not end it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from vault.writing.reconciling.lexicon import (
    CLOSING_STATES,
    COPULAS,
    ENDINGS_OF_STATE,
    HABITS,
    KIN,
    OPEN_STATES,
    TRANSITIONS,
    TURNS,
    key_of,
)
from vault.writing.reconciling.pair import Pair
from vault.writing.reconciling.statement import Sort, Statement, Token
from vault.writing.reconciling.verbs import PARTICIPLES, PAST_FORMS
from vault.writing.reconciling.vocabulary import words

_STEPS = frozenset(step for _, steps in TRANSITIONS for step in steps)
# Verbs by which something begins, is set or is settled; the words of endings and of turns do the same.
_CHANGES = ENDINGS_OF_STATE | TURNS | _STEPS | words("changes")
_LIFTS = ENDINGS_OF_STATE | TURNS | words("taken_up")
_LEAVE = key_of("leave")
_GAINS, _HAVING = words("gains"), words("having")
_WAS, _HAS, _TOLD = words("was"), words("perfect"), words("told")
_FOR, _OTHERS = words("on_behalf"), KIN | frozenset(key_of(word) for word in words("others"))
_SPEAKERS = frozenset({"i", "we", "ich", "wir", "je", "nous", "yo"})
# "Once" is a habit in "once a week", and by itself the opposite.
_STANDING = (HABITS - {"once", "twice"}) | words("standing")

LONG_WORD = 4
NEAR = 3
_GERMAN_PARTICIPLE = re.compile(r"(?:\w{0,6}ge|be|ver|er|ent|zer)\w{2,}(?:t|en)|\w{3,}iert")
_ROMANCE_PARTICIPLE = re.compile(r"\w{2,}(?:é|ée|és|ées|ado|ada|ido|ida|ato|ata|uto|uta|ito)")


def done_once(pair: Pair) -> bool:
    """Whether the new statement tells of a deed that leaves what held before as it was.

    To move, join, leave or cancel is a step that ends a state, unless it is the very thing that the old
    statement has a rule or a habit of: "never sell to minors", "sold to a minor".
    """
    new = pair.new
    deed = None if new.words & _STANDING else _deed(new)
    # What was told, asked for or found out may hold from then on; and what was not done yet ends by a deed.
    if deed is None or deed.word in _TOLD or (pair.old.denials and _deed(pair.old) is not None):
        return False
    if (_LEAVE if deed.word == "left" else deed.key) in pair.old.keys:
        return True
    gained = deed.word in _GAINS and bool(pair.old.words & _HAVING)
    closed = deed.key in CLOSING_STATES and bool(pair.old.keys & OPEN_STATES)
    return not (gained or closed or deed.word in _changes(pair.old))


def _changes(old: Statement) -> frozenset[str]:
    """The words of steps that end what it tells; "no calls" is a rule, that no call joined or begun ends."""
    rules_out = old.denials and not old.words & (COPULAS | _HAVING)
    return _LIFTS if rules_out else _CHANGES


def for_somebody_else(pair: Pair) -> bool:
    """Whether the new statement says that it was for another person, of whom the old one does not speak."""
    tokens = pair.new.tokens
    return any(
        _is_other(tokens[at + 1 : at + 1 + NEAR], pair)
        for at, token in enumerate(tokens)
        if token.word in _FOR
    )


def _is_other(following: Sequence[Token], pair: Pair) -> bool:
    """A relative or a guest; a name only beside an actor who is another: it may be the customer's own."""
    actor = pair.new.tokens[: pair.new.head]
    told = any(t.sort is Sort.NAME or t.word in _SPEAKERS for t in actor)
    for token in following:
        if token.sort in (Sort.STOP, Sort.VALUE):
            return False
        if token.key in pair.old.keys or token in actor:
            continue
        if token.key in _OTHERS or key_of(token.word) in _OTHERS or (told and token.sort is Sort.NAME):
            return True
    return False


def _deed(statement: Statement) -> Token | None:
    """The verb of what was done; the auxiliary where nothing but "was" is told, None where no deed is."""
    tokens = [t for t in statement.tokens[statement.head :] if t.sort is not Sort.NEGATION]
    if not statement.verbal:
        # A clause in which no verb of the list was found: the first form of the past is it.
        tokens = tokens[next((at for at, t in enumerate(tokens) if _is_past(t.word)), len(tokens)) :]
    if len(tokens) > 1 and tokens[1].word in PAST_FORMS and not _is_past(tokens[0].word):
        tokens = tokens[1:]  # "delivery came": a noun of the form of a verb
    if not tokens:
        return None
    first, rest = tokens[0], tokens[1:]
    if first.word in _WAS:
        return next((t for t in rest if _is_participle(t.word)), first)
    if first.word in _HAS:
        clause = rest[: next((at for at, t in enumerate(rest) if t.sort is Sort.STOP), len(rest))]
        return next((t for t in (*clause[:NEAR], *clause[-1:]) if _is_participle(t.word)), None)
    return first if _is_past(first.word) else None


def _is_past(word: str) -> bool:
    # Spanish and Italian write the third person of what was done with this accent.
    return word in PAST_FORMS or (len(word) > LONG_WORD and word.endswith(("ed", "ó")))


def _is_participle(word: str) -> bool:
    if word in PARTICIPLES or _is_past(word):
        return True
    return bool(_GERMAN_PARTICIPLE.fullmatch(word) or _ROMANCE_PARTICIPLE.fullmatch(word))
