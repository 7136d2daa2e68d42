"""A first start that is killed at any moment is no hindrance to the next one: real processes, a real database."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.vault_processes import ROOT, free_port, inherited, manage, processes_of, up, wait_until

pytestmark = [
    pytest.mark.timeout(400),
    pytest.mark.skipif(not Path("/proc/self/cmdline").exists(), reason="looks at processes through /proc"),
]


@pytest.fixture
def home() -> Iterator[Path]:
    """Not pytest's own: any other run of pytest shuts its folders to the user that the database runs as."""
    made = Path(tempfile.mkdtemp(prefix="vault-cut-"))
    yield made / "home"
    for pid in processes_of(made / "home"):
        end(pid)
    wait_until(lambda: processes_of(made / "home") == {})
    shutil.rmtree(made)


def end(pid: int) -> None:
    try:
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        return


def begins(home: Path) -> bool:
    return any(home.glob("database*"))


def is_half_made(home: Path) -> bool:
    return any(home.glob("database*/base")) or is_made(home)


def is_made(home: Path) -> bool:
    return (home / "database").exists()


def serves(home: Path) -> bool:
    return (home / "database" / "postmaster.pid").exists()


def cut_short(home: Path, moment: Callable[[Path], bool], *, spares: str = "nobody") -> None:
    """Begin a start and kill all that it has begun once the moment has come, but who is spared."""
    environment = {**inherited(), "VAULT_HOME": str(home), "PORT": str(free_port()), "WEB_WORKERS": "1"}
    process = subprocess.Popen(
        [sys.executable, "manage.py", "up"],
        cwd=ROOT,
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        wait_until(lambda: moment(home))
    finally:
        process.kill()
        process.wait(60)
    for pid, command in processes_of(home).items():
        if spares not in command:
            end(pid)


def test_a_first_start_that_was_killed_again_and_again_is_made_good_by_the_next(home):
    for moment in (begins, is_half_made, is_made, serves):
        cut_short(home, moment)

    run = up(home, free_port())
    try:
        assert list(home.glob("database.*")) == []
    finally:
        assert run.stop() == 0
    assert processes_of(home) == {}


def test_a_server_that_outlived_a_start_that_was_killed_is_taken_over_and_stopped(home):
    cut_short(home, serves, spares="postgres")

    answer = manage(home, "shell", "-c", "from django.db import connections; connections['owner'].connect()")

    assert answer.returncode == 0, answer.stderr
    assert processes_of(home) == {}
