"""From a question to opened candidates: what is near, what holds its words, and what stands beside the best."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from uuid import UUID

import numpy as np
from numpy.typing import NDArray

from vault.crypto import SubjectKeys
from vault.embedding import EmbeddingFailed, embed
from vault.errors import InvalidField
from vault.models import Memory
from vault.retrieval import candidates
from vault.retrieval.believed import believed_then, changed_since
from vault.retrieval.candidates import Filter, KeywordRows
from vault.retrieval.fields import index_text, speaker_of
from vault.retrieval.fusion import Candidate, Mode, cosine, topic_weights
from vault.retrieval.lexical import Statistics, bm25, coverage
from vault.retrieval.opening import current_versions, open_content
from vault.retrieval.query import QueryHints, analyse
from vault.retrieval.records import Content
from vault.retrieval.similarity import DEFAULT_COEFFICIENTS
from vault.retrieval.tokens import QueryTokens, document_tokens, normalise, query_tokens

# The neighbours of so many of the best candidates become candidates themselves.
EXPANDED = 50

Vector = NDArray[np.float32]
Scores = dict[UUID, float]


@dataclass(frozen=True, slots=True)
class Asked:
    """A question made ready before any transaction; `vector` is None for keyword search or a failed model."""

    text: str = field(repr=False)
    mode: Mode
    tokens: QueryTokens = field(repr=False)
    vector: Vector | None = field(repr=False)


@dataclass(frozen=True, slots=True)
class Opened:
    row: Memory
    content: Content

    @property
    def speaker(self) -> str:
        """Who said it, if the writer noted that in the metadata."""
        return speaker_of(self.content.metadata)


@dataclass(frozen=True, slots=True)
class Gathered:
    """The candidates of one question, ready to be ranked, and the opened rows behind them."""

    candidates: list[Candidate[UUID]]
    opened: dict[UUID, Opened]
    hints: QueryHints
    vector: Vector | None


@dataclass(frozen=True, slots=True)
class Words:
    """What the keyword index says of a question."""

    rows: KeywordRows
    names: tuple[str, ...]
    places: dict[UUID, int]

    def held(self, memory: UUID) -> frozenset[str]:
        """The query's tokens that a memory holds."""
        place = self.places.get(memory)
        if place is None:
            return frozenset()
        # The postings stand memory by memory.
        start, end = np.searchsorted(self.rows.postings.memory, [place, place + 1]).tolist()
        return frozenset(self.names[number] for number in self.rows.postings.token[start:end].tolist())

    def scores(self, weights: dict[str, float], *, share: bool = False) -> Scores:
        """BM25 of each memory by these weights of the tokens; as a share of 0..1 if asked for."""
        if not self.rows.memories:
            return {}
        measure = coverage if share else bm25
        counted = np.array([weights.get(name, 0.0) for name in self.names], dtype=np.float64)
        found = measure(
            self.rows.postings,
            token_weights=counted,
            lengths=self.rows.lengths,
            statistics=self.rows.statistics,
        )
        return dict(zip(self.rows.memories, found.tolist(), strict=True))


def ask(text: str, *, mode: Mode) -> Asked:
    """Read and embed a question. Raises InvalidField for one without any visible character."""
    if not normalise(text).strip():
        raise InvalidField("The query is empty.", pointer="/query")
    return Asked(text, mode, query_tokens(text), None if mode is Mode.KEYWORD else _vector(text))


