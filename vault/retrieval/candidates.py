"""The SQL of retrieval: which of one subject's memories are worth opening for a query.

Two sources, both blind: the nearest protected vectors, and the postings of the query's keyed tokens. Both
read one subject through a b-tree and never through an approximate index. The rows must be open to the
transaction (see vault.models.isolation).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import chain
from typing import Any
from uuid import UUID

import numpy as np
from django.db import connection
from numpy.typing import NDArray

from vault.retrieval.lexical import Postings, Statistics
from vault.types import Kind, Trust

MIN_NEAREST = 150
MAX_NEAREST = 1000
# Noise about as long as the vector blurs ranks more in a larger crowd, so more are opened there.
NEAREST_SHARE = 0.04
MAX_KEYWORD_CANDIDATES = 200

SERVED = """
    m.subject_id = %(subject)s AND m.namespace_id = ANY(%(namespaces)s) AND m.status = 'active'
    AND (m.expires_at IS NULL OR m.expires_at > %(now)s)
    AND m.created_at <= %(as_of)s AND NOT (m.id = ANY(%(changed)s::uuid[]))
    AND (%(kinds)s::text[] IS NULL OR m.kind = ANY(%(kinds)s))
    AND (%(trusts)s::text[] IS NULL OR m.trust = ANY(%(trusts)s))
    AND (%(slot)s::bytea IS NULL OR m.attribute_hash = %(slot)s)
    AND (%(created_after)s::timestamptz IS NULL OR m.created_at >= %(created_after)s)
    AND (%(created_before)s::timestamptz IS NULL OR m.created_at < %(created_before)s)
    AND (%(occurred_after)s::timestamptz IS NULL OR m.occurred_at >= %(occurred_after)s)
    AND (%(occurred_before)s::timestamptz IS NULL OR m.occurred_at < %(occurred_before)s)
"""
NEAREST = f"""
    SELECT i.memory_id FROM vault_memoryindex i JOIN vault_memory m ON m.id = i.memory_id
    WHERE i.subject_id = %(subject)s AND i.namespace_id = ANY(%(namespaces)s) AND i.vector IS NOT NULL AND {SERVED}
    ORDER BY i.vector <#> %(vector)s::halfvec, i.memory_id LIMIT %(limit)s
"""
EVERY_ONE = (
    f"SELECT m.id FROM vault_memory m WHERE {SERVED} AND m.namespace_id = ANY(%(sealed)s) ORDER BY m.id"
)
POSTINGS = f"""
    SELECT p.memory_id, i.length, array_agg(array_position(%(tokens)s::bytea[], p.token) - 1), array_agg(p.frequency)
    FROM vault_keywordposting p
    JOIN vault_memoryindex i ON i.memory_id = p.memory_id
    JOIN vault_memory m ON m.id = p.memory_id
    WHERE p.subject_id = %(subject)s AND p.token = ANY(%(tokens)s) AND {SERVED}
    GROUP BY p.memory_id, i.length
"""
BESIDE = f"""
    SELECT id, before, behind FROM (
        SELECT m.id, lag(m.id) OVER turns AS before, lead(m.id) OVER turns AS behind
        FROM vault_memory m
        WHERE {SERVED} AND m.session_id IN (SELECT c.session_id FROM vault_memory c WHERE c.id = ANY(%(memories)s))
        WINDOW turns AS (PARTITION BY m.namespace_id, m.session_id ORDER BY m.created_at, m.id)
    ) AS placed WHERE id = ANY(%(memories)s)
"""
SIZE = """
    SELECT count(*), coalesce(avg(length), 0) FROM vault_memoryindex
    WHERE subject_id = %(subject)s AND namespace_id = ANY(%(namespaces)s)
