"""axe on every page, in light and in dark: no serious and no critical fault, and no breach of the page's policy.

Which pages there are is not written here: it is asked of the matrix of addresses, so that a new one fails until
it is visited.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from uuid import UUID

import pytest
from django.db import transaction

from audit.log import Actor
from console.access import ABILITIES
from console.staff import create_staff
from tests import canaries
from tests.console.test_access import NEEDED, PAGES, WRITING
from tests.console.test_rules import make_rule
from tests.factories import make_memory, make_scope, staff_scope
from tests.fillers import FILLERS, Words, address
from tests.journeys.axe import grave_faults
from tests.journeys.looks import low_contrast
from tests.lifecycle.namespaces.policies import change, in_force
from tests.lifecycle.test_erasure import erased
from vault.lifecycle.erasure import list_requests
from vault.lifecycle.holds import place_hold
from vault.lifecycle.key_epoch import ask_key_epoch
from vault.lifecycle.subject_rights.decisions import carry_on
from vault.lifecycle.subject_rights.inquiries import answer_inquiries, inquire
from vault.lifecycle.subject_rights.links import hand_out_link
from vault.lifecycle.subject_rights.proofs import public_scope
from vault.models import (
    AccessExport,
    Approval,
    BulkRollback,
    Conflict,
    LegalHold,
    Memory,
    QuarantinedWrite,
    RequestKind,
    Role,
    Rule,
    SubjectRequest,
    isolation,
)
from vault.sessions.append import append_turns
from vault.sessions.records import TurnDraft
from vault.sessions.start import start_session

pytestmark = [
    pytest.mark.browser,
    pytest.mark.timeout(600),
    pytest.mark.django_db(transaction=True),
]
# Files, and a page that only leads to another.
NO_PAGES = {"home", "certificate_file", "entry_proof"}
# Without these a page shows what it is there for as well; a session of forty turns takes half a minute.
SPARED = {"sessions", "visitor_links"}
# By name of the page: in which row's place its argument stands. Most stand by the argument's name alone.
Rows = Mapping[str, Any]


@pytest.fixture
def rows() -> Rows:
    """A vault with something on every page; ids by what an address calls them."""
    words = Words(canaries.canary(), canaries.canary(accented=True))
    for name, filler in FILLERS.items():
        if name not in SPARED:
            filler(words)
    make_memory(subject="erased before")
    done = erased("erased before")
    (waiting,) = list_requests(scope=staff_scope())
    carry_on(request_id=wanted_correction(), scope=staff_scope())
    place_hold(subject=words.subject, reason_code="litigation", scope=staff_scope())
    ask_key_epoch(reason_code="routine", scope=staff_scope())
    make_rule()
    change({"upkeep": {"cap": 500}})
    talk = make_scope()
    session = start_session(subject=words.subject, namespace="default", scope=talk).row
    append_turns(session_id=session.pk, drafts=[TurnDraft("user", "The depot opens at six.")], scope=talk)
    with transaction.atomic():
        isolation.open_everything()
        conflict = Conflict.objects.get()
        memory = Memory.objects.get(pk=conflict.standing_id)
        return {
            "subject_id": memory.subject_id,
            "memory_id": memory.pk,
            "write_id": QuarantinedWrite.objects.get().pk,
            "hold_id": LegalHold.objects.get().pk,
            "conflict_id": conflict.pk,
            "rollback_id": BulkRollback.objects.get().pk,
            "export_id": AccessExport.objects.get().pk,
            "session_id": session.pk,
            "rule_id": Rule.objects.get().pk,
            "namespace_id": in_force().pk,
            "approval_id": Approval.objects.get(kind="rollback").pk,
            "certificate": {"request_id": done.pk},
            "erasure": {"request_id": waiting.pk},
            "request_id": SubjectRequest.objects.get().pk,
            "words": words,
        }


def wanted_correction() -> UUID:
    with transaction.atomic():
        isolation.open_everything()
        return SubjectRequest.objects.get(kind=RequestKind.CORRECTION).pk


def path_of(name: str, rows: Rows) -> str:
    path = "/console/" + str(PAGES[name].pattern)
    own = rows.get(name, {})
    for argument, value in {**rows, **own}.items():
        path = path.replace(f"<uuid:{argument}>", str(value)).replace(f"<int:{argument}>", str(value))
    assert "<" not in path, f"say for which row the page {name} is shown"
    return path


def faults_of(visitor: Any, paths: list[str]) -> dict[str, list[str]]:
    """The grave faults of each of these pages that has any."""
    found = {}
    for path in paths:
        answer = visitor.page.goto(visitor.url + path)
        if answer.status != 200:
            found[path] = [f"answers {answer.status}"]
        elif faults := grave_faults(visitor.page):
            found[path] = faults
    return found


def paths_of(role: str, rows: Rows, *, but: set[str]) -> dict[str, str]:
    shown = set(NEEDED) - WRITING - NO_PAGES - but
    return {name: path_of(name, rows) for name in sorted(shown) if NEEDED[name] in ABILITIES[role]}


def test_no_page_of_the_console_has_a_grave_fault(visit, rows):
    """Seen by an officer, and what an officer may not open by an administrator: between them every page."""
    officers = paths_of(Role.PRIVACY_OFFICER, rows, but=set())
    others = paths_of(Role.ADMINISTRATOR, rows, but=set(officers))
    assert {*officers, *others} == set(NEEDED) - WRITING - NO_PAGES
    found: dict[str, list[str]] = {}
    for role, paths in ((Role.PRIVACY_OFFICER, officers), (Role.ADMINISTRATOR, others)):
        visitor = visit(reduced_motion="reduce")
        visitor.sign_in(role)
        found |= faults_of(visitor, list(paths.values()))

    assert found == {}


def test_no_public_page_has_a_grave_fault(visit, rows):
    visitor = visit(reduced_motion="reduce")
    found = faults_of(visitor, ["/privacy/", "/privacy/status/"])
    visitor.go("/privacy/status/")
    visitor.page.get_by_label("Number of the request").fill("0000-0000-0000")
    visitor.press("Show where it stands")
    found["a number that is none"] = grave_faults(visitor.page)
    visitor.go(link_for(rows["words"]))
    found["behind the link"] = grave_faults(visitor.page)
    visitor.press("Confirm that it is me")
    found["confirmed"] = grave_faults(visitor.page)
    number = visitor.page.locator(".reference-number").inner_text()
    visitor.go("/privacy/status/")
    visitor.page.get_by_label("Number of the request").fill(number)
    visitor.press("Show where it stands")
    found["followed"] = grave_faults(visitor.page)
    visitor.go("/privacy/link/no-such-link/")
    found["no such link"] = grave_faults(visitor.page)

    assert {name: faults for name, faults in found.items() if faults} == {}


def link_for(words: Words) -> str:
    """The way from an inquiry to its link, which staff hand out."""
    inquire(kind=RequestKind.ACCESS, email=address(words), scope=public_scope())
    answer_inquiries(limit=5)
    with transaction.atomic():
        isolation.open_everything()
        request_id = SubjectRequest.objects.values_list("pk", flat=True).get(kind=RequestKind.ACCESS)
    return "/privacy/" + hand_out_link(request_id=request_id, scope=staff_scope()).partition("/privacy/")[2]


def test_no_page_of_the_way_in_has_a_grave_fault(visit):
    visitor = visit(reduced_motion="reduce")
    found = faults_of(visitor, ["/accounts/login/", "/accounts/signup/"])
    invitation = create_staff(email="ilse@vault.example", role="reviewer", actor=Actor("system", "tests"))
    visitor.go("/accounts/" + invitation.link.partition("/accounts/")[2])
    found["the one-time link"] = grave_faults(visitor.page)
    visitor.go("/accounts/welcome/no-such-link/")
    found["no such link"] = grave_faults(visitor.page)
    member = visit(reduced_motion="reduce")
    member.sign_in(Role.ADMINISTRATOR)
    found |= faults_of(member, ["/accounts/2fa/", "/accounts/2fa/webauthn/"])
    for path in ("/accounts/password/change/", "/accounts/2fa/recovery-codes/generate/", "/console/nowhere/",
                 "/console/queue/", "/accounts/logout/"):  # fmt: skip
        member.page.goto(member.url + path)
        found[path] = grave_faults(member.page)

    assert {name: faults for name, faults in found.items() if faults} == {}


def test_the_check_finds_what_it_is_there_for(visit):
    visitor = visit()
    visitor.go("/accounts/login/")
    visitor.page.evaluate("document.body.append(document.createElement('button'))")

    assert any(fault.startswith("button-name") for fault in grave_faults(visitor.page))


def test_a_text_that_cannot_be_read_in_the_dark_alone_is_found(visit):
    visitor = visit()
    visitor.go("/accounts/login/")
    visitor.page.evaluate(
        "const sheet = new CSSStyleSheet();"
        "sheet.replaceSync('@media (prefers-color-scheme: dark) { label { color: #4a5256 !important } }');"
        "document.adoptedStyleSheets.push(sheet)"
    )

    assert {text.partition(":")[0] for text in low_contrast(visitor.page)} == {"dark"}
    assert all("(dark)" in fault for fault in grave_faults(visitor.page))
    assert grave_faults(visitor.page) != []


def test_a_breach_of_the_policy_is_noticed(visit):
    visitor = visit()
    visitor.go("/accounts/login/")
    visitor.page.evaluate(
        "new Promise(done => { document.addEventListener('securitypolicyviolation', done);"
        "document.body.append(Object.assign(document.createElement('img'), {src: 'https://elsewhere.example/x'})); })"
    )

    assert any("policy breached: img-src" in problem for problem in visitor.problems)
    visitor.problems.clear()
