"""Every address of the console against every role and a stranger."""

from __future__ import annotations

from uuid import UUID

import pytest
from django.test import Client
from django.urls import URLPattern

from audit.models import AuditEntry
from console import urls
from console.access import ABILITIES, Ability
from tests.console.people import at_the_console
from tests.factories import make_staff
from vault.models import Role

pytestmark = pytest.mark.django_db

ARGUMENTS = {
    "write_id": UUID(int=1),
    "memory_id": UUID(int=2),
    "subject_id": UUID(int=3),
    "hold_id": UUID(int=4),
    "session_id": UUID(int=41),
    "request_id": UUID(int=5),
    "approval_id": UUID(int=6),
    "export_id": UUID(int=31),
    "rollback_id": UUID(int=22),
    "conflict_id": UUID(int=23),
    "filter_id": UUID(int=7),
    "pattern_id": UUID(int=8),
    "rule_id": UUID(int=21),
    "contact_id": UUID(int=9),
    "seq": 10**9,
    "grant_id": 10**6,
    "namespace_id": 10**6,
    "staff_id": 10**6,
}
WRITING = {
    "simulate",
    "request_export",
    "download_export",
    "promote",
    "decide_conflict",
    "preview_rollback",
    "ask_rollback",
    "add_contact",
    "restrict_subject",
    "lift_restriction",
    "remove_contact",
    "subject_request_words",
    "hand_out_link",
    "verify_subject_request",
    "extend_subject_request",
    "refuse_subject_request",
    "carry_on_subject_request",
    "finish_subject_request",
    "write_correction",
    "find_queue_subject",
    "decide_marked",
    "keep_filter",
    "drop_filter",
    "revoke_pattern",
    "reveal_write",
    "claim_write",
    "skip_write",
    "note_write",
    "ask_key_epoch",
    "release",
    "reject",
    "find_memory",
    "roll_back",
    "forget",
    "pin",
    "unpin",
    "bring_back",
    "undo_consolidation",
    "consolidate",
    "reworded",
    "restore",
    "find_subject",
    "place_hold",
    "request_erasure",
    "release_hold",
    "erasure_evidence",
    "verify_erasure",
    "approve_erasure",
    "refuse_erasure",
    "verify_log",
    "reveal_approval",
    "give_approval",
    "carry_out",
    "refuse_approval",
    "ask_retraining",
    "take_retraining",
    "create_rule",
    "edit_rule",
    "try_rule",
    "start_rule",
    "stop_rule",
    "raise_rule",
    "create_namespace",
    "seal_namespace",
    "preview_usual",
    "preview_document",
    "apply_policy",
    "suspend_grant",
    "resume_grant",
    "invite_staff",
    "renew_staff",
    "suspend_staff",
}
NEEDED = {
    "simulator": Ability.POLICY_READ,
    "simulate": Ability.POLICY_READ,
    "home": None,
    "queue": Ability.QUEUE_READ,
    "find_queue_subject": Ability.QUEUE_READ,
    "decide_marked": Ability.QUEUE_DECIDE,
    "keep_filter": Ability.QUEUE_READ,
    "drop_filter": Ability.QUEUE_READ,
    "queue_patterns": Ability.QUEUE_READ,
    "revoke_pattern": Ability.QUEUE_DECIDE,
    "queue_item": Ability.QUEUE_READ,
    "reveal_write": Ability.QUEUE_READ,
    "claim_write": Ability.QUEUE_DECIDE,
    "skip_write": Ability.QUEUE_DECIDE,
    "note_write": Ability.QUEUE_DECIDE,
    "release": Ability.QUEUE_DECIDE,
    "reject": Ability.QUEUE_DECIDE,
    "memories": Ability.MEMORY_READ,
    "find_memory": Ability.MEMORY_READ,
    "memory": Ability.MEMORY_READ,
    "roll_back": Ability.MEMORY_CHANGE,
    "forget": Ability.MEMORY_CHANGE,
    "pin": Ability.MEMORY_CHANGE,
    "unpin": Ability.MEMORY_CHANGE,
    "bring_back": Ability.MEMORY_CHANGE,
    "undo_consolidation": Ability.MEMORY_CHANGE,
    "upkeep": Ability.MEMORY_READ,
    "consolidation": Ability.MEMORY_READ,
    "consolidate": Ability.MEMORY_CHANGE,
    "reworded": Ability.MEMORY_CHANGE,
    "restore": Ability.MEMORY_CHANGE,
    "promote": Ability.MEMORY_CHANGE,
    "conflicts": Ability.MEMORY_READ,
    "conflict": Ability.MEMORY_READ,
    "decide_conflict": Ability.MEMORY_CHANGE,
    "rollbacks": Ability.ROLLBACK_READ,
    "new_rollback": Ability.ROLLBACK_CHANGE,
    "preview_rollback": Ability.ROLLBACK_CHANGE,
    "ask_rollback": Ability.ROLLBACK_CHANGE,
    "rollback": Ability.ROLLBACK_READ,
    "subjects": Ability.SUBJECT_READ,
    "find_subject": Ability.SUBJECT_READ,
    "subject": Ability.SUBJECT_READ,
    "place_hold": Ability.HOLD_CHANGE,
    "hold": Ability.SUBJECT_READ,
    "release_hold": Ability.HOLD_CHANGE,
    "approvals": Ability.APPROVAL_READ,
    "approval": Ability.APPROVAL_READ,
    "reveal_approval": Ability.QUEUE_READ,
    "give_approval": Ability.APPROVAL_READ,
    "carry_out": Ability.APPROVAL_READ,
    "refuse_approval": Ability.APPROVAL_READ,
    "request_erasure": Ability.ERASURE_CHANGE,
    "sessions": Ability.MEMORY_READ,
    "session": Ability.MEMORY_READ,
    "subject_rights": Ability.REQUEST_READ,
    "add_contact": Ability.REQUEST_CHANGE,
    "restrict_subject": Ability.REQUEST_CHANGE,
    "lift_restriction": Ability.REQUEST_CHANGE,
    "remove_contact": Ability.REQUEST_CHANGE,
    "subject_requests": Ability.REQUEST_READ,
    "subject_request": Ability.REQUEST_READ,
    "subject_request_words": Ability.REQUEST_CHANGE,
    "hand_out_link": Ability.REQUEST_CHANGE,
    "verify_subject_request": Ability.REQUEST_CHANGE,
    "extend_subject_request": Ability.REQUEST_CHANGE,
    "refuse_subject_request": Ability.REQUEST_CHANGE,
    "carry_on_subject_request": Ability.REQUEST_CHANGE,
    "finish_subject_request": Ability.REQUEST_CHANGE,
    "correct_memory": Ability.REQUEST_CHANGE,
    "write_correction": Ability.REQUEST_CHANGE,
    "request_export": Ability.EXPORT_CHANGE,
    "exports": Ability.EXPORT_READ,
    "export": Ability.EXPORT_READ,
    "download_export": Ability.EXPORT_CHANGE,
    "erasures": Ability.ERASURE_READ,
    "erasure": Ability.ERASURE_READ,
    "erasure_evidence": Ability.ERASURE_CHANGE,
    "verify_erasure": Ability.ERASURE_CHANGE,
    "approve_erasure": Ability.ERASURE_CHANGE,
    "refuse_erasure": Ability.ERASURE_CHANGE,
    "certificate": Ability.ERASURE_READ,
    "certificate_file": Ability.ERASURE_READ,
    "audit": Ability.AUDIT_READ,
    "verify_log": Ability.AUDIT_READ,
    "entry_proof": Ability.AUDIT_READ,
    "agents": Ability.AGENT_READ,
    "suspend_grant": Ability.AGENT_CHANGE,
    "resume_grant": Ability.AGENT_CHANGE,
    "operations": Ability.OPERATION_READ,
    "ask_key_epoch": Ability.OPERATION_CHANGE,
    "rules": Ability.RULE_READ,
    "retraining": Ability.EXPORT_READ,
    "ask_retraining": Ability.EXPORT_CHANGE,
    "take_retraining": Ability.EXPORT_CHANGE,
    "new_rule": Ability.RULE_CHANGE,
    "create_rule": Ability.RULE_CHANGE,
    "rule": Ability.RULE_READ,
    "edit_rule": Ability.RULE_CHANGE,
    "try_rule": Ability.RULE_CHANGE,
    "start_rule": Ability.RULE_CHANGE,
    "stop_rule": Ability.RULE_CHANGE,
    "raise_rule": Ability.RULE_CHANGE,
    "namespaces": Ability.NAMESPACE_READ,
    "new_namespace": Ability.NAMESPACE_CHANGE,
    "create_namespace": Ability.NAMESPACE_CHANGE,
    "namespace": Ability.NAMESPACE_READ,
    "policy_history": Ability.NAMESPACE_READ,
    "seal_namespace": Ability.NAMESPACE_CHANGE,
    "edit_policy": Ability.NAMESPACE_CHANGE,
    "preview_usual": Ability.NAMESPACE_CHANGE,
    "preview_document": Ability.NAMESPACE_CHANGE,
    "apply_policy": Ability.NAMESPACE_CHANGE,
    "staff": Ability.STAFF_CHANGE,
    "invite_staff": Ability.STAFF_CHANGE,
    "renew_staff": Ability.STAFF_CHANGE,
    "suspend_staff": Ability.STAFF_CHANGE,
}
PAGES: dict[str, URLPattern] = {str(pattern.name): pattern for pattern in urls.urlpatterns}


