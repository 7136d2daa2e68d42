"""The pages of namespaces: policies in words, changed after a preview, with a second person where they loosen."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from django.test import Client

from console.policy_words import loosened_in_words
from tests.console.people import confirm
from tests.factories import make_memory, make_namespace
from tests.lifecycle.namespaces.policies import LOOSER, REASON, STRICTER, change, in_force
from vault.lifecycle.desk import system_scope
from vault.models import Approval, Namespace, Role

pytestmark = pytest.mark.django_db

USUAL = {"expected_version": 1, "languages": "en", "grace_days": 30, "worth_check": "on"}


def address(part: str = "", name: str = "default") -> str:
    return f"/console/namespaces/{make_namespace(name).pk}/{part}"


def page(client: Client, part: str = "") -> str:
    return client.get(address(part)).content.decode()


def preview(client: Client, **fields: Any):
    fields.setdefault("purpose", make_namespace().purpose)
    return client.post(address("policy/usual/"), {**USUAL, **fields})


def document_of(response) -> Any:
    return json.loads(response.context["form"].initial["document"])


def put_in_force(client: Client, policy: dict[str, Any], **fields: Any):
    given = {"expected_version": in_force().policy_version, "purpose": "", "reason": REASON, **fields}
    return confirm(client).post(address("policy/apply/"), {**given, "document": json.dumps(policy)})


def test_the_list_tells_purpose_version_and_number_of_memories(auditor):
    make_namespace("billing", purpose="Questions about invoices", sealed=True)
    make_memory(namespace="billing")

    text = auditor.get("/console/namespaces/").content.decode()

    assert "Questions about invoices" in text
    assert "Sealed" in text
    assert re.search(r'class="number">1<', text)


def test_a_policy_is_shown_in_words(reviewer):
    change(LOOSER, scope=system_scope("operator"), purpose="A clinic's front desk")

    text = page(reviewer)

    assert "What is kept here, is kept because the purpose covers it: A clinic&#x27;s front desk" in text
    assert re.search(r"Health</dt><dd>Kept, under a label <span", text)
    assert re.search(r"Religion or belief</dt><dd>Set aside for review</dd>", text)
    assert "E-mail address</dt><dd>Masked</dd>" in text


def test_who_says_whom_a_session_is_for_is_shown_in_words(reviewer):
    said = r"Who says whom a session is for</dt><dd>"
    assert re.search(said + "The agent</dd>", page(reviewer))

    change({"asserted_sessions": True})

    assert re.search(said + "The calling application, by a signature", page(reviewer))


def test_a_policy_that_cannot_be_read_is_said_so_and_can_be_mended(administrator):
    row = make_namespace()
    row.policy = {"nonsense": 1}
    row.save()

    assert "This policy cannot be read" in page(administrator)
    assert "/nonsense" in page(administrator)
    assert "Mend it in the document" in page(administrator, "policy/")


def test_who_only_reads_is_offered_no_change(officer, reviewer, auditor):
    make_namespace()

    for client in (officer, reviewer, auditor):
        text = page(client)
        assert "/policy/" not in text
        assert "Seal it" not in text


def test_a_form_that_is_sent_back_as_it_was_changes_nothing(administrator):
    response = preview(administrator)

    assert response.status_code == 422
    assert "Nothing would change" in response.content.decode()


def test_a_form_becomes_a_document_that_says_only_what_was_changed(administrator):
    change({"retrieval": {"fact": {"k": 5}}})

    response = preview(
        administrator, expected_version=2, pii_PERSON="redact", cap=100, consolidation="on", worth_check=""
    )

    assert document_of(response) == {
        "retrieval": {"fact": {"k": 5}},
        "screening": {"actions": {"pii": {"PERSON": "redact"}}},
        "upkeep": {"cap": 100, "consolidation": True},
        "worth_check": False,
    }


def test_what_a_form_empties_goes_out_of_the_document(administrator):
    change({**STRICTER, "upkeep": {"cap": 5}}, scope=system_scope("operator"))

    assert document_of(preview(administrator, expected_version=2)) == {}


def test_a_preview_shows_before_and_after_and_changes_nothing(administrator):
    text = preview(administrator, pii_PERSON="redact", purpose="Support").content.decode()

    assert "Name of a person" in text
    assert re.search(r"<del>.*Kept, under a label.*</del>.*<ins>.*Masked.*</ins>", text)
    assert "Put it in force" in text
    assert in_force().policy == {}


def test_a_preview_of_what_loosens_names_it_and_asks_for_a_second_person(administrator):
    text = preview(administrator, sensitive=["health"]).content.decode()

    assert "/screening/allowed_sensitive/health" in text
    assert "Ask a privacy officer" in text


def test_a_refusal_stands_beside_its_field(administrator):
    response = preview(administrator, purpose="Notes on ilse.winter" + "@example.com")

    assert response.status_code == 422
    assert response.context["usual"].errors["purpose"]


@pytest.mark.parametrize(
    ("document", "said"),
    [
        ("{", "not JSON"),
        ('{"nonsense": 1}', "/nonsense"),
        ('{"upkeep": {"cap": 0}}', "from 1 to 1,000,000; what was given is not enough. (/upkeep/cap)"),
        ('{"upkeep": {"capp": 5}}', "Did you mean cap?"),
        ('{"upkeep":\n}', "at line 2, column 1"),
        ('{"screening": {"actions": {"pii": {"PERSON": "hide"}}}}', "Must be one of: allow, redact,"),
        ('{"screening": {"actions": {"pii": {"PERSONS": "allow"}}}}', "Did you mean PERSON?"),
        ("", "required"),
    ],
)
def test_a_document_that_will_not_do_is_told_why_beside_it(administrator, document, said):
    given = {"expected_version": 1, "purpose": "", "document": document}

    response = administrator.post(address("policy/document/"), given)

    assert response.status_code == 422
    assert said in " ".join(response.context["document"].errors["document"])


def test_a_document_is_previewed_as_a_whole(administrator):
    given = {"expected_version": 1, "purpose": "", "document": json.dumps(STRICTER)}

    assert document_of(administrator.post(address("policy/document/"), given)) == STRICTER


def test_a_stricter_policy_is_in_force_at_once_after_the_password(administrator):
    given = {"expected_version": 1, "purpose": "", "reason": REASON, "document": json.dumps(STRICTER)}
    asked = administrator.post(address("policy/apply/"), given)
    assert asked["Location"].startswith("/accounts/reauthenticate/")

    assert put_in_force(administrator, STRICTER)["Location"] == address()

    assert in_force().policy == STRICTER


def test_a_looser_policy_waits_among_the_approvals(administrator, officer):
    answer = put_in_force(administrator, LOOSER)

    asked = Approval.objects.get()
    assert answer["Location"] == f"/console/approvals/{asked.pk}/"
    text = officer.get(answer["Location"]).content.decode()
    assert REASON.replace("'", "&#x27;") in text
    assert re.search(r"Health.*<del>.*Set aside for review.*</del>.*<ins>.*Kept, under a label", text)
    assert in_force().policy == {}


def test_a_privacy_officer_approves_it_into_force(administrator, officer):
    put_in_force(administrator, LOOSER)

    confirm(officer).post(f"/console/approvals/{Approval.objects.get().pk}/approve/")

    assert in_force().policy == LOOSER
    history = page(officer, "history/")
    assert administrator.staff.email in history
    assert f"approved by {officer.staff.email}" in history


@pytest.mark.parametrize("role", [Role.REVIEWER, Role.AUDITOR, Role.ADMINISTRATOR])
def test_nobody_else_approves_it(role, request, administrator):
    put_in_force(administrator, LOOSER)
    client = request.getfixturevalue(role.value)

    answer = confirm(client).post(f"/console/approvals/{Approval.objects.get().pk}/approve/")

    assert answer.status_code == 404
    assert in_force().policy == {}


def test_a_request_that_the_policy_has_outrun_says_so(administrator, officer):
    put_in_force(administrator, LOOSER)
    change(STRICTER)
    asked = f"/console/approvals/{Approval.objects.get().pk}/"
    assert "The policy has changed since this was asked for" in officer.get(asked).content.decode()

    text = confirm(officer).post(f"{asked}approve/", follow=True).content.decode()

    assert "Nothing was approved" in text
    assert Approval.objects.get().status == "asked"
    assert in_force().policy == STRICTER


def test_without_a_reason_nothing_happens_and_the_change_is_shown_again(administrator):
    response = put_in_force(administrator, STRICTER, reason="")

    assert response.status_code == 422
    assert "Name of a person" in response.content.decode()
    assert in_force().policy == {}


def test_a_reason_that_identifies_somebody_is_told_beside_its_field(administrator):
    response = put_in_force(administrator, STRICTER, reason="Asked by ilse.winter" + "@example.com")

    assert response.status_code == 422
    assert response.context["form"].errors["reason"]


def test_who_looked_at_an_older_version_is_told(administrator):
    change(STRICTER)

    response = put_in_force(administrator, {"worth_check": False}, expected_version=1)

    assert response.status_code == 409
    assert "changed since you opened it" in response.content.decode()


def test_the_history_shows_what_each_version_changed(auditor):
    change(STRICTER)
    change({**STRICTER, "upkeep": {"cap": 7}})

    text = page(auditor, "history/")

    assert text.index("Version 3") < text.index("Version 2") < text.index("Version 1")
    assert re.search(r"Most memories of one subject.*No limit.*7", text)


@pytest.mark.parametrize(
    ("pointer", "said"),
    [
        ("/screening/actions/pii/EMAIL_ADDRESS", "Personal data: E-mail address"),
        ("/screening/actions/pii/US_SSN", "Personal data: US_SSN"),
        ("/screening/actions/secret/*", "Credentials"),
        ("/screening/actions/secret/API_KEY", "Credentials: API_KEY"),
        ("/screening/actions/sensitive/*", "Sensitive categories: all that are not named"),
        ("/screening/allowed_sensitive/health", "Sensitive categories: Health"),
        ("/screening/thresholds/TAX_ID", "Found only at a higher score"),
        ("/upkeep/lives", "Something is kept longer"),
        ("/asserted_sessions", "Agents name the subject of a session themselves"),
        ("/", "What stood before could not be read"),
    ],
)
def test_what_is_let_through_is_said_in_words(pointer, said):
    assert loosened_in_words(pointer) == said


def test_a_namespace_is_made(administrator):
    given = {"name": "billing", "purpose": "Invoices", "sealed": "on", "reason": "A new desk opens."}

    text = administrator.post("/console/namespaces/create/", given, follow=True).content.decode()

    assert Namespace.objects.get(name="billing").sealed
    assert "It follows the default policy" in text


@pytest.mark.parametrize("name", ["default", "two words", ""])
def test_a_name_that_will_not_do_is_told_beside_its_field(administrator, name):
    make_namespace()
    given = {"name": name, "purpose": "", "reason": "A new desk opens."}

    response = administrator.post("/console/namespaces/create/", given)

    assert response.status_code == 422
    assert response.context["form"].errors["name"]


def test_a_namespace_is_sealed_after_the_password(administrator):
    make_memory(embedded=True)

    text = confirm(administrator).post(address("seal/"), {"reason": "No vectors here."}, follow=True)

    assert "1 protected vectors were removed" in text.content.decode()
    assert in_force().sealed


def test_sealing_needs_a_reason(administrator):
    assert confirm(administrator).post(address("seal/"), {"reason": ""}).status_code == 422
    assert not in_force().sealed
