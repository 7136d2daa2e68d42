from __future__ import annotations

from datetime import timedelta
from uuid import uuid4

import pytest
from django.db import connection, transaction
from django.utils import timezone

from audit.actions import Action as Event
from audit.models import AuditEntry
from tests.factories import (
    ago,
    make_memory,
    make_namespace,
    make_quarantined_write,
    make_scope,
    make_subject,
    staff_scope,
)
from tests.lifecycle.rolling_back.writers import (
    backdate,
    by,
    kinds,
    last_hour,
    make_agent,
    now_of,
    preview,
    rewrite,
    written_by,
)
from vault.errors import InvalidField, ScopeMissing
from vault.lifecycle import release
from vault.lifecycle.desk import system_scope
from vault.lifecycle.reviewing.deciding import release_write
from vault.lifecycle.rolling_back.criteria import Criteria
from vault.lifecycle.rolling_back.preview import preview_rollback
from vault.lifecycle.versions import roll_back
from vault.models import SubjectToken
from vault.retrieval import trail
from vault.types import Action, Source, SourceType, Verdict

pytestmark = pytest.mark.django_db


@pytest.fixture
def bot():
    return make_agent("mail-bot")


@pytest.fixture
def _reviewed(monkeypatch) -> None:
    monkeypatch.setattr(release, "judge", lambda *_, **__: Verdict(Action.ALLOW))


def test_what_an_agent_created_and_changed_is_listed(bot):
    created, changed = written_by(bot), written_by(None, "The kiosk opens at nine.")
    rewrite(changed, author=by(bot), text="The kiosk opens at ten.")

    assert kinds(preview(agent_id=bot)) == {created.row.pk: "forget", changed.row.pk: "restore"}


def test_another_agents_writes_are_not_listed(bot):
    written_by(make_agent("chat-bot"))

    assert preview(agent_id=bot).changes == ()


def test_the_window_ends_before_its_last_instant(bot):
    memory = written_by(bot)
    at = ago(minutes=10)
    backdate(memory, 1, at)

    def within(since, until):
        criteria = Criteria(since=since, until=until, agent_id=bot)
        return len(preview_rollback(criteria=criteria, scope=staff_scope()).changes)

    assert within(at, at + timedelta(minutes=1)) == 1
    assert within(at - timedelta(minutes=1), at) == 0


def test_writes_of_a_subject_token_are_those_of_the_agent_that_issued_it(bot):
    memory = written_by(None)
    token = SubjectToken.objects.create(
        agent_id=bot, subject_id=memory.row.subject_id, token_hash=b"1" * 32, scopes=[], created_at=ago(days=1),
        expires_at=timezone.now(),
    )  # fmt: skip
    rewrite(memory, author=f"subject_token:{token.pk}", text="The boat is blue.")

    assert kinds(preview(agent_id=bot)) == {memory.row.pk: "restore"}


def test_a_token_that_was_deleted_is_still_known_to_the_log(bot):
    memory = written_by(None)
    token = uuid4()
    rewrite(memory, author=f"subject_token:{token}", text="The boat is blue.")
    issuer = make_scope(agent="mail-bot")
    with transaction.atomic():
        trail.note(Event.SUBJECT_TOKEN_ISSUED, scope=issuer, kind="subject_token", target=token)

    assert kinds(preview(agent_id=bot)) == {memory.row.pk: "restore"}


@pytest.mark.usefixtures("_reviewed")
def test_what_a_reviewer_let_through_for_the_agent_is_listed(bot):
    write = make_quarantined_write("The boat is red.", agent_id=bot)
    memory = release_write(write_id=write.pk, revision=1, reason_code="fine", scope=staff_scope())

    assert kinds(preview(agent_id=bot)) == {memory.row.pk: "forget"}


@pytest.mark.usefixtures("_reviewed")
def test_a_change_that_a_reviewer_let_through_is_listed(bot):
    memory = written_by(None)
    write = make_quarantined_write(
        "The boat is sold.", agent_id=bot, memory_id=memory.row.pk, subject=memory.row.subject
    )
    release_write(write_id=write.pk, revision=1, reason_code="fine", scope=staff_scope())

    assert kinds(preview(agent_id=bot)) == {memory.row.pk: "restore"}


