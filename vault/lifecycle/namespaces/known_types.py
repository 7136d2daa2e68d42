"""The types of findings that the detectors know: what a policy may name. Whatever else it named would do nothing."""

from __future__ import annotations

from functools import lru_cache

from vault.screening.personal_data.entities import TYPES
from vault.screening.personal_data.identifiers import patterns
from vault.screening.policy import ANY_TYPE, LABELLED_TYPES, SENSITIVE_CATEGORIES
from vault.types import Category

SECRET_TYPES = frozenset(
    {
        "API_KEY",
        "CARD_SECURITY_CODE",
        "CONNECTION_STRING",
        "ONE_TIME_CODE",
        "PASSWORD",
        "PRIVATE_KEY",
        "TOKEN",
    }
)
# Those that rules of our own find, beside the ones of the models and of Presidio's patterns.
OWN_PERSONAL_TYPES = frozenset(
    {
        "ACCOUNT_NUMBER",
        "CREDIT_CARD",
        "EMAIL_ADDRESS",
        "EMPLOYEE_ID",
        "IBAN_CODE",
        "INSURANCE_ID",
        "IN_AADHAAR",
        "IN_PAN",
        "IP_ADDRESS",
        "MAC_ADDRESS",
        "NATIONAL_ID",
        "PASSPORT",
        "PATIENT_ID",
        "PHONE_NUMBER",
        "PH_MOBILE_NUMBER",
        "TAX_ID",
        "TR_PHONE_NUMBER",
        "URL",
        "US_DRIVER_LICENSE",
        "VEHICLE_REGISTRATION",
        "VOTER_ID",
    }
)


@lru_cache(maxsize=1)
def personal_types() -> frozenset[str]:
    """Every type of personal data that some detector finds."""
    issued = {pattern.entity for pattern in patterns()}
    return frozenset({*OWN_PERSONAL_TYPES, *LABELLED_TYPES, *TYPES.values(), *issued})


def known_types(category: Category) -> tuple[str, ...]:
    """What a policy may name within a category, in order; "*" stands for all that it does not name."""
    found = {Category.SECRET: SECRET_TYPES, Category.SENSITIVE: frozenset(SENSITIVE_CATEGORIES)}
    return (ANY_TYPE, *sorted(found[category] if category in found else personal_types()))
