"""The embedded database, in homes of its own; `test_starts_cut_short.py` kills whole starts."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from vault import cluster, embedded
from vault.home import Home, create_secrets
from vault.postmaster import forget_dead_postmaster, postmaster_of, ready_postmaster

WHOLE = "{pid}\n{folder}\n1\n5432\n{folder}\n\n  1  2\nready   \n"


@pytest.fixture
def home(monkeypatch: pytest.MonkeyPatch) -> Iterator[Home]:
    """A home whose path has a blank; not below pytest's own folder, which the database's user may not enter."""
    monkeypatch.setenv("DATABASE_URL", os.environ.get("DATABASE_URL", ""))
    made = Path(tempfile.mkdtemp(prefix="vault embedded "))
    home = Home(made / "home")
    create_secrets(home)
    yield home
    embedded.stop(home)
    shutil.rmtree(made)


def databases() -> set[str]:
    with psycopg.connect(os.environ["DATABASE_URL"]) as connection:
        return {name for (name,) in connection.execute("SELECT datname FROM pg_database")}


def half_made(folder: Path) -> None:
    """What initdb leaves when it is killed: no database but those that it makes, and a file of its own server."""
    (folder / "base" / "1").mkdir(parents=True)
    (folder / "PG_VERSION").write_text("18\n")
    (folder / "postmaster.pid").write_text(f"-999999999\n{folder}\n1\n5432\n\n")


@pytest.mark.parametrize(
    "left", ["nothing", "an empty folder", "a half-made cluster", "an empty PG_VERSION", "a making"]
)
def test_whatever_a_start_that_was_killed_left_a_database_is_made(home, left):
    if left == "an empty folder":
        home.database.mkdir()
    elif left == "a half-made cluster":
        half_made(home.database)
    elif left == "an empty PG_VERSION":
        home.database.mkdir()
        (home.database / "PG_VERSION").touch()
    elif left == "a making":
        half_made(home.path / "database.making-x")

    assert embedded.attach(home)

    assert "vault" in databases()
    assert not list(home.path.glob("*.making-*"))


def test_what_was_never_finished_is_moved_aside_and_not_removed(home):
    half_made(home.database)
    said: list[str] = []

    cluster.ensure_cluster(home.database, say=said.append)

    (aside,) = home.path.glob("database.unfinished-*")
    assert (aside / "PG_VERSION").exists()
    assert [str(aside) in line for line in said] == [True]


@pytest.mark.parametrize("sign", [cluster.MARK, "base/16384"])
def test_a_cluster_that_may_hold_something_is_never_touched(tmp_path, sign):
    folder = tmp_path / "database"
    half_made(folder)
    (folder / sign).mkdir()
    before = sorted(folder.rglob("*"))

    cluster.ensure_cluster(folder, say=pytest.fail)

    assert sorted(folder.rglob("*")) == before


def test_a_database_of_an_older_version_gets_its_mark_with_its_next_start(home):
    embedded.attach(home)
    (home.database / cluster.MARK).unlink()

    assert not embedded.attach(home)

    assert (home.database / cluster.MARK).exists()


@pytest.mark.parametrize("left", ["", "\n", "x\n", "-16804\n{folder}\n1\n", "{pid}\n", WHOLE, "9" * 30])
def test_a_file_of_a_server_that_is_gone_keeps_none_from_starting(home, left):
    """Among them one whose number is another process's by now: of this test."""
    cluster.ensure_cluster(home.database, say=pytest.fail)
    (home.database / "postmaster.pid").write_text(left.format(pid=os.getpid(), folder=home.database))

    assert postmaster_of(home.database) is None
    assert embedded.attach(home)


def test_the_file_of_a_server_that_runs_stays(home):
    embedded.attach(home)

    forget_dead_postmaster(home.database)

    assert postmaster_of(home.database) is not None


def test_a_server_that_is_not_ready_in_time_is_none(home):
    embedded.attach(home)
    pid = home.database / "postmaster.pid"
    pid.write_text(pid.read_text().replace("ready", "starting"))

    assert ready_postmaster(home.database, patience_seconds=0) is None


def test_a_server_that_fell_is_started_again(home):
    embedded.attach(home)
    server = postmaster_of(home.database)
    assert server
    os.kill(server.pid, 9)
    while postmaster_of(home.database):
        pass

    assert embedded.keep_running(home)
    assert not embedded.keep_running(home)
    assert "vault" in databases()


def test_a_server_is_stopped_when_a_later_step_fails(home):
    embedded.attach(home)
    embedded.stop(home)
    home.secret("DATABASE_OWNER_PASSWORD").write_text("another")

    with pytest.raises(embedded.DatabaseFault, match="did not start"):
        embedded.attach(home)

    assert postmaster_of(home.database) is None


def test_a_database_that_does_not_start_is_told_in_a_line(home, monkeypatch, capfd):
    monkeypatch.setattr(embedded, "PAUSE_SECONDS", 0)
    embedded.attach(home)
    embedded.stop(home)
    (home.database / "postgresql.conf").write_text("nonsense")

    with pytest.raises(embedded.DatabaseFault) as told:
        embedded.attach(home)

    assert str(home.database / "log") in str(told.value)
    assert len(str(told.value).splitlines()) == 1
    assert capfd.readouterr() == ("", "")


def test_to_stop_what_does_not_run_is_no_fault(home):
    embedded.stop(home)
