from __future__ import annotations

import pytest

from vault.screening.credentials import find_credentials

VALUE = "Gr4vel-" + "Otter_19"
OPAQUE = "9f8e7d6c" + "5b4a3f2e" + "1d0c9b8a"


def values(text: str, label: str = "") -> set[str]:
    return {text[h.start : h.end] for h in find_credentials(text, label=label)}


@pytest.mark.parametrize(
    "text",
    [
        f"the password is {VALUE}",
        f"The wifi password for the guest network is {VALUE}.",
        f"password: {VALUE}",
        f"her password '{VALUE}' was leaked",
        f"DB_PASSWORD={VALUE}",
        f'"password": "{VALUE}"',
        f"passphrase changed to {VALUE}",
        f"Das Passwort lautet {VALUE}",
        f"le mot de passe est {VALUE}",
        f"la contraseña es {VALUE}",
        f"a senha é {VALUE}",
        f"пароль: {VALUE}",
        f"パスワードは{VALUE}です",
        f"密码是{VALUE}",
        f"비밀번호: {VALUE}",
        f"{VALUE} is my password",
        f"credentials: zora@example.com / {VALUE}",
        f"<password>{VALUE}</password>",
        f'if (password == "{VALUE}") {{',
        f"The database password is as follows.\n{VALUE}",
        f"Password below\n\n{VALUE}",
        f"the password you asked for:\n\n  {VALUE}",
        f"Das Passwort lautet wie folgt:\n{VALUE}",
        f"La contraseña es la siguiente: {VALUE}",
        f"user zora pass {VALUE}",
        f"His password for the portal used to be {VALUE} and still works.",
        f"पासवर्ड है {VALUE}",
    ],
)
def test_a_labelled_password_is_found(text: str) -> None:
    assert VALUE in values(text)


@pytest.mark.parametrize(
    "text",
    [
        f"api_key = {OPAQUE}",
        f"my acme token is {OPAQUE}",
        f"use {OPAQUE} as the acme key",
        f'os.Setenv("ACME_TOKEN", "{OPAQUE}")',
        f"X-Api-Key: {OPAQUE}",
        f"clé api : {OPAQUE}",
        f"密钥：{OPAQUE}",
        f"Your API key is below.\n{OPAQUE}",
    ],
)
def test_a_labelled_key_is_found(text: str) -> None:
    assert OPAQUE in values(text)


@pytest.mark.parametrize(
    "text",
    [
        "the password is required",
        "password: string",
        "PASSWORD=${DB_PASSWORD}",
        "password = os.environ['DB_PASSWORD']",
        'api_key="YOUR_API_KEY"',
        "token = settings.ACCESS_TOKEN",
        "Reset your password within 24 hours.",
        "max_tokens=500",
        f'"unique_key": "{OPAQUE}"',
        "The password must have 12-characters and use SHA-256.",
        "Key results: 14% growth",
        "The secret of good bread is time.",
        "Passwords are as follows. Keep them short and simple.",
        "Reset your password here.\nhttps://example.com/r1",
        "The token limits are listed below.\ngpt-4o-mini",
        "Forgot the password twice.\nThe order of May 3rd arrived.",
    ],
)
def test_what_only_stands_for_a_value_is_passed(text: str) -> None:
    assert not values(text)


def test_the_name_of_a_field_is_a_label() -> None:
    assert values(VALUE, label="db_password") == {VALUE}
    assert values(OPAQUE, label="apiKey") == {OPAQUE}
    assert not values(VALUE, label="nickname")


def test_a_pin_beside_its_name_is_found() -> None:
    assert values("Her PIN is 4821.") == {"4821"}
    assert not values("Pin the note at 4821 Elm Street.")


@pytest.mark.parametrize(
    "text",
    [
        '<label for="password_field">Password:</label> <input id="password_field">',
        "The password-reset_v2 page is slow.",
    ],
)
def test_a_name_that_begins_with_the_label_is_no_value(text: str) -> None:
    assert not values(text)