def ask(client: Client, name: str):
    path = "/console/" + str(PAGES[name].pattern)
    for argument, value in ARGUMENTS.items():
        for kind in ("uuid", "int"):
            path = path.replace(f"<{kind}:{argument}>", str(value))
    return client.post(path) if name in WRITING else client.get(path)


def test_the_matrix_below_names_every_address_of_the_console():
    assert set(NEEDED) == set(PAGES)


@pytest.mark.parametrize("role", Role.values)
def test_a_role_opens_the_pages_of_its_abilities_and_no_other(role):
    client = at_the_console(role)

    refused = {name for name in NEEDED if ask(client, name).status_code == 403}

    assert refused == {name for name, ability in NEEDED.items() if ability and ability not in ABILITIES[role]}


@pytest.mark.parametrize("name", NEEDED)
def test_a_stranger_is_sent_to_sign_in(name, stranger):
    response = ask(stranger, name)

    assert response.status_code == 302
    assert response["Location"].startswith("/accounts/login/")


@pytest.mark.parametrize("name", NEEDED)
def test_staff_without_a_second_factor_are_sent_to_set_one_up(name):
    client = Client()
    client.force_login(
        make_staff(role=Role.PRIVACY_OFFICER), backend="django.contrib.auth.backends.ModelBackend"
    )

    assert ask(client, name)["Location"] == "/accounts/2fa/totp/activate/"


