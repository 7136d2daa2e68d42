"""A rollback from the request to the end of its job."""

from __future__ import annotations

import pytest
from django.db import transaction

from audit.models import AuditEntry
from tests.factories import make_memory, make_quarantined_write, make_subject, staff_scope
from tests.lifecycle.rolling_back.writers import (
    asked,
    by,
    last_hour,
    make_agent,
    now_of,
    outcomes,
    preview,
    rewrite,
    rolled_back,
    started,
    written_by,
)
from tests.lifecycle.test_erasure import approved
from vault.errors import ApprovalRequired, InvalidTransition, NotFound, SameApprover, StaleVersion
from vault.lifecycle import jobs
from vault.lifecycle.acts import carry_out
from vault.lifecycle.approvals import approve
from vault.lifecycle.erasure_run import execute_erasure
from vault.lifecycle.forget import restore_memory
from vault.lifecycle.holds import place_hold
from vault.lifecycle.integrity import verify_subject
from vault.lifecycle.rolling_back.listing import get_rollback
from vault.lifecycle.rolling_back.request import carry_out_rollback, request_rollback
from vault.lifecycle.rolling_back.run import execute_rollback
from vault.lifecycle.work import run_job
from vault.models import (
    Approval,
    ApprovalKind,
    BulkRollback,
    BulkRollbackItem,
    Conflict,
    Job,
    Memory,
    MemoryVersion,
    QuarantinedWrite,
    isolation,
)
from vault.models.identifiers import new_id

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def bot():
    return make_agent("mail-bot")


def seen(query):
    with transaction.atomic():
        isolation.open_everything()
        return list(query)


def versions(memory) -> list[tuple[str, str]]:
    return seen(
        MemoryVersion.objects.filter(memory_id=memory.row.pk)
        .order_by("number")
        .values_list("author", "reason_code")
    )


def test_what_was_created_is_forgotten_by_a_new_version(bot):
    memory = written_by(bot)

    rolled_back(agent_id=bot)

    assert now_of(memory) == ("forgotten", "The boat is red.")
    assert versions(memory)[-1] == ("system:rollback", "bulk_rollback")
    assert len(versions(memory)) == 2


def test_what_was_changed_has_the_old_content_and_labels_again(bot):
    memory = make_memory("The boat is red.", importance=0.2, trust="stated")
    rewrite(memory, author=by(bot), text="The boat is blue.", importance=0.9, trust="inferred")

    rolled_back(agent_id=bot)

    (row,) = seen(Memory.objects.filter(pk=memory.row.pk))
    assert now_of(memory) == ("active", "The boat is red.")
    assert (row.version, row.importance, row.trust) == (3, 0.2, "stated")


def test_what_gave_way_is_served_again(bot):
    subject = make_subject()
    new = written_by(bot, "The boat is blue.", subject=subject)
    old = make_memory("The boat is red.", subject=subject)
    rewrite(old, author=by(bot), status="superseded", superseded_by_id=new.row.pk)

    rolled_back(agent_id=bot)

    (row,) = seen(Memory.objects.filter(pk=old.row.pk))
    assert (row.status, row.superseded_by_id) == ("active", None)


def test_what_was_changed_and_then_gave_way_comes_back_as_it_was_before(bot):
    subject = make_subject()
    new = written_by(bot, "The boat is blue.", subject=subject)
    old = make_memory("The boat is red.", subject=subject)
    rewrite(old, author=by(bot), text="The boat is pink.")
    rewrite(old, author=by(bot), status="superseded", superseded_by_id=new.row.pk)

    rolled_back(agent_id=bot)

    assert now_of(old) == ("active", "The boat is red.")


def test_what_was_derived_is_hidden_and_its_clean_parent_served(bot):
    subject = make_subject()
    poisoned = written_by(bot, "The boat is red.", subject=subject, status="archived")
    clean = make_memory("The kiosk opens at nine.", subject=subject, status="archived")
    summary = make_memory(
        "The boat is red; the kiosk opens at nine.", subject=subject,
        derived_from=[poisoned.row.pk, clean.row.pk],
    )  # fmt: skip

    rolled_back(agent_id=bot)

    assert [now_of(memory)[0] for memory in (poisoned, summary, clean)] == [
        "forgotten",
        "forgotten",
        "active",
    ]


