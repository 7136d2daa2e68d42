"""What is left of a withdrawn whole is put together again, without the part that is gone."""

from __future__ import annotations

import pytest
from django.utils import timezone

from audit.models import AuditEntry
from tests.factories import make_memory, make_scope, staff_scope, suspicious
from tests.lifecycle.test_erasure import approved
from tests.lifecycle.upkeep.stored import row_of, set_on, versions_of, with_upkeep
from tests.lifecycle.upkeep.test_deleted_parents import lift
from vault.errors import StaleVersion
from vault.lifecycle import jobs
from vault.lifecycle.erasure_run import execute_erasure
from vault.lifecycle.forget import forget_memory, restore_memory
from vault.lifecycle.holds import place_hold
from vault.lifecycle.integrity import verify_memories
from vault.lifecycle.subject_rights.restriction import lift_restriction, restrict_subject
from vault.lifecycle.upkeep import ready, redoing, schedule
from vault.lifecycle.upkeep.consolidation import consolidate_now, consolidate_subject, undo_consolidation
from vault.lifecycle.upkeep.destruction import destroy_due
from vault.lifecycle.work import run_job
from vault.models import Job, JobStatus, Memory
from vault.retrieval.read import get_memory
from vault.retrieval.search import SearchQuery, search
from vault.types import Status
from vault.writing.change import change_memory

pytestmark = pytest.mark.django_db(transaction=True)

LOCKER = "Ilse's pool locker number is 4417"
SWIMS = "Ilse swims on Tuesdays at the pool"
COACH = "Ilse's swimming coach at the pool is Jorunn"
FACT = "4417"
ALIKE = [f"Ilse swims on {day} at the pool" for day in ("Tuesdays", "Thursdays", "Fridays")]
FOUR = [LOCKER, *ALIKE]


def parts(*texts: str) -> list[Memory]:
    return [make_memory(text, subject="S1", embedded=True).row for text in texts or (LOCKER, SWIMS, COACH)]


def put_together(rows: list[Memory]) -> Memory:
    (whole,) = consolidate_now(subject_id=rows[0].subject_id, scope=staff_scope()).made
    return row_of(whole)


def forget(memory: Memory) -> None:
    version = row_of(memory.pk).version
    forget_memory(memory_id=memory.pk, expected_version=version, reason="wrong", scope=make_scope())


def waiting() -> list[Job]:
    return list(Job.objects.filter(kind="consolidation", status=JobStatus.QUEUED).order_by("created_at"))


def work() -> None:
    """What the sweeper and a worker do."""
    for job in waiting():
        run_job(job_id=job.pk)


def standing() -> list[Memory]:
    """The wholes that are served."""
    made = AuditEntry.objects.filter(action="consolidation.done", outcome="ok").order_by("id")
    rows = [row_of(entry.target_id) for entry in made]
    return [row for row in rows if row.status == Status.ACTIVE]


def served() -> set[str]:
    hits = search(query=SearchQuery("S1", "pool locker swims coach", k=50), scope=make_scope()).results
    return {hit.memory.content.text for hit in hits}


def test_the_rest_becomes_one_again_without_the_part_that_is_gone():
    one, other, third = parts()
    put_together([one, other, third])
    forget(one)
    assert served() == {SWIMS, COACH}

    work()

    (again,) = standing()
    assert again.derived_from == [other.pk, third.pk]
    assert served() == {f"{SWIMS}. {COACH}."}
    assert FACT not in get_memory(memory_id=again.pk, scope=make_scope()).content.text


def test_one_alone_that_is_left_is_simply_served():
    one, other = parts(LOCKER, SWIMS)
    put_together([one, other])
    forget(one)

    work()

    assert (standing(), served()) == ([], {SWIMS})


