from __future__ import annotations

import pytest
from django.db import transaction

from audit.models import AuditEntry
from tests.factories import make_memory, make_scope
from vault.models import Conflict, isolation
from vault.types import Action, Category, Finding
from vault.writing.change import change_memory

pytestmark = pytest.mark.django_db


@pytest.fixture
def changed():
    """A memory with two versions."""
    memory = make_memory("The boat is red.")
    scope = make_scope()
    change_memory(
        memory_id=memory.row.pk,
        changes={"text": "The boat is blue."},
        expected_version=1,
        reason="correction",
        scope=scope,
    )
    return memory


def page_of(client, memory, query: str = "") -> str:
    return client.get(f"/console/memories/{memory.row.pk}/{query}").content.decode()


def act(client, memory, verb: str, **data):
    return client.post(f"/console/memories/{memory.row.pk}/{verb}/", {"reason": "correction", **data})


def test_what_changed_is_marked_word_by_word(reviewer, changed):
    page = page_of(reviewer, changed)

    assert "[removed: </span>red" in page
    assert "[added: </span>blue" in page


def test_two_versions_can_stand_side_by_side(reviewer, changed):
    page = page_of(reviewer, changed, "?view=sides")

    assert "<del>red</del>" in page.partition("Before")[2]
    assert "<ins>blue</ins>" in page.partition("After")[2]


def test_going_back_writes_a_third_version_with_the_first_one_s_text(reviewer, changed):
    act(reviewer, changed, "roll-back", version=1, expected_version=2)

    memory = reviewer.get(f"/console/memories/{changed.row.pk}/").context["memory"]
    assert (memory.row.version, memory.content.text) == (3, "The boat is red.")


def test_going_back_from_a_page_that_is_out_of_date_is_refused(reviewer, changed):
    response = act(reviewer, changed, "roll-back", version=1, expected_version=1)

    assert response.status_code == 409
    assert b"It has changed since you opened it" in response.content


def test_going_back_needs_a_reason(reviewer, changed):
    act(reviewer, changed, "roll-back", version=1, expected_version=2, reason="")

    assert reviewer.get(f"/console/memories/{changed.row.pk}/").context["row"].version == 2


def test_a_memory_can_be_forgotten_and_restored(reviewer):
    memory = make_memory()
    act(reviewer, memory, "forget", expected_version=1)
    assert reviewer.get(f"/console/memories/{memory.row.pk}/").context["is_forgotten"]

    act(reviewer, memory, "restore", expected_version=2)

    assert not reviewer.get(f"/console/memories/{memory.row.pk}/").context["is_forgotten"]


def test_a_look_at_a_memory_and_its_history_is_recorded(reviewer):
    memory = make_memory()

    page_of(reviewer, memory)

    entries = AuditEntry.objects.filter(target_id=str(memory.row.pk)).values_list("action", "actor_id")
    assert set(entries) == {
        ("memory.read", str(reviewer.staff.pk)),
        ("versions.read", str(reviewer.staff.pk)),
    }


@pytest.mark.parametrize("value", ['"><img src=x onerror=alert(1)>', "</script><script>alert(1)</script>"])
def test_what_stands_in_a_memory_is_shown_as_text(value, reviewer):
    memory = make_memory(
        value, content={"metadata": {value: value}, "attribute": value, "source_ref": value}, subject=value
    )

    for query in ("", "?view=sides"):
        page = page_of(reviewer, memory, query)
        assert "<img src=x" not in page
        assert "<script>alert" not in page


def test_a_template_in_a_memory_is_not_evaluated(reviewer):
    assert "{{7*7}}{% debug %}" in page_of(reviewer, make_memory("{{7*7}}{% debug %}"))


def test_findings_of_the_text_are_marked(reviewer):
    finding = Finding(Category.PII, "PERSON", 2, 6, 0.85, Action.ALLOW)
    memory = make_memory("👍 Ilse came.", content={"findings": (finding,)})

    assert '<span class="tag pii">P1</span>Ilse</mark>' in page_of(reviewer, memory)


def test_a_memory_is_found_by_its_id_through_a_form(reviewer):
    memory = make_memory()

    response = reviewer.post("/console/memories/find/", {"memory": str(memory.row.pk)})

    assert response["Location"] == f"/console/memories/{memory.row.pk}/"


def test_an_id_that_is_none_is_said_to_be_none(reviewer):
    assert reviewer.post("/console/memories/find/", {"memory": "S1"}).status_code == 400


def test_a_reviewer_sees_the_subject_s_name_without_a_way_to_its_file(reviewer):
    memory = make_memory(subject="acct-7")

    page = page_of(reviewer, memory)

    assert "acct-7" in page
    assert "/console/subjects/" not in page


def test_an_auditor_is_offered_no_change(auditor, changed):
    page = page_of(auditor, changed)

    assert "Roll back" not in page
    assert "Forget" not in page


def test_trust_is_changed_with_a_reason(reviewer):
    memory = make_memory(trust="inferred")

    act(reviewer, memory, "trust", trust="verified", reason="document_seen", expected_version=1)

    page = reviewer.get(f"/console/memories/{memory.row.pk}/")
    assert (page.context["row"].trust, page.context["row"].version) == ("verified", 2)
    assert "A document was seen" in page.content.decode()


@pytest.mark.parametrize("missing", ["trust", "reason"])
def test_trust_is_not_changed_without_a_level_and_a_reason(missing, reviewer):
    memory = make_memory(trust="inferred")
    data = {"trust": "verified", "reason": "document_seen", "expected_version": 1, missing: ""}

    reviewer.post(f"/console/memories/{memory.row.pk}/trust/", data)

    assert reviewer.get(f"/console/memories/{memory.row.pk}/").context["row"].trust == "inferred"


def test_trust_is_not_changed_from_a_page_that_is_out_of_date(reviewer, changed):
    data = {"trust": "verified", "reason": "document_seen", "expected_version": 1}

    assert reviewer.post(f"/console/memories/{changed.row.pk}/trust/", data).status_code == 409


def test_what_is_not_served_is_offered_no_other_trust(reviewer):
    assert "Change the trust" not in page_of(reviewer, make_memory(status="forgotten"))


def test_each_version_says_where_it_comes_from(reviewer):
    memory = make_memory(source_type="external", content={"source_ref": "mail 117"})

    history = page_of(reviewer, memory).partition('id="history"')[2].partition('class="aside"')[0]

    assert "source external · mail 117" in history


def test_a_change_of_a_label_shows_as_one(reviewer):
    memory = make_memory(trust="inferred")
    act(reviewer, memory, "trust", trust="verified", reason="document_seen", expected_version=1)

    page = page_of(reviewer, memory)

    assert "The text did not change." in page
    assert '<span class="muted">trust:</span> <del>inferred</del> → <ins>verified</ins>' in page


def test_a_memory_that_is_contradicted_says_so(reviewer):
    memory, other = (make_memory(f"The boat is {colour}.", subject="S1") for colour in ("red", "blue"))
    with transaction.atomic():
        isolation.open_everything()
        conflict = Conflict.objects.create(
            subject_id=memory.row.subject_id, namespace_id=memory.row.namespace_id, standing=memory.row,
            challenger=other.row,
        )  # fmt: skip
        isolation.close()

    assert f"/console/conflicts/{conflict.pk}/" in page_of(reviewer, memory)
