"""The demo finds the vault that runs from its home, or says what to set."""

from __future__ import annotations

import stat

import pytest
from django.core.management import CommandError, call_command

from tests.factories import make_namespace
from vault.client import Unauthenticated
from vault.demo.finding import NoVault, find_vault, is_elsewhere, require_data
from vault.home import Home
from vault.management.commands import demo
from vault.running import address_noted, noted_address

USUAL = "http://127.0.0.1:8000"
OTHER = "http://127.0.0.1:8123"


@pytest.fixture
def home(tmp_path) -> Home:
    return Home(tmp_path)


def up(*urls: str):
    return lambda url: url in urls


def test_the_address_is_noted_while_a_vault_runs_for_its_owner_alone(home):
    with address_noted(home, host="127.0.0.1", port=8123):
        assert noted_address(home) == OTHER
        assert stat.S_IMODE(home.address.stat().st_mode) == 0o600

    assert noted_address(home) is None


def test_the_address_goes_when_the_run_ends_in_a_fault(home):
    with pytest.raises(RuntimeError), address_noted(home, host="127.0.0.1", port=8123):
        raise RuntimeError

    assert noted_address(home) is None


@pytest.mark.parametrize(("host", "url"), [("0.0.0.0", OTHER), ("::", "http://[::1]:8123")])  # noqa: S104
def test_a_vault_that_listens_everywhere_is_reached_here(home, host, url):
    with address_noted(home, host=host, port=8123):
        assert noted_address(home) == url


def test_a_vault_of_this_home_is_found_at_another_port(home):
    with address_noted(home, host="127.0.0.1", port=8123):
        assert find_vault(None, home=home, usual=USUAL, answers=up(OTHER, USUAL)) == OTHER


def test_one_that_fell_without_a_word_is_passed_over(home):
    with address_noted(home, host="127.0.0.1", port=8123):
        assert find_vault(None, home=home, usual=USUAL, answers=up(USUAL)) == USUAL


def test_an_address_that_was_asked_for_is_the_only_one_tried(home):
    with address_noted(home, host="127.0.0.1", port=8123), pytest.raises(NoVault, match="http://asked"):
        find_vault("http://asked.example", home=home, usual=USUAL, answers=up(OTHER, USUAL))


def test_where_none_answers_it_says_what_to_set_and_which_home_this_is(home):
    with pytest.raises(NoVault, match="the same VAULT_HOME and PORT") as told:
        find_vault(None, home=home, usual=USUAL, answers=up())

    assert str(home.path) in str(told.value)


@pytest.mark.django_db
def test_a_home_with_a_vault_will_do(home):
    require_data(home)


@pytest.mark.django_db
def test_the_command_says_that_the_vault_which_answers_is_of_another_home(monkeypatch):
    class Stranger:
        def __init__(self, *_: object, **__: object) -> None:
            raise Unauthenticated(401, {"code": "unauthenticated"})

    make_namespace("demo")
    monkeypatch.setattr(demo, "find_vault", lambda *_, **__: OTHER)
    monkeypatch.setattr(demo, "Supplier", Stranger)

    with pytest.raises(CommandError) as told:
        call_command("demo")

    assert str(told.value) == is_elsewhere(OTHER, demo.settings.HOME)
