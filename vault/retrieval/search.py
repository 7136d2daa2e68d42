"""Search: scope -> candidates -> open -> exact scores -> order -> audit -> usage counters."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from uuid import UUID

import numpy as np
from django.conf import settings
from django.utils import timezone
from numpy.typing import NDArray

from audit.actions import Action as Event
from vault.crypto import SubjectKeys
from vault.embedding import EmbeddingFailed, embed
from vault.errors import InvalidField
from vault.keys import key_vault
from vault.models import Memory, Subject
from vault.retrieval import candidates, trail
from vault.retrieval.candidates import Filter
from vault.retrieval.integrity import check_manifest, reading
from vault.retrieval.lexical import coverage
from vault.retrieval.opening import current_versions, name_memories, open_content
from vault.retrieval.ranking import Ranked, rank
from vault.retrieval.records import Content, OpenedMemory
from vault.retrieval.scope import GrantedNamespace, Right, Scope
from vault.retrieval.score import DEFAULT_WEIGHTS, Decay, Weights
from vault.retrieval.subjects import require_subject
from vault.retrieval.tokens import QueryTokens, normalise, query_tokens
from vault.retrieval.usage import count_use
from vault.types import Kind, Trust

MAX_RESULTS = 100
NO_LIMIT = datetime.max


class Mode(StrEnum):
    HYBRID = "hybrid"
    SEMANTIC = "semantic"
    KEYWORD = "keyword"


@dataclass(frozen=True, slots=True)
class SearchQuery:
    """What to look for. `k` is 1..100; `as_of` looks back: later memories do not exist, ages count from then."""

    # Out of every repr, like all that a caller wrote.
    subject: str = field(repr=False)
    query: str = field(repr=False)
    k: int = 5
    namespaces: tuple[str, ...] | None = None
    kinds: tuple[Kind, ...] | None = None
    min_trust: Trust | None = None
    min_similarity: float | None = None
    mode: Mode = Mode.HYBRID
    weights: Weights = DEFAULT_WEIGHTS
    half_life_days: float | None = None
    decay: Decay = Decay.EXPONENTIAL
    as_of: datetime | None = None
    transform: bool = False
    session: UUID | None = None


@dataclass(frozen=True, slots=True)
class Hit:
    """One memory that was found, with the parts of its score; all parts 0..1."""

    memory: OpenedMemory
    score: float
    similarity: float
    recency: float
    importance: float
    semantic: float
    keyword: float


@dataclass(frozen=True, slots=True)
class SearchAnswer:
    results: tuple[Hit, ...]
    used: str = field(repr=False)
    transformed: str | None = field(repr=False)
    took_ms: float


@dataclass(frozen=True, slots=True)
class Question:
    """A query made ready: its vector (None for keyword search or a failed model) and its tokens."""

    query: SearchQuery
    tokens: QueryTokens
    vector: NDArray[np.float32] | None


def search(*, query: SearchQuery, scope: Scope) -> SearchAnswer:
    """The k best memories of one subject. Raises NotFound, SubjectErased, ScopeMissing, InvalidField.

    Every read is recorded; use is counted after the answer's transaction, and a fault there is not the reader's.
    """
    started = time.perf_counter()
    hits = find(query=query, scope=scope, event=Event.MEMORY_SEARCHED)
    count_use([hit.memory.row for hit in hits])
    return SearchAnswer(hits, query.query, None, (time.perf_counter() - started) * 1000)


def find(*, query: SearchQuery, scope: Scope, event: Event) -> tuple[Hit, ...]:
    """Search in a transaction of its own and record it as `event`; shared by search and the context block."""
    namespaces = scope.select(query.namespaces, Right.MEMORY_READ)
    question = _prepare(query)
    with reading(scope=scope, kind="subject"):
        subject = require_subject(query.subject, scope=scope)
        keys = key_vault().subject(subject.pk)
        check_manifest(subject.pk, keys=keys)
        scope.open(subject.pk, Right.MEMORY_READ)
        hits = _hits(question, subject, namespaces, keys)
        trail.note(event, scope=scope, kind="subject", subject_ref=keys.audit_reference, count=len(hits))
    return hits


def _prepare(query: SearchQuery) -> Question:
    if not normalise(query.query).strip():
        raise InvalidField("The query is empty.", pointer="/query")
    vector = None
    if query.mode is not Mode.KEYWORD:
        try:
            vector = np.asarray(embed([query.query])[0])
        except EmbeddingFailed:
            vector = None
    return Question(query, query_tokens(query.query), vector)


def _hits(
    question: Question, subject: Subject, namespaces: Sequence[GrantedNamespace], keys: SubjectKeys
) -> tuple[Hit, ...]:
    query = question.query
    now = timezone.now()
    as_of = query.as_of or now
    allowed = Filter(
        subject_id=subject.pk,
        namespaces=tuple(n.id for n in namespaces),
        sealed=tuple(n.id for n in namespaces if n.sealed),
        now=now,
        as_of=query.as_of or NO_LIMIT.replace(tzinfo=now.tzinfo),
        kinds=query.kinds,
        min_trust=query.min_trust,
    )
    keyword = _keyword_scores(question, allowed, keys)
    wanted = dict.fromkeys(keyword)
    if question.vector is not None:
        size = candidates.index_size(allowed).documents
        wanted.update(
            dict.fromkeys(candidates.nearest(allowed, keys.rotate(question.vector), documents=size))
        )
    opened = _open(list(wanted), keys)
    ranked = rank(
        query.query,
        [(row, content, keyword.get(row.pk, 0.0)) for row, content in opened],
        vector=question.vector,
        weights=query.weights,
        half_life_days=query.half_life_days or settings.HALF_LIFE_DAYS,
        decay=query.decay,
        as_of=as_of,
    )
    best = _served(ranked, query)
    named = name_memories([(item.row, item.content) for item in best], subject=subject)
    return tuple(
        Hit(
            memory,
            item.parts.score,
            item.parts.similarity,
            item.parts.recency,
            item.parts.importance,
            item.semantic,
            item.keyword,
        )
        for memory, item in zip(named, best, strict=True)
    )


def _served(ranked: Sequence[Ranked], query: SearchQuery) -> list[Ranked]:
    floor = query.min_similarity
    kept = [item for item in ranked if floor is None or item.parts.similarity >= floor]
    return kept[: min(query.k, MAX_RESULTS)]


def _keyword_scores(question: Question, allowed: Filter, keys: SubjectKeys) -> Mapping[UUID, float]:
    if question.query.mode is Mode.SEMANTIC or not question.tokens.weights:
        return {}
    tokens = list(question.tokens.weights)
    hashes = keys.token_hashes(tokens)
    rows = candidates.keyword_rows(allowed, hashes, statistics=candidates.index_size(allowed))
    strict = question.query.mode is Mode.KEYWORD
    return keyword_scores(question.tokens, rows, strict=strict)


def keyword_scores(tokens: QueryTokens, rows: candidates.KeywordRows, *, strict: bool) -> dict[UUID, float]:
    """Keyword scores 0..1; when `strict`, only of memories that hold what the query requires."""
    if not rows.memories:
        return {}
    names = list(tokens.weights)
    weights = np.array([tokens.weights[name] for name in names], dtype=np.float64)
    scores = coverage(rows.postings, token_weights=weights, lengths=rows.lengths, statistics=rows.statistics)
    best = sorted(zip(rows.memories, scores.tolist(), strict=True), key=lambda item: (-item[1], item[0]))
    if strict:
        held: dict[UUID, set[str]] = {}
        for token, memory in zip(rows.postings.token.tolist(), rows.postings.memory.tolist(), strict=True):
            held.setdefault(rows.memories[memory], set()).add(names[token])
        best = [(memory, value) for memory, value in best if tokens.matches(held[memory])]
    return dict(best[: candidates.MAX_KEYWORD_CANDIDATES])


def _open(wanted: Sequence[UUID], keys: SubjectKeys) -> list[tuple[Memory, Content]]:
    rows = list(Memory.objects.filter(pk__in=wanted))
    versions = current_versions(rows)
    return [(row, open_content(row, versions[row.pk], keys=keys)) for row in rows]
