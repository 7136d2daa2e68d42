"""Numbers that the text itself names: "passport number X", "account no. X", in whatever format."""

# ruff: noqa: E501 - a pattern is read in one piece

from __future__ import annotations

from collections.abc import Iterator

from vault.screening.credentials.scan import Hit, Scanned

_NUMBER = r"(?:\s?(?:numbers?|no\.?|nr\.?|num|id|ids|code|card|#))*"
_IS = r"\s{0,2}(?:is|was|:|=|of|are|like|ending (?:in|with))?\s{0,2}[\"'“‘(#]?"
_VALUE = r"([A-Za-z0-9][A-Za-z0-9\-]{3,28})"

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
    ("EMPLOYEE_ID", r"employee|staff|personnel|badge|student|tribal|suspect|inmate|customer|client"),
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
MIN_DIGITS = 4
MIN_DIGITS_IN_CODE = 2


def find_labelled(scanned: Scanned) -> Iterator[Hit]:
    if sum(c.isdigit() for c in scanned.text) < MIN_DIGITS_IN_CODE:
        return
    for kind, words in _LABELS:
        number = _NUMBER_WORD if kind in _NEEDS_NUMBER_WORD else _NUMBER
        for start, end, _ in scanned.matches(rf"(?i)\b(?:{words}){number}{_IS}{_VALUE}\b", group=1):
            if _is_number(scanned.text[start:end]):
                yield Hit(kind, start, end, 0.7, "labelled-number")


def _is_number(value: str) -> bool:
    """Mostly digits, or a code in capitals with some among them."""
    digits = sum(c.isdigit() for c in value)
    return digits >= MIN_DIGITS or (digits >= MIN_DIGITS_IN_CODE and value.upper() == value)
