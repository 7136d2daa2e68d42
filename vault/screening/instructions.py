"""Carries what the injection rules and model say of each field into findings.

Every field is judged by itself, and the sentences of all fields once more together: an order that is
split over two fields is still an order for whoever reads both.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Protocol

from vault.screening.detection import Detector, Screening, is_prose
from vault.screening.fields import SUBJECT
from vault.screening.injection import InjectionSignal
from vault.screening.injection import assess as assess_text
from vault.screening.injection import decide as decide_by_trust
from vault.screening.normalise import Normalised
from vault.screening.verdict import HIGH_IMPACT_PREFIX
from vault.types import Action, Category, Finding, SourceType, Trust

LIKELY = "LIKELY_INSTRUCTION"
SPLIT = "SPLIT_INSTRUCTION"


class Assess(Protocol):
    def __call__(self, normalised: Normalised, /, *, deadline: float | None = None) -> Any: ...


class Decide(Protocol):
    def __call__(self, signal: InjectionSignal, /, *, trust: Trust, source_type: SourceType) -> Action: ...


def injection_detector(assess: Assess = assess_text, decide: Decide = decide_by_trust) -> Detector:
    """A detector from an assessment of one text and a decision by trust and source."""

    def find_injection(screening: Screening) -> Sequence[Finding]:
        found: list[Finding] = []
        for pointer, form in screening.normalised.items():
            if pointer == SUBJECT:
                continue
            screening.check_time()
            signal = assess(form, deadline=screening.deadline)
            action = decide(signal, trust=screening.trust, source_type=screening.source_type)
            found += _findings(signal, action, pointer, len(form.original))
        if not found:
            found += _together(screening, assess, decide)
        return found

    return find_injection


def _findings(signal: InjectionSignal, action: Action, pointer: str, length: int) -> Iterator[Finding]:
    """Rules and claims by name; a text that only hides something is named by the finding of its carrier."""
    if action is Action.ALLOW:
        return
    for hit in signal.rules:
        span = (min(hit.start, length), min(hit.end, length))
        yield Finding(Category.INJECTION, hit.rule, *span, signal.score, action, pointer, "injection-rule")
    for claim in (*signal.high_impact, *signal.suspected):
        name = f"{HIGH_IMPACT_PREFIX}{claim}"
        yield Finding(Category.INJECTION, name, 0, length, signal.score, action, pointer, "high-impact")
    if not (signal.rules or signal.high_impact or signal.suspected or signal.covert):
        yield Finding(Category.INJECTION, LIKELY, 0, length, signal.score, action, pointer, "injection-model")


def _together(screening: Screening, assess: Assess, decide: Decide) -> Iterator[Finding]:
    fields: Mapping[str, str] = {p: text for p, text in screening.fields.items() if is_prose(p, text)}
    if len(fields) < 2:
        return
    form = screening.normalise("\n".join(fields.values()))
    signal = assess(form, deadline=screening.deadline)
    action = decide(signal, trust=screening.trust, source_type=screening.source_type)
    if action is not Action.ALLOW:
        for pointer, text in fields.items():
            place = (0, len(text), signal.score, action, pointer, "injection-split")
            yield Finding(Category.INJECTION, SPLIT, *place)
