"""A change of a policy that waits for a second person, where people look for it."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from tests.console.people import confirm
from tests.factories import make_namespace, staff_scope
from tests.lifecycle.namespaces.policies import LOOSER, REASON, STRICTER, change
from vault.models import Approval, PolicyProposal

pytestmark = pytest.mark.django_db

SHOWN_REASON = REASON.replace("'", "&#x27;")


def page(client: Client, part: str = "") -> str:
    return client.get(f"/console/namespaces/{make_namespace().pk}/{part}").content.decode()


def test_the_page_says_that_a_change_waits_who_asked_when_and_what(auditor, administrator):
    asked = change(LOOSER, scope=staff_scope(administrator.staff)).approval

    text = page(auditor)

    assert "A change waits for a second person" in text
    assert administrator.staff.email in text
    assert f"{asked.requested_at:%Y-%m-%d %H:%M} UTC" in text
    assert SHOWN_REASON in text
    assert re.search(r"Health.*<del>.*Set aside for review.*</del>.*<ins>.*Kept, under a label", text)
    assert f'href="/console/approvals/{asked.pk}/"' in text


def test_without_a_request_nothing_is_said_of_one(auditor):
    make_namespace()

    assert "second person" not in page(auditor)


def test_a_request_that_the_policy_has_outrun_is_marked(auditor):
    change(LOOSER)
    change(STRICTER)

    assert "Overtaken" in page(auditor)


def test_a_request_whose_document_cannot_be_read_does_not_hide_the_policy(auditor):
    change(LOOSER)
    PolicyProposal.objects.update(after={"nonsense": 1})

    text = page(auditor)

    assert "A change waits for a second person" in text
    assert "E-mail address" in text


def test_the_list_marks_the_namespaces_in_which_a_change_waits(auditor):
    make_namespace("billing")
    change(LOOSER)

    text = auditor.get("/console/namespaces/").content.decode()

    assert text.count("A change waits") == 1


def test_who_starts_a_change_is_told_that_one_waits(administrator):
    asked = change(LOOSER).approval

    text = page(administrator, "policy/")

    assert "waits for a second person" in text
    assert f'href="/console/approvals/{asked.pk}/"' in text


def test_who_asks_for_the_same_is_shown_the_request_that_waits(administrator):
    asked = change(LOOSER).approval
    given = {"expected_version": 1, "purpose": make_namespace().purpose, "reason": "Once more."}
    address = f"/console/namespaces/{make_namespace().pk}/policy/apply/"

    answer = confirm(administrator).post(
        address, {**given, "document": '{"screening": {"allowed_sensitive": ["health"]}}'}, follow=True
    )

    assert answer.redirect_chain[-1][0] == f"/console/approvals/{asked.pk}/"
    assert "nothing was asked twice" in answer.content.decode()
    assert Approval.objects.count() == 1


def test_the_list_of_approvals_names_namespace_and_reason(officer):
    change(LOOSER, namespace="clinic")

    text = officer.get("/console/approvals/").content.decode()

    assert re.search(r"Loosen the policy of a namespace.*>clinic</a>", text)
    assert SHOWN_REASON in text


def test_the_page_of_an_approval_names_namespace_and_reason(officer):
    asked = change(LOOSER, namespace="clinic").approval

    text = officer.get(f"/console/approvals/{asked.pk}/").content.decode()

    assert re.search(r"Namespace</dt><dd><a [^>]+>clinic</a>", text)
    assert SHOWN_REASON in text
