"""The types that a policy may name are those that the detectors find."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from console.policy_words import PERSONAL_TYPES
from vault.lifecycle.namespaces.known_types import SECRET_TYPES, known_types, personal_types
from vault.screening import credentials, personal_data
from vault.screening.policy import ANY_TYPE, SENSITIVE_CATEGORIES
from vault.types import Category

FOUND = re.compile(r'Hit\(\s*"([A-Z_]+)"')


def types_in(package) -> set[str]:
    """The types that the sources of a package of detectors give to what they find."""
    sources = Path(package.__file__).parent.glob("*.py")
    return {kind for source in sources for kind in FOUND.findall(source.read_text(encoding="utf-8"))}


def test_whatever_a_detector_of_personal_data_finds_can_be_named():
    assert types_in(personal_data) <= personal_types()


def test_whatever_a_detector_of_credentials_finds_can_be_named():
    # A card is personal data that lies among the credentials.
    assert types_in(credentials) - {"CREDIT_CARD"} <= SECRET_TYPES


def test_whatever_the_console_shows_can_be_named():
    assert set(PERSONAL_TYPES) - {ANY_TYPE} <= personal_types()


@pytest.mark.parametrize("kind", ["US_SSN", "TR_PHONE_NUMBER", "PH_MOBILE_NUMBER", "AGE", "ORGANIZATION"])
def test_types_of_every_detector_are_among_them(kind):
    assert kind in known_types(Category.PII)


def test_every_sensitive_category_can_be_named():
    assert known_types(Category.SENSITIVE) == (ANY_TYPE, *sorted(SENSITIVE_CATEGORIES))