def gather(asked: Asked, allowed: Filter, *, keys: SubjectKeys) -> Gathered:
    """Find and open what may answer. The subject's rows must be open to the transaction."""
    allowed = replace(allowed, changed=changed_since(allowed))
    past = {each.row.pk: Opened(each.row, each.content) for each in believed_then(allowed, keys=keys)}
    statistics = candidates.index_size(allowed)
    words = _words(asked, allowed, statistics, keys, past)
    plain = words.scores(dict(asked.tokens.weights))
    wanted = _best(plain)
    if asked.vector is not None:
        turned = keys.rotate(asked.vector)
        wanted += candidates.nearest(allowed, turned, documents=statistics.documents)
    elif asked.mode is Mode.KEYWORD:
        wanted = [memory for memory in wanted if asked.tokens.matches(words.held(memory))]
        past = {memory: each for memory, each in past.items() if memory in set(wanted)}
    opened = {**_open([memory for memory in wanted if memory not in past], keys), **past}
    hints = analyse(asked.text, speakers={each.speaker for each in opened.values()})
    vector = asked.vector
    if vector is not None and hints.topic != asked.text:
        vector = _vector(hints.topic)
    topical = words.scores(topic_weights(hints))
    beside = _expand(opened, vector, topical, asked, allowed, keys)
    shares = words.scores(topic_weights(hints), share=True)
    found = [
        _candidate(each, topical, shares, words, beside.get(each.row.pk, (None, None)))
        for each in opened.values()
    ]
    return Gathered(found, opened, hints, vector)


def _vector(text: str) -> Vector | None:
    try:
        return np.asarray(embed([text])[0])
    except EmbeddingFailed:
        return None


def _words(
    asked: Asked, allowed: Filter, statistics: Statistics, keys: SubjectKeys, past: Mapping[UUID, Opened]
) -> Words:
    names = () if asked.mode is Mode.SEMANTIC else tuple(asked.tokens.weights)
    rows = candidates.keyword_rows(allowed, keys.token_hashes(names), statistics=statistics)
    rows = rows.with_documents(names, {memory: _tokens_of(each) for memory, each in past.items()})
    return Words(rows, names, {memory: place for place, memory in enumerate(rows.memories)})


def _tokens_of(each: Opened) -> dict[str, int]:
    text, metadata = each.content.text, each.content.metadata
    return document_tokens(index_text(text=text, metadata=metadata).keyword)


def _best(scores: Scores) -> list[UUID]:
    ordered = sorted(scores.items(), key=lambda item: (-item[1], item[0]))
    return [memory for memory, value in ordered[: candidates.MAX_KEYWORD_CANDIDATES] if value > 0]


def _expand(
    opened: dict[UUID, Opened],
    vector: Vector | None,
    topical: Scores,
    asked: Asked,
    allowed: Filter,
    keys: SubjectKeys,
) -> dict[UUID, tuple[UUID | None, UUID | None]]:
    """Open the neighbours of the best candidates too; answers who stands beside whom."""
    if asked.mode is Mode.KEYWORD or not any(each.row.session_id for each in opened.values()):
        return {}
    rough = DEFAULT_COEFFICIENTS

    def promise(each: Opened) -> float:
        near = cosine(vector, each.content.vector) or 0.0
        return rough.semantic * near + rough.keyword * topical.get(each.row.pk, 0.0)

    best = sorted(opened.values(), key=lambda each: (-promise(each), each.row.pk))[:EXPANDED]
    around = candidates.neighbours(allowed, [each.row.pk for each in best])
    missing = {memory for pair in around.values() for memory in pair if memory is not None} - set(opened)
    opened.update(_open(sorted(missing), keys))
    return candidates.neighbours(allowed, list(opened))


def _open(wanted: Sequence[UUID], keys: SubjectKeys) -> dict[UUID, Opened]:
    rows = list(Memory.objects.filter(pk__in=set(wanted)))
    versions = current_versions(rows)
    return {row.pk: Opened(row, open_content(row, versions[row.pk], keys=keys)) for row in rows}


def _candidate(
    each: Opened,
    topical: Scores,
    shares: Scores,
    words: Words,
    beside: tuple[UUID | None, UUID | None],
) -> Candidate[UUID]:
    row = each.row
    return Candidate(
        id=row.pk,
        text=each.content.text,
        when=row.occurred_at or row.created_at,
        importance=row.importance,
        speaker=each.speaker,
        vector=each.content.vector,
        keyword=topical.get(row.pk, 0.0),
        coverage=shares.get(row.pk, 0.0),
        held=words.held(row.pk),
        previous=beside[0],
        following=beside[1],
        session=row.session_id and (row.namespace_id, row.session_id),
    )
