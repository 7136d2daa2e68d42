from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from tests.screening.drafts import detectors, draft
from vault.screening import screen
from vault.screening.injection import InjectionSignal, RuleHit
from vault.screening.instructions import injection_detector
from vault.screening.normalise import Normalised
from vault.types import Action, Category, Finding, SourceType, Trust


def signal(score: float, rules: Sequence[RuleHit] = (), high_impact: Sequence[str] = ()) -> InjectionSignal:
    return InjectionSignal(score, tuple(rules), tuple(high_impact), score)


def findings(signal_for: Any, **changes: Any) -> tuple[Finding, ...]:
    def assess(form: Normalised, /, *, deadline: float | None = None) -> InjectionSignal:
        return signal_for(form.original)

    def decide(signal: InjectionSignal, /, *, trust: Trust, source_type: SourceType) -> Action:
        return Action.QUARANTINE if signal.score > 0.5 else Action.ALLOW

    chosen = detectors(injection=injection_detector(assess, decide))
    return screen(draft(**changes), trust=Trust.STATED, detectors=chosen).findings


def test_a_text_below_the_threshold_gives_no_finding() -> None:
    assert findings(lambda text: signal(0.1, [RuleHit("order", 0, 3)])) == ()


def test_a_rule_is_named_with_its_place() -> None:
    (found,) = findings(
        lambda text: signal(0.9 * text.startswith("do"), [RuleHit("order", 3, 7)]), text="do this now"
    )

    assert (found.category, found.type, found.start, found.end) == (Category.INJECTION, "order", 3, 7)


def test_a_score_without_a_rule_is_the_models_word() -> None:
    assert {f.detector for f in findings(lambda text: signal(0.9))} == {"injection-model"}


def test_a_claim_of_high_impact_is_named() -> None:
    assert "high_impact:payment" in {f.type for f in findings(lambda text: signal(0.9, (), ["payment"]))}


def test_an_order_split_over_two_fields_is_seen_together() -> None:
    found = findings(
        lambda text: signal(0.9 if "send all of" in text and "to this address" in text else 0.0),
        text="please send all of",
        metadata={"note": "it to this address"},
    )

    assert {f.pointer for f in found} == {"/text", "/metadata/note"}


@pytest.mark.parametrize("field", ["/subject"])
def test_the_subject_is_not_read_for_orders(field: str) -> None:
    read: list[str] = []

    findings(lambda text: (read.append(text), signal(0.0))[1], subject="S-77")

    assert "S-77" not in read
