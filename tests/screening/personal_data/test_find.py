from __future__ import annotations

import pytest

from vault.screening.personal_data import Hit, find_personal_data
from vault.screening.policy import DEFAULT_POLICY
from vault.types import Action, Category


def found(text: str, label: str = "") -> list[Hit]:
    return find_personal_data(text, label=label, words={}, check_time=lambda: None)


def of_type(text: str, kind: str, label: str = "") -> list[str]:
    return [text[h.start : h.end] for h in found(text, label) if h.type == kind]


@pytest.mark.parametrize(
    ("text", "kind", "value"),
    [
        ("Write to zora.quill@example.com.", "EMAIL_ADDRESS", "zora.quill@example.com"),
        ("Call me at +44 20 7946 0958 tonight", "PHONE_NUMBER", "+44 20 7946 0958"),
        ("The printer is 192.0.2.17 now", "IP_ADDRESS", "192.0.2.17"),
        ("Her page is https://zora.example/about.", "URL", "https://zora.example/about"),
        ("passport number X4RTBPFW4 was scanned", "PASSPORT", "X4RTBPFW4"),
        ("Her account number is 40918273 at the bank", "ACCOUNT_NUMBER", "40918273"),
        ("hetu 131052-308T belongs to her", "FI_PERSONAL_IDENTITY_CODE", "131052-308T"),
        ("NHS number 943 476 5919", "UK_NHS", "943 476 5919"),
        ("my brother just turned 47", "AGE", "47"),
        ("Please ask Dr. Vasseltine about it", "TITLE", "Dr."),
        ("Please ask Dr. Vasseltine about it", "PERSON", "Vasseltine"),
        ("my sister Oriane calls on Monday", "PERSON", "Oriane"),
        ("The report is dated 2026-03-14.", "DATE_TIME", "2026-03-14"),
        ("she moved to NORWAY", "LOCATION", "NORWAY"),
        ("Deliver to 14 Birch Lane Apt. 9, Fenwick", "LOCATION", "14 Birch Lane Apt. 9, Fenwick"),
        ("Send it to P.O. Box 221 please", "LOCATION", "P.O. Box 221"),
        ("He works at Harrow Mill Ltd", "ORGANIZATION", "Harrow Mill Ltd"),
    ],
)
def test_it_is_found_with_its_type(text: str, kind: str, value: str) -> None:
    assert value in of_type(text, kind)


@pytest.mark.parametrize(
    "text",
    [
        "Edit settings.py and main.rs first.",
        "Version 3.12.4 fixes issue 48213.",
        "Gate A1, seat C7, boarding group 4.",
        "The build took 2024-01-15T14:22:09 to 14:25.",
        "The ratio is 0.864594 of the total.",
        "Request 3f2504e0-4f89-41d3-9a0c-0305e82c3301 failed.",
        "Order 7204418 shipped in box 12.",
        "Order id fd7cc770-a151-4306-8836-b5640e209f45 was sent.",
        "call_9f17023456789abcdef01234",
        "Open between 14 and 16.",
        "Takes 10 to 12 days.",
        "Zwischen 14 und 16 Uhr erreichbar.",
        "Order 35 AB 1234 was shipped.",
    ],
)
def test_codes_and_versions_identify_nobody(text: str) -> None:
    sure = {h.type for h in found(text) if h.score >= 0.6} - {
        "DATE_TIME",
        "LOCATION",
        "ORGANIZATION",
        "PERSON",
    }

    assert not sure


def test_a_bare_number_is_only_possible_without_its_name() -> None:
    (alone,) = [h for h in found("10000000146") if h.type == "TR_NATIONAL_ID"]
    (named,) = [h for h in found("TC Kimlik No: 10000000146") if h.type == "TR_NATIONAL_ID"]

    assert alone.score < 0.6 < named.score


def test_the_name_of_a_field_is_context() -> None:
    assert of_type("10000000146", "TR_NATIONAL_ID", label="tckn")


def test_a_card_is_not_also_a_telephone_number() -> None:
    assert not of_type("Rent goes to 2223 0031 2200 3222 each month.", "PHONE_NUMBER")


@pytest.mark.parametrize(
    "text",
    [
        "Part 0501-313-375 fits the pump; order two.",
        "Ticket no. 415-555-0132 is closed.",
        "Ersatzteil 0501 313 375 bestellen.",
        "SKU #555-013-4477 is sold out.",
    ],
)
def test_a_number_that_names_a_thing_is_labelled_and_not_masked(text: str) -> None:
    assert all(hit.score < 0.6 for hit in found(text) if hit.type.endswith("PHONE_NUMBER"))


