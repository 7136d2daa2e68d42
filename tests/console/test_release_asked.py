"""What the second person sees of the write that they let in; and who sees it not."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db import transaction
from django.utils import timezone

from audit.models import AuditEntry
from tests.console.desk import RELEASE, act, actions, change, let_detectors_rest, state
from tests.console.people import confirm
from tests.console.test_acts import asked_hold_release, page, path
from tests.factories import make_quarantined_write
from vault.models import Approval, isolation
from vault.types import Action, Category, Finding, Verdict

pytestmark = pytest.mark.django_db
TEXT = "Ilse said that refunds need one signature."
PERSON = Finding(Category.PII, "PERSON", 0, 4, 0.9, Action.ALLOW, detector="names")


@pytest.fixture(autouse=True)
def _detectors_rest(monkeypatch) -> None:
    let_detectors_rest(monkeypatch)


@pytest.fixture
def write(reviewer):
    """A claim that names a person, and whose release `reviewer` asked for; a note lies beside it."""
    found = Verdict(Action.QUARANTINE, (PERSON,), ("high_impact_claim",), 3)
    made = make_quarantined_write(TEXT, subject="acct-7", verdict=found)
    act(reviewer, made, "note", {"text": "The supplier confirmed it."})
    act(reviewer, made, "release", {**RELEASE, "variant": "redacted"})
    return made


def reveal(client, purpose: str = "decide", view: str = "original"):
    return client.post(f"{path()}reveal/", {"purpose": purpose, "view": view})


def test_the_second_person_sees_the_text_masked_with_its_findings(write, officer):
    shown = page(officer)

    assert "&lt;PERSON&gt;</mark> said that refunds need one signature." in shown
    assert "score 90 %" in shown
    assert "policy version 3" in shown
    assert "Ilse" not in shown
    assert "acct-7" not in shown


def test_the_second_person_sees_who_asked_why_how_and_what_they_noted(write, reviewer, officer):
    shown = page(officer)

    assert reviewer.staff.email.partition("@")[0] in shown
    assert "False positive" in shown
    assert "With all personal and sensitive findings masked" in shown
    assert "The supplier confirmed it." in shown


def test_the_look_is_the_same_entry_as_in_the_queue(write, officer):
    before = len(actions("quarantine.opened"))

    page(officer)

    entry = AuditEntry.objects.filter(action="quarantine.opened").latest("id")
    assert len(actions("quarantine.opened")) == before + 1
    assert (entry.target_id, entry.actor_id, entry.reason) == (
        str(write.pk),
        str(officer.staff.pk),
        "masked",
    )


def test_a_reveal_shows_the_text_beside_the_decision_and_is_an_entry_with_its_purpose(write, officer):
    shown = reveal(officer, purpose="check_with_source").content.decode()

    assert "Ilse</mark> said" in shown
    assert "acct-7" in shown
    assert f'action="{path()}approve/"' in shown
    assert AuditEntry.objects.get(action="quarantine.revealed").reason == "check_with_source"


def test_the_normalised_view_is_there_too(write, officer):
    assert "What the detectors saw" in reveal(officer, view="normalised").content.decode()


@pytest.mark.parametrize("purpose", ["", "curiosity"])
def test_without_a_purpose_of_the_list_nothing_is_revealed(purpose, write, officer):
    assert reveal(officer, purpose=purpose)["Location"] == path()
    assert not actions("quarantine.revealed")


def test_a_role_that_reads_no_queue_sees_nothing_and_opens_nothing(write, administrator):
    before = len(actions("quarantine.opened"))

    assert administrator.get(path()).status_code == 404
    assert reveal(administrator).status_code == 403
    assert len(actions("quarantine.opened", "quarantine.revealed")) == before


def test_a_stranger_is_sent_to_sign_in(write, stranger):
    assert stranger.get(path())["Location"].startswith("/accounts/login/")
    assert reveal(stranger)["Location"].startswith("/accounts/login/")


def test_a_request_of_another_kind_reveals_nothing(officer):
    asked = asked_hold_release()

    assert officer.post(f"{path(asked)}reveal/", {"purpose": "decide"}).status_code == 404


def test_a_decided_request_reveals_nothing(write, officer):
    act(officer, write, "reject", {"reason": "instruction_not_memory", "revision": 1})

    assert reveal(officer)["Location"] == path()
    assert not actions("quarantine.revealed")


def test_a_decided_request_opens_no_text(write, officer):
    confirm(officer).post(f"{path()}approve/")
    before = len(actions("quarantine.opened"))

    shown = page(officer)

    assert "refunds" not in shown
    assert len(actions("quarantine.opened")) == before


@pytest.mark.parametrize(
    ("fields", "said"),
    [({"revision": 2}, "The write has changed"), ({"status": "lapsed", "ciphertext": b""}, "was decided")],
)
def test_a_write_that_is_not_what_was_asked_for_cannot_be_approved(fields, said, write, officer):
    change(write, **fields)

    assert said in page(officer)
    assert f'action="{path()}approve/"' not in page(officer)
    shown = confirm(officer).post(f"{path()}approve/", follow=True).content.decode()
    assert "Nothing was approved" in shown
    assert Approval.objects.get().status == "asked"


def test_a_write_that_went_with_its_subject_is_said_to_be_gone(write, officer):
    with transaction.atomic():
        isolation.open_everything()
        state(write).delete()

    assert "no longer there" in page(officer)


# --- who decides ---
def test_the_page_names_the_roles_that_decide(write, officer):
    assert "Reviewer or Privacy officer" in page(officer)


def test_who_asked_is_told_why_they_cannot(write, reviewer):
    shown = page(reviewer)

    assert "You asked for this" in shown
    assert "/approve/" not in shown


def test_who_has_not_the_role_is_told_so(write, auditor):
    shown = page(auditor)

    assert "You cannot: your role is auditor" in shown
    assert "/approve/" not in shown


def test_after_its_time_everybody_is_told_so(write, officer):
    row = Approval.objects.get()
    Approval.objects.update(expires_at=row.requested_at - timedelta(minutes=1))

    shown = page(officer)

    assert "the time to decide is over" in shown
    assert "/approve/" not in shown


def test_a_request_of_somebody_suspended_says_so_and_is_not_approved(write, reviewer, officer):
    reviewer.staff.is_active = False
    reviewer.staff.save()

    assert "was suspended since" in page(officer)
    assert "Nothing was approved" in confirm(officer).post(f"{path()}approve/", follow=True).content.decode()
    assert Approval.objects.get().status == "asked"


def test_after_its_time_the_draft_is_not_shown_nor_revealed(write, officer):
    Approval.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    before = len(actions("quarantine.revealed"))

    assert "refunds need one signature" not in page(officer)
    assert "refunds need one signature" not in reveal(officer).content.decode()
    assert len(actions("quarantine.revealed")) == before
