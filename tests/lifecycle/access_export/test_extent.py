"""What an export would hold, for whoever approves it."""

from __future__ import annotations

from uuid import UUID

import pytest

from tests.factories import make_memory, make_quarantined_write, make_scope, make_subject, staff_scope
from vault.errors import NotFound, ScopeMissing
from vault.lifecycle.access_export import Extent, extent_of, request_export
from vault.models import AccessExport

pytestmark = pytest.mark.django_db


def asked() -> AccessExport:
    """An export of a subject with something in two namespaces, beside another subject."""
    subject = make_subject("acct-7")
    make_memory("Likes boats.", subject=subject)
    make_memory("Likes tea.", subject=subject, namespace="billing")
    make_quarantined_write(subject=subject)
    make_memory("Likes rain.", subject="acct-8")
    return request_export(subject_id=subject.pk, reason_code="access_request", scope=staff_scope())


def test_what_is_there_of_the_subject_is_counted_and_of_nobody_else():
    found = extent_of(export_id=asked().pk, scope=staff_scope())

    assert (found.namespaces, found.memories, found.set_aside, found.sessions) == (None, 2, 1, 0)
    assert isinstance(found, Extent)


def test_an_export_that_is_not_there_is_not_found():
    with pytest.raises(NotFound):
        extent_of(export_id=UUID(int=1), scope=staff_scope())


def test_an_agent_is_told_nothing():
    with pytest.raises(ScopeMissing):
        extent_of(export_id=asked().pk, scope=make_scope())