def test_the_rest_becomes_one_again_when_a_part_is_changed_and_the_changed_one_stands_alone():
    one, other, third = parts()
    put_together([one, other, third])
    change_memory(
        memory_id=one.pk, changes={"text": "Ilse's pool locker number is 5528"}, expected_version=2,
        reason="corrected", scope=make_scope(),
    )  # fmt: skip

    work()

    assert standing()[0].derived_from == [other.pk, third.pk]
    assert served() == {"Ilse's pool locker number is 5528", f"{SWIMS}. {COACH}."}


def test_two_parts_that_go_one_after_the_other_are_both_out_of_what_is_left():
    rows = parts(*FOUR)
    put_together(rows)
    forget(rows[0])
    forget(rows[1])

    work()

    assert standing()[0].derived_from == [rows[2].pk, rows[3].pk]


def test_a_part_that_goes_after_the_rest_was_made_is_out_of_the_next_rest_too():
    rows = parts(*FOUR)
    put_together(rows)
    forget(rows[0])
    work()
    forget(rows[1])

    work()

    assert standing()[0].derived_from == [rows[2].pk, rows[3].pk]
    assert not any(text in " ".join(served()) for text in (LOCKER, SWIMS))


def test_a_part_that_goes_while_the_rest_is_being_made_is_not_in_it(monkeypatch):
    rows = parts(*FOUR)
    put_together(rows)
    forget(rows[0])
    judge, gone = ready.judge, []

    def judge_while_another_goes(draft, **rest):
        if not gone:
            gone.append(rows[1])
            forget(rows[1])
        return judge(draft, **rest)

    monkeypatch.setattr(ready, "judge", judge_while_another_goes)
    work()

    assert standing()[0].derived_from == [rows[2].pk, rows[3].pk]


def test_a_rest_that_never_stands_still_is_tried_again_later(monkeypatch):
    rows = parts()
    whole = put_together(rows)
    forget(rows[0])
    judge = ready.judge

    def judge_while_it_is_changed(draft, **rest):
        now = row_of(rows[1].pk)
        place = "mornings" if now.version % 2 else "evenings"
        change_memory(
            memory_id=now.pk, changes={"metadata": {"place": place}}, expected_version=now.version,
            reason="corrected", scope=make_scope(),
        )  # fmt: skip
        return judge(draft, **rest)

    monkeypatch.setattr(ready, "judge", judge_while_it_is_changed)
    monkeypatch.setattr(redoing, "rest_of", lambda _: [row_of(row.pk) for row in rows[1:]])

    with pytest.raises(StaleVersion):
        redoing.redo(whole_id=whole.pk, scope=schedule.SCOPE, willing=[])
    assert served() == {SWIMS, COACH}


def test_a_worker_that_is_killed_half_way_leaves_the_job_and_the_parts(monkeypatch):
    rows = parts()
    put_together(rows)
    forget(rows[0])
    (job,) = waiting()
    with monkeypatch.context() as patched:
        patched.setattr(ready, "judge", lambda *_, **__: (_ for _ in ()).throw(KeyboardInterrupt))
        with pytest.raises(KeyboardInterrupt):
            run_job(job_id=job.pk)
    assert served() == {SWIMS, COACH}
    Job.objects.filter(pk=job.pk).update(leased_until=timezone.now())

    jobs.sweep()
    work()

    assert standing()[0].derived_from == [rows[1].pk, rows[2].pk]


def test_a_job_that_is_delivered_twice_makes_one():
    rows = parts()
    whole = put_together(rows)
    forget(rows[0])

    for _ in range(2):
        schedule.run_consolidation(whole.pk)

    assert len(standing()) == 1


def test_the_rest_that_screening_does_not_let_pass_stays_as_it_is(monkeypatch):
    rows = parts()
    put_together(rows)
    forget(rows[0])
    monkeypatch.setattr(ready, "judge", lambda draft, **_: suspicious(draft.text))

    work()

    assert (standing(), served(), waiting()) == ([], {SWIMS, COACH}, [])