@pytest.mark.parametrize(
    "text",
    [
        "Call about part 12 on 0501-313-375.",
        "The part supplier's phone is 0501-313-375.",
        "Tickets: +44 20 7946 0958",
    ],
)
def test_a_number_that_is_called_or_says_its_country_is_masked_beside_such_a_word(text: str) -> None:
    assert any(hit.score >= 0.6 for hit in found(text) if hit.type == "PHONE_NUMBER")


def test_an_address_on_the_border_of_two_pieces_is_found_whole() -> None:
    text = "x " * 995 + "zora.quill@example.com" + " y" * 200

    assert "zora.quill@example.com" in of_type(text, "EMAIL_ADDRESS")


def test_time_is_looked_at_between_pieces() -> None:
    calls: list[int] = []

    find_personal_data("word " * 2000, words={}, check_time=lambda: calls.append(1))

    assert len(calls) > 5


def masked(text: str) -> list[str]:
    """What the default policy would mask: direct identifiers that are more than possible."""
    return [
        text[h.start : h.end]
        for h in found(text)
        if DEFAULT_POLICY.action_for(Category.PII, h.type, score=h.score) is Action.REDACT
    ]


@pytest.mark.parametrize(
    "text",
    [
        "Order #AB-2024-118273 is missing item 3 of 5.",
        "The return is RMA-2024-118273.",
        "Please call about case KX/2024-118-2733.",
    ],
)
def test_digits_after_letters_and_a_dash_are_a_part_of_a_code(text: str) -> None:
    assert not masked(text)


def test_a_number_joined_to_the_word_telephone_is_one() -> None:
    assert masked("Tel-0171 2345678") == ["0171 2345678"]


@pytest.mark.parametrize(
    "text", ["Customer number 4929123456789", "Customer ID C-88123", "client no. 48120077"]
)
def test_the_number_of_a_customer_is_kept(text: str) -> None:
    assert not masked(text)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("My account number at the bank is 12345678.", "12345678"),
        ("My bank account is 12345678", "12345678"),
        ("Kontonummer 12345678", "12345678"),
        ("Meine Kontonummer bei der Sparkasse lautet 12345678.", "12345678"),
        ("Le numéro de compte est 12345678.", "12345678"),
        ("My tax number is 12/345/67890", "12/345/67890"),
        ("Steuernummer: 12/345/67890", "12/345/67890"),
        ("Meine Telefonnummer ist 0171 2345678.", "0171 2345678"),
        ("phone 0171 2345678", "0171 2345678"),
    ],
)
def test_a_number_that_is_named_is_masked_whole(text: str, value: str) -> None:
    assert set(masked(text)) == {value}


def test_a_tax_number_is_not_also_a_telephone_number() -> None:
    assert not of_type("My tax number is 12/345/67890", "PHONE_NUMBER")


def test_a_telephone_number_that_a_name_covers_in_part_is_masked_whole() -> None:
    assert "0171 2345678" in masked("Her member number 0171 2345678 is her telephone.")


def test_the_codes_of_a_bank_are_masked_beside_the_number_of_an_account() -> None:
    text = "Account number 12345678, routing number 021000021, sort code 20-00-00."

    assert set(masked(text)) == {"12345678", "021000021", "20-00-00"}
    assert not masked("The sort code of the branch is 20-00-00.")


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("The alarm code is 4711.", "4711"),
        ("The safe opens with 4-18-77.", "4-18-77"),
        ("gate code for deliveries is 4471", "4471"),
        ("The code for the front door is 4471#", "4471"),
        ("Leave it in the parcel box, code 4711.", "4711"),
        ("Use 4471 to open the gate.", "4471"),
        ("Alarmcode: 4711", "4711"),
        ("Der Code für die Haustür ist 4711.", "4711"),
    ],
)
def test_the_code_of_a_door_or_an_alarm_is_labelled_and_kept(text: str, value: str) -> None:
    assert set(of_type(text, "ACCESS_CODE")) == {value}
    assert not masked(text)


@pytest.mark.parametrize(
    "text",
    [
        "The safe opens at 9 and closes at 17.",
        "Building codes 2021 apply to the door.",
        "The alarm rang at 7:30 in room 4711.",
        "The door is 2040 mm high.",
    ],
)
def test_other_numbers_beside_a_door_are_no_codes(text: str) -> None:
    assert not of_type(text, "ACCESS_CODE")
