"""Linking: a visitor turned out to be a subject. Everything moves under the subject's key, once, and can move back.

Who calls vouches for it: the application that signs people in, by a right of its own, and may prove the subject by its
signed assertion besides. Before the link nothing of a visitor is visible to any subject; afterwards a new visit with
the same cookie begins with nothing, for a cookie alone proves nobody.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence, Set
from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from audit.actions import Action as Event
from audit.actions import Outcome
from vault.crypto.assertion import AssertionRefused
from vault.errors import (
    InvalidField,
    InvalidTransition,
    NotFound,
    ScopeMissing,
    SubjectErased,
    SubjectOnHold,
    VaultError,
)
from vault.keys import key_vault
from vault.models import (
    ErasureRequest,
    ErasureStatus,
    IdempotencyRecord,
    LegalHold,
    Memory,
    QuarantinedWrite,
    Session,
    Subject,
    SubjectToken,
    VisitorLink,
    isolation,
)
from vault.models.identifiers import new_id
from vault.retrieval import trail
from vault.retrieval.asserted import Asserted, note_refused_assertion, spend
from vault.retrieval.integrity import check_manifest
from vault.retrieval.scope import Right, Scope
from vault.retrieval.subjects import find_subject, is_known_in, namespaces_of
from vault.sessions.identity import asserted_subject, link_audience, require_assertion
from vault.sessions.moving import Move, Owner, move_memories, move_quarantined, move_sessions
from vault.sessions.start import visitor_reference
from vault.writing.ground import Ground
from vault.writing.locks import lock_or_create_subject
from vault.writing.withdrawal import withdraw_mixed

OTHER_LINK = "The visitor is linked to another subject."
TOO_LATE = "The time to undo this link is over, or it was undone before."


@dataclass(frozen=True, slots=True)
class Linked:
    """A link, and the caller's own id of the subject."""

    row: VisitorLink
    subject: str = field(repr=False)
    is_new: bool = True


def link_visitor(
    *, visitor: str, subject: str = "", assertion: str | None = None, scope: Scope,
    remember: Callable[[Linked], None] | None = None,
) -> Linked:  # fmt: skip
    """Move a visitor's memories and sessions to a subject. The same link again is answered and moves nothing.

    Raises NotFound for a visitor that nobody has seen, or that has something where the caller has no say;
    SubjectErased, SubjectOnHold, InvalidTransition, ScopeMissing, AssertionRefused, and InvalidField for a subject that
    is missing, not the one signed for, or not signed for where a namespace of what would move wants that.
    """
    try:
        _require_right(scope)
        asserted = _asserted(assertion, subject, scope)
        subject = asserted.subject if asserted else subject
        found = find_subject(visitor_reference(visitor))
        if found is None:
            raise NotFound
        with transaction.atomic(durable=True):
            target = lock_or_create_subject(subject, keys=key_vault())
            isolation.open_everything()
            origin, target = _locked(found.pk, target.pk)
            places = namespaces_of(origin.pk)
            _require_reach(places, scope)
            reach = [place.id for place in scope.namespaces]
            # One out of reach is linked to as a new one would be: a hold would tell of it.
            known = is_known_in(target.pk, reach, agent_id=scope.agent_id)
            _refuse_held([origin.pk, target.pk] if known else [origin.pk])
            if asserted is not None:
                spend(asserted, scope=scope, subject_ref=key_vault().subject(target.pk).audit_reference)
            row = VisitorLink.objects.filter(visitor_id=origin.pk, undone_at=None).first()
            if row is None and asserted is None:
                _refuse_bare_name(places, subject, scope)
            linked = _again(row, target, subject) if row else _link(origin, target, subject, scope)
            if remember is not None:
                remember(linked)
    except VaultError as refusal:
        _note_denied(refusal, Event.SUBJECT_LINKED, scope=scope)
        raise
    return linked


def unlink_visitor(*, link_id: UUID, scope: Scope) -> VisitorLink:
    """Move back what a link moved, as far as it is still there. Raises NotFound, InvalidTransition after its time.

    It names no subject, and nothing becomes a subject's by it: no namespace wants an assertion for it.
    """
    try:
        _require_right(scope)
        with transaction.atomic(durable=True):
            isolation.open_everything()
            row = VisitorLink.objects.select_for_update().filter(pk=link_id, linked_by=scope.author).first()
            if row is None:
                raise NotFound
            now = timezone.now()
            if row.undone_at is not None or now > row.undo_until:
                raise InvalidTransition(TOO_LATE)
            origin, visitor = _locked(row.subject_id, row.visitor_id)
            _refuse_held([origin.pk, visitor.pk])
            move = _move(origin, visitor, scope, now)
            # What was put together of both, or of the visitor's since, must not keep the visitor's words here.
            withdraw_mixed(row.memories, ground=Ground(origin, move.origin.keys, scope, now))
            memories = Memory.objects.filter(pk__in=row.memories, subject=origin).select_related("namespace")
            moved = move_memories(list(memories), move)
            sessions = move_sessions(list(Session.objects.filter(pk__in=row.sessions, subject=origin)), move)
            move_quarantined(
                list(QuarantinedWrite.objects.filter(pk__in=row.quarantined, subject=origin)), move
            )
            row.undone_by, row.undone_at = scope.author, now
            row.save(update_fields=["undone_by", "undone_at"])
            _note(Event.SUBJECT_UNLINKED, row, move, scope, memories=len(moved), sessions=len(sessions))
    except VaultError as refusal:
        _note_denied(refusal, Event.SUBJECT_UNLINKED, scope=scope)
        raise
    return row


