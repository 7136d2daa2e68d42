"""Vaults as real processes: `manage.py up` in a home of its own, and the commands that an operator types beside it."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
PATIENCE_SECONDS = 120.0
INHERITED = ("PATH", "HOME", "LANG", "LC_ALL", "TMPDIR", "XDG_RUNTIME_DIR")


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def wait_until(happened: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not happened():
        assert time.monotonic() < deadline, "it did not happen in time"
        time.sleep(0.1)


@dataclass
class Run:
    """One run of `manage.py up`."""

    home: Path
    port: int
    process: subprocess.Popen[bytes]
    ready_after: float = 0.0
    facts: dict[str, Any] = field(default_factory=dict)

    @property
    def output(self) -> str:
        return self.home.with_suffix(".out").read_text(encoding="utf-8")

    def call(self, path: str, body: Any = None, *, token: str = "") -> tuple[int, Any]:
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}{path}")
        if token:
            request.add_header("Authorization", f"Bearer {token}")
        if body is not None:
            request.add_header("Content-Type", "application/json")
            request.data = json.dumps(body).encode()
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:  # noqa: S310 - an address of our own
                return answer.status, json.load(answer)
        except urllib.error.HTTPError as error:
            with error:
                return error.code, json.load(error)

    def is_ready(self) -> bool:
        assert self.process.poll() is None, self.output
        try:
            return self.call("/readyz")[0] == 200
        except (OSError, ValueError):
            return False

    def stop(self) -> int:
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(60)


def inherited() -> dict[str, str]:
    return {name: os.environ[name] for name in INHERITED if name in os.environ}


def up(home: Path, port: int) -> Run:
    """Start a vault with nothing of the tests' own environment, and wait until it has said that it is ready."""
    environment = {**inherited(), "VAULT_HOME": str(home), "PORT": str(port), "WEB_WORKERS": "1"}
    began = time.monotonic()
    with home.with_suffix(".out").open("wb") as output:
        command = [sys.executable, "manage.py", "up"]
        run = Run(
            home, port, subprocess.Popen(command, cwd=ROOT, env=environment, stdout=output, stderr=output)
        )
    try:
        wait_until(lambda: run.process.poll() is not None or (run.is_ready() and "Ready." in run.output))
        assert run.process.poll() is None, run.output
    except BaseException:
        run.process.kill()
        raise
    run.ready_after = time.monotonic() - began
    return run


def processes_of(home: Path) -> dict[int, str]:
    """Every live process that has to do with a home: by its command line or by its environment."""
    found = {}
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit() or int(entry.name) == os.getpid():
            continue
        try:
            command = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
            environment = (entry / "environ").read_bytes()
            ended = (entry / "stat").read_text().rpartition(")")[2].split()[0] == "Z"
        except OSError:
            continue
        if not ended and (str(home) in command or f"VAULT_HOME={home}\0".encode() in environment):
            found[int(entry.name)] = command
    return found


def manage(home: Path, *arguments: str, port: int = 0) -> subprocess.CompletedProcess[str]:
    """A command on a home as its operator would type it; without a port, on one that nothing listens on."""
    return subprocess.run(
        [sys.executable, "manage.py", *arguments],
        cwd=ROOT,
        env={**inherited(), "VAULT_HOME": str(home), "PORT": str(port or free_port())},
        capture_output=True,
        text=True,
        timeout=2 * PATIENCE_SECONDS,
        check=False,
    )