@pytest.mark.usefixtures("_reviewed")
def test_a_write_counts_by_when_it_was_handed_in_as_well(bot):
    write = make_quarantined_write("The boat is red.", agent_id=bot, created_at=ago(days=2))
    memory = release_write(write_id=write.pk, revision=1, reason_code="fine", scope=staff_scope())
    then = Criteria(since=ago(days=3), until=ago(days=1), agent_id=bot)

    assert kinds(preview_rollback(criteria=then, scope=staff_scope())) == {memory.row.pk: "forget"}


def test_writes_that_still_wait_are_to_be_rejected(bot):
    write = make_quarantined_write(agent_id=bot)
    make_quarantined_write(agent_id=bot, created_at=ago(days=2))
    make_quarantined_write(agent_id=make_agent("chat-bot"))

    assert kinds(preview(agent_id=bot)) == {write.pk: "reject"}


def test_a_type_of_source_is_compared():
    outside = written_by(None, source_type="external")
    written_by(None, "The kiosk opens at nine.", source_type="user")

    assert kinds(preview(source_type=SourceType.EXTERNAL)) == {outside.row.pk: "forget"}


def test_a_change_by_an_agent_is_not_laid_at_the_door_of_the_source(bot):
    memory = written_by(None, source_type="external")
    rewrite(memory, author=by(bot), text="The boat is blue.")

    assert kinds(preview(source_type=SourceType.EXTERNAL)) == {memory.row.pk: "conflict"}


def test_a_reference_is_compared_after_opening():
    mail = written_by(None, content={"source_ref": "mail 117"})
    written_by(None, "The kiosk opens at nine.", content={"source_ref": "mail 11"})
    write = make_quarantined_write(draft={"source": Source(SourceType.EXTERNAL, "mail 117")})
    make_quarantined_write(draft={"source": Source(SourceType.EXTERNAL, "mail 7")})

    assert kinds(preview(source_ref="mail 117")) == {mail.row.pk: "forget", write.pk: "reject"}


def test_what_cannot_be_opened_is_counted_and_not_touched():
    memory = written_by(None, content={"source_ref": "mail 117"})
    with connection.cursor() as cursor:
        cursor.execute("SELECT set_config('vault.scope', 'everything', false)")
        cursor.execute(
            "UPDATE vault_memoryversion SET trust = 'verified' WHERE memory_id = %s", [memory.row.pk]
        )
        cursor.execute("SELECT set_config('vault.scope', '', false)")

    found = preview(source_ref="mail 117")

    assert (found.changes, found.unreadable) == ((), 1)


def test_a_session_is_compared():
    session = uuid4()
    memory = written_by(None, session_id=session)
    write = make_quarantined_write(draft={"session": session})
    written_by(None, "The kiosk opens at nine.", session_id=uuid4())

    assert kinds(preview(session_id=session)) == {memory.row.pk: "forget", write.pk: "reject"}


def test_a_namespace_narrows(bot):
    written_by(bot, namespace="billing")
    memory = written_by(bot, namespace="support")

    found = preview(agent_id=bot, namespace_id=make_namespace("support").pk)

    assert kinds(found) == {memory.row.pk: "forget"}


def test_all_that_is_given_has_to_hold(bot):
    written_by(bot, source_type="user")
    memory = written_by(bot, "The kiosk opens at nine.", source_type="external")

    assert kinds(preview(agent_id=bot, source_type=SourceType.EXTERNAL)) == {memory.row.pk: "forget"}


def test_what_gave_way_to_an_undone_memory_comes_back(bot):
    subject = make_subject()
    new = written_by(bot, "The boat is blue.", subject=subject)
    old = written_by(None, "The boat is red.", subject=subject)
    rewrite(old, author=by(bot), status="superseded", superseded_by_id=new.row.pk)

    assert kinds(preview(agent_id=bot)) == {new.row.pk: "forget", old.row.pk: "revive"}


def test_what_gave_way_to_a_memory_that_stays_does_not_come_back(bot):
    subject = make_subject()
    newest = written_by(None, "The boat is green.", subject=subject)
    new = written_by(
        bot, "The boat is blue.", subject=subject, status="superseded", superseded_by_id=newest.row.pk
    )
    written_by(None, "The boat is red.", subject=subject, status="superseded", superseded_by_id=new.row.pk)

    assert kinds(preview(agent_id=bot)) == {new.row.pk: "forget"}


