from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from audit.models import AuditEntry
from tests.drafts import make_agent_scope, make_draft
from vault.errors import NotFound, ScopeMissing
from vault.models import Memory
from vault.retrieval.read import ListQuery, Position, get_memory, list_memories, subject_overview
from vault.retrieval.scope import Right
from vault.types import Kind, Status
from vault.writing.pipeline import write_memory

pytestmark = pytest.mark.django_db(transaction=True)


def write(text: str, subject: str = "S1", **fields: object) -> Memory:
    return write_memory(draft=make_draft(text, subject, **fields), scope=make_agent_scope()).memory.row


def test_a_memory_is_read_with_its_text_and_names():
    memory = write("The lamp is green.")

    opened = get_memory(memory_id=memory.pk, scope=make_agent_scope())

    assert (opened.subject, opened.namespace, opened.agent) == ("S1", "default", "support-bot")
    assert opened.content.text == "The lamp is green."


def test_a_read_is_an_entry_in_the_log():
    memory = write("The lamp is green.")

    get_memory(memory_id=memory.pk, scope=make_agent_scope())

    assert AuditEntry.objects.filter(action="memory.read", target_id=str(memory.pk)).count() == 1


def test_a_stranger_sees_no_such_memory():
    memory = write("The lamp is green.")

    with pytest.raises(NotFound):
        get_memory(memory_id=memory.pk, scope=make_agent_scope("elsewhere", agent="stranger"))


def test_without_the_right_to_read_nothing_is_looked_up():
    memory = write("The lamp is green.")
    scope = make_agent_scope(rights=frozenset({Right.MEMORY_WRITE}))

    with pytest.raises(ScopeMissing):
        get_memory(memory_id=memory.pk, scope=scope)


def test_an_expired_memory_is_out_of_every_read_at_the_instant_it_is_due(monkeypatch):
    due = timezone.now() + timedelta(hours=1)
    memory = write("Parking on level two.", expires_at=due)
    scope = make_agent_scope()
    assert list_memories(query=ListQuery("S1"), scope=scope).results

    monkeypatch.setattr(timezone, "now", lambda: due)

    assert list_memories(query=ListQuery("S1"), scope=scope).results == ()
    with pytest.raises(NotFound):
        get_memory(memory_id=memory.pk, scope=scope)
    shown = list_memories(query=ListQuery("S1", status=Status.EXPIRED), scope=scope)
    assert [m.row.pk for m in shown.results] == [memory.pk]


def test_pages_forward_and_back_show_each_memory_once():
    moment = timezone.now() - timedelta(days=1)
    ids = {write(f"Shelf {n} holds {n * 3} jars.", created_at=moment).pk for n in range(7)}
    scope = make_agent_scope()

    first = list_memories(query=ListQuery("S1", limit=3), scope=scope)
    last = first.results[-1].row
    second = list_memories(
        query=ListQuery("S1", limit=10, after=Position(last.created_at, last.pk)), scope=scope
    )
    top = second.results[0].row
    back = list_memories(query=ListQuery("S1", limit=3, before=Position(top.created_at, top.pk)), scope=scope)

    assert {m.row.pk for m in (*first.results, *second.results)} == ids
    assert len(second.results) == 4
    assert [m.row.pk for m in back.results] == [m.row.pk for m in first.results]
    assert (first.has_next, first.has_previous, second.has_next, back.has_previous) == (
        True,
        False,
        False,
        False,
    )


def test_a_list_is_narrowed_by_kind_and_attribute():
    write("Came by on Monday.", kind=Kind.EVENT)
    wanted = write("Replies in Hindi.", attribute="reply_language")
    scope = make_agent_scope()

    by_slot = list_memories(query=ListQuery("S1", attribute="reply_language"), scope=scope)
    by_kind = list_memories(query=ListQuery("S1", kind=Kind.FACT), scope=scope)

    assert [m.row.pk for m in by_slot.results] == [m.row.pk for m in by_kind.results] == [wanted.pk]


def test_a_subject_id_is_matched_exactly_and_never_as_a_pattern():
    write("The lantern word is marzipan.", "acct-70")
    write("Has a grey cat.", "acctX7")
    scope = make_agent_scope()

    for absent in ("acct-7", "acct_7", "ACCT-70", "acct-", "%"):
        with pytest.raises(NotFound):
            list_memories(query=ListQuery(absent), scope=scope)


def test_an_overview_counts_by_kind_status_and_namespace():
    write("The lamp is green.")
    write("Came by on Monday.", kind=Kind.EVENT)

    overview = subject_overview(subject="S1", scope=make_agent_scope())

    assert overview.by_kind == {"fact": 1, "event": 1}
    assert overview.by_status == {"active": 2}
    assert overview.by_namespace == {"default": 2}
