"""Labelled conversations as sessions: sealed turns, stored by the service that stores those of the API.

Screening is left out, as for the memories of the retrieval figures: its verdicts are measured apart.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from django.conf import settings
from django.db import transaction

from vault.embedding import embed
from vault.evaluation.retrieval import Item
from vault.keys import key_vault
from vault.models import Namespace, Session, Turn, isolation
from vault.models.identifiers import new_id
from vault.retrieval.records import Content
from vault.retrieval.token_counter import token_counter
from vault.retrieval.turns import OpenedTurn, open_turns
from vault.sessions.append import FRAME_TOKENS, add_screened
from vault.sessions.fit import TurnNumbers, Unit, units_of
from vault.sessions.records import TurnDraft
from vault.sessions.roles import Role
from vault.sessions.screening import ScreenedTurn
from vault.sessions.summaries import points_of_session
from vault.sessions.summarise import Point
from vault.types import Trust
from vault.writing.locks import lock_or_create_subject

NAMESPACE = "conversations"
BATCH = 50


@dataclass(frozen=True, slots=True)
class StoredConversation:
    """What a window is arranged from, and how its parts are counted once more."""

    units: list[Unit]
    points: list[Point]
    turns: list[OpenedTurn]
    count: Callable[[str], int]

    def cost(self, numbers: Iterable[int]) -> int:
        return sum(self.count(self.turns[number - 1].content.text) + FRAME_TOKENS for number in numbers)


def store_conversation(subject: str, items: Sequence[Item]) -> StoredConversation:
    """One session with every turn of a conversation; the first who speaks is the user."""
    place, _ = Namespace.objects.get_or_create(name=NAMESPACE)
    keys = key_vault()
    with transaction.atomic(durable=True):
        owner = lock_or_create_subject(subject, keys=keys)
        isolation.open_subject(owner.pk, namespaces=[place.pk])
        now = items[0].created
        session = Session.objects.create(
            id=new_id(), subject=owner, namespace=place, started_at=now, last_turn_at=now,
            idle_until=now + settings.SESSION_IDLE, ends_at=now + settings.SESSION_LIFE,
        )  # fmt: skip
        own = keys.subject(owner.pk)
        for start in range(0, len(items), BATCH):
            some = items[start : start + BATCH]
            add_screened(session, _screened(some, items[0].speaker), keys=own, now=some[0].created)
        rows = Turn.objects.filter(session=session).order_by("number")
        units, _ = units_of(
            TurnNumbers(*row)
            for row in rows.values_list("number", "role", "importance", "tokens", "calls", "unit", "repeated")
        )
        return StoredConversation(
            units, points_of_session(session, keys=own), open_turns(rows, keys=own), token_counter().count
        )


def _screened(items: Sequence[Item], user: str) -> list[ScreenedTurn]:
    vectors = embed([item.text for item in items])
    return [
        ScreenedTurn(
            TurnDraft(Role.USER if item.speaker == user else Role.ASSISTANT, item.text, speaker=item.speaker),
            Content(item.text, metadata={"speaker": item.speaker}, vector=vector),
            Trust.STATED,
            (),
        )
        for item, vector in zip(items, vectors, strict=True)
    ]
