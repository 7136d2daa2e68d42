from __future__ import annotations

from datetime import timedelta

import pytest
from django.db import transaction
from django.utils import timezone

from audit.models import AuditEntry
from tests.drafts import make_agent_scope, make_draft
from tests.factories import make_memory, make_scope, make_subject, staff_scope, suspicious
from tests.lifecycle.upkeep.stored import row_of, set_on, versions_of, with_upkeep
from vault.errors import CapReached, InvalidTransition, NotFound, ScopeMissing
from vault.lifecycle.forget import forget_memory, restore_memory
from vault.lifecycle.holds import place_hold
from vault.lifecycle.integrity import verify_memories
from vault.lifecycle.upkeep import ready, schedule
from vault.lifecycle.upkeep.consolidation import (
    consolidate_now,
    consolidate_subject,
    undo_consolidation,
)
from vault.lifecycle.upkeep.schedule import queue_consolidation, run_consolidation
from vault.models import Conflict, Job, Memory, isolation
from vault.models.identifiers import new_id
from vault.retrieval.read import get_memory
from vault.retrieval.search import SearchQuery, search
from vault.types import Action, Category, Finding, Kind, SourceType, Status
from vault.writing.pipeline import write_memory

pytestmark = pytest.mark.django_db

LOCKER = "Ilse's pool locker number is 4417"
SWIMS = "Ilse swims on Tuesdays at the pool"
APART = "The invoice for the roof is due in March"


def two(**labels: object) -> tuple[Memory, Memory]:
    return tuple(  # type: ignore[return-value]
        make_memory(text, subject="S1", embedded=True, **labels).row for text in (LOCKER, SWIMS)
    )


def now(subject: str = "S1"):
    return consolidate_now(subject_id=make_subject(subject).pk, scope=staff_scope())


def made() -> Memory:
    (memory_id,) = now().made
    return row_of(memory_id)


def found(query: str) -> list[str]:
    hits = search(query=SearchQuery("S1", query), scope=make_scope()).results
    return [hit.memory.content.text for hit in hits]


def undo(memory: Memory) -> int:
    return undo_consolidation(
        memory_id=memory.pk, expected_version=memory.version, reason="correction", scope=staff_scope()
    )


def test_small_memories_of_one_matter_become_one_that_says_all_of_it():
    one, other = two()

    whole = made()

    opened = get_memory(memory_id=whole.pk, scope=make_scope())
    assert opened.content.text == f"{LOCKER}. {SWIMS}."
    assert opened.row.derived_from == [one.pk, other.pk]
    assert (opened.row.source_type, opened.row.status) == (SourceType.SYSTEM, Status.ACTIVE)


def test_the_originals_are_archived_with_an_entry_that_names_what_they_are_in():
    one, _ = two()

    whole = made()

    assert row_of(one.pk).status == Status.ARCHIVED
    assert versions_of(one.pk)[-1].reason_code == "consolidated"
    entry = AuditEntry.objects.get(action="memory.archived", target_id=str(one.pk))
    assert entry.facts["into"] == str(whole.pk)
    assert AuditEntry.objects.get(action="consolidation.done").facts["parents"] == 2


def test_only_the_whole_is_found():
    two()
    whole = made()

    hits = search(query=SearchQuery("S1", "Which locker does Ilse have?"), scope=make_scope()).results

    assert [hit.memory.row.pk for hit in hits] == [whole.pk]


def test_what_has_nothing_to_do_with_it_is_left():
    two()
    apart = make_memory(APART, subject="S1", embedded=True).row
    made()

    assert row_of(apart.pk).status == Status.ACTIVE


def test_the_trust_is_the_lowest_and_every_finding_is_inherited():
    sensitive = Finding(Category.SENSITIVE, "health", 0, 4, 0.9, Action.ALLOW)
    make_memory(LOCKER, subject="S1", embedded=True, trust="inferred", content={"findings": (sensitive,)})
    make_memory(SWIMS, subject="S1", embedded=True, trust="stated")

    whole = get_memory(memory_id=made().pk, scope=make_scope())

    assert whole.row.trust == "inferred"
    assert (Category.SENSITIVE, "health") in {(f.category, f.type) for f in whole.content.findings}


def test_counts_are_added_and_the_age_is_the_youngest_part_s():
    one, other = two()
    set_on(one.pk, use_count=3, seen_count=2, useful_count=1)
    set_on(other.pk, use_count=4)

    whole = made()

    assert (whole.use_count, whole.seen_count, whole.useful_count) == (7, 3, 1)
    assert whole.created_at == other.created_at


