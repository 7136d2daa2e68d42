"""Verified contacts: where the link of proof may be sent, because somebody vouches that it is the subject's.

Who controls a contact can ask for everything that is kept, so vouching is for applications that may export a
subject, and for staff. A token bound to one subject may not: it is in the hands of a model that can be tricked.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from audit.actions import Action as Event
from vault.crypto import SubjectKeys, associated_data
from vault.errors import InvalidTransition, NoSuchSubject, NotFound, ScopeMissing
from vault.keys import key_vault
from vault.lifecycle.desk import STAFF, refusals_noted, require_staff
from vault.lifecycle.subject_rights import addresses
from vault.lifecycle.subject_rights.vouching import require_not_passed_on
from vault.models import Subject, SubjectContact, isolation
from vault.models.identifiers import new_id
from vault.retrieval import trail
from vault.retrieval.scope import Right, Scope
from vault.retrieval.subjects import is_known_in, require_subject
from vault.writing.locks import lock_subject

KIND = "contact"
MAX_CONTACTS = 10


@dataclass(frozen=True, slots=True)
class OpenedContact:
    id: UUID
    address: str = field(repr=False)
    registered_by: str = ""
    registered_at: datetime | None = None


def set_contact(*, subject: str, email: str, scope: Scope) -> None:
    """Register the address of a subject in the place of the one that the same agent registered before.

    Contacts of other agents and of staff stay. Raises ScopeMissing, NotFound, SubjectErased, InvalidField.
    """
    _require_voucher(scope)
    address = addresses.checked(email)
    with refusals_noted(Event.CONTACT_REGISTERED, scope=scope, kind=KIND):
        found = require_subject(subject, scope=scope)
        with transaction.atomic(durable=True):
            _lock(found, scope)
            digest = addresses.lookup_hash(address)
            mine = SubjectContact.objects.filter(subject_id=found.pk, registered_by=scope.author)
            _remove(list(mine.exclude(lookup_hash=digest)), found, scope)
            _add(found, address, digest, scope)


def clear_contact(*, subject: str, scope: Scope) -> None:
    """Remove what this agent registered for a subject; none is fine. Raises as `set_contact`."""
    _require_voucher(scope)
    with refusals_noted(Event.CONTACT_REMOVED, scope=scope, kind=KIND):
        found = require_subject(subject, scope=scope)
        with transaction.atomic(durable=True):
            _lock(found, scope)
            mine = SubjectContact.objects.filter(subject_id=found.pk, registered_by=scope.author)
            _remove(list(mine), found, scope)


def add_contact(*, subject_id: UUID, email: str, scope: Scope) -> None:
    """Register an address that a member of staff has checked; one that stands there already stays.

    Raises NotFound, SubjectErased, InvalidField, InvalidTransition when there are MAX_CONTACTS, and SameApprover for
    who passed an open access request of the subject on.
    """
    require_staff(scope)
    address = addresses.checked(email)
    with (
        refusals_noted(Event.CONTACT_REGISTERED, scope=scope, kind=KIND),
        transaction.atomic(durable=True),
    ):
        isolation.open_everything()
        subject = lock_subject(subject_id)
        require_not_passed_on(subject.pk, scope=scope)
        _add(subject, address, addresses.lookup_hash(address), scope)


def remove_contact(*, contact_id: UUID, scope: Scope) -> UUID:
    """Remove a contact, whoever registered it; returns whose it was. Raises NotFound."""
    require_staff(scope)
    with (
        refusals_noted(Event.CONTACT_REMOVED, scope=scope, kind=KIND, target=contact_id),
        transaction.atomic(durable=True),
    ):
        isolation.open_everything()
        row = SubjectContact.objects.filter(pk=contact_id).first()
        if row is None:
            raise NotFound
        _remove([row], lock_subject(row.subject_id), scope)
    return row.subject_id


def open_contacts(subject: Subject) -> tuple[OpenedContact, ...]:
    """The contacts of a subject whose rows are open to the transaction; none after an erasure."""
    rows = list(SubjectContact.objects.filter(subject_id=subject.pk).order_by("registered_at", "pk"))
    if not rows:
        return ()
    keys = key_vault().subject(subject.pk)
    return tuple(
        OpenedContact(row.pk, open_address(row, keys=keys), row.registered_by, row.registered_at)
        for row in rows
    )


def open_address(row: SubjectContact, *, keys: SubjectKeys) -> str:
    return keys.open(bytes(row.sealed_address), context=_context(row)).decode()


def _require_voucher(scope: Scope) -> None:
    scope.require(Right.SUBJECT_EXPORT)
    if scope.subject_id is not None or scope.actor.kind == STAFF:
        raise ScopeMissing


def _lock(subject: Subject, scope: Scope) -> None:
    """Lock the subject; for an agent it is not there unless something of it stands in the agent's namespaces."""
    isolation.open_whole_subject(subject.pk)
    lock_subject(subject.pk)
    scope.open(subject.pk, Right.SUBJECT_EXPORT)
    places = [place.id for place in scope.require(Right.SUBJECT_EXPORT)]
    if not is_known_in(subject.pk, places, agent_id=scope.agent_id):
        raise NoSuchSubject


def _add(subject: Subject, address: str, digest: bytes, scope: Scope) -> None:
    rows = SubjectContact.objects.filter(subject_id=subject.pk)
    if rows.filter(lookup_hash=digest).exists():
        return
    if rows.count() >= MAX_CONTACTS:
        raise InvalidTransition("The subject has as many contacts as there may be; remove one first.")
    row = SubjectContact(
        id=new_id(), subject_id=subject.pk, lookup_hash=digest, registered_by=scope.author,
        registered_at=timezone.now(),
    )  # fmt: skip
    keys = key_vault().subject(subject.pk)
    row.sealed_address = keys.seal(address.encode(), context=_context(row))
    row.save(force_insert=True)
    trail.note(
        Event.CONTACT_REGISTERED, scope=scope, kind=KIND, target=row.pk, subject_ref=keys.audit_reference
    )


def _remove(rows: list[SubjectContact], subject: Subject, scope: Scope) -> None:
    reference = key_vault().subject(subject.pk).audit_reference
    for row in rows:
        trail.note(Event.CONTACT_REMOVED, scope=scope, kind=KIND, target=row.pk, subject_ref=reference)
        row.delete()


def _context(row: SubjectContact) -> bytes:
    return associated_data(what="subject contact", contact=row.pk, subject=row.subject_id)
