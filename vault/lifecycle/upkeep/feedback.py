"""What those who were served a memory say of it: one word a day from each caller, counted on the memory.

Whoever may read a memory may say whether it helped. The word changes no content and no score: it weighs when
a cap has to choose, and in the register of what nobody uses.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, timedelta
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from audit.actions import Action as Event
from audit.actions import Outcome
from vault.errors import NotFound
from vault.keys import key_vault
from vault.lifecycle.desk import refusals_noted
from vault.models import Memory, MemoryFeedback, isolation
from vault.retrieval import trail
from vault.retrieval.read import find_memory, is_hidden
from vault.retrieval.scope import Right, Scope

# The counters stay; who said what on which day is kept no longer than it takes to count each once.
KEPT = timedelta(days=2)


@dataclass(frozen=True, slots=True)
class Feedback:
    """What stands after a word was given; `counted` is false when the caller had said the same today."""

    memory: UUID
    useful: bool
    counted: bool
    useful_count: int
    useless_count: int


def give_feedback(*, memory_id: UUID, useful: bool, scope: Scope) -> Feedback:
    """Note whether a memory was of use; another word of the same day takes the place of the first.

    Raises NotFound for what the caller may not read, and for what is forgotten or past its time.
    """
    now = timezone.now()
    with (
        refusals_noted(Event.MEMORY_FEEDBACK, scope=scope, kind="memory", target=memory_id),
        transaction.atomic(durable=True),
    ):
        memory, subject = find_memory(memory_id=memory_id, scope=scope, right=Right.MEMORY_READ)
        if is_hidden(memory, now):
            raise NotFound
        # The row's own lock: no writer of the subject waits for a word on one of its memories.
        memory = Memory.objects.select_for_update(no_key=True).get(pk=memory.pk)
        before = _word(memory, now.date(), scope)
        counted = before is None or before.useful != useful
        if counted:
            _count(memory, before, now.date(), useful, scope)
        trail.note(
            Event.MEMORY_FEEDBACK, scope=scope, kind="memory", target=memory.pk,
            subject_ref=key_vault().subject(subject.pk).audit_reference,
            outcome=Outcome.OK if counted else Outcome.SKIPPED, reason="useful" if useful else "not_useful",
        )  # fmt: skip
    return Feedback(memory.pk, useful, counted, memory.useful_count, memory.useless_count)


def drop_old_feedback(*, now: datetime, limit: int) -> int:
    """Delete the words of days long past; what they counted for stays on the memory."""
    with transaction.atomic(durable=True):
        isolation.open_everything()
        old = MemoryFeedback.objects.filter(day__lt=(now - KEPT).date()).values_list("pk", flat=True)[:limit]
        return MemoryFeedback.objects.filter(pk__in=list(old)).delete()[0]


def _word(memory: Memory, day: date, scope: Scope) -> MemoryFeedback | None:
    return MemoryFeedback.objects.filter(memory=memory, caller=scope.author, day=day).first()


def _count(memory: Memory, before: MemoryFeedback | None, day: date, useful: bool, scope: Scope) -> None:
    if before is None:
        MemoryFeedback.objects.create(
            memory=memory,
            subject_id=memory.subject_id,
            namespace_id=memory.namespace_id,
            caller=scope.author,
            day=day,
            useful=useful,
        )
    else:
        before.useful = useful
        before.save(update_fields=["useful"])
        _add(memory, not useful, -1)
    _add(memory, useful, 1)
    memory.save(update_fields=["useful_count", "useless_count"])


def _add(memory: Memory, useful: bool, number: int) -> None:
    if useful:
        memory.useful_count += number
    else:
        memory.useless_count += number