def test_a_waiting_write_is_rejected_and_nothing_of_it_destroyed(bot):
    write = make_quarantined_write(agent_id=bot)

    rolled_back(agent_id=bot)

    (row,) = seen(QuarantinedWrite.objects.filter(pk=write.pk))
    assert (row.status, row.decided_by, row.reason_code) == ("rejected", "system:rollback", "bulk_rollback")
    assert bytes(row.ciphertext)


def test_a_later_write_of_somebody_else_stands_and_waits_for_a_person(bot):
    memory = written_by(bot)
    rewrite(memory, author="staff:7", text="The boat is green.")

    rolled_back(agent_id=bot)

    (conflict,) = seen(Conflict.objects.all())
    assert now_of(memory) == ("active", "The boat is green.")
    assert (conflict.kind, conflict.standing_id, conflict.to_version) == ("rollback", memory.row.pk, 0)


def test_a_write_that_came_after_the_preview_is_not_lost(bot):
    memory = written_by(bot)
    rollback = started(agent_id=bot)
    rewrite(memory, author="staff:7", text="The boat is green.")

    execute_rollback(rollback.pk)

    assert now_of(memory) == ("active", "The boat is green.")
    assert outcomes(rollback) == [("forget", "conflict")]
    assert len(seen(Conflict.objects.all())) == 1


def test_a_status_given_after_the_preview_is_kept(bot):
    memory = make_memory("The boat is red.")
    rewrite(memory, author=by(bot), text="The boat is blue.")
    rollback = started(agent_id=bot)
    rewrite(memory, author="staff:7", status="forgotten")

    execute_rollback(rollback.pk)

    assert now_of(memory) == ("forgotten", "The boat is red.")


def test_a_write_that_was_decided_after_the_preview_is_left_alone(bot):
    write = make_quarantined_write(agent_id=bot)
    rollback = started(agent_id=bot)
    with transaction.atomic():
        isolation.open_everything()
        QuarantinedWrite.objects.filter(pk=write.pk).update(status="rejected", decided_by="staff:7")

    execute_rollback(rollback.pk)

    assert outcomes(rollback) == [("reject", "skipped")]


def test_an_old_statement_that_stands_elsewhere_by_now_is_not_doubled(bot):
    subject = make_subject()
    memory = make_memory("The boat is red.", subject=subject)
    rewrite(memory, author=by(bot), text="The boat is blue.")
    make_memory("The boat is red.", subject=subject)

    rolled_back(agent_id=bot)

    assert now_of(memory) == ("forgotten", "The boat is red.")


def test_a_second_rollback_finds_nothing(bot):
    subject = make_subject()
    created = written_by(bot, "The boat is blue.", subject=subject)
    changed = make_memory("The kiosk opens at nine.", subject=subject)
    rewrite(changed, author=by(bot), text="The kiosk opens at ten.")
    contested = written_by(bot, "The lamp is on.", subject=subject)
    rewrite(contested, author="staff:7", text="The lamp is off.")
    old = make_memory("The boat is red.", subject=subject)
    rewrite(old, author=by(bot), status="superseded", superseded_by_id=created.row.pk)
    make_memory("Boats.", subject=subject, derived_from=[created.row.pk])
    make_quarantined_write(subject=subject, agent_id=bot)

    rollback = rolled_back(agent_id=bot)

    assert preview(agent_id=bot).changes == ()
    assert outcomes(rollback) == [
        ("restore", "done"), ("forget", "done"), ("stale", "done"), ("revive", "done"), ("reject", "done"),
        ("conflict", "conflict"),
    ]  # fmt: skip
    assert verify_subject(subject.pk).memories == 5


def test_what_a_person_restored_is_not_undone_again(bot):
    memory = written_by(bot)
    rolled_back(agent_id=bot)
    restore_memory(memory_id=memory.row.pk, expected_version=2, reason="correction", scope=staff_scope())

    assert preview(agent_id=bot).changes == ()


def test_what_the_agent_writes_after_a_rollback_can_be_undone_too(bot):
    memory = make_memory("The boat is red.")
    rewrite(memory, author=by(bot), text="The boat is blue.")
    rolled_back(agent_id=bot)
    rewrite(memory, author=by(bot), text="The boat is black.")

    rolled_back(agent_id=bot)

    assert now_of(memory) == ("active", "The boat is red.")


