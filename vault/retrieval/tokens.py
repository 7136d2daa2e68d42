"""Keyword tokens of a text: plain strings, which the caller hashes with the subject's key.

A token carries its class as a prefix, so that one class never matches another: `x:` an exact
identifier kept whole, `s:` the stem of a word, `g:` one or two characters of a script that is written
without spaces, `y:` a symbol.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

import snowballstemmer

# One memory's text is at most 8,000 characters; past this many different tokens more add no ranking.
MAX_TOKENS = 800
MAX_TOKEN_CHARACTERS = 64

IDENTIFIER, STEM, GRAM, SYMBOL = "x:", "s:", "g:", "y:"
# An exact identifier says more than a word of the same rarity; one character of CJK says less.
CLASS_WEIGHT: Mapping[str, float] = {IDENTIFIER: 2.0, STEM: 1.0, GRAM: 0.7, SYMBOL: 1.0}

# Scripts written without spaces, and Hangul, whose particles are glued to the noun.
_UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"  # Thai, Lao, Burmese, Khmer
    "\u3005\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff\U00020000-\U0003ffff"
)
_PIECES = re.compile(rf"[{_UNSPACED}]+|[^\s{_UNSPACED}]+")
_IS_UNSPACED = re.compile(f"[{_UNSPACED}]")
_COMPOUNDS = re.compile(r"[^\W_]*(?:_+[^\W_]+)+_*|[^\W_]+%")
_WORDS = re.compile(r"[^\W_]+(?:'[^\W_]+)*")
_EDGES = ".,;:!?()[]{}<>\"'`~*|-—–…«»“”„¡¿、。，"
_LITERALS = frozenset("%_\\")
_JOINERS = frozenset("@_%\\/#+&=$€£:.-")
_QUOTES = str.maketrans({"’": "'", "‘": "'", "ʼ": "'"})

_FUNCTION_WORDS = (
    "a an and are as at be been being but by can could did do does doing for from had has have having "
    "he her hers him his how i if in into is it its just me my of on or our ours she should so some "
    "than that the their theirs them then there these they this those to too us was we were what when "
    "where which while who whom whose why will with would you your yours i'm i've i'd i'll you're it's "
    "that's"
)
STOPWORDS = frozenset(_FUNCTION_WORDS.split())

_stemmer = snowballstemmer.stemmer("english")


@dataclass(frozen=True, slots=True)
class QueryTokens:
    """What a query asks of the keyword index.

    `weights` are the tokens that rank. In keyword mode a memory matches when it holds every token of
    `required` (identifiers, numbers and symbols) and, where there are any, one of `optional` (words).
    """

    weights: Mapping[str, float]
    required: frozenset[str]
    optional: frozenset[str]

    def matches(self, tokens: Iterable[str]) -> bool:
        """Whether a memory that holds `tokens` (those of the query are enough) answers a keyword search."""
        held = frozenset(tokens)
        if not (self.required or self.optional):
            return False
        return self.required <= held and (bool(self.required) or bool(self.optional & held))


def normalise(text: str) -> str:
    """Compatibility forms, case, accents of Latin, and invisible characters folded away."""
    folded = unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", text).casefold().translate(_QUOTES))
    kept = "".join(c for c in folded if not _is_ignorable(c))
    return unicodedata.normalize("NFC", kept)


def document_tokens(text: str) -> dict[str, int]:
    """Tokens of a memory's text with how often each occurs.

    At most MAX_TOKENS: identifiers first, then by order of appearance.
    """
    counts = Counter(_tokens(text))
    ordered = sorted(counts.items(), key=lambda item: not item[0].startswith(IDENTIFIER))
    return dict(ordered[:MAX_TOKENS])


def query_tokens(query: str) -> QueryTokens:
    """Tokens of a query with their weights, and which of them a keyword search insists on."""
    weights: dict[str, float] = {}
    required: set[str] = set()
    optional: set[str] = set()
    for piece in _pieces(query):
        found = [token for token in _piece_tokens(piece) if not _is_part_of_a_run(token, piece)]
        for token in found:
            weights.setdefault(token, CLASS_WEIGHT[token[:2]])
        insisted = [token for token in found if token.startswith((IDENTIFIER, SYMBOL))]
        # The whole of an identifier stands first, and says all that its parts say.
        required.update(insisted[:1] if _joined(piece) else insisted)
        optional.update(token for token in found if token.startswith((STEM, GRAM)) and not _joined(piece))
    return QueryTokens(weights, frozenset(required), frozenset(optional - required))


def stems(text: str) -> list[str]:
    """The stems of a text's words in their order, without stop words and without their prefix."""
    return [token[2:] for token in _tokens(text) if token.startswith(STEM)]


def _is_ignorable(character: str) -> bool:
    point = ord(character)
    return (
        0x300 <= point <= 0x36F
        or 0xFE00 <= point <= 0xFE0F
        or 0xE0100 <= point <= 0xE01EF
        or unicodedata.category(character) in ("Cf", "Cs")
    )


def _pieces(text: str) -> list[str]:
    return _PIECES.findall(normalise(text))


def _tokens(text: str) -> Iterator[str]:
    for piece in _pieces(text):
        yield from _piece_tokens(piece)


def _piece_tokens(piece: str) -> Iterator[str]:
    """Tokens of what stands between two spaces; an identifier gives itself and its parts."""
    if _IS_UNSPACED.match(piece):
        yield from (GRAM + piece[i : i + 2] for i in range(len(piece) - 1))
        yield from (GRAM + character for character in piece)
        return
    whole = _joined(piece)
    if whole:
        yield IDENTIFIER + whole
        yield from (IDENTIFIER + part for part in _COMPOUNDS.findall(whole) if part != whole)
    for word in _WORDS.findall(piece):
        if word not in STOPWORDS:
            yield _word_token(word[:MAX_TOKEN_CHARACTERS])
    yield from (SYMBOL + character for character in piece if _is_symbol(character))


def _joined(piece: str) -> str:
    """The piece as one exact identifier (an address, a path, 100%, INV-7), or "" for a word or number."""
    core = piece.strip(_EDGES)
    if len(core) > MAX_TOKEN_CHARACTERS or not any(c.isalnum() for c in core):
        return ""
    # Hyphens alone join words of prose, and full stops without a space end sentences, unless digits are near.
    joiners = _JOINERS if any(c.isdigit() for c in core) else _JOINERS - frozenset("-:")
    return core if any(c in joiners for c in core.replace("...", "")) else ""


def _is_part_of_a_run(token: str, piece: str) -> bool:
    """One character out of a longer run of an unspaced script: kept for queries of that one character."""
    return token.startswith(GRAM) and len(token) == len(GRAM) + 1 and len(piece) > 1


def _word_token(word: str) -> str:
    """Numbers and codes (8841, e12) are identifiers by themselves; words go by their stem."""
    return IDENTIFIER + word if any(c.isdigit() for c in word) else STEM + _stem(word)


def _is_symbol(character: str) -> bool:
    return character in _LITERALS or unicodedata.category(character) == "So"


def _stem(word: str) -> str:
    stemmed: str = _stemmer.stemWord(word) if word.isascii() else word
    return stemmed
