"""Turns a text into sparse features for the linear model: structure, classes of words, and n-grams.

The classes are the same in every language, so that what the model learns of one language's orders holds
for the others as far as the lexicon reaches. All in time linear in the text.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, pairwise

import numpy as np
from numpy.typing import NDArray

from vault.screening.injection.lexicon import CLASSES, LEXICON, TOKEN, bit, plain
from vault.screening.injection.structure import STRUCTURE, structure_of

HASH_BITS = 16
TABLE = 1 << HASH_BITS
PAIRS = tuple(combinations(range(len(CLASSES)), 2))
_PAIR_INDEX = {(1 << a) | (1 << b): index for index, (a, b) in enumerate(PAIRS)}
OPENERS = len(CLASSES)
OFFSET_CLASS = len(STRUCTURE)
OFFSET_OPENER = OFFSET_CLASS + len(CLASSES)
OFFSET_PAIR = OFFSET_OPENER + OPENERS
OFFSET_TABLE = OFFSET_PAIR + len(PAIRS)
SIZE = OFFSET_TABLE + TABLE

# Balance between the groups of features; found by cross-validation by source, where runs of characters
# and the sentence embedding made the recall on unseen authors worse and were left out.
STRUCTURE_VALUE, CLASS_VALUE, PAIR_VALUE, WORD_VALUE = 0.4, 0.5, 0.5, 3.0

_SEGMENT_END = re.compile(r"(?<=[.!?;])\s+|[\n\r]+|[。！？；।]|\s[-–—|]\s|(?<=[a-z]): ")
_URL = re.compile(r"\b(?:https?|ftp|mcp)://[^\s<>\"')\]]+|\bwww\.[^\s<>\"')\]]+")
_EMAIL = re.compile(r"[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,4}")
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")

WINDOW_WORDS, STRIDE_WORDS, LONGEST_WINDOW_WORDS, LONGEST_SEGMENT_WORDS = 40, 20, 60, 60


@dataclass(frozen=True, slots=True)
class Segment:
    """One clause: its words, the class mask of each, and where it stands in the text."""

    start: int
    end: int
    words: tuple[str, ...]
    masks: tuple[int, ...]

    @property
    def mask(self) -> int:
        mask = 0
        for each in self.masks:
            mask |= each
        return mask


@dataclass(frozen=True, slots=True)
class Sparse:
    """Feature indices, without repeats, and their values."""

    indices: NDArray[np.int32]
    values: NDArray[np.float32]


def segments(text: str) -> list[Segment]:
    """Split into clauses and classify every word."""
    found: list[Segment] = []
    start = 0
    for match in (*_SEGMENT_END.finditer(text), None):
        end = match.start() if match else len(text)
        clause = text[start:end]
        if clause.strip():
            found.extend(_clause(text, start, end))
        start = match.end() if match else end
    return found


def _clause(text: str, start: int, end: int) -> Iterator[Segment]:
    """One clause, cut where it runs on: a wall of words without a stop is no single thought."""
    matches = list(TOKEN.finditer(text, start, end))
    for at in range(0, len(matches), LONGEST_SEGMENT_WORDS):
        chunk = matches[at : at + LONGEST_SEGMENT_WORDS]
        first = start if at == 0 else chunk[0].start()
        last = end if at + LONGEST_SEGMENT_WORDS >= len(matches) else chunk[-1].end()
        words = [plain(match.group()) for match in chunk]
        yield Segment(first, last, tuple(words), tuple(LEXICON.classify(words, text[first:last])))


def windows(text: str, parts: list[Segment]) -> list[tuple[str, list[Segment]]]:
    """Overlapping stretches of about forty words, so that an order in a long text stands out.

    Stretches that repeat word for word are given once. A short text is one window.
    """
    if sum(len(part.words) for part in parts) <= LONGEST_WINDOW_WORDS:
        return [(text, parts)] if parts else []
    found: dict[str, list[Segment]] = {}
    first = words = fresh = 0
    for last, part in enumerate(parts):
        words += len(part.words)
        fresh += len(part.words)
        if fresh >= STRIDE_WORDS or last == len(parts) - 1:
            found.setdefault(text[parts[first].start : part.end], parts[first : last + 1])
            fresh = 0
            while words > WINDOW_WORDS - STRIDE_WORDS and first < last:
                words -= len(parts[first].words)
                first += 1
    return list(found.items())


def featurise(text: str, parts: list[Segment]) -> Sparse:
    """Features of a text, whose clauses are given (so that a window needs no second pass)."""
    bag: dict[int, float] = {}
    for index, value in structure_of(text, parts).items():
        bag[index] = STRUCTURE_VALUE * value
    _classes(parts, bag)
    words = _generalised(text)
    _words(words, bag)
    indices, values = np.fromiter(bag, np.int64, len(bag)), np.fromiter(bag.values(), np.float32, len(bag))
    return Sparse(indices.astype(np.int32), values)


def _classes(parts: list[Segment], bag: dict[int, float]) -> None:
    for part in parts:
        mask = part.mask
        present = [index for index in range(len(CLASSES)) if mask >> index & 1]
        for index in present:
            bag[OFFSET_CLASS + index] = CLASS_VALUE
        for a, b in combinations(present, 2):
            bag[OFFSET_PAIR + _PAIR_INDEX[(1 << a) | (1 << b)]] = PAIR_VALUE
        opening = part.masks[0] if part.masks else 0
        for index in present:
            if opening >> index & 1:
                bag[OFFSET_OPENER + index] = CLASS_VALUE


def _generalised(text: str) -> list[str]:
    """Words with addresses and numbers replaced by what they are."""
    text = _EMAIL.sub(" xemail ", _URL.sub(" xurl ", text))
    return TOKEN.findall(plain(_NUMBER.sub(" xnumber ", text)))


def _words(words: list[str], bag: dict[int, float]) -> None:
    grams = set(words)
    grams.update(map(" ".join, pairwise(words)))
    grams.update(map("  ".join, zip(words, words[1:], words[2:], strict=False)))
    if not grams:
        return
    value = WORD_VALUE / float(np.sqrt(len(grams)))
    for gram in grams:
        index = OFFSET_TABLE + (zlib.crc32(gram.encode()) & (TABLE - 1))
        bag[index] = bag.get(index, 0.0) + value


def has(mask: int, *names: str) -> bool:
    """Whether every named class is in the mask."""
    return all(mask & bit(name) for name in names)