def test_what_stands_again_by_somebody_elses_word_does_not_come_back(bot):
    subject = make_subject()
    new = written_by(bot, "The boat is blue.", subject=subject)
    written_by(None, "The boat is red.", subject=subject, status="superseded", superseded_by_id=new.row.pk)
    written_by(None, "The boat is red.", subject=subject)

    assert kinds(preview(agent_id=bot)) == {new.row.pk: "forget"}


def test_what_was_derived_is_hidden_and_what_it_absorbed_comes_back(bot):
    subject = make_subject()
    poisoned = written_by(bot, "The boat is red.", subject=subject, status="archived")
    clean = written_by(None, "The kiosk opens at nine.", subject=subject, status="archived")
    summary = written_by(
        None, "The boat is red; the kiosk opens at nine.", subject=subject,
        derived_from=[poisoned.row.pk, clean.row.pk],
    )  # fmt: skip
    further = written_by(None, "Boats and kiosks.", subject=subject, derived_from=[summary.row.pk])

    assert kinds(preview(agent_id=bot)) == {
        poisoned.row.pk: "forget",
        summary.row.pk: "stale",
        further.row.pk: "stale",
        clean.row.pk: "revive",
    }


def test_a_later_write_of_somebody_else_is_listed_as_a_conflict(bot):
    memory = written_by(bot)
    rewrite(memory, author="staff:7", text="The boat is green.")

    assert kinds(preview(agent_id=bot)) == {memory.row.pk: "conflict"}


def test_a_promotion_is_a_later_write_as_well(bot):
    memory = written_by(bot)
    rewrite(memory, author="staff:7", trust="verified")

    assert kinds(preview(agent_id=bot)) == {memory.row.pk: "conflict"}


def test_what_somebody_took_back_by_hand_needs_nobody(bot):
    memory = make_memory("The boat is red.")
    rewrite(memory, author=by(bot), text="The boat is blue.")
    roll_back(memory_id=memory.row.pk, version=1, expected_version=2, reason="wrong", scope=staff_scope())

    assert preview(agent_id=bot).changes == ()


def test_the_counts_are_by_kind_of_change(bot):
    written_by(bot)
    written_by(bot, "The kiosk opens at nine.")
    make_quarantined_write(agent_id=bot)

    assert preview(agent_id=bot).counts == {"forget": 2, "reject": 1}


def test_the_digest_is_of_the_rows_and_their_versions(bot):
    memory = written_by(bot)
    first, again = preview(agent_id=bot).digest, preview(agent_id=bot).digest
    rewrite(memory, author=by(bot), text="The boat is blue.")

    assert first == again
    assert preview(agent_id=bot).digest != first


def test_a_preview_changes_nothing_and_is_an_entry(bot):
    memory = written_by(bot)
    preview(agent_id=bot)

    assert now_of(memory) == ("active", "The boat is red.")
    entry = AuditEntry.objects.get(action="rollback.previewed")
    assert (entry.actor_kind, entry.facts) == ("staff", {"count": 1})


def test_an_empty_wish_is_refused():
    with pytest.raises(InvalidField):
        last_hour()


def test_a_window_without_length_is_refused(bot):
    now = timezone.now()

    with pytest.raises(InvalidField):
        Criteria(since=now, until=now, agent_id=bot)


def test_too_many_changes_are_refused(bot, monkeypatch):
    monkeypatch.setattr("vault.lifecycle.rolling_back.preview.MAX_CHANGES", 1)
    written_by(bot)
    written_by(bot, "The kiosk opens at nine.")

    with pytest.raises(InvalidField):
        preview(agent_id=bot)


@pytest.mark.parametrize("scope", [make_scope, lambda: system_scope("retention")])
def test_nobody_but_staff_sees_a_preview(scope, bot):
    with pytest.raises(ScopeMissing):
        preview_rollback(criteria=last_hour(agent_id=bot), scope=scope())


def test_the_reference_is_in_no_repr():
    assert "mail 117" not in repr(last_hour(source_ref="mail 117"))
