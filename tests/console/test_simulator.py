from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.utils import timezone
from hypothesis import given
from hypothesis import strategies as st

from audit.models import AuditEntry
from console.simulator_forms import SimulatorForm
from console.views.simulator import examples
from tests.console.people import at_the_console
from tests.drafts import make_agent_scope
from tests.factories import make_memory, make_namespace, make_subject
from vault.models import Namespace, Role
from vault.retrieval.score import Decay, Ranking, Weights
from vault.retrieval.search import SearchQuery, search

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


def shown(page: str) -> list[str]:
    return [line.split("|")[0] for line in re.findall(r"Lamp \w+", page)]


def test_by_policy_the_order_and_the_scores_are_those_of_search(auditor):
    subject = make_subject("acct-9")
    for number in range(4):
        made = timezone.now() - timedelta(days=20 * number)
        make_memory(f"Lamp {number} stands here.", subject=subject, created_at=made, importance=number / 4)
    by_importance = {"weights": {"similarity": 0, "recency": 0, "importance": 1}}
    Namespace.objects.update(policy={"retrieval": {"fact": by_importance}})

    page = rank(auditor, external_id="acct-9", query="which lamp", by_policy="on", part=True).content.decode()

    found = search(query=SearchQuery("acct-9", "which lamp", k=20), scope=make_agent_scope()).results
    assert (
        shown(page)
        == [hit.memory.content.text[:6] for hit in found]
        == ["Lamp 3", "Lamp 2", "Lamp 1", "Lamp 0"]
    )
    assert [f"{hit.score:.3f}" for hit in found] == re.findall(r"<b>([\d.]+)</b>", page)


def test_the_sliders_go_before_the_policy(auditor):
    subject = make_subject("acct-9")
    for number in range(3):
        made = timezone.now() - timedelta(days=20 * number)
        make_memory(f"Lamp {number} stands here.", subject=subject, created_at=made, importance=number / 4)
    Namespace.objects.update(policy={"retrieval": {"fact": {"half_life_days": 1}}})

    page = rank(
        auditor, external_id="acct-9", query="which lamp", similarity=0, recency=100, importance=0, part=True
    ).content.decode()

    assert shown(page) == ["Lamp 0", "Lamp 1", "Lamp 2"]
    assert "<b>0.397</b>" in page, "forty days are 0.397 by the slider's thirty"


def test_the_page_says_what_is_in_force(auditor):
    assert "No policy has weights of its own" in auditor.get(PAGE).content.decode()
    make_namespace("billing", policy={"retrieval": {"event": {"half_life_days": 14}}})
    make_namespace("broken", policy={"retrieval": {"event": {"half_life_days": -1}}})

    page = auditor.get(PAGE).content.decode()
    assert "14 days, exponential" in page
    assert "Its policy cannot be read" in page


def test_a_policy_that_cannot_be_read_is_said_and_nothing_is_ranked(auditor, lamps):
    Namespace.objects.update(policy={"retrieval": {"event": {"half_life_days": -1}}})

    answer = rank(auditor, external_id="acct-7", query="which lamp", by_policy="on")

    assert answer.status_code == 400
    assert "cannot be read" in answer.content.decode()
    assert "The lamp in the hall" not in answer.content.decode()


def test_no_word_of_a_person_stands_in_an_address(auditor):
    page = auditor.get(PAGE).content.decode()

    assert 'method="post"' in page
    assert "hx-get" not in page


@given(
    st.integers(0, 100), st.integers(0, 100), st.integers(1, 100), st.integers(1, 365), st.sampled_from(Decay)
)
def test_the_example_is_sorted_under_any_sliders(similarity, recency, importance, days, decay):
    rows = examples(Ranking(Weights(similarity, recency, importance), days, decay))

    scores = [row.parts.score for row in rows]
    assert scores == sorted(scores, reverse=True)
    assert all(0 <= each <= 1 for each in scores)
