from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit.models import AuditEntry
from console.simulator_forms import SimulatorForm
from console.views.simulator import examples
from tests.console.people import at_the_console
from tests.factories import make_memory, make_subject
from vault.models import Role
from vault.retrieval.score import Decay, Weights

pytestmark = pytest.mark.django_db

PAGE, RANK = "/console/simulator/", "/console/simulator/rank/"
AT_FIRST = SimulatorForm.defaults()


@pytest.fixture
def auditor():
    return at_the_console(Role.AUDITOR)


@pytest.fixture
def lamps():
    subject = make_subject("acct-7")
    make_memory("The lamp in the hall is green.", subject=subject)
    make_memory("The kettle is new.", subject=subject)


def rank(client, *, part: bool = False, **fields: object):
    headers = {"HX-Request": "true"} if part else {}
    return client.post(RANK, {**AT_FIRST, **fields}, headers=headers)


def test_the_page_begins_with_the_table_of_the_documentation(auditor):
    page = auditor.get(PAGE).content.decode()

    places = [page.index(f"<b>{expected}</b>") for expected in ("0.749", "0.648", "0.633", "0.379")]
    assert places == sorted(places)


def test_other_weights_move_the_example(auditor):
    page = rank(auditor, similarity=0, recency=0, importance=100, part=True).content.decode()

    places = [page.index(f"<b>{expected}</b>") for expected in ("0.900", "0.600", "0.300", "0.100")]
    assert places == sorted(places)


def test_a_subjects_memories_are_ranked_with_their_parts(auditor, lamps):
    page = rank(auditor, external_id="acct-7", query="which lamp is green").content.decode()

    assert page.index("The lamp in the hall") > 0
    assert "The kettle" not in page or page.index("The lamp in the hall") < page.index("The kettle")


def test_a_part_of_the_page_is_the_ranking_alone(auditor, lamps):
    page = rank(auditor, external_id="acct-7", query="which lamp is green", part=True).content.decode()

    assert "The lamp in the hall" in page
    assert "<html" not in page


def test_the_look_is_recorded_without_words(auditor, lamps):
    rank(auditor, external_id="acct-7", query="which lamp is green")

    entry = AuditEntry.objects.filter(action="memory.searched").latest("pk")
    assert entry.actor_id == str(auditor.staff.pk)
    assert "lamp" not in str(AuditEntry.objects.values())


def test_who_may_not_read_memories_ranks_only_the_example(lamps):
    administrator = at_the_console(Role.ADMINISTRATOR)

    assert rank(administrator, part=True).status_code == 200
    refused = rank(administrator, external_id="acct-7", query="which lamp is green")
    assert refused.status_code == 403
    assert "The lamp in the hall" not in refused.content.decode()
    assert 'name="external_id"' not in administrator.get(PAGE).content.decode()


@pytest.mark.parametrize("reference", ["acct-70", "ACCT-7", " acct-7", "%"])
def test_a_subject_is_named_exactly(auditor, lamps, reference):
    answer = rank(auditor, external_id=reference, query="which lamp")

    assert answer.status_code == 400
    assert "The lamp in the hall" not in answer.content.decode()


@pytest.mark.parametrize(
    "fields",
    [
        {"similarity": 0, "recency": 0, "importance": 0},
        {"similarity": 101},
        {"half_life_days": 0},
        {"decay": "sudden"},
        {"external_id": "acct-7"},
        {"query": "which lamp"},
        {"recency": ""},
    ],
)
def test_what_cannot_be_ranked_is_said(auditor, lamps, fields):
    assert rank(auditor, **fields).status_code == 400
    part = rank(auditor, part=True, **fields)
    assert part.status_code == 200
    assert 'role="alert"' in part.content.decode()


def test_no_word_of_a_person_stands_in_an_address(auditor):
    page = auditor.get(PAGE).content.decode()

    assert 'method="post"' in page
    assert "hx-get" not in page


@given(
    st.integers(0, 100), st.integers(0, 100), st.integers(1, 100), st.integers(1, 365), st.sampled_from(Decay)
)
def test_the_example_is_sorted_under_any_sliders(similarity, recency, importance, days, decay):
    rows = examples(Weights(similarity, recency, importance), half_life_days=days, decay=decay)

    scores = [row.parts.score for row in rows]
    assert scores == sorted(scores, reverse=True)
    assert all(0 <= each <= 1 for each in scores)
