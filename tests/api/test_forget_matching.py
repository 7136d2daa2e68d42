"""/memories/forget, and case D06 line by line."""

from __future__ import annotations

from uuid import uuid4

import pytest

from audit.models import AuditEntry
from tests.factories import make_memory, make_subject, staff_scope
from vault.lifecycle.upkeep.consolidation import consolidate_now

pytestmark = pytest.mark.django_db

S1, S2 = str(uuid4()), str(uuid4())


@pytest.fixture
def kept(agent):
    """S has two memories of session s1 and one of s2; T has one."""
    subject = make_subject("S")
    for text, session in (("Prefers tea.", S1), ("Pays on Fridays.", S1), ("Drives a van.", S2)):
        make_memory(text, subject=subject, session_id=session)
    make_memory("Prefers coffee.", subject="T", session_id=S1)
    return agent


def forget(agent, **body):
    return agent.post("/memories/forget", body)


def texts(agent, subject: str) -> list[str]:
    return [m["text"] for m in agent.get(f"/memories?subject={subject}").json()["results"]]


def test_d06_a_session_s_memories_are_forgotten_and_no_other(kept):
    answer = forget(kept, subject="S", session=S1)

    assert (answer.status_code, answer.json()["forgotten"], answer.json()["more"]) == (200, 2, False)
    assert len(answer.json()["memories"]) == 2
    assert texts(kept, "S") == ["Drives a van."]
    assert texts(kept, "T") == ["Prefers coffee."]


@pytest.mark.parametrize(
    "wrong",
    [
        {},
        {"sesion": S1},
        {"session": None},
        {"session": ""},
        {"session": "s1"},
        {"source": {}},
        {"source": None},
        {"source": {"reference": "x"}},
        {"source": {"ref": ""}},
        {"namespace": "default"},
        {"kind": "fact"},
        {"session": S1, "colour": "red"},
    ],
)
def test_d06_a_filter_that_is_empty_or_misspelt_or_null_is_refused_and_forgets_nothing(kept, wrong):
    answer = forget(kept, subject="S", **wrong)

    assert answer.status_code == 400
    assert len(texts(kept, "S")) == 3
    assert not AuditEntry.objects.filter(action="memory.forgotten", outcome="ok").exists()


def test_without_a_subject_nothing_is_forgotten(kept):
    assert forget(kept, session=S1).status_code == 400
    assert (len(texts(kept, "S")), len(texts(kept, "T"))) == (3, 1)


def test_a_session_that_nobody_has_forgets_nothing_and_says_so(kept):
    assert forget(kept, subject="S", session=str(uuid4())).json() == {
        "forgotten": 0,
        "memories": [],
        "more": False,
        "wholes": [],
    }
    assert len(texts(kept, "S")) == 3


def test_a_reference_is_matched_exactly(agent):
    for text, ref in (("Prefers tea.", "chat 12"), ("Drives a van.", "chat 123"), ("Pays late.", "Chat 12")):
        make_memory(text, subject="S", content={"source_ref": ref})

    assert forget(agent, subject="S", source={"ref": "chat 12"}).json()["forgotten"] == 1
    assert texts(agent, "S") == ["Drives a van.", "Pays late."]


def test_all_that_is_named_must_match(agent):
    make_memory("A fact of it.", subject="S", session_id=S1)
    make_memory("An event of it.", subject="S", session_id=S1, kind="event")

    assert forget(agent, subject="S", session=S1, kind="event").json()["forgotten"] == 1
    assert texts(agent, "S") == ["A fact of it."]


def test_what_is_forgotten_can_be_restored(kept):
    forgotten = forget(kept, subject="S", session=S1, reason="mistake").json()["memories"]

    assert kept.post(f"/memories/{forgotten[0]}/restore", {}).status_code == 200


def test_a_call_forgets_up_to_its_bound_and_says_that_there_is_more(kept, monkeypatch):
    monkeypatch.setattr("vault.lifecycle.forget_matching.forget_matching.__kwdefaults__", {"limit": 1})

    first, second, third = (forget(kept, subject="S", session=S1).json() for _ in range(3))

    assert [(a["forgotten"], a["more"]) for a in (first, second, third)] == [
        (1, True),
        (1, False),
        (0, False),
    ]


def test_another_namespaces_memories_stay(agent, kept):
    make_memory("In billing.", subject="S", session_id=S1, namespace="billing")

    assert forget(agent, subject="S", session=S1).json()["forgotten"] == 2


def test_a_namespace_out_of_scope_is_not_found(kept):
    make_memory("In billing.", subject="S", session_id=S1, namespace="billing")

    assert forget(kept, subject="S", session=S1, namespace="billing").status_code == 404


def test_a_stranger_forgets_nothing(kept, stranger):
    assert forget(stranger, subject="S", session=S1).status_code == 404
    assert len(texts(kept, "S")) == 3


def test_forgetting_needs_its_right(kept, reader):
    assert forget(reader, subject="S", session=S1).status_code == 403


def test_the_same_key_forgets_once(kept):
    body = {"subject": "S", "session": S1}
    first = kept.post("/memories/forget", body, Idempotency_Key="k")
    again = kept.post("/memories/forget", body, Idempotency_Key="k")

    assert again.json() == first.json()
    assert again["Idempotent-Replayed"] == "true"


def test_each_is_an_entry_and_so_is_the_call(kept):
    forget(kept, subject="S", session=S1, reason="visit_over")

    entries = AuditEntry.objects.filter(action="memory.forgotten").order_by("pk")
    assert [(entry.target_kind, entry.reason) for entry in entries] == [
        ("memory", "visit_over"),
        ("memory", "visit_over"),
        ("subject", "visit_over"),
    ]
    assert entries[2].facts == {"count": 2, "more": 0}


@pytest.fixture
def whole():
    """What was put together of two mails."""
    stated = {"mail-1": "Ilse's pool locker number is 4417", "mail-2": "Ilse swims on Tuesdays at the pool"}
    for ref, text in stated.items():
        part = make_memory(text, subject="S", embedded=True, content={"source_ref": ref}).row
    (made,) = consolidate_now(subject_id=part.subject_id, scope=staff_scope()).made
    return str(made)


def test_what_was_put_together_of_it_is_named_and_where_its_words_are(agent, whole):
    answer = forget(agent, subject="S", source={"ref": "mail-1"}).json()
    refused = agent.post(f"/memories/{whole}/restore", {})

    assert (answer["forgotten"], answer["wholes"]) == (1, [whole])
    assert (refused.status_code, "derived_from" in refused.json()["detail"]) == (409, True)


def test_what_was_changed_since_it_was_put_together_is_restored_with_its_own_words(agent, whole):
    said = "Ilse's pool locker number is 4417. Ilse swims on Thursdays at the pool."
    agent.patch(f"/memories/{whole}", {"text": said}, If_Match='"v1"')
    assert forget(agent, subject="S", source={"ref": "mail-1"}).json()["wholes"] == [whole]

    assert agent.post(f"/memories/{whole}/restore", {}).json()["text"] == said
    assert texts(agent, "S")[-1:] == [said]


def test_a_single_original_that_is_forgotten_names_it_too(agent, whole):
    part = agent.get(f"/memories/{whole}").json()["derived_from"][0]

    answer = agent.delete(f"/memories/{part}", If_Match='"v2"')

    assert (answer.status_code, answer.json()["wholes"], answer.headers["ETag"]) == (200, [whole], '"v3"')
