"""Four eyes: what waits for a second person, what exactly it is, and the decision."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone

from console import words
from console.access import Ability, abilities_of, scope_of, staff_of, staff_page
from console.approvers import APPROVAL_READERS, APPROVERS
from console.forms import ApprovalFilterForm, ReasonForm
from console.policy_words import as_text, differences
from console.refusals import refusal_of
from vault.errors import VaultError
from vault.lifecycle.acts import EXECUTORS, carry_out
from vault.lifecycle.approvals import approve, get_approval, list_approvals, refuse
from vault.lifecycle.namespaces.loosening import loosens
from vault.lifecycle.namespaces.proposals import find_proposal, is_overtaken, proposals_of
from vault.models import Approval, ApprovalKind, ApprovalStatus

PAGE = "console:approval"
# Where the row that an act is about can be seen.
TARGET_PAGES: dict[str, tuple[str, str]] = {
    ApprovalKind.RELEASE: ("console:queue_item", "write_id"),
    ApprovalKind.EXPORT: ("console:export", "export_id"),
    ApprovalKind.HOLD_RELEASE: ("console:hold", "hold_id"),
    ApprovalKind.ROLLBACK: ("console:rollback", "rollback_id"),
}


@staff_page(Ability.APPROVAL_READ)
def approvals_page(request: HttpRequest) -> HttpResponse:
    form = ApprovalFilterForm(request.GET)
    status = form.cleaned_data["status"] if form.is_valid() else ""
    rows = list_approvals(
        kinds=_kinds(request, APPROVAL_READERS),
        scope=scope_of(request),
        status=ApprovalStatus(status) if status else None,
    )
    asked = proposals_of(rows)
    context = {
        "rows": [(row, asked.get(row.target_id)) for row in rows],
        "status": status,
        "statuses": ApprovalStatus.values,
        "me": f"staff:{staff_of(request).pk}",
    }
    return render(request, "console/approvals.html", context)


@staff_page(Ability.APPROVAL_READ)
def approval_page(request: HttpRequest, approval_id: UUID) -> HttpResponse:
    row = get_approval(
        approval_id=approval_id, kinds=_kinds(request, APPROVAL_READERS), scope=scope_of(request)
    )
    in_time = row.expires_at > timezone.now()
    may_decide = row.kind in _kinds(request, APPROVERS)
    context = {
        "row": row,
        "target_url": _target_url(row),
        "is_mine": row.requested_by == f"staff:{staff_of(request).pk}",
        "can_decide": may_decide and in_time and row.status == ApprovalStatus.ASKED,
        "can_carry_out": may_decide and in_time and row.status == ApprovalStatus.APPROVED,
        "is_for_operator": ApprovalKind(row.kind) not in EXECUTORS,
        "refuse_form": ReasonForm(codes=words.APPROVAL_GROUNDS, auto_id="refuse_%s"),
        **(_change_of(row) if row.kind == ApprovalKind.POLICY else {}),
    }
    return render(request, "console/approval.html", context)


@staff_page(Ability.APPROVAL_READ, method="POST", confirm=True, back=PAGE)
def give(request: HttpRequest, approval_id: UUID) -> HttpResponse:
    """Approve, and do it at once; what cannot be done now is said, and the approval stands until it expires."""
    asked = get_approval(approval_id=approval_id, kinds=_kinds(request, APPROVERS), scope=scope_of(request))
    if asked.kind == ApprovalKind.POLICY:
        proposal = find_proposal(asked)
        if is_overtaken(proposal, proposal.namespace):
            messages.error(request, "The policy has changed since this was asked for. Nothing was approved.")
            return redirect(PAGE, approval_id=approval_id)
    row = approve(approval_id=approval_id, kinds=_kinds(request, APPROVERS), scope=scope_of(request))
    if ApprovalKind(row.kind) not in EXECUTORS:
        messages.success(request, "Approved. The operator can carry it out now, with this approval's id.")
        return redirect(PAGE, approval_id=approval_id)
    try:
        carry_out(approval_id=approval_id, scope=scope_of(request))
    except VaultError as error:
        messages.error(request, f"Approved, but not carried out: {refusal_of(error).detail}")
    else:
        messages.success(request, "Approved and carried out.")
    return redirect(PAGE, approval_id=approval_id)


@staff_page(Ability.APPROVAL_READ, method="POST", confirm=True, back=PAGE)
def do(request: HttpRequest, approval_id: UUID) -> HttpResponse:
    """Try again what was approved and could not be done then."""
    row = get_approval(approval_id=approval_id, kinds=_kinds(request, APPROVERS), scope=scope_of(request))
    carry_out(approval_id=row.pk, scope=scope_of(request))
    messages.success(request, "Carried out.")
    return redirect(PAGE, approval_id=approval_id)


@staff_page(Ability.APPROVAL_READ, method="POST", back=PAGE)
def deny(request: HttpRequest, approval_id: UUID) -> HttpResponse:
    form = ReasonForm(request.POST, codes=words.APPROVAL_GROUNDS)
    if not form.is_valid():
        messages.error(request, "Choose the ground on which it is refused.")
        return redirect(PAGE, approval_id=approval_id)
    refuse(
        approval_id=approval_id,
        kinds=_kinds(request, APPROVERS),
        ground_code=form.cleaned_data["reason"],
        scope=scope_of(request),
    )
    messages.success(request, "Refused. It will not be done.")
    return redirect(PAGE, approval_id=approval_id)


def _kinds(request: HttpRequest, table: dict[ApprovalKind, Ability]) -> frozenset[ApprovalKind]:
    """The kinds for which the role holds the ability that the table asks for."""
    abilities = abilities_of(staff_of(request))
    return frozenset(kind for kind, ability in table.items() if ability in abilities)


def _change_of(row: Approval) -> dict[str, object]:
    """What a new policy would change, and whether it still is a change of what is in force."""
    proposal = find_proposal(row)
    purposes = (proposal.purpose_before, proposal.purpose_after)
    return {
        "proposal": proposal,
        "is_stale": is_overtaken(proposal, proposal.namespace),
        "differences": differences(proposal.before, proposal.after, purposes=purposes),
        "loosened": loosens(proposal.before, proposal.after),
        "before": as_text(proposal.before),
        "after": as_text(proposal.after),
    }


def _target_url(row: Approval) -> str:
    if row.target_id is None or row.kind not in TARGET_PAGES:
        return ""
    name, argument = TARGET_PAGES[row.kind]
    return reverse(name, kwargs={argument: row.target_id})
