"""Which commands make a home: decided here, and tried with every command there is."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.core.management import get_commands

from tests.vault_processes import ROOT, inherited, manage
from vault.admission import NEED_NONE, Ground, NoVaultHere, ground_of
from vault.home import Home, create_secrets

OURS = sorted(name for name, app in get_commands().items() if app in ("vault", "audit", "console"))
WITHOUT_A_HOME = {"up", *NEED_NONE}
GIVEN = {"DATABASE_URL": "postgresql://db.example/vault"}


@pytest.fixture
def nowhere(tmp_path: Path) -> Home:
    return Home(tmp_path / "mistyped")


@pytest.fixture
def there(tmp_path: Path) -> Home:
    home = Home(tmp_path / "there")
    create_secrets(home)
    return home


def ground(home: Home, *arguments: str, **environment: str) -> Ground:
    return ground_of(list(arguments), home, environment=environment)


@pytest.fixture
def temporary() -> Iterator[Path]:
    """A folder for temporary files; not pytest's own, which is shut to the user that the database runs as."""
    made = Path(tempfile.mkdtemp(prefix="vault-none-"))
    yield made
    shutil.rmtree(made)


@pytest.mark.parametrize("command", [name for name in OURS if name not in WITHOUT_A_HOME])
def test_a_command_on_a_home_that_is_not_there_says_so_in_one_line_and_makes_nothing(nowhere, command):
    answer = manage(nowhere.path, command)

    assert answer.returncode == 1
    assert answer.stdout == ""
    assert answer.stderr.splitlines() == [
        f"There is no vault in {nowhere.path}; nothing was made. "
        "`make run` makes one. If yours is elsewhere, set VAULT_HOME to it."
    ]
    assert not nowhere.path.exists()


@pytest.mark.parametrize("command", ["migrate", "shell", "runserver", "dmeo"])
def test_neither_do_the_frameworks_commands_nor_one_that_there_is_not(nowhere, command):
    assert manage(nowhere.path, command).returncode == 1
    assert not nowhere.path.exists()


def test_an_empty_folder_is_no_home_either(tmp_path):
    answer = manage(tmp_path, "demo")

    assert answer.returncode == 1
    assert list(tmp_path.iterdir()) == []


def test_a_measurement_runs_in_a_home_that_is_gone_afterwards(nowhere, temporary):
    answer = subprocess.run(
        [sys.executable, "manage.py", "evaluate", "secrets", "--data", str(temporary / "none")],
        cwd=ROOT,
        env={**inherited(), "VAULT_HOME": str(nowhere.path), "TMPDIR": str(temporary)},
        capture_output=True, text=True, timeout=240, check=False,
    )  # fmt: skip

    assert "in the data folder" in answer.stderr
    assert not nowhere.path.exists()
    assert list(temporary.glob("vault-home-*")) == []


@pytest.mark.parametrize("command", sorted(NEED_NONE))
def test_what_needs_no_vault_gets_a_temporary_home(nowhere, command):
    assert ground(nowhere, command) is Ground.TEMPORARY


@pytest.mark.parametrize("arguments", [(), ("up", "--help"), ("demo", "-h"), ("--version",)])
def test_whoever_asks_for_help_makes_no_home(nowhere, arguments):
    assert ground(nowhere, *arguments) is Ground.TEMPORARY


@pytest.mark.parametrize("command", [name for name in OURS if name != "up"])
def test_a_home_that_is_there_is_taken_as_it_is(there, command):
    assert ground(there, command) is Ground.AS_IT_IS


@pytest.mark.parametrize("home", ["nowhere", "there"])
def test_up_makes_a_home_and_holds_it(request, home):
    assert ground(request.getfixturevalue(home), "up") is Ground.SERVED
    assert ground(request.getfixturevalue(home), "up", **GIVEN) is Ground.SERVED


def test_a_restore_makes_a_home_where_the_root_key_was_put(nowhere):
    nowhere.keys.mkdir(parents=True)
    nowhere.root_key.write_text("k")

    assert ground(nowhere, "restore", "file") is Ground.MADE


def test_a_restore_makes_a_home_where_the_root_key_is_elsewhere(nowhere, tmp_path):
    (tmp_path / "key").write_text("k")

    assert ground(nowhere, "restore", ROOT_KEY_FILE=str(tmp_path / "key")) is Ground.MADE


@pytest.mark.parametrize("environment", [{}, {"ROOT_KEY_FILE": "nowhere/key"}])
def test_a_restore_without_a_root_key_makes_none(nowhere, environment):
    with pytest.raises(NoVaultHere):
        ground(nowhere, "restore", "file", **environment)


@pytest.mark.parametrize("secret", ["SECRET_KEY", "SECRET_KEY_FILE"])
def test_with_a_database_and_secrets_of_its_own_a_command_needs_no_home(nowhere, secret):
    assert ground(nowhere, "demo", **GIVEN, **{secret: "x"}) is Ground.AS_IT_IS


@pytest.mark.parametrize("command", ["demo", "evaluate", "check"])
def test_without_secrets_no_new_ones_are_made_for_somebodys_database(nowhere, command):
    with pytest.raises(NoVaultHere):
        ground(nowhere, command, **GIVEN)


def test_a_command_beside_a_database_of_its_own_makes_no_home(nowhere):
    secrets = ("SECRET_KEY", "DATABASE_RUNTIME_PASSWORD", "METRICS_TOKEN")
    answer = subprocess.run(
        [sys.executable, "manage.py", "demo", "--url", "http://127.0.0.1:1"],
        cwd=ROOT,
        env={
            **inherited(),
            "VAULT_HOME": str(nowhere.path),
            "DATABASE_URL": os.environ["DATABASE_URL"],
            **dict.fromkeys(secrets, "x"),
        },
        capture_output=True, text=True, timeout=240, check=False,
    )  # fmt: skip

    assert "No vault answers" in answer.stderr
    assert not nowhere.path.exists()
