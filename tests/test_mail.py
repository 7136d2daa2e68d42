from __future__ import annotations

import pytest
from django.core.exceptions import ImproperlyConfigured

from vault.mail import NO_MAIL, mail_from_environment, mail_settings

WORD = "p" + "%40ss"


def test_without_a_server_mail_goes_nowhere():
    assert mail_settings("") == {"EMAIL_BACKEND": NO_MAIL}


def test_those_who_send_in_another_way_name_their_backend():
    assert mail_settings("", backend="own.Backend") == {"EMAIL_BACKEND": "own.Backend"}


@pytest.mark.parametrize(
    ("scheme", "port", "switch"),
    [("smtp", 25, None), ("smtp+tls", 587, "EMAIL_USE_TLS"), ("smtps", 465, "EMAIL_USE_SSL")],
)
def test_the_scheme_says_how_the_way_is_protected(scheme, port, switch):
    settings = mail_settings(f"{scheme}://mail.example")

    assert (settings["EMAIL_HOST"], settings["EMAIL_PORT"]) == ("mail.example", port)
    assert [name for name in ("EMAIL_USE_TLS", "EMAIL_USE_SSL") if settings.get(name)] == (
        [switch] if switch else []
    )


def test_name_and_password_are_decoded():
    settings = mail_settings(f"smtp+tls://vault%40mail.example:{WORD}@mail.example:2525")

    assert (settings["EMAIL_HOST_USER"], settings["EMAIL_HOST_PASSWORD"], settings["EMAIL_PORT"]) == (
        "vault@mail.example", "p@ss", 2525,
    )  # fmt: skip


@pytest.mark.parametrize("url", ["mail.example", "http://mail.example", "smtp://", "smtp:///x"])
def test_anything_else_stops_the_start(url):
    with pytest.raises(ImproperlyConfigured):
        mail_settings(url)


def test_a_password_may_stand_in_a_file(monkeypatch, tmp_path):
    file = tmp_path / "mail"
    file.write_text(f"smtps://vault:{WORD}@mail.example\n")
    monkeypatch.setenv("EMAIL_URL_FILE", str(file))

    assert mail_from_environment()["EMAIL_HOST"] == "mail.example"
