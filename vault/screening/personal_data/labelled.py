"""Numbers that the text itself names: "passport number X", "account no. X", in whatever format."""

# ruff: noqa: E501 - a pattern is read in one piece

from __future__ import annotations

from collections.abc import Iterator

from vault.screening.credentials.scan import Hit, Scanned

# What a labelled number is called among the rules; it explains its digits better than their form does.
DETECTOR = "labelled-number"

_NUMBER = r"(?:\s?(?:numbers?|no\.?|nr\.?|num|id|ids|code|card|#))*"
# "My account number at the bank is": what stands between the name and the verb.
_WHERE = r"(?:\s(?:at|with|for|from|in|of|bei|für|chez|en|de)\s[^\n.:;,\d]{1,40}?\s(?:is|was|ist|lautet|est|es)\b)?"
_IS = rf"{_WHERE}\s{{0,2}}(?:\b(?:is|was|ist|lautet|est|es|of|are|like|ending (?:in|with))\b|:|=)?\s{{0,2}}[\"'“‘(#]?"
_VALUE = r"([A-Za-z0-9][A-Za-z0-9\-]{3,28})"
# A tax number may have strokes: 12/345/67890.
_STROKED_VALUE = r"([A-Za-z0-9][A-Za-z0-9\-/]{3,28})"
_DIGITS = r"(\d[\d -]{4,24}\d)"

# type, words for it
_LABELS: tuple[tuple[str, str], ...] = (
    ("PASSPORT", r"passports?|pasaporte|passeport|reisepass|passaporto|passaporte|paspoort|paszport|паспорт"),
    ("US_DRIVER_LICENSE", r"driver['’]?s?\slicen[cs]e|drivers?\slic|driving\slicen[cs]e|dl"),
    ("ACCOUNT_NUMBER", r"(?:bank|checking|savings?|current|deposit)?\s?(?:account|acct|acc)"),
    ("TAX_ID", r"tax(?:payer)?(?:\sidentification)?(?:\sid)?|tin|ein|itin|steuer-?id|nif"),
    ("PATIENT_ID", r"patient|mrn|medical\s(?:record|file)|hospital|chart"),
    ("INSURANCE_ID", r"(?:health\s)?insurance(?:\spolicy)?|policy|member|subscriber"),
    ("IN_AADHAAR", r"aadhaa?r|uidai"),
    ("IN_PAN", r"pan"),
    ("VOTER_ID", r"voter"),
    ("EMPLOYEE_ID", r"employee|staff|personnel|badge|student|tribal|suspect|inmate"),
    (
        "NATIONAL_ID",
        r"national\sid(?:entity|entification)?|identity\scard|id\scard|social\ssecurity|ssn|personal\sidentity",
    ),
    ("VEHICLE_REGISTRATION", r"licen[cs]e\splate|number\splate|vehicle\sregistration|plate"),
)
_NEEDS_NUMBER_WORD = frozenset(
    {
        "ACCOUNT_NUMBER",
        "TAX_ID",
        "PATIENT_ID",
        "INSURANCE_ID",
        "IN_PAN",
        "VOTER_ID",
        "EMPLOYEE_ID",
        "VEHICLE_REGISTRATION",
        "US_DRIVER_LICENSE",
    }
)
_NUMBER_WORD = r"\s?(?:identification\s)?(?:(?:card\s)?(?:numbers?|no\.?|nr\.?|num|ids?|code)|#|card)\s?(?:numbers?|no\.?)?"
# Words that hold the number word in themselves, or need none before digits.
_WHOLE_LABELS: tuple[tuple[str, str, str], ...] = (
    (
        "ACCOUNT_NUMBER",
        r"konto-?(?:nummer|nr\.?)|num[ée]ro\sde\scompte|n[úu]mero\sde\s(?:cuenta|conta)|numero\s(?:di|del)\sconto|rekeningnummer|kontonummer|"
        r"(?:bank|checking|savings)\saccount|bankkonto|compte\sbancaire|cuenta\sbancaria",
        _DIGITS,
    ),
    (
        "TAX_ID",
        r"steuer-?(?:nummer|nr\.?)|steuer-?(?:id|identifikationsnummer)|num[ée]ro\s(?:fiscal|d['’]imp[ôo]t)|n[úu]mero\sfiscal",
        _STROKED_VALUE,
    ),
)
# Where an account is kept: public by itself, but beside the number of the account a part of how it is paid from.
_BANK = (
    r"(?:routing|sort|bank|branch|transit|aba|bsb)[ -](?:number|code|no\.?)|blz|bankleitzahl|code\s(?:banque|guichet)",
    r"(\d{2}-\d{2}-\d{2}|\d{2} \d{2} \d{2}|\d{3} ?\d{3} ?\d{2,3}|\d{3}-\d{3}|\d{5,9})",
)
MIN_DIGITS = 4
MIN_DIGITS_IN_CODE = 2


def find_labelled(scanned: Scanned) -> Iterator[Hit]:
    if sum(c.isdigit() for c in scanned.text) < MIN_DIGITS_IN_CODE:
        return
    found = [*_named_with_a_number_word(scanned), *_named_whole(scanned)]
    yield from found
    if any(hit.type == "ACCOUNT_NUMBER" for hit in found):
        yield from _hits(scanned, "ACCOUNT_NUMBER", rf"(?i)\b(?:{_BANK[0]}){_IS}{_BANK[1]}\b")


def _named_with_a_number_word(scanned: Scanned) -> Iterator[Hit]:
    for kind, words in _LABELS:
        number = _NUMBER_WORD if kind in _NEEDS_NUMBER_WORD else _NUMBER
        value = _STROKED_VALUE if kind == "TAX_ID" else _VALUE
        yield from _hits(scanned, kind, rf"(?i)\b(?:{words}){number}{_IS}{value}\b")


def _named_whole(scanned: Scanned) -> Iterator[Hit]:
    for kind, words, value in _WHOLE_LABELS:
        yield from _hits(scanned, kind, rf"(?i)\b(?:{words}){_IS}{value}\b")


def _hits(scanned: Scanned, kind: str, pattern: str) -> Iterator[Hit]:
    for start, end, _ in scanned.matches(pattern, group=1):
        if _is_number(scanned.text[start:end]):
            yield Hit(kind, start, end, 0.7, DETECTOR)


def _is_number(value: str) -> bool:
    """Mostly digits, or a code in capitals with some among them."""
    digits = sum(c.isdigit() for c in value)
    return digits >= MIN_DIGITS or (digits >= MIN_DIGITS_IN_CODE and value.upper() == value)
