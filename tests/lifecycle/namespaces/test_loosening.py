"""What counts as letting through more than before: as properties, and by example."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vault.errors import InvalidField
from vault.lifecycle.namespaces.loosening import STRICTNESS, loosens
from vault.screening.policy import SENSITIVE_CATEGORIES

TYPES = ("EMAIL_ADDRESS", "PERSON", "IBAN_CODE", "*")
ACTIONS = ("allow", "redact", "quarantine", "refuse")
WORDS = ("invoice", "passport", "member")


def section(**parts: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    return st.fixed_dictionaries({}, optional=parts)


lives = st.lists(
    st.fixed_dictionaries(
        {"days": st.integers(1, 400)},
        optional={
            "extend_on_use": st.booleans(),
            "match": section(
                kind=st.sampled_from(["fact", "event"]),
                attribute_prefix=st.sampled_from(["preference_", "preference_tea"]),
                **{"class": st.sampled_from(["session", "temporary"])},
            ),
        },
    ),
    max_size=4,
)
documents = section(
    screening=section(
        actions=section(
            pii=st.dictionaries(st.sampled_from(TYPES), st.sampled_from(ACTIONS)),
            sensitive=st.dictionaries(
                st.sampled_from([*SENSITIVE_CATEGORIES, "*"]),
                st.sampled_from(["allow", "quarantine", "refuse"]),
            ),
            secret=st.dictionaries(st.sampled_from(["API_KEY", "*"]), st.sampled_from(ACTIONS[1:])),
        ),
        thresholds=st.dictionaries(st.sampled_from(TYPES), st.sampled_from([0.2, 0.5, 0.8])),
        allowed_sensitive=st.lists(st.sampled_from(SENSITIVE_CATEGORIES), unique=True),
        context=st.dictionaries(
            st.sampled_from(TYPES[:2]), st.lists(st.sampled_from(WORDS), min_size=1, unique=True)
        ),
    ),
    upkeep=section(grace_days=st.integers(0, 90), lives=lives, cap=st.integers(1, 99)),
    worth_check=st.booleans(),
    asserted_sessions=st.booleans(),
)


def tightenings(document: dict[str, Any]) -> list[dict[str, Any]]:
    """The same document made stricter in one way each, where there is room for it."""
    found: list[dict[str, Any]] = []

    def add(*path: str, value: Any) -> None:
        changed = deepcopy(document)
        place = changed
        for name in path[:-1]:
            place = place.setdefault(name, {})
        place[path[-1]] = value
        found.append(changed)

    screening, upkeep = document.get("screening", {}), document.get("upkeep", {})
    for kind, action in screening.get("actions", {}).get("pii", {}).items():
        if action != "refuse":
            add("screening", "actions", "pii", kind, value="refuse")
    for kind, threshold in screening.get("thresholds", {}).items():
        if threshold > 0.2:
            add("screening", "thresholds", kind, value=0.1)
    if upkeep.get("grace_days", 30) > 0:
        add("upkeep", "grace_days", value=upkeep.get("grace_days", 30) - 1)
    if not upkeep.get("lives"):
        add("upkeep", "lives", value=[{"days": 10}])
    add("screening", "context", "TAX_ID", value=["steuer"])
    if not document.get("asserted_sessions"):
        add("asserted_sessions", value=True)
    return found


@given(documents)
def test_equal_documents_never_loosen(document):
    assert loosens(document, deepcopy(document)) == ()


@given(documents, documents)
def test_of_two_documents_that_differ_only_where_nothing_is_looser_neither_loosens(one, cap_of_another):
    other = {**one, "worth_check": False, "upkeep": {**one.get("upkeep", {}), "cap": 1}}

    assert loosens(one, other) == loosens(other, one) == ()


@given(documents, st.data())
def test_a_tightening_loosens_nothing_and_its_undoing_loosens(document, data):
    tightened = data.draw(st.sampled_from(tightenings(document)))

    assert loosens(document, tightened) == ()
    assert loosens(tightened, document) != ()


@given(documents, documents, documents)
def test_strictness_is_handed_on(one, two, three):
    if not loosens(one, two) and not loosens(two, three):
        assert loosens(one, three) == ()


@given(documents)
def test_the_default_is_looser_than_nothing_that_only_adds_refusals(document):
    strict = {"screening": {"actions": {"pii": dict.fromkeys(TYPES, "refuse")}}}

    assert loosens({}, strict) == ()


def test_the_order_of_actions():
    ordered = sorted(STRICTNESS, key=STRICTNESS.__getitem__)

    assert [action.value for action in ordered] == list(ACTIONS)


@pytest.mark.parametrize(
    ("before", "after", "codes"),
    [
        ({}, {"screening": {"allowed_sensitive": ["health"]}}, ("/screening/allowed_sensitive/health",)),
        (
            {},
            {"screening": {"actions": {"sensitive": {"health": "allow"}}}},
            ("/screening/actions/sensitive/health",),
        ),
        (
            {},
            {"screening": {"actions": {"pii": {"EMAIL_ADDRESS": "allow"}}}},
            ("/screening/actions/pii/EMAIL_ADDRESS",),
        ),
        ({}, {"screening": {"actions": {"pii": {"EMAIL_ADDRESS": "redact"}}}}, ()),
        ({}, {"screening": {"actions": {"secret": {"*": "quarantine"}}}}, ("/screening/actions/secret/*",)),
        ({}, {"screening": {"thresholds": {"*": 0.6}}}, ("/screening/thresholds/*",)),
        ({}, {"screening": {"languages": ["en", "de"]}}, ("/screening/languages",)),
        ({}, {"upkeep": {"grace_days": 31}}, ("/upkeep/grace_days",)),
        ({}, {"upkeep": {"lives": [{"days": 5}]}}, ()),
        ({"upkeep": {"lives": [{"days": 5}]}}, {}, ("/upkeep/lives",)),
        (
            {"upkeep": {"lives": [{"days": 5}]}},
            {"upkeep": {"lives": [{"match": {"kind": "event"}, "days": 5}]}},
            ("/upkeep/lives",),
        ),
        (
            {"upkeep": {"lives": [{"days": 5}]}},
            {"upkeep": {"lives": [{"days": 5, "extend_on_use": True}]}},
            ("/upkeep/lives",),
        ),
        (
            {"upkeep": {"lives": [{"match": {"attribute_prefix": "a"}, "days": 9}]}},
            {"upkeep": {"lives": [{"match": {"attribute_prefix": "ab"}, "days": 99},
                                  {"match": {"attribute_prefix": "a"}, "days": 9}]}},
            ("/upkeep/lives",),
        ),
        ({"worth_check": True}, {"worth_check": False}, ()),
        ({"asserted_sessions": True}, {}, ("/asserted_sessions",)),
        ({}, {"asserted_sessions": True}, ()),
        ({"upkeep": {"cap": 5}}, {"upkeep": {"cap": 9}}, ()),
        ({"nonsense": 1}, {}, ("/",)),
    ],
)  # fmt: skip
def test_what_is_looser_is_named(before, after, codes):
    assert loosens(before, after) == codes


def test_a_document_that_is_not_valid_is_compared_with_nothing():
    with pytest.raises(InvalidField):
        loosens({}, {"nonsense": 1})
