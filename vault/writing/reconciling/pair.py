"""An old and a new statement side by side: what they share and what each has alone."""

from __future__ import annotations

from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cached_property

from vault.writing.reconciling.lexicon import ADDITIONS, CIRCUMSTANCES, LIGHT, OPPOSITES
from vault.writing.reconciling.statement import Sort, Statement, Token

# "Since spring", "this morning": when it began, and not when it holds.
_DATED = frozenset({"since", "this", "last", "yesterday", "seit", "depuis", "desde"})
SHARED_CODE, SHARED_NAMES = 0.5, 0.4

Span = tuple[tuple[Token, ...], tuple[Token, ...]]


@dataclass(frozen=True)
class Pair:
    """`similarity` is the cosine of the two embeddings."""

    old: Statement
    new: Statement
    similarity: float

    @cached_property
    def coverage(self) -> float:
        """The share of the things that the old statement speaks of that the new one speaks of too, 0..1."""
        things = self.old.things
        return len(things & self.new.keys) / len(things) if things else 0.0

    @cached_property
    def mutual(self) -> float:
        """The lesser of the two coverages: how much of either statement stands in the other."""
        things = self.new.things
        return min(self.coverage, len(things & self.old.keys) / len(things)) if things else 0.0

    @cached_property
    def names(self) -> frozenset[str]:
        """Names in either; a word that begins a sentence is one where the other statement writes it as one."""
        return self.old.of(Sort.NAME) | self.new.of(Sort.NAME)

    @cached_property
    def topic(self) -> float:
        """The coverage, or what one code or all names in common are worth where the wording is another."""
        codes = self.old.of(Sort.CODE) & self.new.keys
        names = self.old.of(Sort.NAME)
        worth = SHARED_CODE if codes else SHARED_NAMES if len(names) > 1 and names <= self.new.keys else 0.0
        return max(self.coverage, worth)

    @cached_property
    def said_again(self) -> frozenset[str]:
        """What the old statement says of its subject and the new one speaks of too, but for empty verbs."""
        return (self.old.predicate & self.new.keys) - LIGHT

    @cached_property
    def share_said_again(self) -> float:
        said = self.old.predicate - LIGHT
        return len(self.said_again) / len(said) if said else 0.0

    @cached_property
    def alone_in_old(self) -> tuple[Token, ...]:
        return tuple(
            t for t in self.old.content if t.key not in self.new.keys and t.sort is not Sort.NEGATION
        )

    @cached_property
    def alone_in_new(self) -> tuple[Token, ...]:
        return tuple(
            t for t in self.new.content if t.key not in self.old.keys and t.sort is not Sort.NEGATION
        )

    @cached_property
    def opposed(self) -> bool:
        """Whether a word that only one has is the opposite of one that only the other has."""
        theirs = {t.key for t in self.alone_in_new}
        return any(other in theirs for token in self.alone_in_old for other in OPPOSITES.get(token.key, ()))

    @cached_property
    def spans(self) -> tuple[Span, ...]:
        """Where the two differ when they are laid along each other, word by word."""
        old, new = self.old.content, self.new.content
        matcher = SequenceMatcher(None, [t.key for t in old], [t.key for t in new], autojunk=False)
        return tuple((old[i:j], new[k:m]) for tag, i, j, k, m in matcher.get_opcodes() if tag != "equal")

    @cached_property
    def adds(self) -> bool:
        """Whether the new statement says of itself that it comes on top of another."""
        return bool((self.new.keys | self.new.words) & ADDITIONS)

    @cached_property
    def circumstances(self) -> frozenset[str]:
        """The season, meal or case that only the new statement names."""
        if self.new.words & _DATED:
            return frozenset()
        return (self.new.keys & CIRCUMSTANCES) - self.old.keys

    def clashing(self) -> frozenset[str]:
        """The measures in which both give values and share none."""
        mine, theirs = _by_measure(self.old), _by_measure(self.new)
        return frozenset(m for m in mine.keys() & theirs.keys() if not mine[m] & theirs[m])


def _by_measure(statement: Statement) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for token in statement.content:
        if token.sort is Sort.VALUE:
            found.setdefault(token.measure, set()).add(token.key)
    return found
