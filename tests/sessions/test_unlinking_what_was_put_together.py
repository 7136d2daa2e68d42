"""A link that is taken back leaves nothing of the visitor in what was put together meanwhile."""

from __future__ import annotations

import pytest

from tests.factories import make_memory, make_scope, staff_scope
from tests.lifecycle.upkeep.stored import row_of
from vault.lifecycle.integrity import verify_subject
from vault.lifecycle.upkeep.consolidation import consolidate_now
from vault.models import Memory
from vault.retrieval.search import SearchQuery, search
from vault.sessions.linking import link_visitor, unlink_visitor
from vault.sessions.start import start_session
from vault.types import Status

pytestmark = pytest.mark.django_db(transaction=True)

LOCKER = "Ilse's pool locker number is 4417"
SWIMS = "Ilse swims on Tuesdays at the pool"


def served(subject: str, scope) -> set[str]:
    hits = search(query=SearchQuery(subject, "pool locker swims", k=50), scope=scope).results
    return {hit.memory.content.text for hit in hits}


def test_the_visitors_words_go_back_with_the_visitor():
    scope = make_scope()
    visit = start_session(namespace="default", scope=scope)
    visitor = visit.row.subject
    theirs: Memory = make_memory(LOCKER, subject=visitor, embedded=True).row
    own = make_memory(SWIMS, subject="S1", embedded=True).row
    linked = link_visitor(visitor=visit.visitor, subject="S1", scope=scope)
    (whole,) = consolidate_now(subject_id=own.subject_id, scope=staff_scope()).made
    assert served("S1", scope) == {f"{LOCKER}. {SWIMS}."}

    unlink_visitor(link_id=linked.row.pk, scope=scope)

    assert served("S1", scope) == {SWIMS}
    assert row_of(whole).destroyed_at is not None
    assert (row_of(theirs.pk).status, row_of(theirs.pk).subject_id) == (Status.ACTIVE, visitor.pk)
    for subject_id in (own.subject_id, visitor.pk):
        verify_subject(subject_id)
