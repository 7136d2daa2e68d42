"""What the vault answers to questions: hits, context blocks, pages, tokens and erasures."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Generic, Self, TypeVar

from vault.client.values import Memory, known, time_of

Row = TypeVar("Row")


@dataclass(frozen=True, slots=True)
class Hit:
    """One memory that was found, with its score and the parts of it (0..1)."""

    memory: Memory
    score: float
    similarity: float
    recency: float
    importance: float
    semantic: float | None = None
    keyword: float | None = None

    @classmethod
    def read(cls, document: Mapping[str, Any]) -> Self:
        return cls(**{**known(cls, document), "memory": Memory.read(document["memory"])})


@dataclass(frozen=True, slots=True)
class SearchAnswer:
    results: tuple[Hit, ...]
    used: str
    transformed: str | None
    took_ms: float
    # Why a language model's rewriting of the question was not used.
    fallback: str | None = None
    # Memories that were found and are not served, since they read together as an order or crowd out others.
    held_back: int = 0

    @classmethod
    def read(cls, document: Mapping[str, Any]) -> Self:
        query = document["query"]
        hits = tuple(Hit.read(hit) for hit in document["results"])
        return cls(
            hits, query["used"], query["transformed"], document["took_ms"], query.get("fallback"),
            document.get("held_back", 0),
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Context:
    """A block for a prompt, what it costs, the ids it holds, how many did not fit and how many were held back."""

    text: str
    tokens: int
    memories: tuple[str, ...]
    omitted: int
    counting: str = ""
    held_back: int = 0

    @classmethod
    def read(cls, document: Mapping[str, Any]) -> Self:
        return cls(**{**known(cls, document), "memories": tuple(document["memories"])})


@dataclass(frozen=True, slots=True)
class SubjectToken:
    """A token for one subject, shown once."""

    token: str = field(repr=False)
    subject: str
    scopes: tuple[str, ...]
    expires_at: datetime | None

    @classmethod
    def read(cls, document: Mapping[str, Any]) -> Self:
        return cls(
            document["token"], document["subject"], tuple(document["scopes"]), time_of(document["expires_at"])
        )


@dataclass(frozen=True, slots=True)
class Erasure:
    """Where an erasure stands."""

    id: str
    status: str
    reason: str
    due_at: datetime | None
    executed_at: datetime | None

    @classmethod
    def read(cls, document: Mapping[str, Any]) -> Self:
        times = {name: time_of(document[name]) for name in ("due_at", "executed_at")}
        return cls(**{**known(cls, document), **times})


@dataclass(frozen=True, slots=True)
class Export:
    """Where an access export stands. `done` of about `total` records; `size` is in bytes, 0 until it is ready."""

    id: str
    status: str
    done: int = 0
    total: int = 0
    size: int = 0
    expires_at: datetime | None = None

    @classmethod
    def read(cls, document: Mapping[str, Any]) -> Self:
        progress, download = document.get("progress") or {}, document.get("download") or {}
        return cls(
            id=document["id"],
            status=document["status"],
            done=progress.get("done", 0),
            total=progress.get("total", 0),
            size=download.get("bytes", 0),
            expires_at=time_of(document.get("expires_at")),
        )


@dataclass(frozen=True, slots=True)
class Forgotten:
    """The ids of what was forgotten, and whether more matches: then call again.

    `wholes` are the consolidated memories that went with an original of theirs.
    """

    memories: tuple[str, ...]
    more: bool
    wholes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Page(Generic[Row]):
    """One page of a list; `next` and `previous` are what `cursor` takes."""

    results: tuple[Row, ...]
    next: str | None
    previous: str | None

    def __iter__(self) -> Iterator[Row]:
        return iter(self.results)