def test_running_the_job_twice_changes_nothing(bot):
    memory = written_by(bot)
    rollback = rolled_back(agent_id=bot)

    execute_rollback(rollback.pk)

    assert len(versions(memory)) == 2
    assert AuditEntry.objects.filter(action="rollback.completed").count() == 1


class Killed(BaseException):
    """What no handler catches: the process is gone."""


@pytest.mark.parametrize("survived", range(4))
def test_killed_after_any_row_it_goes_on_from_there(survived, bot, monkeypatch):
    subject = make_subject()
    memories = [written_by(bot, f"Number {number}.", subject=subject) for number in range(4)]
    rollback = started(agent_id=bot)
    die_after(survived, monkeypatch)
    with pytest.raises(Killed):
        execute_rollback(rollback.pk)
    assert [status for _, status in outcomes(rollback)].count("done") == survived

    monkeypatch.undo()
    execute_rollback(rollback.pk)

    assert {now_of(memory)[0] for memory in memories} == {"forgotten"}
    assert {len(versions(memory)) for memory in memories} == {2}


def die_after(rows: int, monkeypatch) -> None:
    from vault.lifecycle.rolling_back import run  # noqa: PLC0415 - the module is patched, not used

    real, left = run.undo, [rows]

    def undo(item, desk):
        real(item, desk)
        if not left[0]:
            raise Killed
        left[0] -= 1

    monkeypatch.setattr(run, "undo", undo)


def test_a_legal_hold_does_not_stop_it(bot):
    memory = written_by(bot, subject="acct-7")
    place_hold(subject="acct-7", reason_code="litigation", scope=staff_scope())

    rolled_back(agent_id=bot)

    assert now_of(memory)[0] == "forgotten"


def test_an_erased_subject_is_skipped(bot):
    erased, other = make_subject("acct-7"), written_by(bot)
    written_by(bot, subject=erased)
    rollback = started(agent_id=bot)
    execute_erasure(approved("acct-7").pk)

    execute_rollback(rollback.pk)

    rollback.refresh_from_db()
    assert (rollback.status, now_of(other)[0]) == ("done", "forgotten")
    assert outcomes(rollback) == [("forget", "done")]


def test_an_altered_row_is_left_as_it_is_and_the_others_go_on(bot):
    altered, other = written_by(bot), written_by(bot, "The kiosk opens at nine.")
    rollback = started(agent_id=bot)
    with transaction.atomic():
        isolation.open_everything()
        Memory.objects.filter(pk=altered.row.pk).update(importance=0.99)

    execute_rollback(rollback.pk)

    assert sorted(outcomes(rollback)) == [("forget", "done"), ("forget", "failed")]
    assert now_of(other)[0] == "forgotten"
    assert AuditEntry.objects.filter(action="memory.integrity_fault").count() == 1


def test_the_job_shows_how_far_it_is(bot):
    written_by(bot)
    written_by(bot, "The kiosk opens at nine.")
    started(agent_id=bot)
    job = Job.objects.get(kind="rollback")

    run_job(job_id=job.pk)

    job.refresh_from_db()
    assert (job.status, job.progress_done, job.progress_total) == ("done", 2, 2)


def test_each_memory_and_the_whole_are_entries_without_content(bot):
    memory = written_by(bot, content={"source_ref": "mail 117"})
    rollback = rolled_back(agent_id=bot)

    whole = AuditEntry.objects.filter(target_id=str(rollback.pk)).values_list("action", flat=True)
    (one,) = AuditEntry.objects.filter(action="memory.rolled_back", target_id=str(memory.row.pk))
    assert sorted(whole) == ["rollback.approved", "rollback.completed", "rollback.requested"]
    assert one.facts == {"change": "forget", "rollback": str(rollback.pk), "to_version": 0, "version": 2}
    assert "boat" not in str(list(AuditEntry.objects.values()))


def test_a_reference_is_kept_nowhere(bot):
    written_by(bot, content={"source_ref": "mail 117"})
    rollback = asked(source_ref="mail 117")

    rows = [
        *BulkRollback.objects.values(),
        *Approval.objects.values(),
        *seen(BulkRollbackItem.objects.values()),
    ]
    assert rollback.by_reference
    assert "mail 117" not in str([*rows, *AuditEntry.objects.values()])


