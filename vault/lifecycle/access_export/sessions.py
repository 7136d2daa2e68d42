"""Conversations as far as they are kept: sessions with their turns and summaries, and links of visitors."""

from __future__ import annotations

from typing import Any

from vault.errors import IntegrityFault
from vault.lifecycle.access_export.collecting import (
    UNREADABLE,
    Collector,
    Look,
    Page,
    Place,
    Record,
    ids,
    instant,
    page_of,
)
from vault.models import Session, SessionSummary, Turn, VisitorLink
from vault.retrieval.turns import open_state, open_summary, open_turn


def sessions(look: Look, after: Place | None) -> Page:
    rows = Session.objects.filter(look.covered(), started_at__lte=look.as_of)
    return page_of(rows, after, lambda row: _session(row, look))


def turns(look: Look, after: Place | None) -> Page:
    rows = Turn.objects.filter(look.covered(), created_at__lte=look.as_of)
    return page_of(rows, after, lambda row: _turn(row, look))


def summaries(look: Look, after: Place | None) -> Page:
    rows = SessionSummary.objects.filter(look.covered(), created_at__lte=look.as_of)
    return page_of(rows, after, lambda row: _summary(row, look))


def visitor_links(look: Look, after: Place | None) -> Page:
    rows = VisitorLink.objects.filter(subject_id=look.subject.pk, linked_at__lte=look.as_of)
    if look.namespaces is not None:
        rows = rows.none()
    return page_of(rows, after, lambda row: _link(row, look))


def _session(row: Session, look: Look) -> Record:
    facts: dict[str, Any] = {
        "id": str(row.pk),
        "namespace": look.names.namespace(row.namespace_id),
        "agent": look.names.agent(row.agent_id),
        "status": row.status,
        "started_at": instant(row.started_at),
        "ended_at": instant(row.ended_at),
        "turns": row.turn_count,
    }
    try:
        return {**facts, "topic": open_state(row, keys=look.keys).text or None}
    except IntegrityFault:
        return {**facts, UNREADABLE: IntegrityFault.code}


def _turn(row: Turn, look: Look) -> Record:
    facts = {
        "session": str(row.session_id),
        "number": row.number,
        "role": row.role,
        "trust": row.trust,
        "said_at": instant(row.created_at),
    }
    try:
        content = open_turn(row, keys=look.keys).content
    except IntegrityFault:
        return {**facts, UNREADABLE: IntegrityFault.code}
    return {**facts, "text": content.text, "details": dict(content.metadata)}


def _summary(row: SessionSummary, look: Look) -> Record:
    facts = {
        "session": str(row.session_id) if row.session_id else None,
        "of": row.level,
        "turns": f"{row.first}-{row.last}",
        "made_at": instant(row.created_at),
    }
    try:
        points = open_summary(row, keys=look.keys).metadata["points"]
    except IntegrityFault:
        return {**facts, UNREADABLE: IntegrityFault.code}
    # Its words are the points; what else stands with them is for the vault's own reckoning.
    return {**facts, "points": [{name: point[name] for name in ("turn", "kind", "text")} for point in points]}


def _link(row: VisitorLink, look: Look) -> Record:
    return {
        "id": str(row.pk),
        "linked_by": look.names.author(row.linked_by),
        "linked_at": instant(row.linked_at),
        "undone_at": instant(row.undone_at),
        "memories": ids(row.memories),
        "sessions": ids(row.sessions),
        "drafts": ids(row.quarantined),
    }


SESSIONS = Collector(
    "sessions",
    "Conversations",
    "When you and an agent talked, as far as it is kept.",
    ("sessions",),
    sessions,
    columns=("started_at", "ended_at", "agent", "status", "turns", "topic"),
)
TURNS = Collector("turns", "What was said", "The turns of those conversations.", ("turns",), turns)
SUMMARIES = Collector(
    "summaries", "Summaries", "What the vault made of earlier turns.", ("session_summaries",), summaries
)
VISITOR_LINKS = Collector(
    "visitor_links",
    "Visits that were joined with you",
    "A visitor turned out to be you, and what was kept of the visits was moved to you.",
    ("visitor_links",),
    visitor_links,
    columns=("linked_at", "linked_by", "undone_at"),
)
