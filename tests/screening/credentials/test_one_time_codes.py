from __future__ import annotations

import pytest

from vault.screening.credentials import find_credentials

FOUND = [
    "482 901".replace(" ", "") + " is your Acme verification code",
    "Your Acme security code is 482901. Do not share it.",
    "Use 482901 as your Acme login code",
    "Enter code 482901 to sign in.",
    "One-time code: 482-901",
    "OTP 482901, valid for 5 minutes",
    "G-482901 is your Acme verification code.",
    "【Acme】验证码482901，5分钟内有效",
    "認証コード：482901",
    "인증번호 482901",
    "Uw verificatiecode is: 482901",
    "Ihr Bestätigungscode lautet 482901",
    "Tu código de verificación es 482901",
    "Votre code de vérification est 482901",
    "Код подтверждения: 482901",
    "The code that came by text message is 448201.",
    "Acme Pay code: 482901",
    "Your Acme security code is 482901. Keep it safe.",
]


@pytest.mark.parametrize("text", FOUND)
def test_a_code_in_context_is_found(text: str) -> None:
    assert [text[h.start : h.end] for h in find_credentials(text) if h.type == "ONE_TIME_CODE"]


@pytest.mark.parametrize(
    "text",
    [
        "code 867530",
        "Your zip code is 90210",
        "Your discount code is 48290",
        "The error code is 404123",
        "Invoice 482901 was paid.",
        "The area code is 0815",
        "Two-step verification is off since 2024.",
        "The machine shows code 4711.",
        "The printer in the hall shows code 4711",
        "Leave it in the parcel box, code 4711.",
        "Your door code is 4711.",
        "The gate access code is 4471.",
        "Use 4471 to access the gate.",
        "The last backup is 2024-11-30.",
        "Backup: 3 disks, 2 tapes",
    ],
)
def test_a_number_that_is_no_login_code_is_passed(text: str) -> None:
    assert not find_credentials(text)


def test_every_spare_code_of_a_list_is_found() -> None:
    codes = ["8H3K" + "-22LM", "9PQR" + "-77XC"]
    text = f"2FA backup codes: {codes[0]}, {codes[1]}"

    assert [text[h.start : h.end] for h in find_credentials(text)] == codes
