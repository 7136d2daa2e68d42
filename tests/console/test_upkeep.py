from __future__ import annotations

import pytest
from django.utils.html import escape

from audit.models import AuditEntry
from tests.drafts import make_agent_scope, make_draft
from tests.factories import ago, make_memory, make_subject, staff_scope
from tests.lifecycle.upkeep.stored import row_of, set_on, with_upkeep
from vault.lifecycle.forget import forget_memory
from vault.lifecycle.holds import place_hold
from vault.lifecycle.upkeep import registers
from vault.lifecycle.upkeep.consolidation import consolidate_now
from vault.lifecycle.upkeep.seen import sign_seen
from vault.retrieval.read import get_memory
from vault.types import Status
from vault.writing.pipeline import write_memory

pytestmark = pytest.mark.django_db

LOCKER = "Ilse's pool locker number is 4417"
SWIMS = "Ilse swims on Tuesdays at the pool"


def pool() -> list:
    return [make_memory(text, subject="S1", embedded=True).row for text in (LOCKER, SWIMS)]


def together():
    pool()
    (made,) = consolidate_now(subject_id=make_subject("S1").pk, scope=staff_scope()).made
    return row_of(made)


def evicted():
    with_upkeep(cap=1)
    old = make_memory("The ferry leaves from pier nine.", subject="S1").row
    new = write_memory(draft=make_draft("Her brother repairs violins."), scope=make_agent_scope()).memory.row
    return old, new


def preview(client, memory):
    return client.get(f"/console/upkeep/subjects/{memory.subject_id}/")


def agree(client, page):
    """Put together what a page shows."""
    address = f"/console/upkeep/subjects/{page.context['subject_id']}/put-together/"
    return client.post(address, {"seen": page.context["seen"]}, follow=True)


def reworded(client, memory):
    return client.post(f"/console/upkeep/subjects/{memory.subject_id}/reworded/")


def post(client, memory, verb: str, **fields: str):
    version = str(row_of(memory.pk).version)
    return client.post(
        f"/console/memories/{memory.pk}/{verb}/", {"expected_version": version, **fields}, follow=True
    )


def test_the_register_shows_what_is_unused_what_gave_way_and_what_was_put_together(reviewer, monkeypatch):
    monkeypatch.setattr(registers, "SOME", 1)
    unused = make_memory(created_at=ago(days=300)).row
    old, _ = evicted()
    with_upkeep()
    whole = together()

    context = reviewer.get("/console/upkeep/").context

    assert [row.memory.pk for row in context["unused"].rows] == [unused.pk]
    assert [memory.pk for memory in context["evicted"]] == [old.pk]
    assert [memory.pk for memory in context["consolidated"]] == [whole.pk]
    assert {crowd.subject_id for crowd in context["crowds"]} == {unused.subject_id, old.subject_id}


def test_the_register_shows_no_text(reviewer):
    make_memory("The code word is MARZIPAN.", created_at=ago(days=300))

    assert b"MARZIPAN" not in reviewer.get("/console/upkeep/").content


def test_the_register_comes_in_pages(reviewer):
    for number in range(51):
        make_memory(f"Number {number}.", subject="S1", created_at=ago(days=300))

    shown = [len(reviewer.get(f"/console/upkeep/?page={page}").context["unused"].rows) for page in (1, 2)]

    assert shown == [50, 1]


def test_a_look_at_the_register_is_recorded(reviewer):
    reviewer.get("/console/upkeep/")

    reasons = AuditEntry.objects.filter(action="memory.listed").values_list("reason", flat=True)
    assert set(reasons) == {"unused", "evicted", "consolidated", "crowded"}


def test_the_preview_shows_both_sides_and_changes_nothing(reviewer):
    rows = pool()

    page = reviewer.get(f"/console/upkeep/subjects/{rows[0].subject_id}/")

    assert f"{LOCKER}. {SWIMS}.".replace("'", "&#x27;") in page.content.decode()
    assert {row_of(row.pk).status for row in rows} == {Status.ACTIVE}


def test_a_preview_shows_text_as_text(reviewer):
    hostile = '<img src=x onerror="alert(1)"> is written on the pool locker'
    rows = [make_memory(text, subject="S1", embedded=True).row for text in (hostile, hostile + " door")]

    assert b"<img src=x" not in reviewer.get(f"/console/upkeep/subjects/{rows[0].subject_id}/").content


def test_a_preview_of_a_held_subject_says_why_not(reviewer):
    rows = pool()
    place_hold(subject="S1", reason_code="litigation", scope=staff_scope())

    assert b"A legal hold or a restriction" in preview(reviewer, rows[0]).content
    reviewer.post(f"/console/upkeep/subjects/{rows[0].subject_id}/put-together/")
    assert row_of(rows[0].pk).status == Status.ACTIVE


