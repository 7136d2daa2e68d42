"""Which searches a context block or a window makes of one question, by request and policy."""

from __future__ import annotations

from typing import Any

import pytest

from vault.errors import InvalidField
from vault.retrieval.by_kind import block_searches, window_searches
from vault.retrieval.kind_policy import WINDOW_DEFAULTS, KindPolicy, kind_policies
from vault.retrieval.scope import GrantedNamespace
from vault.retrieval.score import DEFAULT_RANKING, Decay, Ranking, Weights
from vault.retrieval.search import Mode, SearchQuery
from vault.types import Kind, Trust

QUERY = SearchQuery("S1", "which lamp")


def place(name: str, **kinds: Any) -> GrantedNamespace:
    return GrantedNamespace(len(name), name, frozenset(), Trust.VERIFIED, policy={"retrieval": kinds})


def searches(*places: GrantedNamespace, query: SearchQuery = QUERY, per_kind=None) -> list[tuple]:
    found = block_searches(query, per_kind=per_kind, places=places)
    return [(each.namespaces, each.kinds, each.k, each.mode) for each in found]


def test_without_a_policy_a_block_is_one_search():
    assert searches(place("support"), place("billing")) == [(("support", "billing"), None, None, None)]


def test_a_kind_with_a_number_of_its_own_is_searched_apart_in_its_namespace_alone():
    found = searches(place("support", event={"k": 9}), place("billing"))

    assert (("support",), (Kind.EVENT,), 9, None) in found
    assert (("support",), (Kind.FACT, Kind.LESSON), None, None) in found
    assert (("billing",), None, None, None) in found
    assert len(found) == 3


def test_a_kind_with_a_mode_of_its_own_is_searched_in_that_mode():
    assert (("support",), (Kind.FACT,), None, Mode.KEYWORD) in searches(
        place("support", fact={"mode": "keyword"})
    )


def test_a_number_of_zero_leaves_a_kind_out():
    found = searches(place("support", event={"k": 0}))

    assert found == [(("support",), (Kind.FACT, Kind.LESSON), None, None)]


def test_what_a_policy_leaves_nothing_of_finds_nothing():
    nothing = {kind.value: {"k": 0} for kind in Kind}

    assert [kinds for _, kinds, _, _ in searches(place("support", **nothing))] == [()]


def test_a_request_goes_before_the_policy():
    asked = SearchQuery("S1", "which lamp", k=3, mode=Mode.SEMANTIC)

    found = searches(place("support", event={"k": 9, "mode": "keyword"}), query=asked)

    assert {(k, mode) for _, _, k, mode in found} == {(3, Mode.SEMANTIC)}


def test_kinds_that_were_not_asked_for_are_not_searched():
    asked = SearchQuery("S1", "which lamp", kinds=(Kind.LESSON,))

    assert searches(place("support", event={"k": 9}), query=asked) == [
        (("support",), (Kind.LESSON,), None, None)
    ]


def test_numbers_of_the_request_go_before_those_of_the_policy_and_modes_stay():
    found = searches(
        place("support", event={"k": 9, "mode": "keyword"}), place("billing"), per_kind={Kind.EVENT: 2}
    )

    assert found == [
        (("support",), (Kind.EVENT,), 2, Mode.KEYWORD),
        (("billing",), (Kind.EVENT,), 2, None),
    ]


def test_per_kind_without_a_number_above_zero_finds_nothing():
    assert [kinds for _, kinds, _, _ in searches(place("support"), per_kind={Kind.EVENT: 0})] == [()]


def test_a_window_looks_for_every_kind_by_the_policy_and_by_its_own_defaults():
    found = window_searches(QUERY, place=place("support", event={"k": 4, "half_life_days": 7}), most=60)

    by_kind = {each.kinds[0]: each for each in found if each.kinds}
    assert (by_kind[Kind.EVENT].k, by_kind[Kind.EVENT].half_life_days) == (4, 7.0)
    assert by_kind[Kind.LESSON].half_life_days == WINDOW_DEFAULTS[Kind.LESSON].half_life_days
    assert by_kind[Kind.FACT].k == 60


def test_a_memory_is_weighed_by_request_then_policy_then_default():
    policy = KindPolicy(half_life_days=90.0, decay=Decay.HYPERBOLIC)
    asked = KindPolicy(weights=Weights(1, 0, 0), half_life_days=7.0)

    assert KindPolicy().ranking() == DEFAULT_RANKING
    assert policy.ranking() == Ranking(half_life_days=90.0, decay=Decay.HYPERBOLIC)
    assert policy.ranking(asked) == Ranking(Weights(1, 0, 0), 7.0, Decay.HYPERBOLIC)


@pytest.mark.parametrize(
    ("section", "pointer"),
    [
        ([], ""),
        ({"rumour": {}}, ""),
        ({"fact": []}, "/fact"),
        ({"fact": {"luck": 1}}, "/fact"),
        ({"fact": {"k": -1}}, "/fact/k"),
        ({"fact": {"k": 101}}, "/fact/k"),
        ({"fact": {"k": True}}, "/fact/k"),
        ({"fact": {"mode": "psychic"}}, "/fact/mode"),
        ({"fact": {"decay": ["sudden"]}}, "/fact/decay"),
        ({"fact": {"half_life_days": 0}}, "/fact/half_life_days"),
        ({"fact": {"half_life_days": float("nan")}}, "/fact/half_life_days"),
        ({"fact": {"half_life_days": "30"}}, "/fact/half_life_days"),
        ({"fact": {"weights": {"similarity": -1}}}, "/fact/weights"),
        ({"fact": {"weights": {"similarity": 0, "recency": 0, "importance": 0}}}, "/fact/weights"),
        ({"fact": {"weights": {"luck": 1}}}, "/fact/weights"),
        ({"fact": {"weights": 3}}, "/fact/weights"),
    ],
)
def test_a_policy_that_cannot_be_read_is_named_as_the_policy(section, pointer):
    with pytest.raises(InvalidField) as refused:
        kind_policies({"retrieval": section})

    assert refused.value.facts["pointer"] == f"/retrieval{pointer}"
    assert "policy" in refused.value.detail