@pytest.mark.parametrize(
    ("labels", "content"),
    [
        ({"pinned": True}, {}),
        ({"volatile": True}, {}),
        ({"expires_at": timezone.now() + timedelta(days=9)}, {}),
        ({"trust": "untrusted"}, {}),
        ({"kind": "event"}, {}),
        ({"status": "forgotten"}, {}),
        ({"status": "superseded"}, {}),
        ({}, {"attribute": "locker"}),
        ({}, {"metadata": {"speaker": "Ilse"}}),
    ],
)
def test_what_stands_for_more_than_itself_is_left_alone(labels, content):
    make_memory(SWIMS, subject="S1", embedded=True)
    make_memory(LOCKER, subject="S1", embedded=True, content=content, **labels)

    assert now().made == ()


def test_what_is_disputed_is_left_alone():
    one, other = two()
    with transaction.atomic():
        isolation.open_everything()
        Conflict.objects.create(
            id=new_id(), subject=one.subject, namespace=one.namespace, standing=one, challenger=other
        )

    assert now().made == ()


def test_two_subjects_are_never_mixed():
    make_memory(LOCKER, subject="S1", embedded=True)
    make_memory(SWIMS, subject="S2", embedded=True)

    assert (now("S1").made, now("S2").made) == ((), ())


def test_two_namespaces_are_never_mixed():
    make_memory(LOCKER, subject="S1", embedded=True)
    make_memory(SWIMS, subject="S1", namespace="billing", embedded=True)

    assert now().made == ()


def test_a_second_run_makes_nothing_more():
    two()
    made()

    assert now().made == ()


def test_under_a_hold_nothing_is_put_together():
    two()
    place_hold(subject="S1", reason_code="litigation", scope=staff_scope())

    with pytest.raises(InvalidTransition):
        now()


def test_what_screening_would_not_let_pass_as_a_whole_is_left_alone(monkeypatch):
    one, _ = two()
    monkeypatch.setattr(ready, "judge", lambda draft, **_: suspicious(draft.text))

    assert (now().made, now().left) == ((), 1)
    assert row_of(one.pk).status == Status.ACTIVE


def test_what_was_changed_since_it_was_read_is_left_alone(monkeypatch):
    one, _ = two()
    judge = ready.judge

    def forgotten_meanwhile(draft, **rest):
        forget_memory(memory_id=one.pk, expected_version=1, reason="wrong", scope=make_agent_scope())
        return judge(draft, **rest)

    monkeypatch.setattr(ready, "judge", forgotten_meanwhile)

    assert now().made == ()


def test_only_staff_put_together_at_once():
    with pytest.raises(ScopeMissing):
        consolidate_now(subject_id=make_subject("S1").pk, scope=make_scope())


def test_undone_the_originals_are_found_again_and_the_whole_is_not():
    one, other = two()
    whole = made()

    assert undo(whole) == 2

    assert {row_of(one.pk).status, row_of(other.pk).status} == {Status.ACTIVE}
    assert row_of(whole.pk).status == Status.FORGOTTEN
    assert set(found("pool")) == {LOCKER, SWIMS}
    assert AuditEntry.objects.filter(action="consolidation.undone").count() == 1


def test_what_is_no_consolidation_is_not_undone():
    with pytest.raises(InvalidTransition):
        undo(make_memory().row)


def test_undoing_pushes_nothing_over_a_cap():
    two()
    whole = made()
    with_upkeep(cap=1)

    with pytest.raises(CapReached):
        undo(whole)


def test_what_was_taken_apart_is_not_restored_beside_its_parts():
    two()
    whole = made()
    undo(whole)

    with pytest.raises(InvalidTransition):
        restore_memory(
            memory_id=whole.pk, expected_version=whole.version + 1, reason="undo", scope=make_agent_scope()
        )


def test_a_whole_that_was_forgotten_can_be_restored():
    two()
    whole = made()
    forget_memory(memory_id=whole.pk, expected_version=1, reason="wrong", scope=make_agent_scope())

    restore_memory(memory_id=whole.pk, expected_version=2, reason="undo", scope=make_agent_scope())

    assert row_of(whole.pk).status == Status.ACTIVE


def crowd(**upkeep: object) -> None:
    with_upkeep(**upkeep)
    long_ago = timezone.now() - timedelta(days=30)
    for text in (SWIMS, SWIMS.replace("Tuesdays", "Thursdays")):
        make_memory(text, subject="S1", embedded=True, created_at=long_ago)