@pytest.mark.parametrize("name", sorted(set(NEEDED) - WRITING - {"home"}))
def test_a_page_that_reads_takes_no_post(name):
    client = at_the_console(next(role for role, able in ABILITIES.items() if NEEDED[name] in able))
    path = "/console/" + str(PAGES[name].pattern)
    for argument, value in ARGUMENTS.items():
        path = path.replace(f"<uuid:{argument}>", str(value)).replace(f"<int:{argument}>", str(value))

    assert client.post(path).status_code == 405


def test_an_auditor_can_do_nothing_that_changes_a_row():
    changing = {ability for ability in Ability if ability.value.endswith((".change", ".decide"))}

    assert not ABILITIES[Role.AUDITOR] & changing


def test_a_role_that_the_table_does_not_know_can_do_nothing():
    assert set(ABILITIES) == set(Role.values)


def test_a_refused_page_leaves_an_entry(reviewer):
    reviewer.get("/console/staff/")

    entry = AuditEntry.objects.get(action="access.denied")
    assert (entry.actor_id, entry.target_id, entry.outcome) == (
        str(reviewer.staff.pk),
        "staff.change",
        "denied",
    )


def test_a_suspended_member_is_out_with_the_next_click(reviewer):
    reviewer.staff.is_active = False
    reviewer.staff.save()

    assert reviewer.get("/console/queue/")["Location"].startswith("/accounts/login/")


def test_a_post_without_the_form_s_token_is_refused_in_our_own_style(officer):
    strict = Client(enforce_csrf_checks=True)
    strict.cookies = officer.cookies

    response = strict.post("/console/subjects/find/", {"external_id": "S1"})

    assert response.status_code == 403
    assert b"The form has expired" in response.content


def test_a_part_of_a_page_sends_the_whole_page_to_sign_in(stranger):
    response = stranger.get("/console/queue/", headers={"HX-Request": "true"})

    assert response["HX-Redirect"].startswith("/accounts/login/")


@pytest.mark.parametrize("path", ["/console/queue/", "/console/nowhere/", "/accounts/login/"])
def test_pages_are_kept_by_no_cache_and_framed_by_nobody(path, reviewer):
    headers = reviewer.get(path).headers

    assert headers["Cache-Control"] == "no-store"
    assert headers["Cross-Origin-Opener-Policy"] == "same-origin"
    assert "camera=()" in headers["Permissions-Policy"]
    assert "default-src 'none'" in headers["Content-Security-Policy"]
    assert "unsafe-inline" not in headers["Content-Security-Policy"]
