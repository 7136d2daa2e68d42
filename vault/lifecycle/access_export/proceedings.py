"""What was done about the subject: requests, credentials, answers kept for a repeat, earlier exports."""

from __future__ import annotations

from django.db.models import Q

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
from vault.lifecycle.erasure import evidence_context
from vault.models import AccessExport, ErasureRequest, IdempotencyRecord, SubjectToken


def erasure_requests(look: Look, after: Place | None) -> Page:
    rows = ErasureRequest.objects.filter(_of_asker(look), requested_at__lte=look.as_of)
    return page_of(rows, after, lambda row: _erasure(row, look))


def exports(look: Look, after: Place | None) -> Page:
    rows = AccessExport.objects.filter(_of_asker(look), requested_at__lte=look.as_of)
    return page_of(rows, after, lambda row: _export(row, look))


def subject_tokens(look: Look, after: Place | None) -> Page:
    rows = SubjectToken.objects.filter(_of_asker(look))
    return page_of(rows, after, lambda row: _token(row, look))


def replay_answers(look: Look, after: Place | None) -> Page:
    rows = IdempotencyRecord.objects.filter(subject_id=look.subject.pk, created_at__lte=look.as_of)
    if look.asker is not None:
        rows = rows.filter(caller=f"agent:{look.asker}")
    return page_of(rows, after, lambda row: _answer(row, look))


def _of_asker(look: Look) -> Q:
    """In a file for some namespaces, only what the agent did that asked for it."""
    mine = Q(subject_id=look.subject.pk)
    return mine if look.asker is None else mine & Q(agent_id=look.asker)


def _erasure(row: ErasureRequest, look: Look) -> Record:
    facts = {
        "id": str(row.pk),
        "status": row.status,
        "reason": row.reason_code,
        "asked_by": look.names.author(row.requested_by),
        "asked_at": instant(row.requested_at),
        "due_at": instant(row.due_at),
        "decided_at": instant(row.decided_at),
        "ground": row.ground_code or None,
    }
    if not row.sealed_evidence:
        return {**facts, "evidence": None}
    try:
        opened = look.keys.open(bytes(row.sealed_evidence), context=evidence_context(row))
    except IntegrityFault:
        return {**facts, UNREADABLE: IntegrityFault.code}
    return {**facts, "evidence": opened.decode()}


def _export(row: AccessExport, look: Look) -> Record:
    return {
        "id": str(row.pk),
        "status": row.status,
        "reason": row.reason_code,
        "asked_by": look.names.author(row.requested_by),
        "asked_at": instant(row.requested_at),
        "ready_at": instant(row.ready_at),
        "expires_at": instant(row.expires_at),
    }


def _token(row: SubjectToken, look: Look) -> Record:
    return {
        "id": str(row.pk),
        "agent": look.names.agent(row.agent_id),
        "scopes": list(row.scopes),
        "expires_at": instant(row.expires_at),
        "revoked_at": instant(row.revoked_at),
    }


def _answer(row: IdempotencyRecord, look: Look) -> Record:
    return {
        "route": row.endpoint,
        "caller": look.names.author(row.caller),
        "kept_since": instant(row.created_at),
        "kept_until": instant(row.expires_at),
    }


ERASURE_REQUESTS = Collector(
    "erasure_requests",
    "Requests to erase",
    "Requests to erase what is kept on you, with what was sent along.",
    ("erasure_evidence",),
    erasure_requests,
)
EXPORTS = Collector(
    "exports",
    "Exports like this one",
    "When somebody asked for a file like this.",
    ("exports",),
    exports,
    columns=("asked_at", "asked_by", "reason", "status", "expires_at"),
)
TOKENS = Collector(
    "subject_tokens",
    "Credentials for you alone",
    "Short-lived credentials with which an agent's tools could reach your memories and nobody else's.",
    ("subject_tokens",),
    subject_tokens,
    columns=("agent", "scopes", "expires_at", "revoked_at"),
)
ANSWERS = Collector(
    "replay_answers",
    "Answers kept for a repeat",
    "Copies of answers, kept for a day in case a call is repeated. They say what the memories above say.",
    ("replay_answers",),
    replay_answers,
    columns=("kept_since", "route", "caller", "kept_until"),
)
