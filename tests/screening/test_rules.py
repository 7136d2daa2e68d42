"""Staff's rules in screening: linear time, folded text, protection that adds up."""

from __future__ import annotations

from dataclasses import replace
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.screening.drafts import draft as make_draft
from vault.errors import InvalidField
from vault.screening import DEFAULT_POLICY, screen
from vault.screening.rule import StaffRule, named_in
from vault.screening.rules import compiled, matches
from vault.types import Action, Category, RuleAction, Trust


def make_rule(pattern: str, action: RuleAction, name: str = "falcon", version: int = 1) -> StaffRule:
    return StaffRule(UUID(int=1), name, version, pattern, action)


def judged(text: str, *rules: StaffRule, **fields):
    submitted = make_draft(text, **fields)
    return screen(
        submitted, trust=Trust.STATED, policy=replace(DEFAULT_POLICY, rules=rules), budget_seconds=30
    )


def of_rules(verdict):
    return [f for f in verdict.findings if f.category is Category.RULE]


@pytest.mark.parametrize(
    ("action", "expected"),
    [
        (RuleAction.REDACT, Action.REDACT),
        (RuleAction.QUARANTINE, Action.QUARANTINE),
        (RuleAction.REFUSE, Action.REFUSE),
        (RuleAction.PREFERENCE, Action.ALLOW),
        (RuleAction.PRIORITY, Action.ALLOW),
        (RuleAction.FORGET_PREVIOUS, Action.ALLOW),
    ],
)
def test_a_rule_does_what_its_action_says(action, expected):
    assert judged("Project Falcon ships in May.", make_rule("falcon", action)).action is expected


def test_a_text_that_no_rule_matches_passes():
    assert not of_rules(judged("The shop opens at nine.", make_rule("falcon", RuleAction.REFUSE)))


def test_the_finding_says_where_and_by_which_version():
    (finding,) = of_rules(
        judged("Project Falcon ships.", make_rule("falcon", RuleAction.QUARANTINE, version=3))
    )

    assert (finding.start, finding.end, finding.detector) == (8, 14, "staff-rule:falcon:3")


def test_a_rule_reads_the_folded_text():
    disguised = "Project F\u0430l\u200bcon ships."

    assert of_rules(judged(disguised, make_rule("falcon", RuleAction.QUARANTINE)))


def test_a_rule_reads_every_field():
    verdict = judged("A note.", make_rule("falcon", RuleAction.REFUSE), metadata={"ref": "falcon-7"})

    assert verdict.action is Action.REFUSE


def test_what_protects_adds_up_and_the_gravest_wins():
    rules = (make_rule("falcon", RuleAction.PRIORITY, "a"), make_rule("ships", RuleAction.QUARANTINE, "b"))

    verdict = judged("Project Falcon ships.", *rules)

    assert (verdict.action, verdict.reasons) == (Action.QUARANTINE, ("staff_rule",))


@pytest.mark.parametrize(
    "pattern", ["", "   ", "a*", "(", "(?=x)y", r"(a)\1", "x" * 501, "(?:a{1000}){1000}"]
)
def test_a_pattern_that_could_hurt_is_refused(pattern):
    with pytest.raises(InvalidField) as refusal:
        compiled(pattern)

    assert refusal.value.facts["pointer"] == "/pattern"


def test_a_pattern_that_would_backtrack_elsewhere_is_read_in_linear_time():
    text = "a" * 60_000 + "!"

    assert list(matches("(a+)+$", text)) == []


@given(st.text(max_size=60))
def test_offsets_count_code_points(text):
    for start, end in matches("[a-zé]+", text):
        assert text[start:end].lower() == text[start:end].lower().strip()
        assert 0 <= start < end <= len(text)


@pytest.mark.parametrize(
    "detector", ["injection-model", "staff-rule", "staff-rule:falcon", "staff-rule:falcon:x"]
)
def test_other_detectors_name_no_rule(detector):
    assert named_in(detector) is None