def test_the_approval_names_criteria_and_list(bot):
    written_by(bot)
    rollback = asked(agent_id=bot)

    named = Approval.objects.get().particulars
    assert (named["agent"], named["rows"]) == (str(bot), 1)
    assert named["rows_sha256"] == bytes(rollback.items_digest).hex()


def test_who_asked_does_not_approve(bot):
    written_by(bot)
    criteria, scope = last_hour(agent_id=bot), staff_scope()
    rollback = request_rollback(
        criteria=criteria, expected_digest=preview(agent_id=bot).digest, reason_code="tampering", scope=scope
    )

    with pytest.raises(SameApprover):
        approve(approval_id=rollback.approval_id, kinds=[ApprovalKind.ROLLBACK], scope=scope)


def test_a_list_that_has_moved_since_it_was_looked_at_is_not_asked_for(bot):
    written_by(bot)
    digest = preview(agent_id=bot).digest
    written_by(bot, "The kiosk opens at nine.")

    with pytest.raises(StaleVersion):
        request_rollback(
            criteria=last_hour(agent_id=bot), expected_digest=digest, reason_code="x", scope=staff_scope()
        )
    assert not BulkRollback.objects.exists()


def test_an_empty_list_is_not_asked_for(bot):
    with pytest.raises(InvalidTransition):
        asked(agent_id=bot)


def test_a_rollback_that_nobody_approved_does_not_run(bot):
    memory = written_by(bot)
    rollback = asked(agent_id=bot)

    with pytest.raises(InvalidTransition):
        execute_rollback(rollback.pk)
    assert now_of(memory)[0] == "active"


def test_an_approval_is_not_stretched_to_another_list(bot):
    written_by(bot)
    rollback = asked(agent_id=bot)
    approve(approval_id=rollback.approval_id, kinds=[ApprovalKind.ROLLBACK], scope=staff_scope())
    with transaction.atomic():
        isolation.open_everything()
        BulkRollbackItem.objects.update(kind="stale")

    with pytest.raises(InvalidTransition):
        carry_out(approval_id=rollback.approval_id, scope=staff_scope())


def test_criteria_that_were_altered_are_not_the_approved_ones(bot):
    written_by(bot)
    rollback = asked(agent_id=bot)
    approve(approval_id=rollback.approval_id, kinds=[ApprovalKind.ROLLBACK], scope=staff_scope())
    BulkRollback.objects.update(agent_id=make_agent("chat-bot"))

    with pytest.raises(ApprovalRequired):
        carry_out(approval_id=rollback.approval_id, scope=staff_scope())


def test_it_is_started_once(bot):
    written_by(bot)
    rollback = started(agent_id=bot)

    with pytest.raises(InvalidTransition):
        carry_out(approval_id=rollback.approval_id, scope=staff_scope())
    assert Job.objects.filter(kind="rollback").count() == 1


def test_an_approval_of_nothing_starts_nothing():
    approval = Approval(kind="rollback", target_id=new_id())

    with pytest.raises(NotFound):
        carry_out_rollback(approval, staff_scope())


def test_its_state_is_counted_from_its_rows(bot):
    written_by(bot)
    make_quarantined_write(agent_id=bot)
    rollback = started(agent_id=bot)
    before = get_rollback(rollback_id=rollback.pk, scope=staff_scope())
    execute_rollback(rollback.pk)
    after = get_rollback(rollback_id=rollback.pk, scope=staff_scope())

    assert (before.done, before.by_status, after.done) == (0, {"pending": 2}, 2)
    assert after.by_kind == {"forget": 1, "reject": 1}


def test_a_worker_that_finds_a_row_taken_goes_on(bot):
    memory = written_by(bot)
    rollback = started(agent_id=bot)
    with transaction.atomic():
        isolation.open_everything()
        BulkRollbackItem.objects.update(status="done")

    execute_rollback(rollback.pk)

    assert now_of(memory)[0] == "active"


def test_the_sweeper_hands_a_lost_rollback_out_again(bot):
    written_by(bot)
    started(agent_id=bot)
    Job.objects.update(leased_until=None)

    assert jobs.sweep() == 1