def test_under_a_hold_nothing_is_made_and_when_it_has_gone_the_rest_is():
    rows = parts()
    whole = put_together(rows)
    hold = place_hold(subject="S1", reason_code="litigation", scope=staff_scope())
    forget(rows[0])
    work()
    assert (standing(), served()) == ([], {SWIMS, COACH})

    lift(hold)
    work()
    destroy_due(now=timezone.now(), limit=10)

    assert standing()[0].derived_from == [rows[1].pk, rows[2].pk]
    assert row_of(whole.pk).destroyed_at is not None


def test_a_hold_between_the_withdrawal_and_the_job_only_puts_it_off():
    rows = parts()
    put_together(rows)
    forget(rows[0])
    hold = place_hold(subject="S1", reason_code="litigation", scope=staff_scope())
    work()
    assert standing() == []

    lift(hold)
    work()

    assert len(standing()) == 1


def test_a_restriction_only_puts_it_off():
    rows = parts()
    put_together(rows)
    forget(rows[0])
    restrict_subject(subject_id=rows[0].subject_id, reason_code="subject_request", scope=staff_scope())
    work()
    assert standing() == []

    lift_restriction(subject_id=rows[0].subject_id, reason_code="subject_request", scope=staff_scope())
    work()

    assert len(standing()) == 1


def by_job(rows: list[Memory]) -> Memory:
    (whole,) = consolidate_subject(
        subject_id=rows[0].subject_id, scope=schedule.SCOPE, settled_by=timezone.now(),
        namespaces=schedule._willing(),
    ).made  # fmt: skip
    return row_of(whole)


def test_what_the_job_made_is_made_again_where_the_policy_still_wants_it():
    with_upkeep(consolidation=True)
    rows = parts(*ALIKE)
    by_job(rows)
    forget(rows[0])

    work()

    assert standing()[0].derived_from == [rows[1].pk, rows[2].pk]


def test_what_the_job_made_stays_apart_where_the_policy_wants_it_no_more():
    with_upkeep(consolidation=True)
    rows = parts(*ALIKE)
    by_job(rows)
    with_upkeep(consolidation=False)
    forget(rows[0])

    work()

    assert (standing(), served()) == ([], set(ALIKE[1:]))


def test_what_a_person_put_together_is_made_again_more_than_once():
    rows = parts(*FOUR)
    put_together(rows)
    for row in rows[:2]:
        forget(row)
        work()

    assert versions_of(standing()[0].pk)[0].reason_code == redoing.AGAIN


def test_what_a_person_took_apart_is_not_made_again():
    rows = parts()
    whole = put_together(rows)
    undo_consolidation(
        memory_id=whole.pk, expected_version=whole.version, reason="correction", scope=staff_scope()
    )
    forget(rows[0])

    work()

    assert standing() == []


def test_a_part_that_was_pinned_meanwhile_is_left_out():
    rows = parts(*FOUR)
    put_together(rows)
    forget(rows[0])
    set_on(rows[1].pk, pinned=True)

    work()

    assert standing()[0].derived_from == [rows[2].pk, rows[3].pk]


def test_the_part_that_was_forgotten_comes_back_alone():
    rows = parts()
    put_together(rows)
    forget(rows[0])
    work()

    restore_memory(memory_id=rows[0].pk, expected_version=3, reason="undo", scope=make_scope())

    assert served() == {LOCKER, f"{SWIMS}. {COACH}."}


def test_after_an_erasure_the_job_finds_nothing_and_says_so():
    rows = parts()
    put_together(rows)
    forget(rows[0])
    execute_erasure(approved("S1").pk)

    work()

    assert AuditEntry.objects.get(action="consolidation.done", outcome="skipped").reason == "not_found"


def test_the_set_is_whole_and_sound_after_all_of_it():
    rows = parts()
    put_together(rows)
    forget(rows[0])
    work()

    assert [checked.memories for checked in verify_memories()] == [5]


def test_a_stranger_learns_nothing_of_what_was_made_again():
    rows = parts()
    put_together(rows)
    forget(rows[0])
    make_memory("Keeps bees.", subject="S2")
    work()

    assert search(query=SearchQuery("S2", "pool"), scope=make_scope()).results == ()
