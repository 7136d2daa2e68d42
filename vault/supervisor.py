"""One supervisor over the processes of one machine: starts them, restarts what falls, stops all cleanly.

Knows nothing of Django: it is given commands.
"""

from __future__ import annotations

import signal
import subprocess
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType

POLL_SECONDS = 0.2
STOP_SECONDS = 15.0
# A process that fell within this time of its start waits longer and longer before the next one.
QUICK_FALL_SECONDS = 10.0
LONGEST_PAUSE_SECONDS = 30.0


@dataclass
class Program:
    """One supervised process; its output goes to a file of its own."""

    name: str
    command: Sequence[str]
    log: Path
    # What this program alone finds in its environment.
    settings: Mapping[str, str] = field(default_factory=dict)
    # Open descriptors that it inherits.
    inherits: Sequence[int] = ()
    # Leaves the machine's cores to those that somebody waits for, while they load.
    delay_seconds: float = 0.0
    process: subprocess.Popen[bytes] | None = None
    started_at: float = 0.0
    quick_falls: int = 0
    next_start: float = 0.0

    def start(self, environment: Mapping[str, str]) -> None:
        with self.log.open("ab") as output:
            # A session of its own: Ctrl-C reaches the supervisor alone, which then stops all in order.
            self.process = subprocess.Popen(
                self.command,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                env={**environment, **self.settings},
                start_new_session=True,
                pass_fds=self.inherits,
            )
        self.log.chmod(0o600)
        self.started_at = time.monotonic()

    def fell(self) -> bool:
        return self.process is not None and self.process.poll() is not None

    def plan_restart(self) -> float:
        """How many seconds to wait before the next start."""
        quick = time.monotonic() - self.started_at < QUICK_FALL_SECONDS
        self.quick_falls = self.quick_falls + 1 if quick else 0
        self.process = None
        pause = min(LONGEST_PAUSE_SECONDS, 2.0**self.quick_falls - 1)
        self.next_start = time.monotonic() + pause
        return pause


def no_keeping() -> None:
    """What the programs need is somebody else's to look after."""


@dataclass
class Supervisor:
    """Runs programs until it is told to stop by SIGINT, SIGTERM or SIGHUP.

    `keep` is called again and again: it looks after what the programs need and are not. What it raises stops them all.
    """

    programs: Sequence[Program]
    environment: Mapping[str, str]
    say: Callable[[str], None]
    keep: Callable[[], None] = no_keeping
    stopping: threading.Event = field(default_factory=threading.Event)

    def run(self, *, ready: Callable[[], bool], on_ready: Callable[[], None]) -> None:
        """Start all, call `on_ready` once `ready` says so, and return when all have stopped."""
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            if signal.getsignal(number) is not signal.SIG_IGN:
                signal.signal(number, self._on_signal)
        try:
            began = time.monotonic()
            for program in self.programs:
                program.next_start = began + program.delay_seconds
            self._start_due()
            announced = False
            while not self.stopping.wait(POLL_SECONDS):
                self.keep()
                self._start_due()
                if not announced and ready():
                    announced = True
                    on_ready()
        finally:
            self._stop_all()

    def _on_signal(self, _number: int, _frame: FrameType | None) -> None:
        self.stopping.set()

    def _start_due(self) -> None:
        """Start what has not been started yet, and again what fell."""
        for program in self.programs:
            if program.fell():
                code = program.process.returncode if program.process else None
                pause = program.plan_restart()
                self.say(f"{program.name} ended with code {code}; starting it again in {pause:.0f} s")
            if program.process is None and time.monotonic() >= program.next_start:
                program.start(self.environment)

    def _stop_all(self) -> None:
        alive = [p.process for p in self.programs if p.process is not None and p.process.poll() is None]
        for process in alive:
            process.terminate()
        deadline = time.monotonic() + STOP_SECONDS
        for process in alive:
            try:
                process.wait(max(0.1, deadline - time.monotonic()))
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
