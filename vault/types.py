"""Frozen values that pass between the vault's steps, and the closed lists they draw from.

Nothing here reads a database or a clock. The words are those of the API.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any
from uuid import UUID


class Kind(StrEnum):
    FACT = "fact"
    EVENT = "event"
    LESSON = "lesson"


class SourceType(StrEnum):
    USER = "user"
    SYSTEM = "system"
    AGENT = "agent"
    EXTERNAL = "external"
    STAFF = "staff"


class Trust(StrEnum):
    """How far a statement may be believed; ordered by `rank`, the least first."""

    UNTRUSTED = "untrusted"
    INFERRED = "inferred"
    STATED = "stated"
    VERIFIED = "verified"

    @property
    def rank(self) -> int:
        return list(Trust).index(self)

    @staticmethod
    def lowest(*levels: Trust) -> Trust:
        """The least of the given levels; raises ValueError when none is given."""
        return min(levels, key=lambda level: level.rank)


def is_of_nobodys_word(trust: Trust, source_type: SourceType) -> bool:
    """Whether nobody stands behind a text: it is not trusted, or comes from outside whatever its label says."""
    return trust is Trust.UNTRUSTED or source_type is SourceType.EXTERNAL


class Status(StrEnum):
    ACTIVE = "active"
    SUPERSEDED = "superseded"
    EXPIRED = "expired"
    FORGOTTEN = "forgotten"
    ARCHIVED = "archived"


class QuarantineStatus(StrEnum):
    PENDING = "pending"
    RELEASED = "released"
    REJECTED = "rejected"
    LAPSED = "lapsed"


class Resolution(StrEnum):
    """What a draft does to what is there."""

    CREATE = "create"
    MERGE = "merge"
    SUPERSEDE = "supersede"
    CONFLICT = "conflict"


class Action(StrEnum):
    """What policy does about a finding; ordered by `rank`, the mildest first."""

    ALLOW = "allow"
    REDACT = "redact"
    QUARANTINE = "quarantine"
    REFUSE = "refuse"

    @property
    def rank(self) -> int:
        return list(Action).index(self)


class RuleAction(StrEnum):
    """What a rule that staff wrote does to a text that it matches."""

    REDACT = "redact"
    QUARANTINE = "quarantine"
    REFUSE = "refuse"
    PREFERENCE = "store_as_preference"
    PRIORITY = "store_with_priority"
    FORGET_PREVIOUS = "forget_previous"


class ModelUse(StrEnum):
    """What a language model may be asked for, and so what may leave the vault for it."""

    DRAFTS = "drafts"
    QUESTIONS = "questions"
    SUMMARIES = "summaries"
    CONTRADICTIONS = "contradictions"
    CONSOLIDATION = "consolidation"


class Category(StrEnum):
    """What kind of thing a finding is."""

    SECRET = "secret"  # noqa: S105 - the name of a category
    PII = "pii"
    SENSITIVE = "sensitive"
    INJECTION = "injection"
    CARRIER = "hidden_carrier"
    RULE = "rule"
    FAILURE = "screening_failure"


@dataclass(frozen=True, slots=True)
class Finding:
    """One detection: where and what kind, never the value itself.

    `pointer` is the JSON pointer of the field ("/text", "/metadata/note"); a key of an object is
    named by the pointer of its object plus "/~key~<index>". `start` and `end` count code points of the
    field as it was submitted. `score` is 0..1. `detector` names the rule or model that spoke.
    """

    category: Category
    type: str
    start: int
    end: int
    score: float
    action: Action
    pointer: str = "/text"
    detector: str = ""


@dataclass(frozen=True, slots=True)
class Allowance:
    """A kind of finding that a reviewer's pattern let pass, by the code that the pattern has for it."""

    pattern: UUID
    code: str


@dataclass(frozen=True, slots=True)
class Verdict:
    """What screening says of one draft. `reasons` are codes, the gravest first, without repeats.

    `allowed` is what would have set the draft aside, had not a reviewer allowed it to its agent.
    """

    action: Action
    findings: tuple[Finding, ...] = ()
    reasons: tuple[str, ...] = ()
    policy_version: int = 1
    allowed: tuple[Allowance, ...] = ()


@dataclass(frozen=True, slots=True)
class Source:
    """Where a statement comes from. `ref` is the caller's own note and may hold personal data."""

    type: SourceType
    ref: str = field(default="", repr=False)
    agent: str = ""


@dataclass(frozen=True, slots=True)
class MemoryDraft:
    """One statement on its way in; every field validated, nothing screened yet.

    `importance` is 0..1. Times are aware. `trust` is what the body claims, if it claims any; it can
    only lower what source and grant allow. `created_at` is given only by importers.
    """

    # Out of every repr: what a person wrote must not reach a traceback.
    subject: str = field(repr=False)
    namespace: str
    text: str = field(repr=False)
    source: Source
    kind: Kind = Kind.FACT
    attribute: str = field(default="", repr=False)
    importance: float = 0.5
    trust: Trust | None = None
    volatile: bool | None = None
    occurred_at: datetime | None = None
    expires_at: datetime | None = None
    created_at: datetime | None = None
    supersedes: tuple[UUID, ...] = ()
    metadata: Mapping[str, Any] = field(default_factory=dict, repr=False)
    session: UUID | None = None
