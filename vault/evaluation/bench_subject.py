"""Who and what the bench writes and searches: invented statements, and subjects filled with them."""

from __future__ import annotations

from datetime import timedelta

import numpy as np
from django.db import transaction
from django.utils import timezone

from audit.log import Actor
from vault.embedding import DIMENSIONS, unit
from vault.keys import key_vault
from vault.lifecycle.tokens import create_agent, issue_agent_token
from vault.models import Agent, Memory, Namespace, isolation
from vault.models.identifiers import new_id
from vault.retrieval.records import Content
from vault.retrieval.scope import GrantedNamespace, Right, Scope
from vault.types import Kind, MemoryDraft, Source, SourceType, Status, Trust
from vault.writing.locks import lock_or_create_subject
from vault.writing.store import store_memory

NAMESPACE = "default"
AGENT = "bench"
OPERATOR = Actor("system", "bench")
BATCH = 250
REASONS = ("code E12", "a missing order", "a wrong address", "a late delivery", "a damaged box", "two prices")
PLACES = ("the north depot", "the old harbour", "the second floor", "the river site", "the main office")


def statement(number: int, series: str) -> str:
    """A statement of about twenty tokens that no other number or series makes."""
    invoice = 1000 + number
    reason, place = REASONS[number % len(REASONS)], PLACES[number // len(REASONS) % len(PLACES)]
    return f"Invoice {invoice} of series {series} was returned by {place} because of {reason} last week."


def draft(subject: str, text: str) -> MemoryDraft:
    return MemoryDraft(subject=subject, namespace=NAMESPACE, text=text, source=Source(SourceType.USER))


def bench_scope() -> Scope:
    """The scope of an agent with every right on the bench's namespace."""
    agent, _ = Agent.objects.get_or_create(name=AGENT)
    place = Namespace.objects.get(name=NAMESPACE)
    granted = GrantedNamespace(place.pk, place.name, frozenset(Right), Trust.VERIFIED)
    return Scope(Actor("agent", str(agent.pk)), (granted,), agent_id=agent.pk, agent_name=AGENT)


def bench_token() -> str:
    return issue_agent_token(
        agent=create_agent(name=AGENT, actor=OPERATOR),
        namespace=NAMESPACE,
        scopes=list(Right),
        max_trust=Trust.VERIFIED,
        actor=OPERATOR,
    )


def fill(subject: str, size: int) -> None:
    """Store `size` memories as a write stores them, but unscreened and with random vectors: only speed is measured."""
    for start in range(0, size, BATCH):
        _fill_batch(subject, range(start, min(start + BATCH, size)))


def _fill_batch(subject: str, numbers: range) -> None:
    generator = np.random.default_rng(numbers.start)
    place = Namespace.objects.get(name=NAMESPACE)
    keys, now = key_vault(), timezone.now()
    with transaction.atomic(durable=True):
        owner = lock_or_create_subject(subject, keys=keys)
        isolation.open_subject(owner.pk, namespaces=[place.pk])
        for number in numbers:
            vector = unit(generator.standard_normal(DIMENSIONS).astype(np.float32))
            memory = Memory(
                id=new_id(), subject=owner, namespace=place, kind=Kind.FACT.value,
                source_type=SourceType.USER.value, trust=Trust.STATED.value, status=Status.ACTIVE.value,
                importance=0.5, volatile=False, created_at=now - timedelta(hours=number),
            )  # fmt: skip
            store_memory(
                memory, Content(statement(number, "filled"), vector=vector), subject=owner, author="system:bench",
                reason_code="created", now=now, sealed=False, keys=keys.subject(owner.pk),
            )  # fmt: skip
