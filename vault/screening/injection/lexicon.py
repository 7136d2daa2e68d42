"""Looks words up in the lexicon of what they do in an order (override, send, approve) or in a claim of high impact."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import cache
from importlib.resources import files

# Letters, digits, apostrophes, and the vowel signs that Python does not count as word characters.
TOKEN = re.compile(
    r"[^\W_\u0964\u0965](?:[^\W_]|['’]|[\u0300-\u036f\u0610-\u065f\u0900-\u0963\u0966-\u0dff\u0e31-\u0e4e])*"
)
_GLUED = re.compile("[\u0600-\u06ff\u0900-\u0e7f\u1100-\u11ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_LATIN_MARKS = re.compile("(?<=[a-z])[\u0300-\u036f]+")
LONGEST_STEM = 14
CLAIM = "claim_"


def plain(text: str) -> str:
    """Lower case without accents on Latin letters; other scripts keep their marks."""
    lowered = text.lower().replace("’", "'")
    if lowered.isascii():
        return lowered
    return unicodedata.normalize("NFC", _LATIN_MARKS.sub("", unicodedata.normalize("NFD", lowered)))


class Lexicon:
    """Classes by exact word, stem, phrase and glued substring; a class is one bit of a mask."""

    def __init__(self, text: str) -> None:
        self.classes: list[str] = []
        self.languages: dict[str, set[str]] = {}
        self._words: dict[str, int] = {}
        self._stems: dict[str, int] = {}
        self._glued: dict[str, int] = {}
        self._glued_lengths: dict[str, tuple[int, ...]] = {}  # by first character
        self._phrases: dict[str, list[tuple[tuple[str, ...], int]]] = {}
        for line in text.splitlines():
            if line.startswith("["):
                self.classes.append(line.strip("[] "))
            elif ":" in line and not line.startswith("#"):
                language, entries = line.split(":", 1)
                self.languages.setdefault(self.classes[-1], set()).add(language.strip())
                for entry in entries.split(","):
                    self._add(plain(entry.strip()), 1 << (len(self.classes) - 1))

    def languages_of(self, classes: Iterable[str]) -> set[str]:
        """The languages in which any of these classes has words."""
        return set().union(*(self.languages.get(name, set()) for name in classes))

    def _add(self, entry: str, bit: int) -> None:
        words = entry.split()
        if _GLUED.search(entry):
            self._glued[entry] = self._glued.get(entry, 0) | bit
            lengths = {*self._glued_lengths.get(entry[0], ()), len(entry)}
            self._glued_lengths[entry[0]] = tuple(sorted(lengths))
        elif len(words) > 1:
            self._phrases.setdefault(words[0].rstrip("*"), []).append((tuple(words), bit))
        elif entry.endswith("*"):
            if len(entry) > LONGEST_STEM + 1:
                raise ValueError(f"a stem longer than {LONGEST_STEM} letters never matches: {entry}")
            self._stems[entry[:-1]] = self._stems.get(entry[:-1], 0) | bit
        elif entry:
            self._words[entry] = self._words.get(entry, 0) | bit

    def classify(self, words: list[str], glued_text: str = "") -> list[int]:
        """The mask of classes of each word; a phrase marks its first word, glued text the first of all."""
        masks = [self._word(word) for word in words]
        for at, word in enumerate(words):
            for phrase, bit in self._phrases.get(word, ()):
                if _matches(words, at, phrase):
                    masks[at] |= bit
        if masks and glued_text and _GLUED.search(glued_text):
            masks[0] |= self._substrings(glued_text)
        return masks

    def _word(self, word: str) -> int:
        mask = self._words.get(word, 0)
        for length in range(3, min(len(word), LONGEST_STEM) + 1):
            mask |= self._stems.get(word[:length], 0)
        return mask

    def _substrings(self, text: str) -> int:
        mask = 0
        for at, character in enumerate(text):
            for length in self._glued_lengths.get(character, ()):
                mask |= self._glued.get(text[at : at + length], 0)
        return mask


def _matches(words: list[str], at: int, phrase: tuple[str, ...]) -> bool:
    if at + len(phrase) > len(words):
        return False
    for offset, part in enumerate(phrase):
        word = words[at + offset]
        if part != "*" and not (word.startswith(part[:-1]) if part.endswith("*") else word == part):
            return False
    return True


def _packaged(name: str) -> str:
    return files(__package__).joinpath(name).read_text(encoding="utf-8")


# One pass over the words for both lists. The model knows the classes of orders alone; those of claims stand behind.
LEXICON = Lexicon(_packaged("lexicon.txt") + _packaged("impact_words.txt"))
CLASSES = tuple(name for name in LEXICON.classes if not name.startswith(CLAIM))
CLAIM_CLASSES = tuple(LEXICON.classes[len(CLASSES) :])


@cache
def bit(name: str) -> int:
    """The place of a class in a mask."""
    return 1 << LEXICON.classes.index(name)
