from __future__ import annotations

from contextlib import contextmanager

import pytest
from django.db import transaction

from tests.factories import make_memory, make_quarantined_write, make_subject
from tests.lifecycle.test_erasure import erased
from vault.lifecycle.integrity import RowFault, verify_memories, verify_subject
from vault.models import (
    KeywordPosting,
    Memory,
    MemoryIndex,
    MemoryVersion,
    QuarantinedWrite,
    Subject,
    isolation,
)

pytestmark = pytest.mark.django_db


@contextmanager
def reaching_past():
    """Change rows as somebody could who writes to the database."""
    with transaction.atomic():
        isolation.open_everything()
        yield


def fault_of(subject: Subject) -> str:
    with pytest.raises(RowFault) as caught:
        verify_subject(subject.pk)
    return caught.value.reason


def test_what_was_stored_is_found_whole():
    subject = make_subject()
    make_memory("Prefers tea", subject=subject)
    make_memory("Owns a boat", subject=subject)
    make_quarantined_write(subject=subject)

    checked = verify_subject(subject.pk)

    assert (checked.memories, checked.versions, checked.quarantined) == (2, 2, 1)


def test_a_subject_without_memories_is_whole():
    assert verify_subject(make_subject().pk).memories == 0


def test_an_erased_subject_is_passed_over():
    make_memory(subject="S1")
    erased("S1")

    assert list(verify_memories()) == []


@pytest.mark.parametrize("label", [{"trust": "verified"}, {"importance": 1.0}, {"status": "superseded"}])
def test_a_label_that_was_changed_is_found(label: dict):
    memory = make_memory().row
    with reaching_past():
        Memory.objects.filter(pk=memory.pk).update(**label)

    assert fault_of(memory.subject) in ("memory_does_not_open", "index_out_of_step")


def test_a_ciphertext_that_was_changed_is_found():
    memory = make_memory().row
    with reaching_past():
        MemoryVersion.objects.filter(memory=memory).update(ciphertext=b"\x01" * 60)

    assert fault_of(memory.subject) == "memory_does_not_open"


def test_a_memory_that_vanished_is_found():
    subject = make_subject()
    memory = make_memory("Prefers tea", subject=subject).row
    make_memory("Owns a boat", subject=subject)
    with reaching_past():
        for model in (KeywordPosting, MemoryIndex, MemoryVersion):
            model.objects.filter(memory_id=memory.pk).delete()
        Memory.objects.filter(pk=memory.pk).delete()

    assert fault_of(subject) == "rows_are_not_those_of_the_manifest"


def test_a_memory_that_was_moved_to_another_subject_is_found():
    victim, other = make_memory("Prefers tea").row, make_subject()
    with reaching_past():
        for model in (Memory, MemoryVersion):
            key = {"pk": victim.pk} if model is Memory else {"memory_id": victim.pk}
            model.objects.filter(**key).update(subject=other)

    assert fault_of(victim.subject) == "rows_are_not_those_of_the_manifest"


def test_a_memory_out_of_its_index_is_found():
    memory = make_memory().row
    with reaching_past():
        MemoryIndex.objects.filter(memory=memory).delete()

    assert fault_of(memory.subject) == "index_out_of_step"


def test_a_draft_whose_trust_was_raised_is_found():
    write = make_quarantined_write()
    with reaching_past():
        QuarantinedWrite.objects.filter(pk=write.pk).update(trust="verified")

    assert fault_of(write.subject) == "draft_does_not_open"


def test_the_whole_vault_is_checked_subject_by_subject():
    make_memory(subject="S1")
    make_memory(subject="S2")

    assert [checked.memories for checked in verify_memories()] == [1, 1]
