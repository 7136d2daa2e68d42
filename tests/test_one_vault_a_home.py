"""One vault a home, with real processes: a second one, one that was killed, and commands beside a running one."""

from __future__ import annotations

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.vault_processes import ROOT, Run, free_port, inherited, manage, processes_of, up, wait_until

HOLDS = "import fcntl, sys, time; print('held', flush=True); time.sleep(600)"

pytestmark = [
    pytest.mark.timeout(400),
    pytest.mark.skipif(not Path("/proc/self/cmdline").exists(), reason="looks at processes through /proc"),
]


@pytest.fixture(scope="module")
def folder() -> Iterator[Path]:
    """Not pytest's own: any other run of pytest shuts its folders to the user that the database runs as."""
    made = Path(tempfile.mkdtemp(prefix="vault-alone-"))
    yield made
    shutil.rmtree(made)


@pytest.fixture(scope="module")
def running(folder: Path) -> Iterator[Run]:
    run = up(folder / "home", free_port())
    yield run
    if run.process.poll() is None:
        run.stop()


def server_of(home: Path) -> int:
    return int((home / "database" / "postmaster.pid").read_text().splitlines()[0])


@pytest.mark.parametrize("port", ["the same", "another"])
def test_a_second_vault_on_a_home_is_refused_in_one_line(running, port):
    before = processes_of(running.home)

    answer = manage(running.home, "up", port=running.port if port == "the same" else free_port())

    assert answer.returncode == 1
    assert answer.stdout == ""
    assert len(answer.stderr.splitlines()) == 1
    assert f"process {running.process.pid}, port {running.port}" in answer.stderr
    assert before.keys() <= processes_of(running.home).keys()


def test_a_refused_vault_takes_nothing_from_the_one_that_runs(running):
    server = server_of(running.home)

    manage(running.home, "up")

    assert server_of(running.home) == server
    assert (running.home / "address").read_text() == f"http://127.0.0.1:{running.port}"
    assert running.is_ready()


def test_a_refusal_names_no_secret(running):
    answer = manage(running.home, "up")

    secrets = [path.read_bytes() for path in (running.home / "keys").iterdir() if path.stat().st_size]
    assert len(secrets) >= 5
    assert not any(secret in answer.stderr.encode() for secret in secrets)


@pytest.mark.parametrize(
    "command",
    [
        ("create_agent_token", "--agent", "beside"),
        ("verify_audit_log",),
        ("verify_memories",),
        ("backup",),
        ("backup", "--dry-run"),
        ("rotate_keys", "--dry-run"),
    ],
    ids=" ".join,
)
def test_commands_that_take_nothing_away_run_beside_a_vault(running, command):
    answer = manage(running.home, *command)

    assert answer.returncode == 0, answer.stderr
    assert running.is_ready()


def test_a_restore_into_a_home_whose_vault_runs_is_refused_in_one_line(running):
    manage(running.home, "backup")
    (file,) = list((running.home / "backups").glob("*.backup"))[:1]

    answer = manage(running.home, "restore", str(file))

    assert answer.returncode == 1
    assert len(answer.stderr.splitlines()) == 1
    assert f"process {running.process.pid}, port {running.port}" in answer.stderr


def test_a_restore_may_be_looked_at_while_the_vault_runs(running):
    manage(running.home, "backup")
    (file,) = list((running.home / "backups").glob("*.backup"))[:1]

    answer = manage(running.home, "restore", str(file), "--dry-run")

    assert answer.returncode == 0, answer.stderr


def test_a_database_that_was_killed_is_brought_back(running):
    before = server_of(running.home)
    os.kill(before, signal.SIGKILL)

    wait_until(lambda: "it was started again" in running.output)
    wait_until(running.is_ready)

    assert server_of(running.home) != before


def test_a_home_whose_locks_were_removed_is_still_held(running):
    locks = running.home / "locks"
    locks.rename(running.home / "removed")
    server = server_of(running.home)

    answer = manage(running.home, "up")
    beside = manage(running.home, "verify_audit_log")
    shutil.rmtree(locks)
    (running.home / "removed").rename(locks)

    assert (answer.returncode, beside.returncode) == (1, 0)
    assert f"process {running.process.pid}" in answer.stderr
    assert server_of(running.home) == server