"""


@dataclass(frozen=True, slots=True)
class Window:
    """A stretch of time from `after` on and before `before`; an end of None is open.

    A time that is not known lies in no window but the open one.
    """

    after: datetime | None = None
    before: datetime | None = None

    def holds(self, when: datetime | None) -> bool:
        if when is None:
            return self.after is None and self.before is None
        return (self.after is None or when >= self.after) and (self.before is None or when < self.before)


ANY_TIME = Window()


@dataclass(frozen=True, slots=True)
class Filter:
    """Which memories may be candidates at all. `now` decides expiry, `as_of` how late a memory may be.

    `slot` is the keyed hash of an attribute; `changed` are memories that stood otherwise at `as_of` and are
    looked up apart.
    """

    subject_id: UUID
    namespaces: tuple[int, ...]
    now: datetime
    as_of: datetime
    sealed: tuple[int, ...] = ()
    kinds: tuple[Kind, ...] | None = None
    min_trust: Trust | None = None
    slot: bytes | None = None
    created: Window = ANY_TIME
    occurred: Window = ANY_TIME
    changed: tuple[UUID, ...] = ()

    def trusts(self) -> list[str] | None:
        """The levels that are enough; None when any is."""
        if self.min_trust is None:
            return None
        return [level.value for level in Trust if level.rank >= self.min_trust.rank]

    def parameters(self) -> dict[str, Any]:
        return {
            "subject": self.subject_id,
            "namespaces": list(self.namespaces),
            "sealed": list(self.sealed),
            "now": self.now,
            "as_of": self.as_of,
            "kinds": None if self.kinds is None else [kind.value for kind in self.kinds],
            "trusts": self.trusts(),
            "slot": self.slot,
            "created_after": self.created.after,
            "created_before": self.created.before,
            "occurred_after": self.occurred.after,
            "occurred_before": self.occurred.before,
            "changed": list(self.changed),
        }


@dataclass(frozen=True, slots=True)
class KeywordRows:
    """The postings of a query's tokens over the memories that hold any of them, memory by memory."""

    memories: tuple[UUID, ...]
    postings: Postings
    lengths: NDArray[np.float64]
    statistics: Statistics

    def with_documents(
        self, names: Sequence[str], documents: Mapping[UUID, Mapping[str, int]]
    ) -> KeywordRows:
        """Also the memories that no index holds, by the tokens of their text; `names` are the query's tokens."""
        if not (names and documents):
            return self
        start = len(self.memories)
        added = [
            (number, start + place, tokens[name])
            for place, tokens in enumerate(documents.values())
            for number, name in enumerate(names)
            if name in tokens
        ]
        table = np.array(added, dtype=np.int64).reshape(-1, 3)
        postings = Postings(
            np.concatenate([self.postings.token, table[:, 0]]),
            np.concatenate([self.postings.memory, table[:, 1]]),
            np.concatenate([self.postings.frequency, table[:, 2].astype(np.float64)]),
        )
        lengths = np.array([sum(tokens.values()) for tokens in documents.values()], dtype=np.float64)
        return KeywordRows(
            (*self.memories, *documents),
            postings,
            np.concatenate([self.lengths, lengths]),
            self.statistics,
        )


def index_size(allowed: Filter) -> Statistics:
    """How many memories the index holds in the namespaces, and their mean length in tokens."""
    with connection.cursor() as cursor:
        cursor.execute(SIZE, allowed.parameters())
        documents, mean_length = cursor.fetchone()
    return Statistics(int(documents), float(mean_length))


def open_at_most(documents: int) -> int:
    """How many of the nearest protected vectors are opened in a subject of this size."""
    return int(min(MAX_NEAREST, max(MIN_NEAREST, documents * NEAREST_SHARE)))


def nearest(allowed: Filter, vector: NDArray[np.float32], *, documents: int) -> list[UUID]:
    """The memories whose protected vectors are nearest to the rotated query, and all of sealed namespaces."""
    limit = open_at_most(documents)
    text = "[" + ",".join(f"{value:.6f}" for value in vector.tolist()) + "]"
    with connection.cursor() as cursor:
        cursor.execute(NEAREST, {**allowed.parameters(), "vector": text, "limit": limit})
        found = [memory for (memory,) in cursor.fetchall()]
        if allowed.sealed:
            cursor.execute(EVERY_ONE, allowed.parameters())
            found += [memory for (memory,) in cursor.fetchall()]
    return found


def neighbours(allowed: Filter, memories: Sequence[UUID]) -> dict[UUID, tuple[UUID | None, UUID | None]]:
    """The memories before and behind each given one in its session, among those that may be served."""
    with connection.cursor() as cursor:
        cursor.execute(BESIDE, {**allowed.parameters(), "memories": list(memories)})
        return {memory: (before, behind) for memory, before, behind in cursor.fetchall()}


def keyword_rows(allowed: Filter, tokens: Sequence[bytes], *, statistics: Statistics) -> KeywordRows:
    """The postings of the given keyed tokens, numbered by the tokens' order."""
    with connection.cursor() as cursor:
        cursor.execute(POSTINGS, {**allowed.parameters(), "tokens": list(tokens)})
        rows = cursor.fetchall()
    # One row a memory: of a common word a subject may have thousands of postings, and each value costs its parsing.
    counts = [len(numbers) for _, _, numbers, _ in rows]
    postings = Postings(
        token=np.fromiter(chain.from_iterable(row[2] for row in rows), dtype=np.int64),
        memory=np.repeat(np.arange(len(rows), dtype=np.int64), counts),
        frequency=np.fromiter(chain.from_iterable(row[3] for row in rows), dtype=np.float64),
    )
    lengths = np.array([row[1] for row in rows], dtype=np.float64)
    return KeywordRows(tuple(row[0] for row in rows), postings, lengths, statistics)
