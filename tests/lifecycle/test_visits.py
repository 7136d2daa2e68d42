"""A cookie that was linked to a subject is used again: staff see it, and decide whether it is the same person."""

from __future__ import annotations

import pytest
from django.db import transaction

from tests.factories import make_memory, make_scope, staff_scope
from vault.errors import ScopeMissing
from vault.lifecycle.erasure import list_requests, preview_erasure
from vault.lifecycle.subject_file import find_subject_id, subject_file
from vault.lifecycle.visits import later_visits, request_erasure_with_visits
from vault.models import isolation
from vault.sessions.linking import link_visitor, unlink_visitor
from vault.sessions.start import start_session, visitor_reference

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def scope():
    return make_scope()


@pytest.fixture
def visitor(scope):
    """A cookie's value that is linked to S1."""
    visit = start_session(namespace="default", scope=scope)
    link_visitor(visitor=visit.visitor, subject="S1", scope=scope)
    return visit.visitor


def come_back(visitor, scope):
    start_session(visitor=visitor, namespace="default", scope=scope)
    make_memory("Asked for the night bus.", subject=visitor_reference(visitor))


def visits_of(subject="S1"):
    subject_id = find_subject_id(external_id=subject, scope=staff_scope())
    with transaction.atomic():
        isolation.open_everything()
        return later_visits(subject_id)


def ask(scope=None, subject="S1"):
    subject_id = find_subject_id(external_id=subject, scope=staff_scope())
    return request_erasure_with_visits(
        subject_id=subject_id,
        reason_code="subject_request",
        evidence="A letter.",
        scope=scope or staff_scope(),
    )


def test_without_a_later_visit_there_is_nothing_to_see(visitor):
    assert visits_of() == ()


def test_a_later_visit_is_seen_on_the_subjects_file(visitor, scope):
    come_back(visitor, scope)
    subject_id = find_subject_id(external_id="S1", scope=staff_scope())

    (visit,) = subject_file(subject_id=subject_id, scope=staff_scope()).later_visits

    assert (visit.sessions, visit.memories, visit.waiting) == (1, 1, 0)


def test_a_later_visit_is_none_of_the_subjects_rows(visitor, scope):
    come_back(visitor, scope)

    counts = preview_erasure(subject="S1", scope=staff_scope())

    assert (counts["sessions"], counts["memories"]) == (1, 0)


def test_a_link_that_was_taken_back_leads_nowhere(scope):
    visit = start_session(namespace="default", scope=scope)
    linked = link_visitor(visitor=visit.visitor, subject="S1", scope=scope)
    come_back(visit.visitor, scope)
    unlink_visitor(link_id=linked.row.pk, scope=scope)

    assert visits_of() == ()


def test_each_later_visit_gets_a_request_of_its_own(visitor, scope):
    come_back(visitor, scope)

    own, others = ask()

    filed = {row.subject_id: row for row in list_requests(scope=staff_scope())}
    assert (len(filed), others) == (2, 1)
    assert own.sealed_evidence
    assert not filed[visits_of()[0].visitor].sealed_evidence


def test_asking_twice_files_once(visitor, scope):
    come_back(visitor, scope)
    ask()
    ask()

    assert len(list_requests(scope=staff_scope())) == 2


def test_an_agent_files_none(visitor, scope):
    with pytest.raises(ScopeMissing):
        ask(scope)
