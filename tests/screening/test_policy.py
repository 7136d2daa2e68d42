from __future__ import annotations

from typing import Any

import pytest

from tests.screening.drafts import draft
from vault.errors import InvalidField
from vault.screening import DEFAULT_POLICY, ScreeningPolicy, screen
from vault.types import Action, Category, Trust


def test_a_policy_survives_json() -> None:
    given = {
        "version": 3,
        "actions": {"pii": {"EMAIL_ADDRESS": "allow"}, "secret": {"*": "redact"}},
        "thresholds": {"PERSON": 0.7},
        "allowed_sensitive": ["health"],
        "context": {"PHONE_NUMBER": ["pager"]},
        "languages": ["en", "de"],
    }

    assert ScreeningPolicy.from_json(given).to_json() == given


@pytest.mark.parametrize(
    ("value", "pointer"),
    [
        ({"extra": 1}, "/extra"),
        ({"version": 0}, "/version"),
        ({"version": True}, "/version"),
        ({"actions": []}, "/actions"),
        ({"actions": {"injection": {"*": "allow"}}}, "/actions/injection"),
        ({"actions": {"pii": {"EMAIL_ADDRESS": "maybe"}}}, "/actions/pii/EMAIL_ADDRESS"),
        ({"actions": {"secret": {"*": "allow"}}}, "/actions/secret/*"),
        ({"actions": {"sensitive": {"health": "redact"}}}, "/actions/sensitive/health"),
        ({"thresholds": {"PERSON": 2}}, "/thresholds/PERSON"),
        ({"allowed_sensitive": ["astrology"]}, "/allowed_sensitive"),
        ({"languages": [1]}, "/languages"),
    ],
)
def test_a_wrong_policy_is_refused_by_the_part_that_is_wrong(value: dict[str, Any], pointer: str) -> None:
    with pytest.raises(InvalidField) as refusal:
        ScreeningPolicy.from_json(value)

    assert refusal.value.facts["pointer"] == pointer


def test_a_namespace_may_keep_addresses() -> None:
    policy = ScreeningPolicy(actions={(Category.PII, "EMAIL_ADDRESS"): Action.ALLOW})

    verdict = screen(
        draft("Write to zora.quill@example.com"), trust=Trust.STATED, policy=policy, budget_seconds=20
    )

    assert verdict.action is Action.ALLOW
    assert "EMAIL_ADDRESS" in {f.type for f in verdict.findings}


def test_a_namespace_may_refuse_addresses() -> None:
    policy = ScreeningPolicy(version=4, actions={(Category.PII, "EMAIL_ADDRESS"): Action.REFUSE})

    verdict = screen(
        draft("Write to zora.quill@example.com"), trust=Trust.STATED, policy=policy, budget_seconds=20
    )

    assert verdict.reasons == ("category_not_allowed",)
    assert verdict.policy_version == 4


def test_a_purpose_may_cover_a_sensitive_category() -> None:
    memory = draft("She was diagnosed with epilepsy and takes medication.")
    clinic = ScreeningPolicy(allowed_sensitive=frozenset({"health"}))

    assert screen(memory, trust=Trust.STATED, budget_seconds=20).reasons == ("sensitive_category",)
    assert screen(memory, trust=Trust.STATED, policy=clinic, budget_seconds=20).action is Action.ALLOW


def test_personal_data_that_is_only_possible_is_labelled() -> None:
    assert DEFAULT_POLICY.action_for(Category.PII, "TR_NATIONAL_ID", score=0.5) is Action.ALLOW
    assert DEFAULT_POLICY.action_for(Category.PII, "TR_NATIONAL_ID", score=0.9) is Action.REDACT


def test_an_unknown_category_is_set_aside() -> None:
    assert DEFAULT_POLICY.action_for(Category.INJECTION, "anything") is Action.QUARANTINE
