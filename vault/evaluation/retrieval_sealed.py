"""The ranker of the vault itself: sealed rows in a scratch database, found by the search service.

Items are stored as the pipeline stores them, except that screening is left out: its verdicts are measured
apart, and what waits for a person could not be found. A statement said twice is one memory, as it is in life.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from itertools import groupby
from pathlib import Path
from typing import Any
from uuid import NAMESPACE_OID, UUID, uuid5

from django.db import transaction

from audit.log import Actor
from vault.embedding import embed
from vault.evaluation.retrieval import Item, evaluate_retrieval
from vault.evaluation.scratch import scratch_vault
from vault.keys import key_vault
from vault.models import Memory, Namespace, Subject, isolation
from vault.models.identifiers import new_id
from vault.retrieval.records import Content
from vault.retrieval.scope import GrantedNamespace, Right, Scope
from vault.retrieval.score import Weights
from vault.retrieval.search import SearchQuery, search
from vault.types import Kind, SourceType, Status, Trust
from vault.writing.fingerprint import same_statement_form
from vault.writing.locks import lock_or_create_subject
from vault.writing.store import store_memory

ACTOR = Actor("system", "evaluate")
IMPORTANCE = 0.5
BATCH = 200


def evaluate(folder: Path) -> dict[str, Any]:
    """The figures of retrieval over DIR/retrieval, in a scratch vault. Raises DataMissing."""
    with scratch_vault():
        return evaluate_retrieval(folder, SealedRanker())


class SealedRanker:
    """A Ranker over the scratch vault that the caller has opened; each load has a namespace of its own."""

    def __init__(self, *, sealed: bool = False) -> None:
        self.namespace = ""
        self._sealed = sealed
        self._scope = Scope(ACTOR, ())
        self._names: dict[UUID, str] = {}

    def load(self, items: Sequence[Item]) -> None:
        self.namespace = f"load-{Namespace.objects.count() + 1}"
        namespace = Namespace.objects.create(name=self.namespace, sealed=self._sealed)
        granted = GrantedNamespace(
            namespace.pk, namespace.name, frozenset(Right), Trust.VERIFIED, self._sealed
        )
        self._scope = Scope(ACTOR, (granted,), everything=True)
        self._names = {}
        for subject, some in groupby(items, key=lambda item: item.subject):
            self._store(subject, list(some), namespace.pk)

    def rank(self, subject: str, query: str, *, k: int, as_of: datetime, weights: Weights) -> Sequence[str]:
        asked = SearchQuery(subject, query, k=k, as_of=as_of, weights=weights)
        found = search(query=asked, scope=self._scope).results
        # A memory of another subject would have no name here: the lookup itself would fail.
        return [self._names[hit.memory.row.pk] for hit in found]

    def item_of(self, memory: UUID) -> str:
        """The id of the item that this memory was stored for."""
        return self._names[memory]

    def _store(self, subject: str, items: Sequence[Item], namespace_id: int) -> None:
        seen: set[str] = set()
        fresh = []
        for item in items:
            form = same_statement_form(item.text)
            if form not in seen:
                seen.add(form)
                fresh.append(item)
        for start in range(0, len(fresh), BATCH):
            self._store_batch(subject, fresh[start : start + BATCH], namespace_id)

    def _store_batch(self, subject: str, items: Sequence[Item], namespace_id: int) -> None:
        vectors = embed([item.text for item in items])
        keys = key_vault()
        with transaction.atomic(durable=True):
            owner: Subject = lock_or_create_subject(subject, keys=keys)
            isolation.open_subject(owner.pk, namespaces=[namespace_id])
            for item, vector in zip(items, vectors, strict=True):
                memory = store_memory(
                    _row(item, owner, namespace_id),
                    Content(item.text, metadata={"speaker": item.speaker}, vector=vector),
                    subject=owner,
                    author=self._scope.author,
                    reason_code="created",
                    now=item.created,
                    sealed=self._sealed,
                    keys=keys.subject(owner.pk),
                )
                self._names[memory.pk] = item.id


def _row(item: Item, subject: Subject, namespace_id: int) -> Memory:
    return Memory(
        id=new_id(),
        subject=subject,
        namespace_id=namespace_id,
        kind=Kind.FACT.value,
        source_type=SourceType.USER.value,
        trust=Trust.STATED.value,
        status=Status.ACTIVE.value,
        importance=IMPORTANCE,
        volatile=False,
        created_at=item.created,
        session_id=uuid5(NAMESPACE_OID, f"{item.subject}/{item.session}"),
    )
