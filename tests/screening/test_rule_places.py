"""A rule that matches nearly everything costs a write no more than another."""

from __future__ import annotations

import pytest

from tests.screening.test_rules import judged, make_rule
from vault.screening.rules import MAX_PLACES
from vault.types import Action, Category, RuleAction

LONG = "Some quite ordinary words about boats and trains. " * 100


def places(text: str, pattern: str) -> list[tuple[int, int]]:
    verdict = judged(text, make_rule(pattern, RuleAction.REDACT))
    return [
        (f.start, f.end) for f in verdict.findings if f.category is Category.RULE and f.pointer == "/text"
    ]


@pytest.mark.parametrize("pattern", [".", "[a-z]", "a", r"\w+"])
def test_a_rule_that_matches_everywhere_finds_the_field_once(pattern):
    (place,) = places(LONG, pattern)

    assert place[0] <= LONG.index("a")
    assert place[1] >= LONG.rindex("a") + 1


def test_matches_that_touch_are_one_place():
    assert places("a falcon, a hawk", "[a-z]{1,3}")[1] == (2, 8)


def test_as_many_places_as_may_be_are_told_apart():
    assert len(places("falcon and hawk; " * MAX_PLACES, "falcon")) == MAX_PLACES


def test_what_is_found_too_often_is_still_refused():
    assert judged(LONG, make_rule(".", RuleAction.REFUSE)).action is Action.REFUSE
