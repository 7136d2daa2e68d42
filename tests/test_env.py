from __future__ import annotations

import pytest
from django.core.exceptions import ImproperlyConfigured

from vault.env import database_settings, env_flag, env_list, env_number, env_secret, env_text, env_words

NAME = "VAULT_TEST_SETTING"


@pytest.fixture(autouse=True)
def _unset(monkeypatch):
    monkeypatch.delenv(NAME, raising=False)
    monkeypatch.delenv(f"{NAME}_FILE", raising=False)


@pytest.mark.parametrize("word", ["1", "true", "Yes", "ON", " on "])
def test_words_that_say_yes(monkeypatch, word):
    monkeypatch.setenv(NAME, word)

    assert env_flag(NAME)


@pytest.mark.parametrize("word", ["0", "false", "no", "off", "maybe"])
def test_every_other_word_says_no(monkeypatch, word):
    monkeypatch.setenv(NAME, word)

    assert not env_flag(NAME, default=True)


def test_an_empty_setting_is_an_unset_one(monkeypatch):
    monkeypatch.setenv(NAME, "")

    assert (env_text(NAME, "d"), env_number(NAME, 7), env_flag(NAME, default=True)) == ("d", 7, True)


def test_a_number_that_is_none_stops_the_start(monkeypatch):
    monkeypatch.setenv(NAME, "seven")

    with pytest.raises(ImproperlyConfigured, match=NAME):
        env_number(NAME, 1)


def test_a_list_is_parted_by_commas(monkeypatch):
    monkeypatch.setenv(NAME, "a.example, b.example,,")

    assert env_list(NAME) == ["a.example", "b.example"]


def test_a_secret_is_read_from_the_file_that_is_named(monkeypatch, tmp_path):
    (tmp_path / "secret").write_text("kept\n", encoding="utf-8")
    monkeypatch.setenv(NAME, "other")
    monkeypatch.setenv(f"{NAME}_FILE", str(tmp_path / "secret"))

    assert env_secret(NAME) == "kept"


def test_a_missing_secret_has_no_default():
    with pytest.raises(ImproperlyConfigured, match=f"Set {NAME} or {NAME}_FILE"):
        env_secret(NAME)


@pytest.mark.parametrize("url", ["sqlite:///x", "mysql://h/x", "", "host=x"])
def test_no_other_database_than_postgresql_is_taken(url):
    with pytest.raises(ImproperlyConfigured):
        database_settings(url)


def test_options_of_the_address_reach_the_driver():
    made = database_settings("postgresql://u:p%40@h:5433/d?sslmode=require")

    assert (made["NAME"], made["USER"], made["PASSWORD"], made["HOST"], made["PORT"]) == (
        "d",
        "u",
        "p@",
        "h",
        "5433",
    )
    assert made["OPTIONS"] == {"sslmode": "require"}


def test_a_pool_keeps_its_connections_itself():
    made = database_settings("postgresql:///d", pool=True)

    assert made["CONN_MAX_AGE"] == 0
    assert "pool" in made["OPTIONS"]


def test_words_are_those_that_are_known(monkeypatch):
    monkeypatch.setenv(NAME, " red, green ,")

    assert env_words(NAME, "", known=["red", "green", "blue"]) == {"red", "green"}


def test_a_word_that_nobody_knows_stops_the_start(monkeypatch):
    monkeypatch.setenv(NAME, "red,mauve")

    with pytest.raises(ImproperlyConfigured, match=NAME):
        env_words(NAME, "", known=["red", "green"])