def queue() -> int:
    return queue_consolidation(now=timezone.now(), limit=10)


def test_a_subject_with_many_small_memories_gets_one_job(monkeypatch):
    monkeypatch.setattr(schedule, "MANY", 2)
    crowd(consolidation=True)

    assert (queue(), queue()) == (1, 1)
    assert Job.objects.get().kind == "consolidation"


@pytest.mark.parametrize(("many", "rules"), [(2, {}), (3, {"consolidation": True})])
def test_without_the_namespace_s_wish_or_with_few_there_is_no_job(monkeypatch, many, rules):
    monkeypatch.setattr(schedule, "MANY", many)
    crowd(**rules)

    assert queue() == 0


def test_a_job_delivered_twice_puts_together_once():
    crowd(consolidation=True)
    subject_id = make_subject("S1").pk
    run_consolidation(subject_id)
    run_consolidation(subject_id)

    assert AuditEntry.objects.filter(action="consolidation.done", outcome="ok").count() == 1


def test_a_job_leaves_what_was_just_written_and_what_a_person_took_apart():
    with_upkeep(consolidation=True)
    for text in (SWIMS, SWIMS.replace("Tuesdays", "Thursdays")):
        make_memory(text, subject="S1", embedded=True)
    subject_id = make_subject("S1").pk
    run_consolidation(subject_id)
    assert not AuditEntry.objects.filter(action="consolidation.done").exists()
    undo(made())

    run_consolidation_later(subject_id)

    assert AuditEntry.objects.filter(action="consolidation.done").count() == 1


def run_consolidation_later(subject_id) -> None:
    """A run for which everything has settled."""
    consolidate_subject(
        subject_id=subject_id, scope=schedule.SCOPE, settled_by=timezone.now(), namespaces=schedule._willing()
    )


def test_a_job_puts_together_only_what_is_very_much_alike_and_a_person_also_what_is_related():
    with_upkeep(consolidation=True)
    one, other = two()

    run_consolidation_later(one.subject_id)
    assert row_of(other.pk).status == Status.ACTIVE

    made()
    assert row_of(other.pk).status == Status.ARCHIVED


def test_a_job_for_a_subject_that_may_not_be_touched_is_noted_as_skipped():
    crowd(consolidation=True)
    place_hold(subject="S1", reason_code="litigation", scope=staff_scope())

    run_consolidation(make_subject("S1").pk)

    assert AuditEntry.objects.get(action="consolidation.done").outcome == "skipped"


def test_a_job_for_a_subject_that_is_not_there_is_noted_as_skipped():
    run_consolidation(new_id())

    assert AuditEntry.objects.get(action="consolidation.done").reason == NotFound.code


def test_the_set_is_whole_and_sound_after_all_of_it():
    two()
    undo(made())

    assert [checked.memories for checked in verify_memories()] == [3]


def test_an_echo_of_an_original_stands_for_the_whole():
    one, _ = two()
    set_on(one.pk, last_used_at=timezone.now())
    whole = made()

    written = write_memory(draft=make_draft(LOCKER, source=SourceType.AGENT), scope=make_agent_scope())

    assert (written.outcome, written.memory.row.pk) == ("merged", whole.pk)


def test_events_of_different_days_keep_their_days():
    when = timezone.now().replace(microsecond=0)
    make_memory(LOCKER, subject="S1", embedded=True, kind=Kind.EVENT.value, occurred_at=when)
    make_memory(
        SWIMS, subject="S1", embedded=True, kind=Kind.EVENT.value, occurred_at=when - timedelta(days=3)
    )

    opened = get_memory(memory_id=made().pk, scope=make_scope())

    assert when.date().isoformat() in opened.content.text
    assert opened.row.kind == Kind.EVENT


def test_what_would_be_found_worse_than_its_parts_is_left_as_it_is_and_the_entry_says_so():
    parts = two()
    for lane in range(1, 9):
        # An end of its own keeps each of these out of what is put together.
        make_memory(
            f"{SWIMS}, lane {lane}",
            subject="S1",
            embedded=True,
            expires_at=timezone.now() + timedelta(days=9),
        )

    assert now().made == ()

    assert [row_of(part.pk).status for part in parts] == [Status.ACTIVE, Status.ACTIVE]
    entry = AuditEntry.objects.get(action="consolidation.done")
    assert (entry.outcome, entry.reason) == ("skipped", "found_worse")
    assert Memory.objects.count() == 10
