"""A memory is weighed as its own namespace weighs its kind, in searches and in context blocks."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest
from django.utils import timezone

from tests.drafts import make_agent_scope
from tests.factories import make_memory, make_namespace, make_subject, staff_scope
from vault.errors import InvalidField, NotFound
from vault.lifecycle.retrieval_policy import write_rankings
from vault.models import Memory, Namespace
from vault.retrieval.recall import build_context
from vault.retrieval.scope import Scope
from vault.retrieval.score import Decay, Ranking, Weights
from vault.retrieval.search import Hit, SearchQuery, search
from vault.types import Kind

pytestmark = pytest.mark.django_db(transaction=True)

BY_AGE = {"weights": {"similarity": 0, "recency": 1, "importance": 0}}
QUESTION = "which lamp"


@pytest.fixture
def subject():
    return make_subject("S1")


def lamp(subject, text: str = "The lamp is green.", *, days: float = 30, **fields) -> None:
    make_memory(text, subject=subject, created_at=timezone.now() - timedelta(days=days), **fields)


def policy(name: str, **kinds) -> None:
    make_namespace(name)
    Namespace.objects.filter(name=name).update(policy={"retrieval": kinds})


def hits(scope: Scope | None = None, **options) -> tuple[Hit, ...]:
    return search(query=SearchQuery("S1", QUESTION, **options), scope=scope or make_agent_scope()).results


def block(scope: Scope | None = None, per_kind=None, **options) -> list[str]:
    answer = build_context(
        query=SearchQuery("S1", QUESTION, **options),
        per_kind=per_kind,
        max_tokens=2000,
        scope=scope or make_agent_scope(),
    )
    return answer.text.splitlines()[1:]


def test_without_a_policy_the_half_life_is_thirty_days(subject):
    lamp(subject)

    assert hits()[0].recency == pytest.approx(0.5, abs=1e-3)


def test_the_half_life_of_the_policy_is_that_of_search(subject):
    policy("default", fact={"half_life_days": 15})
    lamp(subject)

    assert hits()[0].recency == pytest.approx(0.25, abs=1e-3)


def test_the_decay_of_the_policy_is_that_of_search(subject):
    policy("default", fact={"decay": "hyperbolic", "half_life_days": 10})
    lamp(subject)

    assert hits()[0].recency == pytest.approx(0.25, abs=1e-3)


def test_the_weights_of_the_policy_are_those_of_search(subject):
    policy("default", fact=BY_AGE)
    lamp(subject)

    found = hits()[0]
    assert found.score == pytest.approx(found.recency)


def test_what_a_request_says_goes_before_the_policy(subject):
    policy("default", fact={**BY_AGE, "half_life_days": 15, "decay": "hyperbolic"})
    lamp(subject)

    found = hits(weights=Weights(0, 0, 1), half_life_days=60, decay=Decay.EXPONENTIAL)[0]
    assert found.score == pytest.approx(found.importance)
    assert found.recency == pytest.approx(0.5**0.5, abs=1e-3)


def test_each_kind_is_weighed_by_its_own_policy_in_one_search(subject):
    policy("default", event={"half_life_days": 15})
    lamp(subject, kind=Kind.EVENT.value, text="The lamp fell.")
    lamp(subject)

    recency = {hit.memory.row.kind: round(hit.recency, 3) for hit in hits()}
    assert recency == {"event": 0.25, "fact": 0.5}


def test_each_namespace_weighs_its_own_memories_in_one_search(subject):
    policy("billing", fact={"half_life_days": 15})
    lamp(subject)
    lamp(subject, text="The lamp is heavy.", namespace="billing")

    found = hits(make_agent_scope("default", "billing"))
    assert {hit.memory.namespace: round(hit.recency, 3) for hit in found} == {"default": 0.5, "billing": 0.25}


def test_a_policy_that_is_written_anew_holds_from_the_next_scope_on(subject):
    lamp(subject)
    before = make_agent_scope()

    row = write_rankings(
        namespace="default", rankings={Kind.FACT: Ranking(Weights(0, 1, 0), 15.0)}, scope=staff_scope()
    )

    assert row.policy_version == 2
    assert hits(before)[0].recency == pytest.approx(0.5, abs=1e-3)
    assert hits()[0].score == pytest.approx(0.25, abs=1e-3)


def test_the_policy_of_a_namespace_that_a_stranger_may_not_see_changes_nothing_for_them(subject):
    policy("billing", fact={"half_life_days": 15, "k": 0})
    lamp(subject)
    lamp(subject, text="The lamp is heavy.", namespace="billing")

    assert [(hit.memory.namespace, round(hit.recency, 3)) for hit in hits()] == [("default", 0.5)]
    assert len(block()) == 1
    with pytest.raises(NotFound):
        block(namespaces=("billing",))


def test_a_policy_that_cannot_be_read_stops_search_and_block(subject):
    policy("default", fact={"half_life_days": -1})
    lamp(subject)

    for look in (hits, block):
        with pytest.raises(InvalidField):
            look()


def test_a_policy_that_could_not_be_read_is_never_written(subject):
    policy("default", event={"k": "many"})

    with pytest.raises(InvalidField):
        write_rankings(namespace="default", rankings={Kind.FACT: Ranking()}, scope=staff_scope())

    assert Namespace.objects.get(name="default").policy == {"retrieval": {"event": {"k": "many"}}}


def test_a_block_takes_of_each_kind_what_its_policy_says(subject):
    policy("default", fact={"k": 1}, event={"k": 0})
    lamp(subject)
    lamp(subject, text="The lamp is heavy.")
    lamp(subject, kind=Kind.EVENT.value, text="The lamp fell.")
    lamp(subject, kind=Kind.LESSON.value, text="Carry a lamp with both hands.")

    kinds = [line.split(" | ")[1] for line in block()]
    assert sorted(kinds) == ["fact", "lesson"]


def test_a_block_looks_for_a_kind_in_the_mode_of_its_policy(subject):
    policy("default", fact={"mode": "keyword"})
    lamp(subject, text="Rain fell in the hills.")
    lamp(subject, kind=Kind.EVENT.value, text="Rain fell in the hills on Monday.", embedded=True)

    assert [line.split(" | ")[1] for line in block()] == ["event"]


def test_numbers_of_a_request_go_before_the_policy(subject):
    policy("default", fact={"k": 1})
    lamp(subject)
    lamp(subject, text="The lamp is heavy.")

    assert len(block(per_kind={Kind.FACT: 2})) == 2
    assert len(block(k=1)) == 1


def test_a_kind_of_the_request_is_counted_over_all_namespaces(subject):
    policy("billing", fact={"mode": "semantic"})
    lamp(subject)
    lamp(subject, text="The lamp is heavy.", namespace="billing", embedded=True)

    scope = make_agent_scope("default", "billing")
    assert len(block(scope, per_kind={Kind.FACT: 2})) == 2
    assert len(block(scope, per_kind={Kind.FACT: 1})) == 1


def test_a_block_is_one_order_by_score_whatever_search_found_it(subject):
    policy("default", fact={"k": 5, **BY_AGE}, event={"k": 5, **BY_AGE})
    for number, kind in enumerate([Kind.FACT, Kind.EVENT, Kind.FACT, Kind.EVENT]):
        lamp(subject, text=f"Lamp {number} is here.", kind=kind.value, days=number)

    assert [line.split("Lamp ")[1][0] for line in block()] == ["0", "1", "2", "3"]


def test_another_subjects_memories_are_in_no_search_of_a_block(subject):
    policy("default", fact={"k": 5}, event={"k": 5})
    lamp(make_subject("S2"))
    lamp(subject, text="The lamp is heavy.")

    assert ["heavy" in line for line in block()] == [True]
    with pytest.raises(NotFound):
        block(replace(make_agent_scope(), subject_id=make_subject("S2").pk))
    assert Memory.objects.count() == 0, "without an open subject no row is seen"
