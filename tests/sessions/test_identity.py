"""Whom an assertion is for: each use its own audience, and only the caller's own application."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.factories import make_scope, staff_scope
from tests.lifecycle.subject_rights.people import Application
from vault.crypto.assertion import AssertionRefused
from vault.lifecycle.subject_rights import proofs
from vault.sessions.identity import asserted_subject, link_audience, session_audience

NAMES = st.from_regex(r"[A-Za-z0-9_-]{1,64}", fullmatch=True)


@given(NAMES, NAMES)
def test_no_two_uses_share_an_audience(one, other):
    uses = {session_audience(one), session_audience(other), link_audience(), proofs.audience()}

    assert len(uses) == (3 if one == other else 4)


@pytest.mark.django_db
def test_who_is_no_agent_is_told_nothing_by_an_application():
    token = Application().assert_that("S1", aud=link_audience())

    for scope in (staff_scope(), replace(make_scope(), agent_id=None)):
        with pytest.raises(AssertionRefused) as refused:
            asserted_subject(token, named="", audience=link_audience(), scope=scope)
        assert refused.value.facts["reason"] == "agent"
