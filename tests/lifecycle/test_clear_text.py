"""What staff write in clear is screened, and whoever wrote it is told what to leave out."""

from __future__ import annotations

import pytest

from vault.errors import InvalidField
from vault.lifecycle.clear_text import CREDENTIAL, IDENTIFIER, NAME, UNCHECKED, objection, refuse_personal
from vault.types import Action, Category, Finding

PATIENCE_SECONDS = 60.0
ADDRESS = "ilse.winter" + "@example.com"
SECRET = "password is " + "hunter2" + "secret!"


def finding(category: Category, kind: str, action: Action) -> Finding:
    return Finding(category, kind, 0, 3, 0.9, action)


def refusal(text: str, *, names: bool = False) -> InvalidField:
    with pytest.raises(InvalidField) as refused:
        refuse_personal({"/reason": text}, names=names, budget_seconds=PATIENCE_SECONDS)
    return refused.value


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (f"Asked by {ADDRESS}", "email address"),
        ("Call +49 151 23456789 first.", "phone number"),
        ("Pays from DE89" + "370400440532013000", "iban code"),
        ("Patient number 88213 complained.", "patient id"),
    ],
)
def test_an_identifier_is_refused_and_its_kind_is_named(text, said):
    refused = refusal(text)

    assert refused.detail == IDENTIFIER.format(kinds=said)
    assert refused.facts["pointer"] == "/reason"


def test_a_credential_is_refused():
    assert refusal(SECRET).detail == CREDENTIAL


@pytest.mark.parametrize("text", ["Mr. Winter from billing asked.", "Martha Stone asked for it."])
def test_a_name_is_refused_where_names_count(text):
    assert refusal(text, names=True).detail == NAME
    refuse_personal({"/name": text}, budget_seconds=PATIENCE_SECONDS)


@pytest.mark.parametrize(
    "text",
    [
        "The clinic's notes are about health.",
        "Questions about invoices and payment terms of suppliers",
        "Audit finding 12 of the spring review",
        "GDPR Article 9(2)(h)",
        "The works council asked for it.",
        "Decision of 3 March",
        "For the Jira import",
        "Sarbanes-Oxley controls",
        "Aligns with ISO 27001 and SOC 2",
        "Wie im Datenschutzkreis beschlossen",
        "सुरक्षा समिति का निर्णय",
        "Bill of materials project",
    ],
)
def test_what_names_nobody_may_stand_in_clear(text):
    refuse_personal({"/reason": text}, names=True, budget_seconds=PATIENCE_SECONDS)


def test_no_text_is_repeated_in_the_refusal():
    assert ADDRESS not in refusal(f"Asked by {ADDRESS}", names=True).detail


def test_what_could_not_be_read_to_its_end_is_refused_as_such():
    assert objection([finding(Category.FAILURE, "TIMEOUT", Action.QUARANTINE)], names=True) == UNCHECKED


def test_a_credential_is_named_before_all_else():
    found = [
        finding(Category.PII, "EMAIL_ADDRESS", Action.REDACT),
        finding(Category.SECRET, "TOKEN", Action.REFUSE),
        finding(Category.FAILURE, "TIMEOUT", Action.QUARANTINE),
    ]

    assert objection(found, names=True) == CREDENTIAL


def test_what_merely_sounds_sensitive_is_no_identifier():
    assert objection([finding(Category.SENSITIVE, "health", Action.QUARANTINE)], names=True) == ""