def _asserted(assertion: str | None, subject: str, scope: Scope) -> Asserted | None:
    """What proves the subject, if anything was sent that should."""
    if assertion is not None:
        return asserted_subject(assertion, named=subject, audience=link_audience(), scope=scope)
    if not subject:
        raise InvalidField("Say who the visitor is, by a subject or an assertion.", pointer="/subject")
    return None


def _require_right(scope: Scope) -> None:
    """Only who may speak for any subject may say who a visitor is; a token of one subject never may."""
    scope.require(Right.TOKEN_ISSUE)
    if scope.subject_id is not None:
        raise ScopeMissing


def _require_reach(places: Set[int], scope: Scope) -> None:
    """All of a visitor moves, so the right has to hold wherever something of it is. Raises NotFound otherwise."""
    if places - {namespace.id for namespace in scope.require(Right.TOKEN_ISSUE)}:
        raise NotFound


def _refuse_bare_name(places: Set[int], subject: str, scope: Scope) -> None:
    """Raise InvalidField if something would move by a bare name where the policy wants the subject signed for."""
    for namespace in scope.require(Right.TOKEN_ISSUE):
        if namespace.id in places:
            require_assertion(namespace, subject=subject)


def _refuse_held(subjects: Sequence[UUID]) -> None:
    """Raise SubjectOnHold or InvalidTransition where something has to stay, or to go, as it stands. Needs open rows."""
    if LegalHold.objects.filter(subject_id__in=subjects, released_at=None).exists():
        raise SubjectOnHold
    closed = [ErasureStatus.REFUSED, ErasureStatus.DONE]
    if ErasureRequest.objects.filter(subject_id__in=subjects).exclude(status__in=closed).exists():
        raise InvalidTransition("An erasure of one of the two is open.")


def _locked(one: UUID, other: UUID) -> tuple[Subject, Subject]:
    """Both subjects, locked in one order whoever comes first. Raises SubjectErased and InvalidTransition."""
    rows = {
        row.pk: row for row in Subject.objects.select_for_update().filter(pk__in=[one, other]).order_by("pk")
    }
    if len(rows) != 2:
        raise InvalidTransition(OTHER_LINK)
    if any(row.erased_at is not None for row in rows.values()):
        raise SubjectErased
    return rows[one], rows[other]


def _again(row: VisitorLink, target: Subject, subject: str) -> Linked:
    if row.subject_id != target.pk:
        raise InvalidTransition(OTHER_LINK)
    return Linked(row, subject, is_new=False)


def _link(origin: Subject, target: Subject, subject: str, scope: Scope) -> Linked:
    now = timezone.now()
    move = _move(origin, target, scope, now)
    # What vanished or was put back must not be sealed as if it were whole.
    for owner in (move.origin, move.target):
        check_manifest(owner.subject.pk, keys=owner.keys)
    isolation.open_everything()
    memories = Memory.objects.filter(subject=origin).select_related("namespace").order_by("created_at", "pk")
    row = VisitorLink(
        id=new_id(), subject=target, visitor_id=origin.pk, linked_by=scope.author, linked_at=now,
        undo_until=now + settings.VISITOR_LINK_UNDO, memories=move_memories(list(memories), move),
        sessions=move_sessions(list(Session.objects.filter(subject=origin)), move),
        quarantined=move_quarantined(list(QuarantinedWrite.objects.filter(subject=origin)), move),
    )  # fmt: skip
    # Answers for replay and tokens were the visitor's; nobody needs them under its old key.
    IdempotencyRecord.objects.filter(subject_id=origin.pk).delete()
    SubjectToken.objects.filter(subject_id=origin.pk).delete()
    row.save(force_insert=True)
    _note(Event.SUBJECT_LINKED, row, move, scope, memories=len(row.memories), sessions=len(row.sessions))
    return Linked(row, subject)


def _move(origin: Subject, target: Subject, scope: Scope, now: datetime) -> Move:
    keys = key_vault()
    return Move(
        Owner(origin, keys.subject(origin.pk)), Owner(target, keys.subject(target.pk)), scope.author, now
    )


def _note(event: Event, row: VisitorLink, move: Move, scope: Scope, *, memories: int, sessions: int) -> None:
    """One entry for each side, under each one's own reference: neither tells of the other."""
    for owner in (move.origin, move.target):
        trail.note(
            event, scope=scope, kind="visitor_link", target=row.pk, subject_ref=owner.keys.audit_reference,
            memories=memories, sessions=sessions,
        )  # fmt: skip


def _note_denied(refusal: VaultError, event: Event, *, scope: Scope) -> None:
    if isinstance(refusal, AssertionRefused):
        note_refused_assertion(refusal, scope=scope)
        return
    denied = isinstance(refusal, NotFound | ScopeMissing)
    trail.note_refusal(
        Event.ACCESS_DENIED if denied else event, scope=scope, kind="visitor_link",
        outcome=Outcome.DENIED if denied else Outcome.REFUSED, reason=refusal.code,
    )  # fmt: skip
