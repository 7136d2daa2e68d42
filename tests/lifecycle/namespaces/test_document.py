"""A policy as a document: what is no part of one is named, and nothing personal stands in it."""

from __future__ import annotations

from typing import Any

import pytest

from tests.lifecycle.namespaces.policies import LOOSER, STRICTER
from vault.errors import InvalidField
from vault.lifecycle.namespaces.document import check_document, parse_document, read_document
from vault.types import Kind
from vault.writing.upkeep_policy import EXAMPLE

ADDRESS = "ilse.winter" + "@example.com"


def pointer_of(policy: Any, check=check_document) -> object:
    with pytest.raises(InvalidField) as refused:
        check(policy)
    return refused.value.facts["pointer"]


@pytest.mark.parametrize("policy", [{}, STRICTER, LOOSER, {"upkeep": EXAMPLE}])
def test_a_document_of_known_parts_is_good(policy):
    check_document(policy)


@pytest.mark.parametrize(
    ("policy", "pointer"),
    [
        ({"pii": {}}, "/pii"),
        ({"screening": {"nonsense": 1}}, "/screening/nonsense"),
        ({"screening": []}, "/screening"),
        ({"screening": {"version": 3}}, "/screening/version"),
        ({"screening": {"actions": {"pii": {"PERSON": "hide"}}}}, "/screening/actions/pii/PERSON"),
        ({"screening": {"actions": {"pii": {"person": "redact"}}}}, "/screening/actions/pii/person"),
        ({"screening": {"actions": {"secret": {"*": "allow"}}}}, "/screening/actions/secret/*"),
        (
            {"screening": {"actions": {"sensitive": {"HEALTH": "allow"}}}},
            "/screening/actions/sensitive/HEALTH",
        ),
        ({"screening": {"allowed_sensitive": ["star_sign"]}}, "/screening/allowed_sensitive/0"),
        ({"screening": {"thresholds": {"PERSON": 2}}}, "/screening/thresholds/PERSON"),
        ({"screening": {"thresholds": {"a person": 0.5}}}, "/screening/thresholds/a person"),
        ({"upkeep": 5}, "/upkeep"),
        ({"upkeep": {"cap": 0}}, "/upkeep/cap"),
        ({"upkeep": {"lives": [{"days": 0}]}}, "/upkeep/lives/0/days"),
        ({"upkeep": {"lives": [{"days": day} for day in range(1, 60)]}}, "/upkeep/lives"),
        ({"retrieval": {"dream": {}}}, "/retrieval/dream"),
        ({"retrieval": {"fact": {"k": 1000}}}, "/retrieval/fact/k"),
        ({"freshness": {"old_after_days": {"fact": 0}}}, "/freshness/old_after_days/fact"),
        ({"worth_check": "no"}, "/worth_check"),
        ({"asserted_sessions": 1}, "/asserted_sessions"),
    ],
)
def test_what_is_not_valid_is_named_by_its_place_in_the_whole(policy, pointer):
    assert pointer_of(policy) == pointer


@pytest.mark.parametrize(
    ("policy", "pointer"),
    [
        ({"screening": {"context": {"TAX_ID": ["steuer", ADDRESS]}}}, "/screening/context/TAX_ID/1"),
        ({"screening": {"context": {"TAX_ID": ["x" * 65]}}}, "/screening/context/TAX_ID/0"),
        ({"screening": {"context": {"TAX_ID": ["a\x00b"]}}}, "/screening/context/TAX_ID/0"),
        (
            {"upkeep": {"lives": [{"match": {"class": ADDRESS}, "days": 5}]}},
            "/upkeep/lives/0/match/class",
        ),
    ],
)
def test_a_word_of_its_own_describes_a_form_and_holds_no_identifier(policy, pointer):
    assert pointer_of(policy) == pointer


@pytest.mark.parametrize(
    "text", ["", "{", "[]", "3", '{"upkeep": {}, "upkeep": {}}', '{"a": NaN}', "[" * 9000, "x" * 40_000]
)
def test_what_is_no_object_that_says_everything_once_is_refused(text):
    assert pointer_of(text, parse_document) == "/"


def test_what_is_not_said_is_the_default():
    read = read_document({})

    assert read.worth_check
    assert not read.asserted_sessions
    assert read.upkeep.cap is None
    assert set(read.retrieval) == set(Kind)


def test_a_language_without_a_model_of_names_is_refused_by_its_place():
    with pytest.raises(InvalidField) as refused:
        check_document({"screening": {"languages": ["en", "xx"]}})

    assert refused.value.facts["pointer"] == "/screening/languages/1"
    assert refused.value.detail.endswith("there is: en.")
