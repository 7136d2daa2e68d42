from __future__ import annotations

import numpy as np
import pytest
from django.db import transaction

from audit.models import AuditEntry
from tests.factories import make_memory, make_scope, make_subject, staff_scope
from vault.errors import InvalidTransition, NotFound, StaleVersion
from vault.keys import key_vault
from vault.lifecycle.diff import Piece
from vault.lifecycle.forget import forget_memory
from vault.lifecycle.versions import list_versions, roll_back
from vault.models import KeywordPosting, Memory, MemoryVersion, Subject, isolation
from vault.retrieval.records import Content
from vault.retrieval.tokens import document_tokens
from vault.types import Trust
from vault.writing.judge import embed_or_none
from vault.writing.store import write_version

pytestmark = pytest.mark.django_db


def change(memory, text: str, *, vector=None, **labels) -> None:
    """A next version by the real function, without the screening of a change."""
    with transaction.atomic():
        isolation.open_everything()
        row = Memory.objects.get(pk=memory.row.pk)
        for label, value in labels.items():
            setattr(row, label, value)
        subject = Subject.objects.select_for_update().get(pk=row.subject_id)
        write_version(
            row, Content(text=text, vector=vector), subject=subject, author="agent:x", reason_code="correction",
            now=row.updated_at, sealed=False, keys=key_vault().subject(subject.pk),
        )  # fmt: skip
        isolation.close()


def back(memory, *, to: int = 1, at: int = 2, scope=None):
    return roll_back(
        memory_id=memory.row.pk,
        version=to,
        expected_version=at,
        reason="poisoned",
        scope=scope or make_scope(),
    )


def finds(memory, word: str) -> bool:
    keys = key_vault().subject(memory.row.subject_id)
    with transaction.atomic():
        isolation.open_everything()
        hashes = keys.token_hashes(document_tokens(word))
        return KeywordPosting.objects.filter(memory=memory.row, token__in=hashes).exists()


def test_the_first_version_is_all_added():
    memory = make_memory("Prefers tea")

    (first,) = list_versions(memory_id=memory.row.pk, scope=make_scope())

    assert first.changes == (Piece("added", "Prefers tea"),)
    assert first.opened.row.author == "system:tests"


def test_each_version_shows_what_it_changed():
    memory = make_memory("Prefers tea", importance=0.5)
    change(memory, "Prefers coffee", importance=0.9)

    second = list_versions(memory_id=memory.row.pk, scope=make_scope())[1]

    assert second.changes == (Piece("same", "Prefers "), Piece("removed", "tea"), Piece("added", "coffee"))
    assert second.labels == {"importance": (0.5, 0.9)}
    assert (second.opened.row.author, second.opened.row.reason_code) == ("agent:x", "correction")


def test_reading_the_history_is_an_entry():
    memory = make_memory()

    list_versions(memory_id=memory.row.pk, scope=make_scope())

    assert AuditEntry.objects.get(action="versions.read").target_id == str(memory.row.pk)


def test_a_stranger_sees_no_history():
    with pytest.raises(NotFound):
        list_versions(memory_id=make_memory().row.pk, scope=make_scope(namespace="billing"))


def test_going_back_is_a_new_version_with_the_old_content():
    memory = make_memory("Prefers tea", importance=0.5)
    change(memory, "Prefers gin", importance=1.0)

    rolled = back(memory)

    assert (rolled.content.text, rolled.row.importance, rolled.row.version) == ("Prefers tea", 0.5, 3)


def test_no_version_is_taken_away_by_going_back():
    memory = make_memory("Prefers tea")
    change(memory, "Prefers gin")

    back(memory)

    views = list_versions(memory_id=memory.row.pk, scope=make_scope())
    assert [view.opened.content.text for view in views] == ["Prefers tea", "Prefers gin", "Prefers tea"]


def test_going_back_brings_words_and_vector_back():
    bakery, shipyard = "Works at the bakery on Elm Row", "Works at the shipyard in Port Vane"
    memory = make_memory(bakery, embedded=True)
    change(memory, shipyard, vector=embed_or_none(shipyard))
    assert finds(memory, "shipyard")
    assert not finds(memory, "bakery")

    rolled = back(memory)

    assert finds(memory, "bakery")
    assert not finds(memory, "shipyard")
    assert np.allclose(rolled.content.vector, embed_or_none(bakery))


def test_going_back_names_both_versions_in_its_entry():
    memory = make_memory("Prefers tea")
    change(memory, "Prefers gin")

    back(memory)

    entry = AuditEntry.objects.get(action="memory.rolled_back")
    assert (entry.reason, entry.facts) == ("poisoned", {"version": 3, "to_version": 1})


def test_staff_bring_the_old_trust_back():
    memory = make_memory("Prefers tea", trust="verified")
    change(memory, "Prefers gin", trust="untrusted")

    assert back(memory, scope=staff_scope()).row.trust == "verified"


def test_an_agent_brings_back_no_more_trust_than_it_may_give():
    memory = make_memory("Prefers tea", trust="verified")
    change(memory, "Prefers gin", trust="untrusted")

    assert back(memory, scope=make_scope(max_trust=Trust.INFERRED)).row.trust == "inferred"


def test_metadata_that_names_another_owner_does_not_move_a_memory():
    memory = make_memory("Prefers the aisle", content={"metadata": {"subject_id": "B", "version": 99}})
    change(memory, "Prefers the window")

    rolled = back(memory)

    assert rolled.row.subject_id == memory.row.subject_id
    assert rolled.row.version == 3


def test_a_stale_version_is_refused():
    memory = make_memory()
    change(memory, "Something newer")

    with pytest.raises(StaleVersion):
        back(memory, at=1)


@pytest.mark.parametrize("version", [0, 2, 9])
def test_a_version_that_is_not_an_earlier_one_is_not_found(version: int):
    memory = make_memory()
    change(memory, "Something newer")

    with pytest.raises(NotFound):
        back(memory, to=version)


def test_a_forgotten_memory_is_restored_before_it_goes_back():
    memory = make_memory()
    change(memory, "Something newer")
    forget_memory(memory_id=memory.row.pk, expected_version=2, reason="wrong", scope=make_scope())

    with pytest.raises(InvalidTransition):
        back(memory, at=3)


def test_going_back_to_what_another_memory_says_by_now_is_refused():
    subject = make_subject()
    memory = make_memory("Prefers tea", subject=subject)
    change(memory, "Prefers gin")
    make_memory("Prefers tea", subject=subject)

    with pytest.raises(InvalidTransition):
        back(memory)


def test_a_stranger_cannot_go_back():
    memory = make_memory()
    change(memory, "Something newer")

    with pytest.raises(NotFound):
        back(memory, scope=make_scope(namespace="billing"))

    with transaction.atomic():
        isolation.open_everything()
        assert MemoryVersion.objects.filter(memory=memory.row).count() == 2
