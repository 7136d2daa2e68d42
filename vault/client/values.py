"""Memories as the vault tells them, and what became of writes, as frozen values.

A field that a newer vault adds is ignored, not refused.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from datetime import datetime
from typing import Any, Self


def known(kind: type[Any], document: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of the answer that this client knows."""
    return {f.name: document[f.name] for f in fields(kind) if f.name in document}


def time_of(value: str | None) -> datetime | None:
    return None if value is None else datetime.fromisoformat(value)


@dataclass(frozen=True, slots=True)
class Finding:
    """One detection: where and what kind, never the value."""

    category: str
    type: str
    start: int
    end: int
    score: float
    action: str
    pointer: str = "/text"

    @classmethod
    def read(cls, document: Mapping[str, Any]) -> Self:
        return cls(**known(cls, document))


@dataclass(frozen=True, slots=True)
class Source:
    type: str
    ref: str = ""
    agent: str = ""


@dataclass(frozen=True, slots=True)
class Memory:
    """One remembered statement. Ids are strings, times are aware."""

    id: str
    subject: str
    namespace: str
    kind: str
    text: str
    attribute: str | None
    importance: float
    trust: str
    source: Source
    status: str
    version: int
    volatile: bool
    occurred_at: datetime | None
    created_at: datetime
    updated_at: datetime
    last_used_at: datetime | None
    expires_at: datetime | None
    seen_count: int
    use_count: int
    supersedes: tuple[str, ...]
    superseded_by: str | None
    derived_from: tuple[str, ...]
    findings: tuple[Finding, ...]
    metadata: Mapping[str, Any] = field(default_factory=dict)
    pinned: bool = False
    conflicts_with: tuple[str, ...] = ()

    @classmethod
    def read(cls, document: Mapping[str, Any]) -> Self:
        times = ("occurred_at", "created_at", "updated_at", "last_used_at", "expires_at")
        return cls(
            **{
                **known(cls, document),
                **{name: time_of(document[name]) for name in times},
                "source": Source(**known(Source, document["source"])),
                "supersedes": tuple(document["supersedes"]),
                "derived_from": tuple(document["derived_from"]),
                "conflicts_with": tuple(document.get("conflicts_with", ())),
                "findings": tuple(Finding.read(finding) for finding in document["findings"]),
            }
        )


@dataclass(frozen=True, slots=True)
class Quarantine:
    """The state of a write that waits for a person; `memory` is the id that a release gave it."""

    id: str
    status: str
    reasons: tuple[str, ...]
    findings: tuple[Finding, ...] = ()
    memory: str | None = None

    @classmethod
    def read(cls, document: Mapping[str, Any]) -> Self:
        findings = tuple(Finding.read(finding) for finding in document.get("findings", ()))
        return cls(
            document["id"], document["status"], tuple(document["reasons"]), findings, document.get("memory")
        )


@dataclass(frozen=True, slots=True)
class Written:
    """What became of a write or a change: created, merged, changed, or quarantined (then without a memory)."""

    outcome: str
    memory: Memory | None = None
    superseded: tuple[str, ...] = ()
    conflicts: tuple[str, ...] = ()
    quarantine: Quarantine | None = None
    archived: tuple[str, ...] = ()
    # Who judged what the words left in doubt, and why a language model that might be asked did not.
    reconciled_by: str = "rules"
    fallback: str | None = None

    @classmethod
    def read(cls, document: Mapping[str, Any]) -> Self:
        if "quarantine" in document:
            return cls(document["outcome"], quarantine=Quarantine.read(document["quarantine"]))
        reconciled = document.get("reconciled", {})
        return cls(
            document["outcome"],
            Memory.read(document["memory"]),
            tuple(document["superseded"]),
            tuple(document["conflicts"]),
            archived=tuple(document.get("archived", ())),
            reconciled_by=reconciled.get("by", "rules"),
            fallback=reconciled.get("fallback"),
        )

    @classmethod
    def read_change(cls, document: Mapping[str, Any]) -> Self:
        """A change is answered by the memory alone, or like a write that waits."""
        if "quarantine" in document:
            return cls.read(document)
        reconciled = document.get("reconciled", {})
        return cls(
            "changed",
            Memory.read(document),
            reconciled_by=reconciled.get("by", "rules"),
            fallback=reconciled.get("fallback"),
        )


@dataclass(frozen=True, slots=True)
class BatchResult:
    """One write of a batch: `written`, or the refusal's stable `code` and its document."""

    status: int
    written: Written | None = None
    code: str = ""
    problem: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def read(cls, document: Mapping[str, Any]) -> Self:
        if "outcome" in document:
            return cls(document["status"], Written.read(document))
        return cls(document["status"], code=document["code"], problem=document)


@dataclass(frozen=True, slots=True)
class Version:
    """One version of a memory: what it said, who wrote it, why and when; `diff` against the one before."""

    version: int
    text: str
    author: str
    reason: str
    written_at: datetime
    importance: float
    trust: str
    status: str
    diff: tuple[tuple[str, str], ...] = ()
    changed: tuple[str, ...] = ()

    @classmethod
    def read(cls, document: Mapping[str, Any]) -> Self:
        return cls(
            **{
                **known(cls, document),
                "written_at": time_of(document["written_at"]),
                "diff": tuple((piece["change"], piece["text"]) for piece in document["diff"]),
                "changed": tuple(document["changed"]),
            }
        )
