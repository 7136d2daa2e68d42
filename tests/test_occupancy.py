"""The locks of a home, among real processes; `tests/test_one_vault_a_home.py` has whole vaults."""

from __future__ import annotations

import json
import os
import shutil
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.vault_processes import ROOT
from vault.home import Home, UnusableHome
from vault.occupancy import Occupied, held_by_programs, occupied, require_no_orphans, use_database

HOLDS = """
import sys, time
from pathlib import Path
from vault.home import Home, UnusableHome
from vault.occupancy import occupied
with occupied(Home(Path(sys.argv[1])), act=sys.argv[2], port=8123):
    print("held", flush=True)
    time.sleep(600)
"""
SLEEPS = "import time; print('there', flush=True); time.sleep(600)"


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path / "home")


@pytest.fixture
def holder(home: Home, request: pytest.FixtureRequest) -> Iterator[subprocess.Popen[bytes]]:
    act = getattr(request, "param", "up")
    process = subprocess.Popen(
        [sys.executable, "-c", HOLDS, str(home.path), act], cwd=ROOT, stdout=subprocess.PIPE
    )
    assert process.stdout is not None
    process.stdout.readline()
    yield process
    process.kill()
    process.wait(60)
    process.stdout.close()


def refusal(home: Home, act: str = "up") -> str:
    with pytest.raises(Occupied) as refused, occupied(home, act=act):
        pass
    return str(refused.value)


@pytest.mark.parametrize(
    ("holder", "words"),
    [("up", "A vault runs from"), ("restore", "A restore runs on")],
    indirect=["holder"],
)
def test_who_holds_a_home_is_named_with_process_and_port(home, holder, words):
    assert refusal(home) == (
        f"{words} {home.path} already: process {holder.pid}, port 8123. "
        "Stop it first, or name another home with VAULT_HOME; nothing was changed."
    )


def test_a_holder_that_was_killed_holds_nothing(home, holder):
    holder.kill()
    holder.wait(60)

    with occupied(home, act="up"):
        assert json.loads((home.locks / "vault").read_text())["pid"] == os.getpid()


def test_a_number_that_now_fits_another_process_holds_nothing(home):
    home.locks.mkdir(parents=True)
    (home.locks / "vault").write_text(json.dumps({"act": "up", "pid": os.getpid(), "port": 1}))

    with occupied(home, act="up"):
        pass


@pytest.mark.parametrize("said", ["", "{", "[]", '{"pid": 7}', "\x00" * 8])
def test_a_holder_that_has_not_said_who_it_is_still_holds(home, said):
    with occupied(home, act="up"):
        (home.locks / "vault").write_text(said)

        assert str(home.path) in refusal(home)


def test_a_refused_one_changes_nothing_of_what_the_holder_said(home, holder):
    said = (home.locks / "vault").read_bytes()

    refusal(home, act="restore")

    assert (home.locks / "vault").read_bytes() == said


def test_a_home_is_free_after_the_block(home):
    with occupied(home, act="up", port=70000):
        pass
    with occupied(home, act="restore"):
        assert json.loads((home.locks / "vault").read_text())["act"] == "restore"


def test_a_home_is_held_also_when_its_locks_were_removed(home, holder):
    shutil.rmtree(home.locks)

    assert f"process {holder.pid}." in refusal(home)


def test_the_database_is_in_use_also_when_the_locks_were_removed(home):
    first = use_database(home)
    shutil.rmtree(home.locks, ignore_errors=True)

    second = use_database(home)

    assert not second()
    assert first()


def test_a_lock_is_not_written_through_a_link(home, tmp_path):
    target = tmp_path / "of somebody else"
    target.write_text("kept")
    home.locks.mkdir(parents=True)
    (home.locks / "vault").symlink_to(target)

    with pytest.raises(UnusableHome, match="cannot be used as a lock"), occupied(home, act="up"):
        pass

    assert target.read_text() == "kept"


def test_what_is_no_file_is_no_lock(home):
    home.locks.mkdir(parents=True)
    os.mkfifo(home.locks / "vault")

    with pytest.raises(UnusableHome, match="not a file"), occupied(home, act="up"):
        pass


def test_locks_are_for_their_owner_alone(home):
    with occupied(home, act="up"), held_by_programs(home):
        use_database(home)

    modes = {stat.S_IMODE(path.stat().st_mode) for path in home.locks.iterdir()}
    assert (stat.S_IMODE(home.locks.stat().st_mode), modes) == (0o700, {0o600})


def test_a_program_that_does_not_inherit_the_lock_of_a_home_does_not_keep_it(home):
    with occupied(home, act="up"):
        child = subprocess.Popen([sys.executable, "-c", SLEEPS], stdout=subprocess.PIPE)
        assert child.stdout is not None
        child.stdout.readline()
    try:
        with occupied(home, act="up"):
            assert child.poll() is None
    finally:
        child.kill()
        child.wait(60)
        child.stdout.close()


def test_without_programs_nobody_is_waited_for(home):
    said: list[str] = []

    require_no_orphans(home, say=said.append)

    assert said == []


@pytest.fixture
def orphan(home: Home) -> Iterator[subprocess.Popen[bytes]]:
    """A program that outlived the block of its supervisor."""
    with held_by_programs(home) as lock:
        process = subprocess.Popen(
            [sys.executable, "-c", SLEEPS], pass_fds=[lock], stdout=subprocess.PIPE, start_new_session=True
        )
        assert process.stdout is not None
        process.stdout.readline()
    yield process
    process.kill()
    process.wait(60)
    process.stdout.close()


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="tells who by /proc")
def test_a_program_that_is_left_is_named(home, orphan):
    with pytest.raises(Occupied, match=rf"still run from .*: {orphan.pid}\. End them first\."):
        require_no_orphans(home, say=lambda _: None, patience_seconds=0)


def test_a_program_that_ends_while_it_is_waited_for_is_no_hindrance(home, orphan):
    require_no_orphans(home, say=lambda _: orphan.kill())


def test_the_last_that_uses_a_database_is_told_so(home):
    first, second = use_database(home), use_database(home)

    assert not first()
    assert second()


def test_who_comes_while_the_last_one_stops_it_waits(home):
    is_last = use_database(home)
    assert is_last()
    code = (
        "import sys\nfrom pathlib import Path\nfrom vault.home import Home\n"
        "from vault.occupancy import use_database\nprint('asks', flush=True)\n"
        "use_database(Home(Path(sys.argv[1])))\nprint('uses', flush=True)"
    )
    comes = subprocess.Popen(
        [sys.executable, "-c", code, str(home.path)], cwd=ROOT, stdout=subprocess.PIPE, text=True
    )
    assert comes.stdout is not None
    try:
        assert comes.stdout.readline() == "asks\n"
        with pytest.raises(subprocess.TimeoutExpired):
            comes.wait(1)
    finally:
        comes.kill()
        comes.communicate()