def test_small_memories_are_put_together_and_taken_apart_again(reviewer):
    one, other = pool()
    agree(reviewer, preview(reviewer, one))
    (whole,) = reviewer.get("/console/upkeep/").context["consolidated"]
    assert row_of(one.pk).status == Status.ARCHIVED

    post(reviewer, whole, "take-apart", reason="correction")

    assert {row_of(one.pk).status, row_of(other.pk).status} == {Status.ACTIVE}


def test_with_nothing_to_put_together_the_page_says_so(reviewer):
    subject = make_memory(subject="S1").row.subject_id

    seen = sign_seen(subject, [])
    page = reviewer.post(f"/console/upkeep/subjects/{subject}/put-together/", {"seen": seen}, follow=True)

    assert b"nothing to put together" in page.content


SHORTER = "Ilse swims Tuesdays at the pool. Ilse's pool locker number: 4417."


def test_a_models_text_is_seen_first_and_stored_as_it_was_seen(reviewer, model):
    one, _ = pool()
    model.says({"text": SHORTER})
    page = reworded(reviewer, one)
    model.says({"text": "Another text by now"})

    agree(reviewer, page)

    (whole,) = reviewer.get("/console/upkeep/").context["consolidated"]
    assert escape(SHORTER) in page.content.decode()
    assert b"a model&#x27;s words" in page.content or b"a model's words" in page.content
    assert get_memory(memory_id=whole.pk, scope=staff_scope()).content.text == SHORTER


def test_a_page_says_why_a_model_did_not_write_a_text(reviewer, model):
    one, _ = pool()
    model.fails("server error")

    page = reworded(reviewer, one)

    assert b"endpoint refused" in page.content
    assert f"{LOCKER}. {SWIMS}.".replace("'", "&#x27;") in page.content.decode()


def test_without_a_model_nobody_is_offered_its_words(reviewer):
    one, _ = pool()

    assert b"fewer words" not in preview(reviewer, one).content


def test_nothing_is_put_together_that_nobody_saw(reviewer):
    one, _ = pool()

    for seen in ("", "x:y:z"):
        reviewer.post(f"/console/upkeep/subjects/{one.subject_id}/put-together/", {"seen": seen})

    assert row_of(one.pk).status == Status.ACTIVE


def test_taking_apart_wants_a_reason(reviewer):
    whole = together()

    post(reviewer, whole, "take-apart")

    assert row_of(whole.pk).status == Status.ACTIVE


def test_a_memory_is_pinned_and_the_pin_taken_off(reviewer):
    memory = make_memory().row

    assert b"Pinned: no cap archives it." in post(reviewer, memory, "pin").content
    assert row_of(memory.pk).pinned
    post(reviewer, memory, "unpin")
    assert not row_of(memory.pk).pinned


def test_a_pin_without_a_version_is_not_set(reviewer):
    memory = make_memory().row

    reviewer.post(f"/console/memories/{memory.pk}/pin/", {})

    assert not row_of(memory.pk).pinned


def test_what_gave_way_comes_back_from_its_own_page(reviewer):
    old, new = evicted()
    forget_memory(memory_id=new.pk, expected_version=1, reason="wrong", scope=make_agent_scope())
    assert b"Gave way to a cap" in reviewer.get(f"/console/memories/{old.pk}/").content

    post(reviewer, old, "bring-back", reason="correction")

    assert row_of(old.pk).status == Status.ACTIVE


def test_without_room_it_stays_where_it_is_and_the_page_says_why(reviewer):
    old, _ = evicted()

    page = post(reviewer, old, "bring-back", reason="correction")

    assert page.status_code == 409
    assert row_of(old.pk).status == Status.ARCHIVED


def test_an_auditor_sees_it_all_and_has_no_button(auditor):
    whole = together()
    pages = [
        auditor.get("/console/upkeep/"),
        auditor.get(f"/console/upkeep/subjects/{whole.subject_id}/"),
        auditor.get(f"/console/memories/{whole.pk}/"),
    ]

    assert [page.status_code for page in pages] == [200, 200, 200]
    for page in pages:
        assert b"Put these together" not in page.content
        assert b"Take it apart" not in page.content
        assert b"Pin it" not in page.content


def test_a_destroyed_memory_says_so(reviewer):
    memory = make_memory(status="expired").row
    set_on(memory.pk, destroyed_at=ago(days=1))

    assert b"Content destroyed" in reviewer.get(f"/console/memories/{memory.pk}/").content
