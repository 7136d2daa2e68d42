from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from vault.supervisor import LONGEST_PAUSE_SECONDS, Program, Supervisor

SLEEPS = "import time; time.sleep(60)"
FAILS = "raise SystemExit(3)"
STUBBORN = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); print('up', flush=True); time.sleep(60)"
PATIENCE_SECONDS = 20.0


@pytest.fixture(autouse=True)
def _own_signals() -> Iterator[None]:
    """A supervisor takes the signals of its process; give them back."""
    kept = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)}
    yield
    for number, handler in kept.items():
        signal.signal(number, handler)


def program(folder: Path, code: str, name: str = "program", **fields: object) -> Program:
    return Program(name, [sys.executable, "-c", code], folder / f"{name}.log", **fields)


class Watched:
    """A supervisor whose `check` is called at each look at readiness; it stops when `check` says so."""

    def __init__(self, *programs: Program) -> None:
        self.said: list[str] = []
        self.announced = 0
        self.supervisor = Supervisor(programs, {"PATH": os.environ["PATH"], "SHARED": "1"}, self.said.append)

    def run(self, until: Callable[[], bool], *, ready: bool = False) -> None:
        deadline = time.monotonic() + PATIENCE_SECONDS

        def look() -> None:
            while not until() and time.monotonic() < deadline:
                time.sleep(0.02)
            self.supervisor.stopping.set()

        watcher = threading.Thread(target=look)
        watcher.start()
        self.supervisor.run(ready=lambda: ready, on_ready=self._announce)
        watcher.join()
        assert time.monotonic() < deadline, "it did not happen in time"

    def _announce(self) -> None:
        self.announced += 1


def test_a_program_that_falls_is_started_again(tmp_path):
    falling = program(tmp_path, FAILS)
    watched = Watched(falling)

    watched.run(lambda: len(watched.said) >= 2)

    assert watched.said[0].startswith("program ended with code 3; starting it again in 1 s")


def test_each_quick_fall_waits_longer_up_to_a_limit(tmp_path):
    falling = program(tmp_path, FAILS)
    falling.started_at = time.monotonic()

    pauses = [falling.plan_restart() for _ in range(7)]

    assert pauses == [
        1.0,
        3.0,
        7.0,
        15.0,
        LONGEST_PAUSE_SECONDS,
        LONGEST_PAUSE_SECONDS,
        LONGEST_PAUSE_SECONDS,
    ]


def test_a_program_that_ran_for_long_starts_again_at_once(tmp_path):
    falling = program(tmp_path, FAILS)
    falling.started_at = time.monotonic() - 3600

    assert falling.plan_restart() == 0.0


def test_every_program_is_stopped_in_the_end(tmp_path):
    programs = [program(tmp_path, SLEEPS, name) for name in ("one", "two")]
    watched = Watched(*programs)

    watched.run(lambda: all(each.process for each in programs))

    assert [each.process.returncode for each in programs if each.process] == [-signal.SIGTERM] * 2


def test_a_program_that_will_not_stop_is_killed(tmp_path, monkeypatch):
    monkeypatch.setattr("vault.supervisor.STOP_SECONDS", 0.5)
    stubborn = program(tmp_path, STUBBORN)
    watched = Watched(stubborn)

    watched.run(lambda: stubborn.log.exists() and "up" in stubborn.log.read_text())

    assert stubborn.process
    assert stubborn.process.returncode == -signal.SIGKILL


def test_readiness_is_announced_once(tmp_path):
    watched = Watched(program(tmp_path, SLEEPS))
    began = time.monotonic()

    watched.run(lambda: time.monotonic() - began > 1.0, ready=True)

    assert watched.announced == 1


def test_a_program_with_a_delay_waits_for_it(tmp_path):
    prompt, late = program(tmp_path, SLEEPS, "prompt"), program(tmp_path, SLEEPS, "late", delay_seconds=1.0)
    watched = Watched(prompt, late)

    watched.run(lambda: late.process is not None)

    assert late.started_at - prompt.started_at > 0.9


def test_a_program_sees_its_own_settings_and_nothing_of_the_others(tmp_path):
    shows = "import os; print(sorted(k for k in os.environ if k in ('SHARED', 'MINE', 'HOME')), flush=True)"
    mine = program(tmp_path, f"{shows}; {SLEEPS}", settings={"MINE": "1"})
    watched = Watched(mine)

    watched.run(lambda: mine.log.exists() and "]" in mine.log.read_text())

    assert mine.log.read_text().strip() == "['MINE', 'SHARED']"


def test_logs_are_for_their_owner_alone(tmp_path):
    logging = program(tmp_path, SLEEPS)
    watched = Watched(logging)

    watched.run(lambda: logging.process is not None)

    assert logging.log.stat().st_mode & 0o077 == 0


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_stops_the_supervisor(tmp_path, number):
    # Whoever runs the suite may have it ignored (`nohup`).
    signal.signal(number, signal.SIG_DFL)
    watched = Watched(program(tmp_path, SLEEPS))
    timer = threading.Timer(0.5, os.kill, (os.getpid(), number))
    timer.start()

    watched.supervisor.run(ready=lambda: False, on_ready=lambda: None)

    assert watched.supervisor.stopping.is_set()


def test_a_signal_that_is_ignored_on_purpose_stays_ignored(tmp_path):
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    watched = Watched(program(tmp_path, SLEEPS))
    began = time.monotonic()

    watched.run(lambda: time.monotonic() - began > 0.3)

    assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN


def test_what_the_programs_need_is_looked_after(tmp_path):
    kept: list[int] = []
    watched = Watched(program(tmp_path, SLEEPS))
    watched.supervisor.keep = lambda: kept.append(1)

    watched.run(lambda: len(kept) >= 2)


def test_what_cannot_be_brought_back_stops_them_all(tmp_path):
    sleeping = program(tmp_path, SLEEPS)

    def gone() -> None:
        raise LookupError

    supervisor = Supervisor([sleeping], {"PATH": os.environ["PATH"]}, str, keep=gone)
    with pytest.raises(LookupError):
        supervisor.run(ready=lambda: False, on_ready=lambda: None)

    assert sleeping.process
    assert sleeping.process.returncode == -signal.SIGTERM
