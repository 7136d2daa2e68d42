from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vault.screening.credentials import find_credentials
from vault.screening.credentials.said_about import WORDS, is_said_about

PHRASE = " ".join(("correct", "horse", "battery", "staple"))
WEAK = "Popcorn" + "5"
MIXED = "letmein" + "99"


def passwords(text: str) -> set[str]:
    return {text[h.start : h.end] for h in find_credentials(text) if h.type == "PASSWORD"}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("password: sunshine", "sunshine"),
        ("Wifi password: sunshine\nRouter: upstairs", "sunshine"),
        ("Passwort: gartenzwerg", "gartenzwerg"),
        ("Mot de passe : tournesol", "tournesol"),
        ("the password is sunshine", "sunshine"),
        ("The password for the guest network is now sunshine.", "sunshine"),
        ("his login is maria and the password is sunshine", "sunshine"),
        ("The password is sunshine and the user is maria.", "sunshine"),
        ("log in with user maria and password sunshine", "sunshine"),
        ("Das Passwort lautet Gartenzwerg.", "Gartenzwerg"),
        ("Das Passwort habe ich auf Gartenzwerg gestellt.", "Gartenzwerg"),
        ("La contraseña es girasol.", "girasol"),
        ("We changed the wifi password to marmalade.", "marmalade"),
        ("The password was reset to marmalade.", "marmalade"),
        (f"The passphrase for the archive is {PHRASE}.", PHRASE),
    ],
)
def test_a_word_that_is_clearly_stated_to_be_the_password_is_found(text: str, value: str) -> None:
    assert passwords(text) == {value}


@pytest.mark.parametrize(
    "text",
    [
        "The password is required.",
        "The password is wrong.",
        "The password is long enough.",
        "The password is expired",
        "The password is case sensitive",
        "The password is the name of the dog",
        "The password is on the fridge.",
        "The password is Friday's date.",
        "The password is stored encrypted in the vault.",
        "Password: Required",
        "Password: settings",
        "Das Passwort ist falsch.",
        "Das Passwort ist abgelaufen.",
        "Das Passwort ist verschlüsselt.",
        "Das Passwort wurde geändert.",
        "Le mot de passe est obligatoire.",
        "Le mot de passe est oublié.",
        "La contraseña es incorrecta.",
        "La contraseña es muy larga.",
        "Reset the password to continue.",
        "Her password was changed to something stronger.",
        "The passphrase is kept in the safe",
        "The passphrase is stored encrypted using AES",
        "Enter your user name and password Monday.",
        "User login and password fields",
        "{ email: email, password: hash }",
        "const form = {\n  password: sunshine\n}",
    ],
)
def test_what_is_said_about_a_password_is_passed(text: str) -> None:
    assert not passwords(text)


@given(st.sampled_from(sorted(word for word in WORDS if word.isalpha())), st.booleans())
def test_no_listed_word_is_ever_taken_for_a_password(word: str, capital: bool) -> None:
    shown = word.capitalize() if capital else word

    assert is_said_about(shown)
    assert not passwords(f"The password is {shown}.")


@pytest.mark.parametrize(
    ("text", "value"),
    [
        (f"You get into the admin panel with admin / {MIXED}.", MIXED),
        ("Wifi: Barn / cowbell" + "77", "cowbell" + "77"),
        (f"The Netflix login: kids@example.com / {WEAK}", WEAK),
        (f"The server is admin / {MIXED}", MIXED),
    ],
)
def test_an_account_and_a_password_with_a_stroke_between_are_a_login(text: str, value: str) -> None:
    assert passwords(text) == {value}


@pytest.mark.parametrize(
    "text",
    [
        "Login: email / phone",
        "WiFi: 802.11ac / 802.11n",
        "Router: 2.4GHz / 5GHz band",
        "The server is Ubuntu / Debian12",
        "Open the admin panel with Chrome / Firefox120",
        "The account manager is Zora / Team2024",
    ],
)
def test_two_things_with_a_stroke_between_are_no_login(text: str) -> None:
    assert not passwords(text)
