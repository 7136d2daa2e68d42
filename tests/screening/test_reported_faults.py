"""Faults that users of similar systems reported (D07-D14), with what must still pass."""

from __future__ import annotations

import pytest

from tests.screening.drafts import GITHUB_SHAPED, acted_on, draft, types_in, verdict_on
from vault.screening import redact, screen, screen_fields
from vault.types import Action, Source, SourceType, Trust

IBAN = ["de91", "1000", "0000", "0123", "4567", "89"]
CARD = ["2223", "0031", "2200", "3222"]


@pytest.mark.parametrize(
    "value",
    [" ".join(IBAN), "-".join(IBAN).upper(), "".join(IBAN).upper(), " ".join(CARD), "".join(CARD)],
)
def test_an_account_or_card_number_is_masked_whole_in_every_form(value: str) -> None:
    memory = draft(f"Rent goes to {value} each month.")

    verdict = screen(memory, trust=Trust.STATED, budget_seconds=20)
    masked, _ = redact(memory, verdict.findings)

    assert verdict.action is Action.REDACT
    assert masked.text in ("Rent goes to <IBAN_CODE> each month.", "Rent goes to <CREDIT_CARD> each month.")


def test_an_account_number_with_a_wrong_check_digit_is_no_account_number() -> None:
    verdict = verdict_on("Rent goes to " + " ".join(["DE92", *IBAN[1:]]) + " each month.")

    assert "IBAN_CODE" not in types_in(verdict)
    assert verdict.action in (Action.ALLOW, Action.REDACT)


@pytest.mark.parametrize(
    "changes",
    [
        {"metadata": {"tags": [GITHUB_SHAPED]}},
        {"metadata": {"runner": {"note": GITHUB_SHAPED}}},
        {"metadata": {GITHUB_SHAPED: "x"}},
        {"source": Source(SourceType.USER, GITHUB_SHAPED)},
        {"attribute": GITHUB_SHAPED},
        {"subject": GITHUB_SHAPED},
    ],
)
def test_a_credential_refuses_the_write_from_any_field(changes: dict[str, object]) -> None:
    verdict = verdict_on("Notes for the staging box", **changes)

    assert verdict.action is Action.REFUSE
    assert verdict.reasons[0] == "secret_detected"


def test_a_credential_in_a_turn_refuses_it() -> None:
    verdict = screen_fields(
        {"/content": f"use {GITHUB_SHAPED}"},
        trust=Trust.STATED,
        source_type=SourceType.USER,
        budget_seconds=20,
    )

    assert verdict.action is Action.REFUSE


@pytest.mark.parametrize("text", ["连系邮箱zora.quill@example.com谢谢", "連絡先はzora.quill@example.comです"])
def test_an_address_that_touches_another_script_is_masked_whole(text: str) -> None:
    memory = draft(text)

    masked, _ = redact(memory, screen(memory, trust=Trust.STATED, budget_seconds=20).findings)

    assert masked.text == text.replace("zora.quill@example.com", "<EMAIL_ADDRESS>")


def test_a_password_with_a_chinese_label_is_refused() -> None:
    assert verdict_on("数据库密码：" + "Gr4vel-" + "Otter_19，请勿外传").action is Action.REFUSE


def test_a_french_telephone_number_is_masked() -> None:
    memory = draft("Rappelle-moi au 01 99 00 12 34 ce soir.")

    masked, _ = redact(memory, screen(memory, trust=Trust.STATED, budget_seconds=20).findings)

    assert masked.text == "Rappelle-moi au <PHONE_NUMBER> ce soir."


def test_plain_chinese_passes_unchanged() -> None:
    assert verdict_on("我们决定用PostgreSQL存数据").action is Action.ALLOW


@pytest.mark.parametrize(
    "text",
    [
        "My name is Oriane Vasseltine.",
        "MY NAME IS ORIANE VASSELTINE.",
        "my name is oriane vasseltine and i live in fenwick",
    ],
)
def test_a_name_is_found_in_any_case(text: str) -> None:
    people = [f for f in verdict_on(text).findings if f.type == "PERSON"]

    assert "oriane vasseltine" in {text[f.start : f.end].lower() for f in people}
    assert {f.action for f in people} == {Action.ALLOW}


@pytest.mark.parametrize(
    "text", ["my name is required on the form", "flat 14d was repainted", "order 7204418 shipped"]
)
def test_what_only_sounds_like_an_introduction_names_nobody(text: str) -> None:
    verdict = verdict_on(text)

    assert verdict.action is Action.ALLOW
    assert "PERSON" not in types_in(verdict)


def test_an_emoji_before_the_value_does_not_shift_the_mask() -> None:
    memory = draft("😀👩\u200d🚀 write to zora.quill@example.com today 🙂")

    verdict = screen(memory, trust=Trust.STATED, budget_seconds=20)
    masked, _ = redact(memory, verdict.findings)

    assert masked.text == "😀👩\u200d🚀 write to <EMAIL_ADDRESS> today 🙂"
    assert masked.text.encode()


@pytest.mark.parametrize(
    "text",
    [
        "CONVERSATION notes for chapter C58: see figures F2 and K9.",
        "The public licence policy is explicit about duplicate keys m2 and v3.",
        "Gate A1, seat C7, boarding group 4.",
    ],
)
def test_short_codes_are_neither_licences_nor_people(text: str) -> None:
    verdict = verdict_on(text)

    assert verdict.action is Action.ALLOW
    assert not {kind for kind in types_in(verdict) if "LICEN" in kind or kind == "PERSON"}


@pytest.mark.parametrize(
    "text",
    [
        "Edit settings.py and main.rs, then run import os.path first.",
        "The cat is 42 months old and naps every Monday at 10.",
        "Roadmap review is in Q3 2025.",
        "11/04 17:20:31 WARN poll_fan: slot #2 idle",
    ],
)
def test_file_names_ages_and_dates_are_stored_verbatim(text: str) -> None:
    assert verdict_on(text).action is Action.ALLOW


@pytest.mark.parametrize(
    "text",
    [
        "Request 3f2504e0-4f89-41d3-9a0c-0305e82c3301 was fixed in commit 9f1c2ab34d5e6f708192a3b4c5d6e7f80911aabb.",
        "Please keep my password hints short.",
        "The integrity field starts with sha512- and is public.",
    ],
)
def test_identifiers_and_talk_about_passwords_are_no_credentials(text: str) -> None:
    assert not acted_on(verdict_on(text))