@pytest.fixture(scope="module")
def killed(running: Run) -> Run:
    """The supervisor was killed without a word; its programs were not."""
    running.facts["pids"] = set(processes_of(running.home))
    running.process.kill()
    running.process.wait(60)
    return running


@pytest.fixture(scope="module")
def after(killed: Run) -> Iterator[Run]:
    """The next start, at once, on the same port."""
    run = up(killed.home, killed.port)
    yield run
    if run.process.poll() is None:
        run.stop()


def test_a_vault_that_was_killed_does_not_block_the_next_one(after):
    assert after.is_ready()


def test_no_program_of_a_killed_vault_runs_on_beside_the_next_one(killed, after):
    left = killed.facts["pids"] & set(processes_of(after.home))

    assert [
        command for pid, command in processes_of(after.home).items() if pid in left and "-m" in command
    ] == []


def test_the_database_of_a_killed_vault_is_stopped_with_the_next_one(after):
    after.stop()

    assert processes_of(after.home) == {}


@pytest.fixture
def orphan(after: Run) -> Iterator[subprocess.Popen[bytes]]:
    """A program of a killed supervisor that does not end when it is asked to."""
    if after.process.poll() is None:
        after.stop()
    handle = os.open(after.home / "locks" / "programs", os.O_RDWR)
    code = f"import fcntl; fcntl.flock({handle}, fcntl.LOCK_EX); {HOLDS}"
    process = subprocess.Popen([sys.executable, "-c", code], pass_fds=[handle], stdout=subprocess.PIPE)
    os.close(handle)
    assert process.stdout is not None
    process.stdout.readline()
    yield process
    process.kill()
    process.wait(60)
    process.stdout.close()


def test_a_program_that_a_killed_vault_left_behind_is_named(after, orphan):
    answer = manage(after.home, "up")

    assert answer.returncode == 1
    assert answer.stderr.splitlines() == [
        f"Processes of a vault that was killed still run from {after.home}: {orphan.pid}. End them first."
    ]
    assert processes_of(after.home) == {}


@pytest.mark.parametrize("path", ["/dev/null", "/proc/nope"])
def test_what_cannot_be_a_home_is_told_in_one_line(path):
    answer = manage(Path(path), "up")

    assert answer.returncode == 1
    assert answer.stdout == ""
    assert len(answer.stderr.splitlines()) == 1


def test_a_taken_port_is_told_before_anything_is_made(folder):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        answer = manage(folder / "new", "up", port=taken.getsockname()[1])

    assert answer.returncode == 1
    assert "is taken" in answer.stderr
    assert [path.name for path in (folder / "new").iterdir()] == ["locks"]


def test_a_command_that_began_first_leaves_the_database_to_the_vault_that_still_uses_it(after):
    if after.process.poll() is None:
        after.stop()
    command = subprocess.Popen(
        [sys.executable, "manage.py", "shell", "-c", "print('there', flush=True); input()"],
        cwd=ROOT,
        env={**inherited(), "VAULT_HOME": str(after.home), "PORT": str(after.port)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    assert command.stdout is not None
    assert command.stdin is not None
    wait_until(lambda: b"there" in command.stdout.readline())
    server = server_of(after.home)
    again = up(after.home, after.port)
    try:
        command.communicate(b"\n", timeout=60)

        assert again.is_ready()
        assert server_of(after.home) == server
    finally:
        again.stop()
    assert processes_of(after.home) == {}


def test_a_vault_that_stops_leaves_the_database_to_the_command_that_still_uses_it(after):
    again = up(after.home, after.port)
    command = subprocess.Popen(
        [sys.executable, "manage.py", "shell", "-c", "print('there', flush=True); input(); "
         "from vault.models import Agent; print('found', Agent.objects.count())"],
        cwd=ROOT,
        env={**inherited(), "VAULT_HOME": str(after.home), "PORT": str(after.port)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )  # fmt: skip
    assert command.stdout is not None
    wait_until(lambda: b"there" in command.stdout.readline())

    again.process.send_signal(signal.SIGTERM)
    again.process.wait(60)
    said, _ = command.communicate(b"\n", timeout=60)

    assert re.search(rb"found \d+", said)
    assert processes_of(after.home) == {}
