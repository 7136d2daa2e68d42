"""Linking where a namespace wants its subjects signed for: whatever would move decides, and nothing moves by name."""

from __future__ import annotations

from dataclasses import replace

import pytest
from django.db import transaction

from audit.models import AuditEntry
from tests.factories import granted, make_memory, make_namespace, make_quarantined_write, make_scope
from tests.lifecycle.subject_rights.people import Application
from vault.errors import InvalidField, InvalidTransition, NotFound
from vault.models import Memory, Namespace, QuarantinedWrite, Session, VisitorLink, isolation
from vault.retrieval.scope import Scope
from vault.retrieval.subjects import find_subject
from vault.sessions.identity import link_audience
from vault.sessions.linking import Linked, link_visitor, unlink_visitor
from vault.sessions.records import SessionView
from vault.sessions.start import start_session

pytestmark = pytest.mark.django_db(transaction=True)

AGENT = "support-bot"


@pytest.fixture
def scope() -> Scope:
    """An agent of two namespaces, of which `locked` takes its subjects from assertions only."""
    make_namespace("default")
    make_namespace("locked", policy={"asserted_sessions": True})
    return scope_of("default", "locked")


def scope_of(*names: str) -> Scope:
    places = tuple(granted(Namespace.objects.get(name=name)) for name in names)
    return replace(make_scope(agent=AGENT), namespaces=places)


def visit_of(scope: Scope, namespace: str) -> SessionView:
    return start_session(namespace=namespace, scope=scope)


def signed(subject: str = "S1") -> str:
    return Application(AGENT).assert_that(subject, aud=link_audience())


def by_name(visit: SessionView, scope: Scope, subject: str = "S1") -> Linked:
    return link_visitor(visitor=visit.visitor, subject=subject, scope=scope)


def kept(visit: SessionView) -> dict[str, int]:
    """How much is still the visitor's own."""
    owner = visit.row.subject_id
    with transaction.atomic():
        isolation.open_everything()
        found = {
            model.__name__: model.objects.filter(subject_id=owner).count()
            for model in (Memory, Session, QuarantinedWrite)
        }
        isolation.close()
    return {name: count for name, count in found.items() if count}


def links() -> int:
    with transaction.atomic():
        isolation.open_everything()
        count = VisitorLink.objects.count()
        isolation.close()
    return count


def check_refused(visit: SessionView, scope: Scope) -> None:
    """Raise unless a bare name is refused, and nothing is moved, linked or made by it."""
    before = kept(visit)
    with pytest.raises(InvalidField) as refused:
        by_name(visit, scope)
    assert refused.value.facts["pointer"] == "/assertion"
    assert (kept(visit), links(), find_subject("S1")) == (before, 0, None)


def test_a_session_in_such_a_namespace_is_not_linked_by_a_name(scope):
    check_refused(visit_of(scope, "locked"), scope)


def test_a_memory_there_is_enough(scope):
    visit = visit_of(scope, "default")
    make_memory(subject=visit.row.subject, namespace="locked")

    check_refused(visit, scope)


def test_a_draft_there_is_enough(scope):
    visit = visit_of(scope, "default")
    make_quarantined_write(subject=visit.row.subject, namespace="locked")

    check_refused(visit, scope)


def test_one_of_several_visits_there_is_enough(scope):
    visit = visit_of(scope, "default")
    start_session(visitor=visit.visitor, namespace="locked", scope=scope)

    check_refused(visit, scope)


def test_the_refusal_is_noted_with_its_code_and_no_link(scope):
    check_refused(visit_of(scope, "locked"), scope)

    entry = AuditEntry.objects.get(action="subject.linked")
    assert (entry.outcome, entry.reason, entry.target_kind) == ("refused", "invalid", "visitor_link")


def test_an_assertion_links_it(scope):
    visit = visit_of(scope, "locked")

    link_visitor(visitor=visit.visitor, assertion=signed(), scope=scope)

    assert kept(visit) == {}


def test_a_name_beside_the_assertion_is_as_good(scope):
    visit = visit_of(scope, "locked")

    link_visitor(visitor=visit.visitor, subject="S1", assertion=signed(), scope=scope)

    assert kept(visit) == {}


def test_after_a_refusal_an_assertion_still_links_it(scope):
    visit = visit_of(scope, "locked")
    check_refused(visit, scope)

    link_visitor(visitor=visit.visitor, assertion=signed(), scope=scope)

    assert (kept(visit), links()) == ({}, 1)


def test_elsewhere_a_name_is_enough_though_the_agent_has_such_a_namespace(scope):
    visit = visit_of(scope, "default")

    by_name(visit, scope)

    assert kept(visit) == {}


def test_what_others_have_there_is_nothing_to_this_visitor(scope):
    visit_of(scope, "locked")
    make_memory(subject="S1", namespace="locked")
    visit = visit_of(scope, "default")

    by_name(visit, scope)

    assert kept(visit) == {}


def test_who_has_no_say_there_learns_nothing_of_the_policy(scope):
    visit = visit_of(scope, "locked")

    with pytest.raises(NotFound):
        by_name(visit, scope_of("default"))


def test_the_same_link_again_is_answered_by_name_and_moves_no_later_visit(scope):
    visit = visit_of(scope, "locked")
    first = link_visitor(visitor=visit.visitor, assertion=signed(), scope=scope)
    start_session(visitor=visit.visitor, namespace="locked", scope=scope)

    again = by_name(visit, scope)

    assert (again.row.pk, again.is_new) == (first.row.pk, False)
    assert kept(visit) == {"Session": 1}


def test_a_linked_visitor_is_nobody_elses_by_a_name(scope):
    visit = visit_of(scope, "locked")
    link_visitor(visitor=visit.visitor, assertion=signed(), scope=scope)

    with pytest.raises(InvalidTransition):
        by_name(visit, scope, subject="S2")


def test_a_link_is_taken_back_without_an_assertion(scope):
    visit = visit_of(scope, "locked")
    linked = link_visitor(visitor=visit.visitor, assertion=signed(), scope=scope)

    unlink_visitor(link_id=linked.row.pk, scope=scope)

    assert kept(visit) == {"Session": 1}


def test_what_was_taken_back_is_not_linked_anew_by_a_name(scope):
    visit = visit_of(scope, "locked")
    linked = link_visitor(visitor=visit.visitor, assertion=signed(), scope=scope)
    unlink_visitor(link_id=linked.row.pk, scope=scope)

    with pytest.raises(InvalidField):
        by_name(visit, scope)
    assert kept(visit) == {"Session": 1}
