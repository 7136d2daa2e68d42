"""Spellings that a person or a model sees through: spaced letters, leet, rot13, reversed words.

Each reading is made only where it turns strange words into known ones, so that plain text, names and
numbers stay as they are. All in one pass over the words.
"""

from __future__ import annotations

import codecs
import re

from vault.screening.normalise.words import LONGEST_WORD, WORDS, is_word, segment

_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)?")
# Runs of all of them, so that the search stays linear; what holds no sign of its own is left alone below.
_LEET_TOKEN = re.compile(r"[A-Za-z0-9@$!|+€]{2,40}")
_LEET_SIGN = re.compile(r"[0-9@$!|+€]")
_LEET = str.maketrans("4@3€05$7+89621|!", "aaeeossttbggziii")
_LEET_L = str.maketrans("4@3€05$7+89621|!", "aaeeossttbggzlll")
_SPACED = re.compile(r"(?<![^\W_])[^\W_](?:[ \t\u00a0._\-*|/~+·•]{1,4}[^\W_](?![^\W_])){4,500}")
_LONG_RUN = re.compile(r"[A-Za-z]{14,}")
_ALTERNATING = re.compile(r"[a-z][A-Z]+[a-z]|[A-Z][a-z][A-Z][a-z]")

MIN_HITS = 2
PROBE_LETTERS = 60
MIN_JOINED_WORDS, MIN_JOINED_WORD_LETTERS = 3, 3.0
SHORT_WORDS = frozenset(
    ("a", "i", "to", "in", "of", "on", "is", "it", "me", "my", "no", "so", "as", "at", "be", "by", "do")
)
MIN_LETTERS = 3


def unspaced(text: str) -> str:
    """Letters written apart, joined again into words."""
    found = False

    def join(match: re.Match[str]) -> str:
        nonlocal found
        run = match.group()
        letters = sum(map(str.isalpha, run))
        if 2 * letters < sum(map(str.isalnum, run)):
            return run
        found = True
        return f"\n{_joined(run)}\n"

    joined = _SPACED.sub(join, text)
    return joined.strip() if found else ""


def _joined(run: str) -> str:
    gaps = re.findall(r"[^\w]+|_+", run)
    wide = max(map(len, gaps))
    if wide > min(map(len, gaps)):  # two widths of gap: the wide one stands between words
        words = re.split(rf"(?:[^\w]|_){{{wide},}}", run)
        return " ".join(re.sub(r"[\W_]", "", word) for word in words)
    return " ".join(segment(re.sub(r"[\W_]", "", run)))


def unleeted(text: str) -> str:
    """Digits and signs that stand for letters, read as letters, when two words or more come out."""
    hits = 0

    def read(match: re.Match[str]) -> str:
        nonlocal hits
        token = match.group()
        if token.isalpha() or (token.isdigit() and len(token) < MIN_LETTERS):
            return token
        for table in (_LEET, _LEET_L):
            plain = token.translate(table).lower()
            if is_word(plain.strip("!|")):
                hits += len(plain) >= MIN_LETTERS and not token.isdigit()
                return plain
        return token if token.isdigit() else token.translate(_LEET)

    out = _LEET_TOKEN.sub(read, text)
    return out if hits >= MIN_HITS else ""


def unrotated(text: str) -> str:
    """Words under rot13, read; words that are known already stay, unless the whole text is rotated."""
    strange, known, _ = _strange_words(text)
    hits = sum(codecs.encode(word, "rot13") in WORDS for word in strange if word.isascii())
    if hits < MIN_HITS:
        return ""
    if hits > known:
        return codecs.encode(text, "rot13")
    return _WORD.sub(lambda match: _rotated_if_strange(match.group()), text)


def _rotated_if_strange(word: str) -> str:
    return word if is_word(word.lower()) else codecs.encode(word, "rot13")


def turned_round(text: str) -> str:
    """A text written backwards, when that makes more of its words known."""
    strange, known, _ = _strange_words(text)
    hits = sum(word[::-1] in WORDS for word in strange)
    return text[::-1] if hits > MIN_HITS and hits > known else ""


def unjoined(text: str) -> str:
    """Words run together, cut apart where nothing but known words comes out."""
    found = False

    def cut(match: re.Match[str]) -> str:
        nonlocal found
        run = match.group()
        # The start tells: what is no chain of words there is not worth cutting to its end.
        if is_word(run.lower()) or not _is_chain(segment(run[:PROBE_LETTERS])[:-1]):
            return run
        words = segment(run)
        if len(words) < MIN_JOINED_WORDS or not _is_chain(words):
            return run
        found = True
        return " ".join(words)

    out = _LONG_RUN.sub(cut, text)
    return out if found else ""


def _is_chain(words: list[str]) -> bool:
    """Known words only, and not mostly of a letter or two."""
    long_enough = sum(map(len, words)) >= MIN_JOINED_WORD_LETTERS * len(words)
    return long_enough and all(word.lower() in WORDS or word.lower() in SHORT_WORDS for word in words)


def alternates(text: str) -> bool:
    """Whether words mix cases as no spelling does ("iGnOrE")."""
    strange = [word for word in _WORD.findall(text) if _ALTERNATING.search(word) and word.isalpha()]
    known = [word for word in strange if word.lower() in WORDS]
    return len(known) > MIN_HITS


def _strange_words(text: str) -> tuple[list[str], int, int]:
    words = [word.lower() for word in _WORD.findall(text) if len(word) >= MIN_LETTERS]
    words = [word for word in words if len(word) <= LONGEST_WORD]
    strange = [word for word in words if word not in WORDS]
    return strange, len(words) - len(strange), len(words)
