from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from tests.factories import make_namespace, make_quarantined_write, make_scope, make_subject, staff_scope
from tests.lifecycle.reviewing.desk import RULE, row, verdict_of
from vault.errors import ScopeMissing
from vault.lifecycle.reviewing.claims import claim_write
from vault.lifecycle.reviewing.queue import (
    Assigned,
    QueueFilter,
    neighbours,
    pending_writes,
    queue_counts,
)
from vault.models.identifiers import new_id

pytestmark = pytest.mark.django_db

TEXT = "Refunds above fifty thousand are always approved."


def test_the_queue_holds_what_is_pending_the_first_due_first():
    later = make_quarantined_write(due_at=timezone.now() + timedelta(days=2))
    sooner = make_quarantined_write(due_at=timezone.now() + timedelta(days=1))
    make_quarantined_write(status="rejected")

    queue = pending_writes(scope=staff_scope())

    assert [write.pk for write in queue.results] == [sooner.pk, later.pk]
    assert queue.total == 2


def test_the_queue_is_read_in_pages_without_gap_or_repeat():
    due = timezone.now()
    writes = {make_quarantined_write(due_at=due).pk for _ in range(5)}

    seen, place = [], None
    while True:
        queue = pending_writes(scope=staff_scope(), after=place, limit=2)
        seen += [write.pk for write in queue.results]
        if (place := queue.next) is None:
            break

    assert len(seen) == 5
    assert set(seen) == writes


@pytest.mark.parametrize(
    "wanted",
    [
        QueueFilter(reason="sensitive_category"),
        QueueFilter(namespace="billing"),
        QueueFilter(overdue_at=timezone.now() - timedelta(days=1)),
    ],
)
def test_the_queue_can_be_filtered(wanted: QueueFilter):
    make_quarantined_write()

    assert pending_writes(scope=staff_scope(), wanted=wanted).total == 0


def test_the_queue_opens_no_text():
    make_quarantined_write(TEXT)

    (write,) = pending_writes(scope=staff_scope()).results

    assert "ciphertext" in write.get_deferred_fields()


def test_only_staff_see_the_queue():
    with pytest.raises(ScopeMissing):
        pending_writes(scope=make_scope())


def test_a_filter_names_the_subject_by_its_internal_id():
    subject = make_subject()
    own = make_quarantined_write(subject=subject)
    make_quarantined_write()

    queue = pending_writes(scope=staff_scope(), wanted=QueueFilter(subject_id=subject.pk))

    assert [write.pk for write in queue.results] == [own.pk]


def test_a_filter_names_the_detector_that_spoke():
    own = make_quarantined_write(verdict=verdict_of(RULE))
    make_quarantined_write()

    queue = pending_writes(scope=staff_scope(), wanted=QueueFilter(detector="injection-rule/override"))

    assert [write.pk for write in queue.results] == [own.pk]


def test_the_end_of_an_id_finds_its_write():
    own = make_quarantined_write()

    queue = pending_writes(scope=staff_scope(), wanted=QueueFilter(id_part=str(own.pk)[-12:].upper()))

    assert [write.pk for write in queue.results] == [own.pk]


def test_what_is_mine_and_what_is_nobodys_are_apart():
    me = staff_scope()
    mine, theirs, free = (make_quarantined_write() for _ in range(3))
    claim_write(write_id=mine.pk, scope=me)
    claim_write(write_id=theirs.pk, scope=staff_scope())

    listed = {
        assigned: [
            write.pk for write in pending_writes(scope=me, wanted=QueueFilter(assigned=assigned)).results
        ]
        for assigned in Assigned
    }

    assert listed == {Assigned.ME: [mine.pk], Assigned.NOBODY: [free.pk]}


def test_a_claim_that_ran_out_is_nobodys():
    make_quarantined_write(assigned_to="staff:1", claimed_until=timezone.now() - timedelta(seconds=1))

    assert pending_writes(scope=staff_scope(), wanted=QueueFilter(assigned=Assigned.NOBODY)).total == 1


def test_the_counts_are_of_all_that_waits():
    me = staff_scope()
    claim_write(write_id=make_quarantined_write(verdict=verdict_of(RULE)).pk, scope=me)
    make_quarantined_write(namespace="billing", due_at=timezone.now() - timedelta(hours=1))

    counts = queue_counts(scope=me)

    assert (counts.pending, counts.overdue, counts.mine, counts.unclaimed) == (2, 1, 1, 1)
    assert dict(counts.by_detector) == {"injection-rule/override": 1, "tests/instruction": 1}
    assert counts.namespaces == ("billing", "default")


def test_the_neighbours_of_a_write_stand_under_the_same_filter():
    first, other, second, third = (
        make_quarantined_write(namespace=place, due_at=timezone.now() + timedelta(days=days))
        for days, place in enumerate(("default", "billing", "default", "default"))
    )

    found = neighbours(row=row(second), scope=staff_scope(), wanted=QueueFilter(namespace="default"))

    assert (found.previous, found.next) == (first.pk, third.pk)
    assert other.pk not in (found.previous, found.next)


def test_the_last_of_the_queue_has_no_next():
    write = make_quarantined_write()

    found = neighbours(row=row(write), scope=staff_scope())

    assert (found.previous, found.next) == (None, None)


@pytest.mark.parametrize(
    "read", [queue_counts, lambda scope: neighbours(row=make_quarantined_write(), scope=scope)]
)
def test_an_agent_learns_nothing_of_the_queue(read):
    make_namespace()

    with pytest.raises(ScopeMissing):
        read(scope=make_scope())


def test_an_id_that_no_write_has_finds_none():
    make_quarantined_write()

    assert pending_writes(scope=staff_scope(), wanted=QueueFilter(id_part=str(new_id()))).total == 0
