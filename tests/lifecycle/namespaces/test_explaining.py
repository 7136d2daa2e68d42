"""What is wrong with a policy is told so that it can be mended: where, what would do, what sort of thing it was."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vault.errors import InvalidField
from vault.lifecycle.namespaces.document import (
    MAX_CHARACTERS,
    check_document,
    parse_document,
    read_document,
)
from vault.lifecycle.namespaces.explaining import MUTE, POLICY
from vault.writing.upkeep_policy import EXAMPLE

CANARY = "ZEBRA-CANARY-771"


def refusal(policy: Any, check=check_document) -> InvalidField:
    with pytest.raises(InvalidField) as refused:
        check(policy)
    return refused.value


@pytest.mark.parametrize(
    ("policy", "pointer", "said"),
    [
        ({"screning": {}}, "/screning", "There is no such name here. Did you mean screening? There are:"),
        ({"screening": {"treshold": {}}}, "/screening/treshold", "Did you mean thresholds?"),
        ({"screening": {"actions": {"pi": {}}}}, "/screening/actions/pi", "Did you mean pii?"),
        ({"screening": {"version": 2}}, "/screening/version", "There is no such name here."),
        ({"screening": {"actions": []}}, "/screening/actions", "Must be an object; a list was given."),
        (
            {"screening": {"actions": {"pii": {"PERSON": "mask"}}}},
            "/screening/actions/pii/PERSON",
            "Must be one of: allow, redact, quarantine, refuse.",
        ),
        (
            {"screening": {"actions": {"secret": {"*": "redacted"}}}},
            "/screening/actions/secret/*",
            "Must be one of: redact, quarantine, refuse. Did you mean redact?",
        ),
        (
            {"screening": {"allowed_sensitive": ["health", "helth"]}},
            "/screening/allowed_sensitive/1",
            "Did you mean health?",
        ),
        (
            {"screening": {"thresholds": {"PERSON": 1.5}}},
            "/screening/thresholds/PERSON",
            "Must be a number from 0 to 1; what was given is more.",
        ),
        ({"screening": {"languages": "en"}}, "/screening/languages", "Must be a list; a text was given."),
        ({"upkeep": {"grace": 3}}, "/upkeep/grace", "Did you mean grace_days?"),
        (
            {"upkeep": {"cap": 0}},
            "/upkeep/cap",
            "Must be a whole number from 1 to 1,000,000; what was given is not enough.",
        ),
        ({"upkeep": {"cap": "5"}}, "/upkeep/cap", "a text was given."),
        ({"upkeep": {"cap": True}}, "/upkeep/cap", "a truth value was given."),
        ({"upkeep": {"grace_days": None}}, "/upkeep/grace_days", "null was given."),
        ({"upkeep": {"consolidation": "yes"}}, "/upkeep/consolidation", "Must be true or false; a text"),
        ({"upkeep": {"lives": [{}]}}, "/upkeep/lives/0/days", "Must be there."),
        (
            {"upkeep": {"lives": [{"days": 5, "match": {"kind": "facts"}}]}},
            "/upkeep/lives/0/match/kind",
            "Did you mean fact?",
        ),
        ({"upkeep": {"lives": [{"days": 5, "match": {"class": ""}}]}}, "/upkeep/lives/0/match/class", "word"),
        ({"retrieval": {"facts": {}}}, "/retrieval/facts", "Did you mean fact?"),
        (
            {"retrieval": {"fact": {"halflife": 3}}},
            "/retrieval/fact/halflife",
            "Did you mean half_life_days?",
        ),
        (
            {"retrieval": {"fact": {"decay": "linear"}}},
            "/retrieval/fact/decay",
            "Must be one of: exponential, hyperbolic.",
        ),
        (
            {"retrieval": {"fact": {"half_life_days": 0}}},
            "/retrieval/fact/half_life_days",
            "Must be a number above 0 to 36,500; what was given is not enough.",
        ),
        (
            {"retrieval": {"fact": {"weights": {"recency": -1}}}},
            "/retrieval/fact/weights/recency",
            "Must be a number from 0; what was given is not enough.",
        ),
        (
            {"retrieval": {"fact": {"weights": {"similarity": 0, "recency": 0, "importance": 0}}}},
            "/retrieval/fact/weights",
            "At least one weight is above zero.",
        ),
        ({"retrieval": {"fact": {"half_life_days": 10**400}}}, "/retrieval/fact/half_life_days", "is more."),
        (
            {"retrieval": {"fact": {"weights": {"recency": 10**400}}}},
            "/retrieval/fact/weights/recency",
            "Must be a number from 0; what was given is more.",
        ),
        ({"freshness": {"old_after": {}}}, "/freshness/old_after", "Did you mean old_after_days?"),
        ({"worth_check": 1}, "/worth_check", "Must be true or false; a number was given."),
    ],
)
def test_what_is_wrong_is_told_with_its_place_and_what_would_do(policy, pointer, said):
    refused = refusal(policy)

    assert refused.facts["pointer"] == pointer
    assert said in refused.detail


@pytest.mark.parametrize(
    ("policy", "said"),
    [
        (
            {"screening": {"actions": {"pii": {"EMAIL": "allow"}}}},
            "Did you mean EMAIL_ADDRESS? There are: *, ABA_ROUTING_NUMBER,",
        ),
        ({"screening": {"actions": {"secret": {"PASWORD": "quarantine"}}}}, "Did you mean PASSWORD?"),
        (
            {"screening": {"actions": {"sensitive": {"illness": "refuse"}}}},
            "There are: *, biometrics_genetics,",
        ),
        ({"screening": {"thresholds": {"person": 0.7}}}, "Did you mean PERSON?"),
        ({"screening": {"context": {"US_SNN": ["social"]}}}, "Did you mean US_SSN?"),
    ],
)
def test_a_type_that_no_detector_finds_is_refused_with_those_that_there_are(policy, said):
    assert said in refusal(policy).detail


@pytest.mark.parametrize(
    "policy",
    [
        {"screening": {"actions": {"pii": {"PERSON": CANARY}}}},
        {"screening": {"allowed_sensitive": [CANARY]}},
        {"upkeep": {"cap": CANARY}},
        {"upkeep": {"lives": [{"days": 1, "match": {"kind": CANARY}}]}},
        {"retrieval": {"fact": {"mode": CANARY}}},
        {"freshness": CANARY},
        {"worth_check": CANARY},
    ],
)
def test_no_value_is_repeated(policy):
    assert CANARY not in refusal(policy).detail


def test_what_a_module_says_of_its_own_is_kept():
    refused = refusal({"screening": {"actions": {"secret": {"TOKEN": "allow"}}}})

    assert refused.detail == "A policy cannot allow credentials."


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('{"upkeep": {\n  "cap": 5,\n}}', "at line 3, column 1"),
        ("", "This is not JSON: Expecting value at line 1, column 1."),
        ('{"upkeep": {}, "upkeep": {}}', "A name is given twice in one object"),
        ('{"upkeep": NaN}', "NaN and Infinity are no numbers"),
        (f'{{"upkeep": {"9" * 5000}}}', "A number of the document has too many digits"),
        ("[]", "A policy is an object of sections; a list was given."),
        ("x" * (MAX_CHARACTERS + 1), "too long: it has up to 32,768 characters"),
        ("[" * 9000, "nested too deeply"),
    ],
)
def test_what_is_no_document_is_told_where_it_breaks(text, said):
    assert said in refusal(text, parse_document).detail


def test_a_text_that_is_no_json_is_not_repeated():
    assert CANARY not in refusal(f'{{"upkeep": {CANARY}}}', parse_document).detail


@pytest.mark.parametrize(
    "policy",
    [
        {"upkeep": EXAMPLE},
        {"retrieval": {"fact": {"k": None, "mode": "hybrid", "weights": None}}},
        {"freshness": {"old_after_days": {"lesson": None}}},
        {"upkeep": {"cap": None, "lives": [{"days": 5, "match": {"kind": None}}]}},
        {"worth_check": False, "asserted_sessions": True},
    ],
)
def test_of_what_is_valid_nothing_is_wrong(policy):
    read_document(policy)

    assert list(POLICY.faults(policy, "")) == []


values = (
    st.none()
    | st.booleans()
    | st.integers(-2, 40_000)
    | st.floats()
    | st.sampled_from(["fact", "redact", ""])
)
names = st.sampled_from(
    ["screening", "upkeep", "retrieval", "freshness", "worth_check", "actions", "pii", "PERSON", "lives", "cap",
     "grace_days", "fact", "k", "mode", "weights", "half_life_days", "old_after_days", "match", "days", "x"]
)  # fmt: skip
documents = st.dictionaries(
    names,
    st.recursive(values, lambda part: st.lists(part, max_size=2) | st.dictionaries(names, part, max_size=3)),
)


def refusal_of(policy: Any) -> InvalidField | None:
    try:
        read_document(policy)
    except InvalidField as refused:
        return refused
    return None


# The first draw of a recursive strategy is slow on a busy machine.
@given(documents)
def test_whatever_is_refused_has_a_reason_and_whatever_is_read_has_none(policy):
    refused = refusal_of(policy)

    if refused is None:
        assert list(POLICY.faults(policy, "")) == []
    else:
        assert refused.detail not in MUTE
