"""The engine answers in time and fails closed (D46)."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Sequence

import pytest

from tests.screening.drafts import GITHUB_SHAPED, detectors, draft, verdict_on
from vault.screening import DEFAULT, screen
from vault.screening.detection import Screening
from vault.screening.workers import WorkerPool
from vault.types import Action, Finding, Trust

CANARY = "ZEBRA-CANARY-771"


@pytest.fixture
def release() -> Iterator[threading.Event]:
    """Lets go, at the end, of the detectors that hang."""
    event = threading.Event()
    yield event
    event.set()


def broken(screening: Screening) -> Sequence[Finding]:
    raise RuntimeError(f"cannot read {screening.fields}")


@pytest.mark.parametrize("name", [name for name, _ in DEFAULT.named()])
def test_a_detector_that_raises_sets_the_write_aside(name: str) -> None:
    verdict = screen(draft(), trust=Trust.VERIFIED, detectors=detectors(**{name: broken}))

    assert verdict.action is Action.QUARANTINE
    assert verdict.reasons == ("screening_failure",)


def test_a_detector_that_hangs_does_not_hold_the_request(release: threading.Event) -> None:
    def hanging(screening: Screening) -> Sequence[Finding]:
        release.wait(30)
        return ()

    began = time.monotonic()
    verdict = screen(
        draft(), trust=Trust.VERIFIED, detectors=detectors(personal_data=hanging), budget_seconds=0.2
    )

    assert time.monotonic() - began < 2
    assert verdict.reasons == ("screening_failure",)


def test_a_credential_refuses_even_when_another_detector_hangs(release: threading.Event) -> None:
    def hanging(screening: Screening) -> Sequence[Finding]:
        release.wait(30)
        return ()

    chosen = detectors(secrets=DEFAULT.secrets, personal_data=hanging)
    verdict = screen(draft(f"use {GITHUB_SHAPED}"), trust=Trust.STATED, detectors=chosen, budget_seconds=0.5)

    assert verdict.action is Action.REFUSE
    assert verdict.reasons == ("secret_detected", "screening_failure")


def test_hung_detectors_do_not_start_threads_without_bound(release: threading.Event) -> None:
    pool = WorkerPool(size=2)
    before = threading.active_count()

    finished = [pool.run(lambda: bool(release.wait(30)) and None, timeout_seconds=0.05) for _ in range(6)]

    assert finished == [False] * 6
    assert threading.active_count() <= before + 2


def test_a_worker_serves_again_after_its_work() -> None:
    pool = WorkerPool(size=1)
    done: list[int] = []

    for number in range(3):
        assert pool.run(lambda number=number: done.append(number), timeout_seconds=5)

    assert done == [0, 1, 2]


def test_a_failure_does_not_log_the_text(caplog: pytest.LogCaptureFixture) -> None:
    screen(draft(CANARY), trust=Trust.STATED, detectors=detectors(sensitive=broken))

    assert "RuntimeError" in caplog.text
    assert CANARY not in caplog.text


@pytest.mark.parametrize(
    "text",
    ["a" * 200_000 + "!", "ab" * 25_000, "7" * 20_000, "@" * 5_000, "1-" * 50_000, "password is " * 5_000],
    ids=["letters", "pairs", "digits", "signs", "dashes", "labels"],
)
def test_a_large_hostile_text_is_answered_within_the_budget(text: str) -> None:
    verdict_on("warm")
    began = time.monotonic()

    verdict = screen(draft(text), trust=Trust.UNTRUSTED, budget_seconds=2)

    assert time.monotonic() - began < 3
    assert len(text) < 65_536 or verdict.action.rank >= Action.QUARANTINE.rank


def test_findings_never_hold_the_value() -> None:
    verdict = verdict_on(f"use {GITHUB_SHAPED}", metadata={GITHUB_SHAPED: {"note": GITHUB_SHAPED}})

    assert GITHUB_SHAPED not in repr(verdict)
