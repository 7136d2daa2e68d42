"""What an edit does to the other memories of its subject."""

from __future__ import annotations

import pytest
from django.db import transaction

from audit.models import AuditEntry
from tests.drafts import make_agent_scope, make_draft
from vault.errors import InvalidField, InvalidTransition
from vault.models import Conflict, Memory, isolation
from vault.types import SourceType, Status
from vault.writing.change import change_memory
from vault.writing.pipeline import write_memory

pytestmark = pytest.mark.django_db


def write(text: str, **fields: object) -> Memory:
    return write_memory(draft=make_draft(text, **fields), scope=make_agent_scope()).memory.row


def change(memory: Memory, version: int = 1, **changes: object):
    return change_memory(
        memory_id=memory.pk, changes=changes, expected_version=version, reason="corrected",
        scope=make_agent_scope(),
    )  # fmt: skip


def now(memory: Memory) -> Memory:
    with transaction.atomic():
        isolation.open_everything()
        return Memory.objects.get(pk=memory.pk)


def test_an_edit_that_says_in_other_words_what_another_says_is_refused():
    write("The kiosk shuts at 6 pm")
    other = write("The choir rehearses on Mondays.")

    with pytest.raises(InvalidField) as refused:
        change(other, text="The kiosk shuts at 18:00")

    assert refused.value.facts["pointer"] == "/text"
    assert now(other).version == 1


def test_an_edit_that_contradicts_another_replaces_it_as_a_write_would():
    old = write("Loves Thai food")
    other = write("The choir rehearses on Mondays.")

    result = change(other, text="Cannot stand Thai food any more")

    assert result.superseded == (old.pk,)
    assert (now(old).status, now(old).superseded_by_id) == (Status.SUPERSEDED, other.pk)
    assert AuditEntry.objects.get(action="memory.changed").facts["superseded"] == 1


def test_an_edit_that_moves_into_a_slot_takes_it():
    old = write("Her shoe size is 38.", attribute="shoe_size")
    other = write("The choir rehearses on Mondays.")

    result = change(other, text="Her shoe size is 39.", attribute="shoe_size")

    assert result.superseded == (old.pk,)


def test_an_edit_of_lower_trust_leaves_what_it_contradicts_and_opens_a_conflict():
    old = write("Loves Thai food")
    other = write("The choir rehearses on Mondays.", source=SourceType.AGENT)

    result = change(other, text="Cannot stand Thai food any more")

    assert (result.superseded, now(old).status) == ((), Status.ACTIVE)
    with transaction.atomic():
        isolation.open_everything()
        assert Conflict.objects.get().standing_id == old.pk


def test_an_edit_does_not_contradict_itself():
    memory = write("Loves Thai food")

    result = change(memory, text="Cannot stand Thai food any more")

    assert (result.superseded, result.conflicts, now(memory).status) == ((), (), Status.ACTIVE)


def test_an_edit_of_a_label_alone_does_nothing_to_others():
    write("The lamp is green.")
    second = write("The lamp is red.")

    assert change(second, importance=0.9).conflicts == ()


def test_what_was_destroyed_is_not_edited():
    memory = write("Loves Thai food")
    with transaction.atomic():
        isolation.open_everything()
        Memory.objects.filter(pk=memory.pk).update(destroyed_at=memory.created_at)

    with pytest.raises(InvalidTransition):
        change(memory, importance=0.9)
