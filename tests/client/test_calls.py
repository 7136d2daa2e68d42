"""The client against a real vault over HTTP."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import pytest

from tests.api.callers import token_for
from vault.client import (
    InvalidRequest,
    NoSuchSubject,
    NotFound,
    PreconditionFailed,
    Refused,
    Unauthenticated,
    Vault,
)
from vault.client.calls import draft

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def vault(live_server: Any) -> Iterator[Vault]:
    with Vault(live_server.url, token_for(), timeout_seconds=60, retries=0) as client:
        yield client


def write(vault: Vault, text: str = "The depot opens at six", **fields: Any):
    return vault.write(subject="S1", text=text, source="user", **fields)


def test_a_memory_is_written_and_read(vault):
    written = write(vault, metadata={"channel": "chat"}, occurred_at=datetime(2026, 9, 2, 8, 30, tzinfo=UTC))

    assert written.outcome == "created"
    assert written.memory is not None
    assert written.memory.occurred_at == datetime(2026, 9, 2, 8, 30, tzinfo=UTC)
    assert vault.get(written.memory.id) == written.memory


def test_a_memory_is_changed_rolled_back_forgotten_and_restored(vault):
    memory = write(vault).memory
    changed = vault.change(memory.id, version=1, importance=0.9, reason="raised").memory
    rolled = vault.rollback(memory.id, to_version=1, version=changed.version, reason="undo")
    forgotten = vault.forget(memory.id, version=rolled.version)

    assert (changed.importance, rolled.importance) == (0.9, memory.importance)
    assert forgotten.status == "forgotten"
    assert vault.restore(memory.id).status == "active"
    assert [version.reason for version in vault.versions(memory.id)][1:3] == ["raised", "undo"]


def test_a_change_of_an_older_version_is_refused(vault):
    memory = write(vault).memory
    vault.change(memory.id, version=1, importance=0.9)

    with pytest.raises(PreconditionFailed):
        vault.change(memory.id, version=1, importance=0.1)


def test_a_batch_answers_each_of_its_writes(vault):
    good, bad = vault.write_batch(
        [draft(subject="S1", text="The depot opens at six"), {"subject": "S1", "text": ""}]
    )

    assert good.written.outcome == "created"
    assert (bad.status, bad.code) == (400, "invalid")


def test_all_pages_of_a_list_are_read(vault):
    for n in range(5):
        write(vault, f"Shelf {n} holds lamps")

    assert [m.text for m in vault.list_all(subject="S1", limit=2)] == [
        f"Shelf {n} holds lamps" for n in range(5)
    ]


def test_memories_are_found_and_made_into_a_block(vault):
    write(vault, "Invoice 8841 was rejected for code E12")

    answer = vault.search(subject="S1", query="invoice 8841", k=1)
    block = vault.context(subject="S1", query="invoice 8841", max_tokens=120)

    assert "8841" in answer.results[0].memory.text
    assert block.memories == (answer.results[0].memory.id,)
    assert block.tokens <= 120
    assert (answer.held_back, block.held_back) == (0, 0)


def test_a_subject_token_makes_a_narrower_client(vault, live_server):
    write(vault)
    vault.write(subject="S2", text="The yard opens at nine")
    issued = vault.subject_token(subject="S1", scopes=["memory:read"], ttl_seconds=60)

    with Vault(live_server.url, issued.token) as narrow:
        assert len(narrow.list(subject="S1").results) == 1
        with pytest.raises(NotFound):
            narrow.list(subject="S2")
    assert issued.token not in repr(issued)


def test_an_erasure_is_asked_for_and_followed(vault):
    write(vault)

    filed = vault.request_erasure(subject="S1", reason="withdrawn")

    assert vault.erasure(filed.id).status == "received"


def test_a_subject_is_told_in_counts(vault):
    vault.write(subject="a/b", text="The depot opens at six")

    assert vault.subject("a/b")["by_status"] == {"active": 1}


def test_the_same_key_writes_once(vault):
    first, second = (write(vault, idempotency_key="order-1") for _ in range(2))

    assert first == second


def test_refusals_are_typed(vault, live_server):
    with pytest.raises(InvalidRequest):
        write(vault, "")
    with pytest.raises(Refused):
        write(vault, "password: " + "-".join(["Gr4vel", "Otter", "19"]))
    with Vault(live_server.url, "mv_" + "x" * 43, retries=0) as nobody, pytest.raises(Unauthenticated):
        nobody.list(subject="S1")


def test_a_first_search_for_a_new_subject_says_that_there_is_none(vault):
    with pytest.raises(NoSuchSubject):
        vault.search(subject="nobody yet", query="which language?")
    with pytest.raises(NoSuchSubject):
        vault.context(subject="nobody yet", query="which language?")


def test_another_404_is_not_about_a_subject(vault):
    write(vault)

    with pytest.raises(NotFound) as told:
        vault.search(subject="S1", query="depot", namespaces=["elsewhere"])

    assert not isinstance(told.value, NoSuchSubject)


def test_a_refused_write_says_what_was_found_where_and_never_the_value(vault):
    said = "the password: " + "-".join(["Gr4vel", "Otter", "19"])

    with pytest.raises(Refused) as refused:
        write(vault, said)

    found = next(finding for finding in refused.value.findings if finding.category == "secret")
    assert found.pointer == "/text"
    assert "Otter" in said[found.start : found.end]
    assert "Otter" not in str(refused.value) + repr(found)


def test_a_time_without_an_offset_never_leaves_the_client():
    with pytest.raises(ValueError, match="offset"):
        draft(subject="S1", text="x", occurred_at=datetime(2026, 1, 1))
