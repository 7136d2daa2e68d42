"""A statement read for comparison: its words in order, its values, names and codes, and what it denies."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple

from vault.writing.reconciling.amounts import Measure
from vault.writing.reconciling.lexemes import Lexeme, Piece, lexemes
from vault.writing.reconciling.lexicon import DIRECTIONAL, FUNCTION, NEGATIONS, PHRASES, ROLES, SYNONYM
from vault.writing.reconciling.stemming import stem
from vault.writing.reconciling.values import read_value
from vault.writing.reconciling.verbs import head_of, tells_of_the_past
from vault.writing.reconciling.vocabulary import words

# What is longer is a document and not one statement: it is compared as far as this, and decides nothing.
MAX_PIECES = 80


class Sort(StrEnum):
    WORD = "word"
    FUNCTION = "function"
    NEGATION = "negation"
    NAME = "name"
    CODE = "code"
    VALUE = "value"
    MASKED = "masked"
    SYMBOL = "symbol"
    STOP = "stop"


class Token(NamedTuple):
    """`key` is what is compared, `word` what was written (folded), `measure` what a value measures."""

    sort: Sort
    key: str
    word: str = ""
    measure: str = ""


@dataclass(frozen=True, slots=True)
class Statement:
    """`tokens` in order; `head` is the place where the subject of the sentence ends, 0 where none is told.

    The rest is drawn from them once: `content` without grammar, the keys of it, and those of each sort.
    `verbal` says that a verb was found at all; `past`, that it tells of what was done, which no later value
    replaces; `asks`, that it is a question. `whole` is False for a text that was longer than what is read.
    """

    tokens: tuple[Token, ...]
    head: int
    verbal: bool
    past: bool
    whole: bool
    asks: bool
    content: tuple[Token, ...] = field(init=False)
    keys: frozenset[str] = field(init=False)
    things: frozenset[str] = field(init=False)
    words: frozenset[str] = field(init=False)
    sentences: int = field(init=False)
    denials: int = field(init=False)

    def __post_init__(self) -> None:
        content = tuple(t for t in self.tokens if t.sort not in _GRAMMAR)
        object.__setattr__(self, "content", content)
        object.__setattr__(self, "keys", frozenset(t.key for t in content))
        object.__setattr__(self, "things", frozenset(t.key for t in content if t.sort in _THINGS))
        object.__setattr__(self, "words", frozenset(t.word for t in self.tokens))
        object.__setattr__(self, "sentences", _sentences(self.tokens))
        object.__setattr__(self, "denials", sum(t.sort is Sort.NEGATION for t in content))

    def of(self, *sorts: Sort) -> frozenset[str]:
        return frozenset(t.key for t in self.content if t.sort in sorts)

    @property
    def values(self) -> frozenset[str]:
        return self.of(Sort.VALUE)

    @property
    def subject(self) -> tuple[Token, ...]:
        return tuple(t for t in self.tokens[: self.head] if t.sort not in _GRAMMAR)

    @property
    def verb(self) -> Token:
        """What stands at the head: a verb, where one was found."""
        return self.tokens[self.head] if self.head < len(self.tokens) else _NOTHING

    @property
    def predicate(self) -> frozenset[str]:
        return frozenset(t.key for t in self.tokens[self.head :] if t.sort in _SAID)

    @property
    def directions(self) -> frozenset[str]:
        return self.words & DIRECTIONAL

    @property
    def signs(self) -> frozenset[str]:
        """Words and keys: cues of change may be grammar by their sort."""
        return self.keys | self.words

    @property
    def sequence(self) -> list[str]:
        return [t.key for t in self.tokens if t.sort not in _GRAMMAR or t.word in DIRECTIONAL]


def _sentences(tokens: Sequence[Token]) -> int:
    """How many sentences stand there; a stop after two letters or fewer is an abbreviation."""
    ends = [at for at, t in enumerate(tokens[:-1]) if t.sort is Sort.STOP and t.word in ".!?。"]
    return 1 + sum(len(tokens[at - 1].word) > 2 for at in ends if at)


_NOTHING = Token(Sort.STOP, "")
_GRAMMAR = frozenset({Sort.FUNCTION, Sort.STOP})
_THINGS = frozenset({Sort.WORD, Sort.NAME, Sort.CODE})
_SAID = _THINGS | {Sort.VALUE}
_PLAIN = {
    Piece.MASKED: Sort.MASKED,
    Piece.SYMBOL: Sort.SYMBOL,
    Piece.SIGN: Sort.SYMBOL,
    Piece.STOP: Sort.STOP,
    Piece.PARTICLE: Sort.FUNCTION,
}
# Five digits, or a zero before others, are a number that names a thing and counts nothing.
_NAMING_NUMBER = re.compile(r"\d{5,}|0\d{2,}")
# German writes every noun with a capital, which then tells nothing of names; so do headlines.
_GERMAN = words("german")


def read(text: str) -> Statement:
    """Read a text of any language; what it does not understand stays a word that is compared as written."""
    pieces = lexemes(text, limit=MAX_PIECES)
    whole = len(pieces) < MAX_PIECES
    if text.isupper() or any(piece.text in _GERMAN for piece in pieces):
        pieces = [Lexeme(piece.piece, piece.text) for piece in pieces]
    tokens: list[Token] = []
    at = 0
    while at < len(pieces):
        token, used = _token(pieces, at)
        tokens.append(token)
        at += used
    verb = _head(tokens)
    head = verb or 0
    past = tells_of_the_past([t.word for t in tokens[head:] if t.sort is not Sort.NEGATION])
    return Statement(tuple(tokens), head, verb is not None, past, whole, asks="?" in text)


def _token(pieces: Sequence[Lexeme], at: int) -> tuple[Token, int]:
    piece = pieces[at]
    text = piece.text
    if piece.piece is Piece.CODE or (piece.piece is Piece.DIGITS and _NAMING_NUMBER.fullmatch(text)):
        return Token(Sort.CODE, text, text), 1
    if (value := read_value(pieces, at)) is not None:
        return Token(Sort.VALUE, f"{value.measure} {value.amount}", text, value.measure), value.pieces
    for length in (3, 2):
        phrase = PHRASES.get(tuple(p.text for p in pieces[at : at + length]))
        if phrase is not None:
            return _phrase(phrase, text), length
    if text in NEGATIONS or (piece.piece is Piece.PARTICLE and text.endswith(_JAPANESE_DENIALS)):
        return Token(Sort.NEGATION, "not", text), 1
    if piece.piece in _PLAIN:
        return Token(_PLAIN[piece.piece], text, text), 1
    # "building C", "the US account": a capital letter makes a name of what else is grammar.
    if piece.capital and (text == "us" or (len(text) == 1 and text != "i")):
        return Token(Sort.NAME, text, text), 1
    if text in FUNCTION:
        return Token(Sort.FUNCTION, text, text), 1
    key = stem(text)
    if piece.capital and SYNONYM.get(key, key) not in ROLES:
        return Token(Sort.NAME, stem(unaccented(text)), unaccented(text)), 1
    return Token(Sort.WORD, SYNONYM.get(key, key), text), 1


def unaccented(name: str) -> str:
    """A Latin name without its accents, which are often left out."""
    apart = unicodedata.normalize("NFKD", name)
    return apart if apart.isascii() else "".join(c for c in apart if c.isascii()) or name


def _phrase(phrase: str, text: str) -> Token:
    """A verb of two words keeps its own form; grammar takes the one it stands for."""
    if phrase in {"only", "now", "rather-than"}:
        return Token(Sort.FUNCTION, phrase, phrase)
    return Token(Sort.WORD, phrase, text)


_JAPANESE_DENIALS = ("ません", "ない", "なかった", "ないです", "ませんでした")


def _head(tokens: Sequence[Token]) -> int | None:
    """The place of the verb, or of the stop after a label; None where neither is told."""
    stops = (p for p, t in enumerate(tokens) if p and t.sort is Sort.STOP and t.word in ":,.;!?")
    end = next(stops, len(tokens))
    words = [t.word if t.sort in (Sort.FUNCTION, Sort.WORD) else "" for t in tokens[:end]]
    named = len(tokens) > 1 and (tokens[1].measure in _COUNTED or tokens[1].sort is Sort.CODE)
    verb = head_of(words, begins_with_a_noun=named and not tokens[0].word.endswith(("s", "ed")))
    if verb is not None or end == len(tokens):
        return verb
    if tokens[end].word == ":":
        return end
    if tokens[end].word != "," or end > LONGEST_APPOSED:
        return None
    # "The intern, Jule, has ...": what is set between commas belongs to the subject.
    return next((p for p in stops if p <= end + LONGEST_APPOSED), end)


LONGEST_APPOSED = 3
_COUNTED = frozenset({Measure.NUMBER.value, Measure.YEAR.value})
