from __future__ import annotations

import pytest

from vault.errors import InvalidField
from vault.types import Kind
from vault.writing.upkeep_policy import EXAMPLE, Life, UpkeepPolicy, upkeep_of


def days_of(policy: UpkeepPolicy, *, kind: Kind = Kind.FACT, attribute: str = "", **metadata: object):
    life = policy.life_of(kind=kind, attribute=attribute, metadata=metadata)
    return None if life is None else (life.days, life.extend_on_use)


def test_without_rules_everything_is_kept_and_nothing_is_put_together():
    policy = upkeep_of({})

    assert (policy.cap, policy.lives, policy.consolidation, policy.grace_days) == (None, (), False, 30)


@pytest.mark.parametrize(
    ("described", "expected"),
    [
        ({"class": "session"}, (30, False)),
        ({"class": "temporary"}, (1, False)),
        ({"class": "preference"}, (365, True)),
        ({"class": "technical"}, (90, True)),
        ({"class": "other"}, None),
        ({}, None),
    ],
)
def test_the_example_of_the_documentation_says_what_it_promises(described, expected):
    assert days_of(UpkeepPolicy.from_json(dict(EXAMPLE)), **described) == expected


def test_a_slot_is_matched_by_how_its_name_begins():
    policy = UpkeepPolicy.from_json(dict(EXAMPLE))

    assert days_of(policy, attribute="preference_seat") == (365, True)
    assert days_of(policy, attribute="a_preference_") is None


def test_the_first_rule_that_fits_counts():
    rules = {"lives": [{"match": {"kind": "event"}, "days": 5}, {"days": 9}]}
    policy = UpkeepPolicy.from_json(rules)

    assert days_of(policy, kind=Kind.EVENT) == (5, False)
    assert days_of(policy) == (9, False)


def test_all_that_a_rule_names_must_fit():
    life = Life(days=1, kind=Kind.EVENT, attribute_prefix="a", class_name="b")

    assert not life.fits(kind=Kind.EVENT, attribute="abc", metadata={})
    assert life.fits(kind=Kind.EVENT, attribute="abc", metadata={"class": "b"})


@pytest.mark.parametrize(
    ("rules", "pointer"),
    [
        ([], "/"),
        ({"livs": []}, "/livs"),
        ({"lives": {}}, "/lives"),
        ({"lives": [{}]}, "/lives/0/days"),
        ({"lives": [{"days": True}]}, "/lives/0/days"),
        ({"lives": [{"days": 0}]}, "/lives/0/days"),
        ({"lives": [{"days": 1.5}]}, "/lives/0/days"),
        ({"lives": [{"days": 1, "extend": True}]}, "/lives/0/extend"),
        ({"lives": [{"days": 1, "extend_on_use": 1}]}, "/lives/0/extend_on_use"),
        ({"lives": [{"days": 1, "match": []}]}, "/lives/0/match"),
        ({"lives": [{"days": 1, "match": {"kind": "thing"}}]}, "/lives/0/match/kind"),
        ({"lives": [{"days": 1, "match": {"slot": "x"}}]}, "/lives/0/match/slot"),
        ({"lives": [{"days": 1, "match": {"class": ""}}]}, "/lives/0/match/class"),
        ({"cap": 0}, "/cap"),
        ({"cap": "3"}, "/cap"),
        ({"grace_days": -1}, "/grace_days"),
        ({"unused_days": 0}, "/unused_days"),
        ({"consolidation": "yes"}, "/consolidation"),
    ],
)
def test_a_rule_that_makes_no_sense_is_named(rules, pointer):
    with pytest.raises(InvalidField) as refused:
        UpkeepPolicy.from_json(rules)

    assert refused.value.facts["pointer"] == pointer
