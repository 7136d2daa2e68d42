from __future__ import annotations

import pytest

from vault.screening.verdict import decide
from vault.types import Action, Category, Finding


def found(category: Category, action: Action, kind: str = "X", start: int = 0) -> Finding:
    return Finding(category, kind, start, start + 1, 1.0, action)


def test_no_finding_allows_without_reason() -> None:
    assert decide([], policy_version=2).action is Action.ALLOW


def test_the_gravest_action_wins_and_its_reason_comes_first() -> None:
    verdict = decide(
        [
            found(Category.PII, Action.REDACT),
            found(Category.SENSITIVE, Action.QUARANTINE),
            found(Category.SECRET, Action.REFUSE),
        ],
        policy_version=1,
    )

    assert verdict.action is Action.REFUSE
    assert verdict.reasons == ("secret_detected", "sensitive_category", "personal_data")


def test_a_reason_is_given_once() -> None:
    verdict = decide([found(Category.PII, Action.REDACT, start=n) for n in range(3)], policy_version=1)

    assert verdict.reasons == ("personal_data",)


def test_a_label_gives_no_reason() -> None:
    assert decide([found(Category.PII, Action.ALLOW)], policy_version=1).reasons == ()


@pytest.mark.parametrize(
    ("finding", "reason"),
    [
        (found(Category.FAILURE, Action.QUARANTINE), "screening_failure"),
        (found(Category.CARRIER, Action.QUARANTINE), "hidden_carrier"),
        (found(Category.INJECTION, Action.QUARANTINE), "injection_suspected"),
        (found(Category.INJECTION, Action.QUARANTINE, "high_impact:payment"), "high_impact_claim"),
        (found(Category.PII, Action.REFUSE), "category_not_allowed"),
        (found(Category.SENSITIVE, Action.REFUSE), "category_not_allowed"),
        (found(Category.FAILURE, Action.QUARANTINE, "LANGUAGE_NOT_COVERED"), "language_not_covered"),
    ],
)
def test_each_kind_of_finding_has_its_reason(finding: Finding, reason: str) -> None:
    assert decide([finding], policy_version=1).reasons == (reason,)
