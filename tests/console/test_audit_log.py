from __future__ import annotations

import pytest
from django.db import connections

from audit.checkpoint import publish_checkpoint, seal_all
from tests.factories import make_memory
from vault.models import Role

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def _a_witness_of_its_own(settings, tmp_path):
    settings.AUDIT_WITNESS_FILE = str(tmp_path / "checkpoints.log")


def look(auditor, query: str = ""):
    return auditor.get(f"/console/audit/{query}")


def entries(response) -> list[str]:
    return [entry.action for entry in response.context["page"].entries]


def test_the_newest_entry_stands_first(auditor):
    memory = make_memory()
    auditor.get(f"/console/memories/{memory.row.pk}/")

    assert entries(look(auditor))[:2] == ["audit.read", "versions.read"]


def test_an_entry_has_its_number_once_it_is_sealed(auditor):
    look(auditor)
    seal_all()

    newest, sealed = look(auditor).context["page"].entries[:2]

    assert (newest.seq, sealed.seq) == (None, 0)


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("?action=memory.read", {"memory.read"}),
        ("?outcome=denied", {"access.denied"}),
        ("?actor=system", set()),
        ("?since=2999-01-01", set()),
        ("?until=2000-01-01", set()),
    ],
)
def test_filters_narrow_the_list(query, expected, auditor):
    auditor.get(f"/console/memories/{make_memory().row.pk}/")
    auditor.get("/console/staff/")

    assert set(entries(look(auditor, query))) == expected


def test_a_filter_by_actor_shows_one_person_s_entries(auditor, reviewer):
    reviewer.get("/console/queue/")

    assert set(entries(look(auditor, f"?actor=staff:{reviewer.staff.pk}"))) == {"quarantine.listed"}


def test_a_filter_by_target_follows_one_memory(auditor):
    memory = make_memory()
    auditor.get(f"/console/memories/{memory.row.pk}/")

    assert set(entries(look(auditor, f"?target={memory.row.pk}"))) == {"memory.read", "versions.read"}


def test_pages_go_back_without_gap_or_repeat(auditor):
    for _ in range(60):
        look(auditor)
    first = look(auditor).context["page"]

    second = look(auditor, f"?before={first.older}").context["page"]

    shown = [entry.pk for entry in (*first.entries, *second.entries)]
    assert len(set(shown)) == len(shown) == 61
    assert second.older is None


def test_a_whole_log_verifies(auditor):
    look(auditor)
    seal_all()
    publish_checkpoint()

    page = auditor.post("/console/audit/verify/", follow=True).content.decode()

    assert "The whole log verifies" in page


def test_an_altered_entry_is_named_by_its_number(auditor):
    look(auditor)
    seal_all()
    publish_checkpoint()
    with connections["owner"].cursor() as cursor:
        cursor.execute("ALTER TABLE audit_entry DISABLE TRIGGER audit_entry_append_only")
        cursor.execute("UPDATE audit_entry SET outcome = 'failed'")
        cursor.execute("ALTER TABLE audit_entry ENABLE ALWAYS TRIGGER audit_entry_append_only")

    page = auditor.post("/console/audit/verify/", follow=True).content.decode()

    assert "does not verify" in page
    assert "The first entry concerned is number 0." in page


def test_the_proof_of_an_entry_is_a_file(auditor):
    look(auditor)
    seal_all()
    publish_checkpoint()

    assert auditor.get("/console/audit/0/proof.json").json()["seq"] == 0


def test_before_a_checkpoint_there_is_no_proof(auditor):
    assert auditor.get("/console/audit/0/proof.json")["Location"] == "/console/audit/"


def test_the_signed_head_is_shown(auditor):
    look(auditor)
    seal_all()
    checkpoint = publish_checkpoint()

    assert checkpoint.note.splitlines()[0] in look(auditor).content.decode()


def test_people_are_named_on_the_page_though_the_log_holds_their_number(auditor):
    look(auditor)

    page = look(auditor)

    assert auditor.staff.email in page.content.decode()
    assert auditor.staff.role == Role.AUDITOR
