"""Four eyes: what waits for a second person, what exactly it is, and the decision."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone

from console import words
from console.access import Ability, abilities_of, scope_of, staff_of, staff_page
from console.acts import Look, act_context, is_open, overtaken
from console.approvers import APPROVAL_READERS, APPROVERS, deciding_roles, why_not
from console.forms import ApprovalFilterForm, PageForm, ReasonForm
from console.queue_forms import RevealForm
from console.refusals import refusal_of
from console.written import ORIGINAL
from vault.errors import VaultError
from vault.lifecycle.acts import EXECUTORS, carry_out
from vault.lifecycle.approvals import OPEN, approve, get_approval, list_approvals, refuse
from vault.lifecycle.namespaces.proposals import proposals_of
from vault.lifecycle.reviewing.reading import reveal_write
from vault.models import Approval, ApprovalKind, ApprovalStatus

PAGE = "console:approval"


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
    """One request with what it is about; the text of a write stands there masked, and that look is an entry."""
    row = get_approval(
        approval_id=approval_id, kinds=_kinds(request, APPROVAL_READERS), scope=scope_of(request)
    )
    page = PageForm(request.GET)
    wanted = page.cleaned_data["page"] if page.is_valid() else None
    return _page(request, row, Look(page=wanted or 1))


@staff_page(Ability.QUEUE_READ, method="POST", back=PAGE)
def reveal(request: HttpRequest, approval_id: UUID) -> HttpResponse:
    """The text of the write that a release is asked for, for a purpose: as in the queue, by the same service."""
    row = get_approval(approval_id=approval_id, kinds=[ApprovalKind.RELEASE], scope=scope_of(request))
    form = RevealForm(request.POST)
    if not form.is_valid() or row.target_id is None:
        messages.error(request, "Choose the purpose for which you have to see the text.")
        return redirect(PAGE, approval_id=approval_id)
    if not is_open(row) or overtaken(row, scope=scope_of(request)):
        messages.error(
            request, "There is nothing to decide here any more; the page of the write shows what is left."
        )
        return redirect(PAGE, approval_id=approval_id)
    purpose = form.cleaned_data["purpose"]
    opened = reveal_write(write_id=row.target_id, scope=scope_of(request), purpose=purpose)
    view = form.cleaned_data["view"] or ORIGINAL
    return _page(request, row, Look(revealed=opened, view=view, purpose=purpose))


@staff_page(Ability.APPROVAL_READ, method="POST", confirm=True, back=PAGE)
def give(request: HttpRequest, approval_id: UUID) -> HttpResponse:
    """Approve, and do it at once; what cannot be done now is said, and the approval stands until it expires."""
    asked = get_approval(approval_id=approval_id, kinds=_kinds(request, APPROVERS), scope=scope_of(request))
    gone = overtaken(asked, scope=scope_of(request)) if asked.status == ApprovalStatus.ASKED else ""
    if gone:
        messages.error(request, f"{gone} Nothing was approved.")
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
    gone = overtaken(row, scope=scope_of(request))
    if gone:
        messages.error(request, f"{gone} Nothing was done.")
        return redirect(PAGE, approval_id=approval_id)
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


def _page(request: HttpRequest, row: Approval, look: Look) -> HttpResponse:
    scope = scope_of(request)
    obstacle = why_not(row, staff_of(request), now=timezone.now())
    context = {
        **act_context(row, look, scope=scope),
        "row": row,
        "gone": overtaken(row, scope=scope),
        "status": ApprovalStatus.EXPIRED.value if row.status in OPEN and not is_open(row) else row.status,
        "roles": deciding_roles(row.kind),
        "obstacle": obstacle,
        "can_decide": not obstacle and row.status == ApprovalStatus.ASKED,
        "can_carry_out": not obstacle and row.status == ApprovalStatus.APPROVED,
        "is_for_operator": ApprovalKind(row.kind) not in EXECUTORS,
        "refuse_form": ReasonForm(codes=words.APPROVAL_GROUNDS, auto_id="refuse_%s"),
    }
    return render(request, "console/approval.html", context)
