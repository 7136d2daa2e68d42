"""Exports and forgetting by a filter, through the client, against a real vault over HTTP."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator
from typing import Any
from uuid import UUID, uuid4

import pytest

from tests.api.callers import token_for
from tests.factories import make_memory, staff_scope
from tests.lifecycle.access_export.making import approval_of
from vault.client import Conflict, InvalidRequest, Vault
from vault.lifecycle.access_export import carry_out_export, execute_export, get_export
from vault.lifecycle.approvals import approve
from vault.models import ApprovalKind

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def vault(live_server: Any) -> Iterator[Vault]:
    with Vault(live_server.url, token_for(), timeout_seconds=60, retries=0) as client:
        yield client


def make_file(export_id: str) -> None:
    officer = staff_scope()
    state = get_export(export_id=UUID(export_id), scope=officer)
    approval = approve(approval_id=approval_of(state.row).pk, kinds=[ApprovalKind.EXPORT], scope=officer)
    carry_out_export(approval, officer)
    execute_export(UUID(export_id))


def test_an_export_is_asked_for_followed_and_saved(vault):
    make_memory("Prefers tea.", subject="a/b")
    asked = vault.request_export(subject="a/b")
    with pytest.raises(Conflict):
        vault.save_export(asked.id, io.BytesIO())
    make_file(asked.id)

    state, target = vault.export(asked.id), io.BytesIO()
    length = vault.save_export(asked.id, target)

    assert (asked.status, state.status) == ("waiting_for_approval", "ready")
    assert length == state.size == len(target.getvalue())
    assert "export.json" in zipfile.ZipFile(target).namelist()


def test_what_matches_is_forgotten(vault):
    session = str(uuid4())
    make_memory("Prefers tea.", subject="S1", session_id=session)
    make_memory("Drives a van.", subject="S1")

    done = vault.forget_matching(subject="S1", session=session)

    assert (len(done.memories), done.more) == (1, False)
    assert [memory.text for memory in vault.list(subject="S1")] == ["Drives a van."]


def test_a_filter_that_names_nothing_is_refused(vault):
    with pytest.raises(InvalidRequest):
        vault.forget_matching(subject="S1")
