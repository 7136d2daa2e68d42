"""Search: scope -> candidates -> open -> exact scores -> order -> audit -> usage counters."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

from django.utils import timezone

from audit.actions import Action as Event
from vault.crypto import SubjectKeys
from vault.keys import key_vault
from vault.models import Subject
from vault.retrieval import trail
from vault.retrieval.candidates import ANY_TIME, Filter, Window
from vault.retrieval.disputes import Dispute, behind_what_they_challenge, disputes_of
from vault.retrieval.fusion import Mode, Ranked, rank
from vault.retrieval.gathering import Asked, Opened, ask, gather
from vault.retrieval.guard import Guarded, guard
from vault.retrieval.integrity import check_manifest, reading
from vault.retrieval.kind_policy import KindPolicy, rankings
from vault.retrieval.opening import name_memories
from vault.retrieval.records import OpenedMemory
from vault.retrieval.scope import GrantedNamespace, Right, Scope
from vault.retrieval.score import Decay, Ranking, Weights
from vault.retrieval.served import as_served
from vault.retrieval.subjects import require_subject
from vault.retrieval.usage import count_use
from vault.types import Kind, Trust

__all__ = ["Hit", "Mode", "SearchAnswer", "SearchQuery", "Together", "find", "find_together", "search"]

MAX_RESULTS = 100
DEFAULT_K = 5
NO_LIMIT = datetime.max


@dataclass(frozen=True, slots=True)
class SearchQuery:
    """What to look for. `k` is 1..100. A filter of None means any, an empty one nothing.

    Weights, half-life and decay of None are those of the policy: a memory is weighed as its own namespace weighs its
    kind. `k` and `mode` of None are 5 and hybrid, or what a context block's policy says.
    `as_of` looks back: what was believed then, in the words and with the labels of then; ages count from then.
    `attribute` is a slot's exact name. A memory that did not say when it occurred lies in no window of that.
    """

    # Out of every repr, like all that a caller wrote.
    subject: str = field(repr=False)
    query: str = field(repr=False)
    k: int | None = None
    namespaces: tuple[str, ...] | None = None
    kinds: tuple[Kind, ...] | None = None
    min_trust: Trust | None = None
    min_similarity: float | None = None
    attribute: str | None = None
    created: Window = ANY_TIME
    occurred: Window = ANY_TIME
    mode: Mode | None = None
    weights: Weights | None = None
    half_life_days: float | None = None
    decay: Decay | None = None
    as_of: datetime | None = None
    transform: bool = False
    session: UUID | None = None

    @property
    def most(self) -> int:
        """How many results at most."""
        return min(DEFAULT_K if self.k is None else self.k, MAX_RESULTS)

    @property
    def way(self) -> Mode:
        """How it is looked for."""
        return self.mode or Mode.HYBRID


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
class _Found:
    search: int
    ranked: Ranked[UUID]
    opened: Opened


@dataclass(frozen=True, slots=True)
class Together:
    """What may be served, the best first, and how many memories were held back beside it (`guard`)."""

    hits: tuple[Hit, ...]
    held_back: int


@dataclass(frozen=True, slots=True)
class SearchAnswer:
    results: tuple[Hit, ...]
    used: str = field(repr=False)
    transformed: str | None = field(repr=False)
    took_ms: float
    fallback: str = ""
    held_back: int = 0


def search(*, query: SearchQuery, scope: Scope) -> SearchAnswer:
    """The k best memories of one subject. Raises NotFound, SubjectErased, ScopeMissing, InvalidField.

    Every read is recorded; use is counted after the answer's transaction, and a fault there is not the reader's.
    """
    started = time.perf_counter()
    found = find(query=query, scope=scope, event=Event.MEMORY_SEARCHED)
    count_use([hit.memory.row for hit in found.hits])
    took = time.perf_counter() - started
    return SearchAnswer(found.hits, query.query, None, took * 1000, held_back=found.held_back)


def find(*, query: SearchQuery, scope: Scope, event: Event) -> Together:
    """Search in a transaction of its own and record it as `event`; does not count as use."""
    return find_together(queries=(query,), scope=scope, event=event)


def find_together(*, queries: Sequence[SearchQuery], scope: Scope, event: Event) -> Together:
    """What several searches of one subject find for one answer, the best score first; one entry tells of all.

    The searches ask the same of different memories, and each gives at most its `k`. What all of them found is looked
    at together before any of it is served; what is believed less than a statement that it contradicts comes behind
    that, whatever its score. Raises what `search` raises.
    """
    asked = _asked(queries)
    places = [scope.select(query.namespaces, Right.MEMORY_READ) for query in queries]
    with reading(scope=scope, kind="subject"):
        subject = require_subject(queries[0].subject, scope=scope)
        keys = key_vault().subject(subject.pk)
        check_manifest(subject.pk, keys=keys)
        scope.open(subject.pk, Right.MEMORY_READ)
        found = [
            found
            for number, query in enumerate(queries)
            for found in _found(number, query, asked[query.way], subject, places[number], keys)
        ]
        if len(queries) > 1:
            found.sort(key=lambda each: -each.ranked.parts.score)
        disputes = disputes_of(subject.pk, as_of=queries[0].as_of)
        found = behind_what_they_challenge(found, disputes, key=lambda each: each.ranked.id)
        hits, guarded = _guarded(found, queries, subject, disputes)
        trail.note(
            event, scope=scope, kind="subject", subject_ref=keys.audit_reference, count=len(hits),
            split=guarded.split, swarm=guarded.swarm, stuffed=guarded.stuffed,
        )  # fmt: skip
    return Together(hits, guarded.held_back)


def _asked(queries: Sequence[SearchQuery]) -> dict[Mode, Asked]:
    """The question, read once for each way of looking for it. Raises ValueError when there is more than one."""
    if len({(query.subject, query.query) for query in queries}) != 1:
        raise ValueError("searches for one answer ask one question about one subject")
    return {mode: ask(queries[0].query, mode=mode) for mode in {query.way for query in queries}}


def _found(
    number: int,
    query: SearchQuery,
    asked: Asked,
    subject: Subject,
    namespaces: Sequence[GrantedNamespace],
    keys: SubjectKeys,
) -> list[_Found]:
    """All that one search finds above its floor, the best first."""
    now = timezone.now()
    gathered = gather(asked, _filter(query, subject, namespaces, keys, now), keys=keys)
    ranked = rank(
        gathered.candidates,
        hints=gathered.hints,
        vector=gathered.vector,
        as_of=query.as_of or now,
        mode=query.way,
        rankings=_rankings(query, gathered.opened, namespaces),
    )
    floor = query.min_similarity
    return [
        _Found(number, item, gathered.opened[item.id])
        for item in ranked
        if floor is None or item.parts.similarity >= floor
    ]


def _rankings(
    query: SearchQuery, opened: Mapping[UUID, Opened], namespaces: Sequence[GrantedNamespace]
) -> dict[UUID, Ranking]:
    """How each memory is weighed: as the request says, else as its namespace weighs its kind."""
    asked = KindPolicy(weights=query.weights, half_life_days=query.half_life_days, decay=query.decay)
    by_kind = {place.id: rankings(place.policy, asked) for place in namespaces}
    return {memory: by_kind[each.row.namespace_id][Kind(each.row.kind)] for memory, each in opened.items()}


def _filter(
    query: SearchQuery,
    subject: Subject,
    namespaces: Sequence[GrantedNamespace],
    keys: SubjectKeys,
    now: datetime,
) -> Filter:
    return Filter(
        subject_id=subject.pk,
        namespaces=tuple(n.id for n in namespaces),
        sealed=tuple(n.id for n in namespaces if n.sealed),
        now=now,
        as_of=query.as_of or NO_LIMIT.replace(tzinfo=now.tzinfo),
        kinds=query.kinds,
        min_trust=query.min_trust,
        slot=None if query.attribute is None else keys.slot_hash(query.attribute),
        created=query.created,
        occurred=query.occurred,
    )


def _guarded(
    found: Sequence[_Found], queries: Sequence[SearchQuery], subject: Subject, disputes: Sequence[Dispute]
) -> tuple[tuple[Hit, ...], Guarded[UUID]]:
    """The best of each search that may be served with the others."""
    ranked = (as_served(each.opened.row, each.opened.content, search=each.search) for each in found)
    guarded = guard(ranked, question=queries[0].query, most=[query.most for query in queries])
    served = set(guarded.kept)
    best = [each for each in found if each.ranked.id in served]
    opened = [(each.opened.row, each.opened.content) for each in best]
    named = name_memories(opened, subject=subject, disputes=disputes)
    return tuple(_hit(memory, each.ranked) for memory, each in zip(named, best, strict=True)), guarded


def _hit(memory: OpenedMemory, item: Ranked[UUID]) -> Hit:
    parts = item.parts
    return Hit(
        memory, parts.score, parts.similarity, parts.recency, parts.importance, item.semantic, item.keyword
    )
