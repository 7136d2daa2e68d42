"""Carries what the injection rules and model say of each field into findings.

Every field is judged by itself, and the sentences of all fields once more together: an order that is
split over two fields is still an order for whoever reads both.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Protocol

from vault.screening.detection import Detector, Screening, is_prose
from vault.screening.fields import SUBJECT
from vault.screening.normalise import Normalised
from vault.screening.verdict import HIGH_IMPACT_PREFIX
from vault.types import Action, Category, Finding, SourceType, Trust

TOGETHER = "-together"


class RuleHit(Protocol):
    """One rule that spoke: a span of the reading it was found in, and what carried that reading."""

    @property
    def rule(self) -> str: ...
    @property
    def start(self) -> int: ...
    @property
    def end(self) -> int: ...
    @property
    def carrier(self) -> str: ...


class Signal(Protocol):
    @property
    def score(self) -> float: ...
    @property
    def rules(self) -> Sequence[RuleHit]: ...
    @property
    def high_impact(self) -> Sequence[str]: ...


class Assess(Protocol):
    def __call__(
        self, normalised: Normalised, /, *, vector: Any = None, deadline: float | None = None
    ) -> Any: ...


class Decide(Protocol):
    def __call__(self, signal: Any, /, *, trust: Trust, source_type: SourceType) -> Action: ...


def injection_detector(assess: Assess, decide: Decide) -> Detector:
    """A detector from an assessment of one text and a decision by trust and source."""

    def find_injection(screening: Screening) -> Sequence[Finding]:
        found: list[Finding] = []
        for pointer, form in screening.normalised.items():
            if pointer == SUBJECT:
                continue
            screening.check_time()
            signal = assess(form, vector=screening.vectors.get(pointer), deadline=screening.deadline)
            action = decide(signal, trust=screening.trust, source_type=screening.source_type)
            found += _findings(signal, action, pointer, form)
        if not found:
            found += _together(screening, assess, decide)
        return found

    return find_injection


def _findings(signal: Signal, action: Action, pointer: str, form: Normalised) -> Iterator[Finding]:
    if action is Action.ALLOW:
        return
    length = len(form.original)
    score = min(max(float(signal.score), 0.0), 1.0)
    for hit in signal.rules:
        start, end = (0, length) if hit.carrier else form.span(hit.start, hit.end)
        yield Finding(Category.INJECTION, hit.rule, start, end, score, action, pointer, "injection-rule")
    for claim in signal.high_impact:
        name = f"{HIGH_IMPACT_PREFIX}{claim}"
        yield Finding(Category.INJECTION, name, 0, length, score, action, pointer, "high-impact")
    if not signal.rules and not signal.high_impact:
        yield Finding(
            Category.INJECTION, "LIKELY_INSTRUCTION", 0, length, score, action, pointer, "injection-model"
        )


def _together(screening: Screening, assess: Assess, decide: Decide) -> Iterator[Finding]:
    fields: Mapping[str, str] = {p: text for p, text in screening.fields.items() if is_prose(p, text)}
    if len(fields) < 2:
        return
    form = screening.normalise("\n".join(fields.values()))
    signal = assess(form, vector=None, deadline=screening.deadline)
    action = decide(signal, trust=screening.trust, source_type=screening.source_type)
    if action is not Action.ALLOW:
        kind = "LIKELY_INSTRUCTION" + TOGETHER.upper().replace("-", "_")
        for pointer, text in fields.items():
            place = (0, len(text), float(signal.score), action, pointer, "injection" + TOGETHER)
            yield Finding(Category.INJECTION, kind, *place)
