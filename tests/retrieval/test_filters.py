from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from django.utils import timezone
from hypothesis import given
from hypothesis import strategies as st

from tests.drafts import make_agent_scope
from tests.factories import make_memory, make_subject
from vault.retrieval.candidates import Window
from vault.retrieval.search import Mode, SearchQuery, search

pytestmark = pytest.mark.django_db(transaction=True)

MONDAY = datetime(2026, 3, 2, 9, tzinfo=UTC)
TIMES = st.none() | st.datetimes(
    min_value=datetime(2000, 1, 1), max_value=datetime(2100, 1, 1), timezones=st.just(UTC)
)


def found(**options: object) -> list[str]:
    answer = search(query=SearchQuery("S1", "lamp", k=50, **options), scope=make_agent_scope())
    return sorted(hit.memory.content.text for hit in answer.results)


@pytest.fixture
def lamps():
    subject = make_subject("S1")
    slot = {"attribute": "lamp.colour"}
    make_memory("Lamp one.", subject=subject, embedded=True, content=slot, occurred_at=MONDAY)
    make_memory("Lamp two.", subject=subject, embedded=True, occurred_at=MONDAY + timedelta(days=1))
    make_memory("Lamp three.", subject=subject, embedded=True)


@pytest.mark.parametrize("mode", Mode)
def test_an_attribute_narrows_a_search_to_its_exact_slot(lamps, mode):
    assert found(attribute="lamp.colour", mode=mode) == ["Lamp one."]


@pytest.mark.parametrize("attribute", ["", "lamp", "Lamp.colour", "lamp.colour ", "%"])
def test_an_unknown_attribute_finds_nothing(lamps, attribute):
    assert found(attribute=attribute) == []


def test_a_window_holds_its_first_instant_and_not_its_last(lamps):
    day = timedelta(days=1)

    assert found(occurred=Window(MONDAY, MONDAY + day)) == ["Lamp one."]
    assert found(occurred=Window(after=MONDAY + day)) == ["Lamp two."]
    assert found(occurred=Window(before=MONDAY)) == []


def test_a_window_of_when_it_was_written_counts_creation(lamps):
    assert len(found(created=Window(before=timezone.now() + timedelta(days=1)))) == 3
    assert found(created=Window(after=timezone.now() + timedelta(days=1))) == []


def test_a_window_that_ends_before_it_begins_holds_nothing(lamps):
    assert found(occurred=Window(MONDAY + timedelta(days=1), MONDAY)) == []


@pytest.mark.parametrize("name", ["kinds", "namespaces"])
def test_an_empty_filter_never_means_all(lamps, name):
    assert found(**{name: ()}) == []


def test_a_floor_that_is_no_number_lets_nothing_through(lamps):
    assert found(min_similarity=float("nan")) == []


@given(TIMES, TIMES, TIMES)
def test_a_window_is_what_lies_between_its_ends(after, before, when):
    window = Window(after, before)

    if when is None:
        assert window.holds(when) is (after is None and before is None)
    else:
        assert window.holds(when) is (
            (after or datetime.min.replace(tzinfo=UTC)) <= when < (before or datetime.max.replace(tzinfo=UTC))
        )
