from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from audit.models import AuditEntry
from tests.factories import ago, make_memory, make_scope, make_subject
from tests.lifecycle.upkeep.stored import row_of, versions_of
from vault.errors import NotFound, ScopeMissing
from vault.lifecycle.upkeep import feedback
from vault.lifecycle.upkeep.feedback import drop_old_feedback, give_feedback
from vault.models import MemoryFeedback
from vault.retrieval.scope import Right

pytestmark = pytest.mark.django_db


def say(memory, *, useful: bool = True, scope=None):
    return give_feedback(memory_id=memory.row.pk, useful=useful, scope=scope or make_scope())


def counts(memory) -> tuple[int, int]:
    row = row_of(memory.row.pk)
    return row.useful_count, row.useless_count


def test_a_word_is_counted_and_writes_no_version():
    memory = make_memory()

    given = say(memory)

    assert (given.counted, given.useful_count, counts(memory)) == (True, 1, (1, 0))
    assert len(versions_of(memory.row.pk)) == 1


def test_the_same_word_of_one_caller_counts_once_a_day():
    memory, agent = make_memory(), make_scope()
    say(memory, scope=agent)

    assert not say(memory, scope=agent).counted
    assert counts(memory) == (1, 0)
    outcomes = AuditEntry.objects.filter(action="memory.feedback").order_by("pk")
    assert [entry.outcome for entry in outcomes] == ["ok", "skipped"]


def test_another_word_of_the_same_day_takes_the_place_of_the_first():
    memory, agent = make_memory(), make_scope()
    say(memory, scope=agent)
    say(memory, useful=False, scope=agent)

    assert counts(memory) == (0, 1)


def test_the_next_day_the_same_caller_counts_again(monkeypatch):
    memory, agent = make_memory(), make_scope()
    say(memory, scope=agent)
    tomorrow = timezone.now() + timedelta(days=1)
    monkeypatch.setattr(feedback.timezone, "now", lambda: tomorrow)

    say(memory, scope=agent)

    assert counts(memory) == (2, 0)


def test_two_callers_count_twice():
    memory = make_memory()
    say(memory)
    say(memory)

    assert counts(memory) == (2, 0)


def test_the_right_to_read_is_enough_and_needed():
    memory = make_memory()
    say(memory, scope=make_scope(Right.MEMORY_READ))

    with pytest.raises(ScopeMissing):
        say(memory, scope=make_scope(Right.SESSION_READ))


@pytest.mark.parametrize("labels", [{"status": "forgotten"}, {"expires_at": ago(hours=1)}])
def test_of_what_is_hidden_nothing_can_be_said(labels):
    with pytest.raises(NotFound):
        say(make_memory(**labels))


def test_a_stranger_s_word_is_not_heard():
    memory = make_memory()

    with pytest.raises(NotFound):
        say(memory, scope=make_scope(namespace="elsewhere"))
    with pytest.raises(NotFound):
        say(memory, scope=make_scope(subject=make_subject()))

    assert counts(memory) == (0, 0)
    assert AuditEntry.objects.filter(action="access.denied").count() == 2


def test_words_of_days_long_past_are_dropped_and_what_they_counted_stays():
    memory = make_memory()
    say(memory)

    assert drop_old_feedback(now=timezone.now() + timedelta(days=4), limit=10) == 1

    assert not MemoryFeedback.objects.exists()
    assert counts(memory) == (1, 0)
