"""The subject's own requests and addresses, and what others said of the memories."""

from __future__ import annotations

from vault.errors import IntegrityFault
from vault.lifecycle.access_export.collecting import (
    UNREADABLE,
    Collector,
    Look,
    Page,
    Place,
    Record,
    instant,
    page_of,
)
from vault.lifecycle.subject_rights.contacts import open_address
from vault.lifecycle.subject_rights.wording import open_words
from vault.models import MemoryFeedback, SubjectContact, SubjectRequest


def requests(look: Look, after: Place | None) -> Page:
    rows = SubjectRequest.objects.filter(subject_id=look.subject.pk, received_at__lte=look.as_of)
    return page_of(rows.none() if look.asker else rows, after, lambda row: _request(row, look))


def contacts(look: Look, after: Place | None) -> Page:
    rows = SubjectContact.objects.filter(subject_id=look.subject.pk, registered_at__lte=look.as_of)
    return page_of(rows.none() if look.asker else rows, after, lambda row: _contact(row, look))


def feedback(look: Look, after: Place | None) -> Page:
    rows = MemoryFeedback.objects.filter(look.covered(), day__lte=look.as_of.date())
    return page_of(rows, after, lambda row: _feedback(row, look))


def _request(row: SubjectRequest, look: Look) -> Record:
    facts = {
        "id": str(row.pk),
        "kind": row.kind,
        "status": row.status,
        "received_at": instant(row.received_at),
        "proved_by": row.proved_by or None,
        "verified_at": instant(row.verified_at),
        "due_at": instant(row.due_at),
        "decided_at": instant(row.decided_at),
        "ground": row.ground_code or None,
        "done_at": instant(row.done_at),
    }
    try:
        return {**facts, "text": open_words(row, keys=look.keys) or None}
    except IntegrityFault:
        return {**facts, UNREADABLE: IntegrityFault.code}


def _contact(row: SubjectContact, look: Look) -> Record:
    facts = {
        "registered_by": look.names.author(row.registered_by),
        "registered_at": instant(row.registered_at),
    }
    try:
        return {**facts, "address": open_address(row, keys=look.keys)}
    except IntegrityFault:
        return {**facts, UNREADABLE: IntegrityFault.code}


def _feedback(row: MemoryFeedback, look: Look) -> Record:
    return {
        "memory": str(row.memory_id),
        "by": look.names.author(row.caller),
        "day": row.day.isoformat(),
        "useful": row.useful,
    }


REQUESTS = Collector(
    "requests",
    "Your requests",
    "What you asked the operator for, and what became of it.",
    ("request_texts",),
    requests,
)
CONTACTS = Collector(
    "contacts",
    "Your addresses",
    "Where the vault may write to you about your requests.",
    ("contacts",),
    contacts,
    columns=("address", "registered_at", "registered_by"),
)
FEEDBACK = Collector(
    "feedback",
    "What was said of your memories",
    "Whether a memory was of use to who asked for it.",
    ("feedback",),
    feedback,
    columns=("day", "by", "memory", "useful"),
)
