"""The pages of staff's rules: written, tried, switched on by those who may, read by the others."""

from __future__ import annotations

import pytest

from tests.console.people import confirm
from tests.factories import make_memory, staff_scope
from vault.lifecycle.rules.drafting import create_rule
from vault.lifecycle.rules.trial import try_rule
from vault.models import Rule
from vault.types import RuleAction

pytestmark = pytest.mark.django_db

NEW = {"name": "falcon", "namespace": "", "pattern": "falcon", "action": "quarantine", "slot": ""}


def make_rule() -> Rule:
    return create_rule(
        name="falcon", namespace=None, pattern="falcon", action=RuleAction.REFUSE, scope=staff_scope()
    )


def test_an_empty_list_says_what_rules_are_for(officer):
    assert "No rules yet" in officer.get("/console/rules/").content.decode()


def test_a_rule_is_written_down_and_is_off(officer):
    page = officer.post("/console/rules/create/", NEW, follow=True).content.decode()

    assert "Not tried yet" in page
    assert Rule.objects.get().live_version is None


def test_a_pattern_that_does_not_compile_is_told_beside_its_field(officer):
    response = officer.post("/console/rules/create/", {**NEW, "pattern": "("})

    assert response.status_code == 422
    assert "does not compile" in response.content.decode()


def test_a_trial_shows_counts_and_no_text(officer):
    make_memory("Project Falcon ships to Zora in May.")
    rule = make_rule()

    page = officer.post(f"/console/rules/{rule.pk}/try/").content.decode()

    assert "It matches 1 of 1 texts" in page
    assert "Zora" not in page


def test_a_tried_rule_is_switched_on_after_the_password(officer):
    rule = make_rule()
    officer.post(f"/console/rules/{rule.pk}/try/")
    assert officer.post(f"/console/rules/{rule.pk}/start/", {"version": 1})["Location"].startswith(
        "/accounts/reauthenticate/"
    )

    confirm(officer).post(f"/console/rules/{rule.pk}/start/", {"version": 1})

    assert Rule.objects.get().live_version == 1


def test_a_rule_that_was_not_tried_is_not_switched_on(officer):
    rule = make_rule()

    assert confirm(officer).post(f"/console/rules/{rule.pk}/start/", {"version": 1}).status_code == 409


def test_an_edit_makes_a_version_and_leaves_the_live_one(officer):
    rule = make_rule()

    officer.post(f"/console/rules/{rule.pk}/edit/", {"pattern": "heron", "action": "redact", "slot": ""})

    assert Rule.objects.get().version == 2


def test_a_reviewer_reads_rules_and_is_offered_no_change(reviewer):
    rule = make_rule()

    page = reviewer.get(f"/console/rules/{rule.pk}/").content.decode()

    assert "falcon" in page
    assert "Switch it on" not in page
    assert "Write the next version" not in page


def test_an_administrator_reads_no_rules(administrator):
    assert administrator.get("/console/rules/").status_code == 403


@pytest.mark.parametrize("version", ["", "x", "0", "9" * 5000])
def test_a_rule_is_switched_on_at_the_version_that_was_seen_or_not_at_all(officer, version):
    rule = make_rule()
    try_rule(rule_id=rule.pk, scope=staff_scope())

    answer = confirm(officer).post(f"/console/rules/{rule.pk}/start/", {"version": version})

    assert answer["Location"].endswith(f"/console/rules/{rule.pk}/")
    rule.refresh_from_db()
    assert rule.live_version is None
