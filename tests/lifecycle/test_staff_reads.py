"""Reads that the console alone uses: an agent, whatever it may do elsewhere, gets none of them."""

from __future__ import annotations

import pytest

from tests.factories import make_memory, make_quarantined_write, make_scope, make_subject, staff_scope
from vault.errors import KeyDestroyed, NotFound, ScopeMissing
from vault.keys import key_vault
from vault.lifecycle.registers import list_agents, list_namespaces, resume_grant, suspend_grant
from vault.lifecycle.reviewing.queue import queue_counts
from vault.lifecycle.reviewing.reading import write_row
from vault.lifecycle.subject_file import find_subject_id, subject_file, subject_reference
from vault.models.identifiers import new_id

pytestmark = pytest.mark.django_db

READS = [
    lambda scope: queue_counts(scope=scope),
    lambda scope: write_row(write_id=make_quarantined_write().pk, scope=scope),
    lambda scope: list_agents(scope=scope),
    lambda scope: list_namespaces(scope=scope),
    lambda scope: suspend_grant(grant_id=1, scope=scope),
    lambda scope: resume_grant(grant_id=1, scope=scope),
    lambda scope: find_subject_id(external_id="acct-7", scope=scope),
    lambda scope: subject_file(subject_id=make_subject().pk, scope=scope),
    lambda scope: subject_reference(subject_id=make_subject().pk, scope=scope),
]


@pytest.mark.parametrize("read", READS)
def test_an_agent_is_refused(read):
    with pytest.raises(ScopeMissing):
        read(make_scope())


@pytest.mark.parametrize("read", [subject_file, subject_reference])
def test_a_subject_that_is_not_there_is_not_found(read):
    with pytest.raises(NotFound):
        read(subject_id=new_id(), scope=staff_scope())


def test_the_reference_of_a_subject_comes_back_as_it_was_given():
    subject = make_subject(" acct/7 ü ")

    assert subject_reference(subject_id=subject.pk, scope=staff_scope()) == " acct/7 ü "


def test_without_its_key_a_subject_has_no_reference():
    subject = make_subject("acct-7")
    key_vault().destroy_subject(subject.pk)

    with pytest.raises(KeyDestroyed):
        subject_reference(subject_id=subject.pk, scope=staff_scope())


def test_a_file_counts_every_state():
    subject = make_subject("acct-7")
    make_memory(subject=subject)
    make_memory("Another.", subject=subject, status="expired")

    assert subject_file(subject_id=subject.pk, scope=staff_scope()).by_status == {"active": 1, "expired": 1}
