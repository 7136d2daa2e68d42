"""Asking for an export: by staff, by an agent for a subject of its namespaces, or by the subject itself."""

from __future__ import annotations

from dataclasses import replace
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from audit.actions import Action as Event
from audit.actions import Outcome
from audit.log import Actor
from vault.errors import NoSuchSubject
from vault.keys import key_vault
from vault.lifecycle.access_export.approval import KIND, act_of_export, carry_out_export
from vault.lifecycle.approvals import approve, ask
from vault.lifecycle.desk import refusals_noted, require_staff
from vault.models import (
    UNFINISHED_EXPORT,
    AccessExport,
    Approval,
    ApprovalKind,
    ApprovalStatus,
    ExportStatus,
    isolation,
)
from vault.models.identifiers import new_id
from vault.retrieval import trail
from vault.retrieval.scope import Right, Scope
from vault.retrieval.subjects import is_known_in
from vault.writing.locks import lock_subject


def request_export(
    *, subject_id: UUID, reason_code: str, scope: Scope, requested_by: str | None = None
) -> AccessExport:
    """Ask for everything on a subject; somebody else approves it. While the caller's own is open, that is returned.

    An agent's export covers the namespaces in which it holds `subject:export`. `requested_by` names the subject's
    own verified request ("subject_request:<id>"): the member of staff who passes it on is then its approver, and the
    job is queued at once. Not to be called inside a transaction. Raises ScopeMissing, NoSuchSubject, SubjectErased.
    """
    with refusals_noted(Event.EXPORT_REQUESTED, scope=scope, kind=KIND):
        if requested_by is not None:
            require_staff(scope)
        export = _file(subject_id, reason_code, _asker(scope, requested_by))
    if requested_by is not None and export.status == ExportStatus.WAITING:
        _pass_on(export, scope)
        # Not read again: outside a transaction that opens the subject, its rows are nobody's.
        export.status = ExportStatus.QUEUED
    return export


def _asker(scope: Scope, requested_by: str | None) -> Scope:
    """Who asks: the caller, or the subject by the number of its request."""
    return scope if requested_by is None else replace(scope, actor=Actor("system", requested_by))


def _file(subject_id: UUID, reason_code: str, asker: Scope) -> AccessExport:
    namespaces = None if asker.everything else [n.id for n in asker.require(Right.SUBJECT_EXPORT)]
    with transaction.atomic(durable=True):
        if not asker.allows_subject(subject_id):
            raise NoSuchSubject
        isolation.open_whole_subject(subject_id)
        _require_known(subject_id, namespaces, asker)
        mine = AccessExport.objects.filter(subject_id=subject_id, requested_by=asker.author)
        existing = mine.filter(status__in=UNFINISHED_EXPORT).first()
        export = existing or AccessExport.objects.create(
            id=new_id(),
            subject_id=subject_id,
            agent_id=asker.agent_id,
            namespaces=namespaces,
            reason_code=reason_code,
            requested_by=asker.author,
            requested_at=timezone.now(),
        )
        if export.status == ExportStatus.WAITING:
            ask(act=act_of_export(export), reason_code=export.reason_code, scope=asker)
        trail.note(
            Event.EXPORT_REQUESTED, scope=asker, kind=KIND, target=export.pk,
            subject_ref=key_vault().subject(subject_id).audit_reference,
            outcome=Outcome.SKIPPED if existing else Outcome.OK,
            reason="already_open" if existing else reason_code,
        )  # fmt: skip
    return export


def _require_known(subject_id: UUID, namespaces: list[int] | None, asker: Scope) -> None:
    """Lock the subject; for an agent it is not there unless something of it stands in the agent's namespaces."""
    lock_subject(subject_id)
    if namespaces is None:
        return
    if not is_known_in(subject_id, namespaces, agent_id=asker.agent_id):
        raise NoSuchSubject


def _pass_on(export: AccessExport, scope: Scope) -> None:
    """The officer's word on the subject's own request: an approval by another than who asked, used at once."""
    approval = Approval.objects.get(
        request_hash=act_of_export(export).digest(),
        status__in=[ApprovalStatus.ASKED, ApprovalStatus.APPROVED],
    )
    if approval.status == ApprovalStatus.ASKED:
        approval = approve(approval_id=approval.pk, kinds=[ApprovalKind.EXPORT], scope=scope)
    carry_out_export(approval, scope)
