"""A second opinion on pairs that the words leave in doubt: what it may decide, and what it may not. Pure.

It is asked only where the words alone would open a conflict or keep two statements on one topic, and only about
statements that the new one may replace by its trust. An old statement is superseded only where words and opinion both
see a contradiction, and never by what was done once; where only the opinion does, a person decides. Two are one only
where no fact differs and the new one says nothing more.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType
from uuid import UUID

from vault.types import Trust
from vault.writing.reconciling.deed import done_once
from vault.writing.reconciling.pair import Pair
from vault.writing.reconciling.relation import Relation
from vault.writing.reconciling.restating import restates
from vault.writing.reconciling.separation import speaks_of_another
from vault.writing.reconciling.statement import Statement, read

# Where the words see nothing, two statements must be this near to be on one topic.
SAME_TOPIC_SIMILARITY = 0.5
RULES, MODEL = "rules", "model"


class Choice(StrEnum):
    SUPERSEDE = "supersede"
    MERGE = "merge"
    KEEP_BOTH = "keep_both"
    CONFLICT = "conflict"


@dataclass(frozen=True, slots=True)
class Opinions:
    """What was chosen for a memory as it read then, who chose, and why a model that may be asked did not."""

    choices: Mapping[tuple[UUID, str], Choice] = field(
        default_factory=lambda: MappingProxyType({}), repr=False
    )
    by: str = RULES
    fallback: str = ""


NO_OPINIONS = Opinions()


def may_replace(trust: Trust, standing: Trust) -> bool:
    """Whether an opinion counts at all: never for what is untrusted, nor against what is believed more."""
    return trust is not Trust.UNTRUSTED and trust.rank >= standing.rank


def in_doubt(old: Statement, new: Statement, similarity: float, relation: Relation) -> bool:
    """Whether the words do not decide how two statements stand to each other."""
    if relation is not Relation.APART:
        return relation is Relation.UNCLEAR
    other = old.asks or new.asks or speaks_of_another(Pair(old, new, similarity))
    return similarity >= SAME_TOPIC_SIMILARITY and not other


def weighed(relation: Relation, choice: Choice, *, old: str, new: str) -> Relation:
    """What a choice makes of a relation that is in doubt."""
    if choice is Choice.SUPERSEDE:
        deed = done_once(Pair(read(old), read(new), 1.0))
        return Relation.REPLACES if relation is Relation.UNCLEAR and not deed else Relation.UNCLEAR
    if choice is Choice.MERGE:
        return Relation.SAME if _says_nothing_more(old, new) else relation
    return Relation.UNCLEAR if choice is Choice.CONFLICT else Relation.APART


def _says_nothing_more(old: str, new: str) -> bool:
    """Whether no fact differs and no word of the new statement would be lost."""
    return not Pair(read(old), read(new), 1.0).alone_in_new and restates(new, [old])
