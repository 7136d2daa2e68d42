from __future__ import annotations

import os
import stat

import pytest

from vault.home import (
    SECRET_FILES,
    Home,
    UnusableHome,
    create_secrets,
    export_environment,
    home_from_environment,
    require_folder,
    write_secret,
)


def mode(path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_every_secret_is_made_for_its_owner_alone(tmp_path):
    home = Home(tmp_path / "home")

    create_secrets(home)

    assert {mode(home.secret(name)) for name in SECRET_FILES} == {0o600}
    assert mode(home.keys) == 0o700


def test_secrets_of_one_home_differ_from_each_other_and_from_anothers(tmp_path):
    homes = [Home(tmp_path / name) for name in ("one", "two")]
    for home in homes:
        create_secrets(home)

    made = {home.secret(name).read_text() for home in homes for name in SECRET_FILES}

    assert len(made) == 2 * len(SECRET_FILES)


def test_a_secret_that_exists_is_never_replaced(tmp_path):
    path = tmp_path / "secret"
    write_secret(path, "first")
    write_secret(path, "second")

    assert path.read_text() == "first"


def test_a_start_that_was_killed_leaves_no_half_of_a_secret(tmp_path, monkeypatch):
    def killed(_: int) -> None:
        assert not (tmp_path / "secret").exists()
        raise KeyboardInterrupt

    monkeypatch.setattr("os.fsync", killed)
    with pytest.raises(KeyboardInterrupt):
        write_secret(tmp_path / "secret", "whole")

    assert list(tmp_path.iterdir()) == []


def test_what_is_no_folder_is_no_home(tmp_path):
    (tmp_path / "file").touch()

    for path in (tmp_path / "file", tmp_path / "file" / "below"):
        with pytest.raises(UnusableHome, match="Set VAULT_HOME to a folder"):
            require_folder(Home(path))
        with pytest.raises(UnusableHome, match="Set VAULT_HOME to a folder"):
            create_secrets(Home(path))


def test_a_name_that_leads_nowhere_is_no_home(tmp_path, monkeypatch):
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    monkeypatch.setenv("VAULT_HOME", str(tmp_path / "loop"))

    with pytest.raises(UnusableHome, match="leads nowhere"):
        home_from_environment()


def test_a_home_is_new_until_it_has_secrets(tmp_path):
    home = Home(tmp_path / "home")
    assert home.is_new

    create_secrets(home)

    assert not home.is_new


def test_the_environment_points_at_the_files_and_holds_no_secret(tmp_path, monkeypatch):
    home = Home(tmp_path / "home")
    create_secrets(home)
    for name in SECRET_FILES:
        monkeypatch.delenv(name, raising=False)
        monkeypatch.setenv(f"{name}_FILE", "")
        monkeypatch.delenv(f"{name}_FILE")

    export_environment(home)

    assert os.environ["SECRET_KEY_FILE"] == str(home.secret("SECRET_KEY"))
    assert "SECRET_KEY" not in os.environ


def test_what_an_operator_has_set_is_kept(tmp_path, monkeypatch):
    home = Home(tmp_path / "home")
    create_secrets(home)
    monkeypatch.setenv("SECRET_KEY_FILE", "elsewhere")

    export_environment(home)

    assert os.environ["SECRET_KEY_FILE"] == "elsewhere"


def test_the_home_is_the_one_that_the_environment_names(tmp_path, monkeypatch):
    monkeypatch.setenv("VAULT_HOME", str(tmp_path))

    assert home_from_environment() == Home(tmp_path)


@pytest.mark.parametrize("value", ["", None])
def test_without_a_name_the_home_is_var_of_the_checkout(monkeypatch, value):
    monkeypatch.delenv("VAULT_HOME")
    if value is not None:
        monkeypatch.setenv("VAULT_HOME", value)

    assert home_from_environment().path.name == "var"
