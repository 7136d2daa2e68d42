"""Runs the detectors over the fields of a draft within a time budget, and fails closed.

The detectors run one after another on one worker, the secrets first. What was found when the time is up
counts; what did not get to answer, or raised, is a screening failure and sets the write aside. So a hard
secret refuses whatever happens to the others, and nothing that was not screened is ever stored as clean.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields

from vault.screening.detection import Detector, Screening
from vault.screening.pointers import hide_keys
from vault.screening.rules import find_rules
from vault.screening.verdict import decide
from vault.screening.workers import WorkerPool
from vault.types import Action, Category, Finding, Verdict

logger = logging.getLogger(__name__)

# More than the web threads of one process, so that a few hung detectors do not stop the rest.
POOL = WorkerPool(size=32)


@dataclass(frozen=True, slots=True)
class Detectors:
    """The detectors of a screening, in the order in which they run."""

    secrets: Detector
    hidden_secrets: Detector
    injection: Detector
    personal_data: Detector
    sensitive: Detector
    form: Detector
    rules: Detector = find_rules

    def named(self) -> Iterator[tuple[str, Detector]]:
        for part in fields(self):
            yield part.name, getattr(self, part.name)


def run(screening: Screening, detectors: Detectors, *, pool: WorkerPool = POOL) -> Verdict:
    """Screen, and answer by the deadline of the screening whatever the detectors do."""
    answers: dict[str, Sequence[Finding]] = {}

    def work() -> None:
        for name, detector in detectors.named():
            answers[name] = _answer(name, detector, screening)

    pool.run(work, timeout_seconds=screening.deadline - time.monotonic())
    found = dict(answers)
    for name, _ in detectors.named():
        found.setdefault(name, (failure(name),))
    findings = [finding for group in found.values() for finding in group]
    return decide(hide_keys(findings, screening.fields), policy_version=screening.policy.version)


def _answer(name: str, detector: Detector, screening: Screening) -> Sequence[Finding]:
    try:
        screening.check_time()
        return tuple(detector(screening))
    except Exception as error:  # noqa: BLE001 - whatever breaks a detector sets the write aside
        # The class only: a message may quote the text that broke it.
        logger.warning("detector %s failed: %s", name, type(error).__name__)
        return (failure(name),)


def failure(detector: str) -> Finding:
    return Finding(
        Category.FAILURE, "DETECTOR_FAILED", 0, 0, 1.0, Action.QUARANTINE, pointer="", detector=detector
    )


def deadline_after(budget_seconds: float) -> float:
    return time.monotonic() + budget_seconds
