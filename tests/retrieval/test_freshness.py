from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from django.utils import timezone

from tests.drafts import make_agent_scope
from tests.factories import make_memory, make_subject
from vault.errors import InvalidField
from vault.models import Memory, Namespace
from vault.retrieval.freshness import DEFAULT_AGES, last_said, notes_of, old_after
from vault.retrieval.recall import build_context
from vault.retrieval.search import SearchQuery
from vault.types import Kind

NOW = datetime(2026, 3, 2, 9, tzinfo=UTC)


def row(*, days: float, kind: Kind = Kind.FACT, **fields: object) -> Memory:
    written = NOW - timedelta(days=days)
    return Memory(
        **{"kind": kind.value, "created_at": written, "updated_at": written, "volatile": False, **fields}
    )


@pytest.mark.parametrize(
    ("memory", "notes"),
    [
        (row(days=365), ()),
        (row(days=366), ("old",)),
        (row(days=366, kind=Kind.LESSON), ()),
        (row(days=366, volatile=True), ("check live", "old")),
        (row(days=1, volatile=True), ("check live",)),
        (row(days=-5), ()),
        (row(days=1, occurred_at=NOW - timedelta(days=900)), ("old",)),
    ],
)
def test_a_memory_past_the_age_of_its_kind_is_called_old(memory, notes):
    assert notes_of(memory, ages=DEFAULT_AGES, now=NOW) == notes


def test_what_was_said_again_is_as_old_as_that():
    assert last_said(row(days=900, seen_count=2, updated_at=NOW)) == NOW
    assert last_said(row(days=900, updated_at=NOW)) == NOW - timedelta(days=900)


def test_a_policy_moves_the_ages_and_null_names_none():
    ages = old_after({"freshness": {"old_after_days": {"fact": 30, "event": None}}})

    assert ages == {Kind.FACT: 30, Kind.EVENT: None, Kind.LESSON: 730}
    assert notes_of(row(days=31), ages=ages, now=NOW) == ("old",)
    assert notes_of(row(days=5000, kind=Kind.EVENT), ages=ages, now=NOW) == ()


@pytest.mark.parametrize(
    "section",
    [[], {"old": 1}, {"old_after_days": 3}, {"old_after_days": {"rumour": 3}}]
    + [{"old_after_days": {"fact": wrong}} for wrong in (0, -1, True, "30", 1.5, 10**6)],
)
def test_an_age_that_is_none_is_refused(section):
    with pytest.raises(InvalidField):
        old_after({"freshness": section})


@pytest.mark.django_db(transaction=True)
def test_the_block_says_old():
    make_memory(
        "Replies in Hindi.", subject=make_subject("S1"), created_at=timezone.now() - timedelta(days=60)
    )
    Namespace.objects.update(policy={"freshness": {"old_after_days": {"fact": 30}}})

    block = build_context(query=SearchQuery("S1", "language of replies Hindi"), scope=make_agent_scope())

    assert block.text.splitlines()[1].endswith("| fact | user, stated | old] Replies in Hindi.")
