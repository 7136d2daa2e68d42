"""The review desk, one write: masked at first, revealed for a purpose, claimed, and noted on."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone

from console.access import Ability, scope_of, staff_page
from console.queue_forms import NoteForm, QueueFilterForm, RevealForm, decision_forms, last_day
from console.written import ORIGINAL, REDACTED, written_context
from vault.errors import AlreadyClaimed, InvalidTransition
from vault.lifecycle.reviewing.claims import claim_write, claimant, let_go
from vault.lifecycle.reviewing.notes import add_note
from vault.lifecycle.reviewing.queue import neighbours
from vault.lifecycle.reviewing.reading import OpenedWrite, look_at_write, reveal_write, write_row
from vault.lifecycle.reviewing.related import related_writes
from vault.lifecycle.standing_requests import waiting_releases
from vault.screening.verdict import Reason
from vault.types import QuarantineStatus
from vault.writing.codes import is_coverable, stopping

PAGE = "console:queue_item"


@staff_page(Ability.QUEUE_READ)
def item_page(request: HttpRequest, write_id: UUID) -> HttpResponse:
    """One write with what identifies people masked; opening it is an entry of the log."""
    scope = scope_of(request)
    try:
        opened = look_at_write(write_id=write_id, scope=scope)
    except InvalidTransition:
        # Decided or lapsed: the draft is gone, the decision is still to be seen.
        return render(
            request, "console/queue_decided.html", {"row": write_row(write_id=write_id, scope=scope)}
        )
    return _page(request, opened, view=REDACTED)


@staff_page(Ability.QUEUE_READ, method="POST", back=PAGE)
def reveal(request: HttpRequest, write_id: UUID) -> HttpResponse:
    """The text itself, for a purpose. An answer to a POST, so that no address and no history shows it again."""
    form = RevealForm(request.POST)
    if not form.is_valid():
        messages.error(request, "Choose the purpose for which you have to see the text.")
        return redirect(item_address(request, write_id))
    purpose = form.cleaned_data["purpose"]
    opened = reveal_write(write_id=write_id, scope=scope_of(request), purpose=purpose)
    return _page(request, opened, view=form.cleaned_data["view"] or ORIGINAL, purpose=purpose)


@staff_page(Ability.QUEUE_DECIDE, method="POST", back=PAGE)
def claim(request: HttpRequest, write_id: UUID) -> HttpResponse:
    try:
        claim_write(write_id=write_id, scope=scope_of(request), take_over="take_over" in request.POST)
    except AlreadyClaimed:
        messages.warning(request, "Somebody else is working on it. Open it to see who, and to take it over.")
    else:
        messages.success(request, "It is yours for a quarter of an hour. Others see that; nothing is locked.")
    return redirect(queue_address(request) if "list" in request.POST else item_address(request, write_id))


@staff_page(Ability.QUEUE_DECIDE, method="POST", back=PAGE)
def skip(request: HttpRequest, write_id: UUID) -> HttpResponse:
    """Let one's own claim go and move on to the next write of the list."""
    scope = scope_of(request)
    let_go(write_id=write_id, scope=scope)
    wanted = QueueFilterForm(request.GET).wanted
    next_id = neighbours(row=write_row(write_id=write_id, scope=scope), scope=scope, wanted=wanted).next
    return redirect(item_address(request, next_id) if next_id else queue_address(request))


@staff_page(Ability.QUEUE_DECIDE, method="POST", back=PAGE)
def note(request: HttpRequest, write_id: UUID) -> HttpResponse:
    form = NoteForm(request.POST)
    if form.is_valid():
        add_note(write_id=write_id, text=form.cleaned_data["text"], scope=scope_of(request))
        messages.success(request, "Noted. Colleagues see it here.")
    else:
        messages.error(request, "Write a note of up to a thousand characters.")
    return redirect(item_address(request, write_id))


def item_address(request: HttpRequest, write_id: UUID) -> str:
    """The page of one write, with the filters of the list that it was opened from."""
    return reverse(PAGE, kwargs={"write_id": write_id}) + QueueFilterForm(request.GET).query


def queue_address(request: HttpRequest) -> str:
    return reverse("console:queue") + QueueFilterForm(request.GET).query


def _page(request: HttpRequest, opened: OpenedWrite, *, view: str, purpose: str = "") -> HttpResponse:
    scope, row = scope_of(request), opened.row
    form = QueueFilterForm(request.GET)
    asked = waiting_releases(revisions={row.pk: row.revision}, scope=scope)
    stops = stopping(opened.verdict.findings)
    shown = written_context(
        opened, view=view, purpose=purpose, here=item_address(request, row.pk),
        reveal_url=reverse("console:reveal_write", kwargs={"write_id": row.pk}) + form.query,
    )  # fmt: skip
    context = {
        **shown,
        "row": row,
        "is_pending": row.status == QuarantineStatus.PENDING,
        "is_high_impact": Reason.HIGH_IMPACT_CLAIM.value in {*row.reasons, *opened.verdict.reasons},
        "may_allow": bool(row.agent_id and stops) and all(is_coverable(finding) for finding in stops),
        "asked": asked.get(row.pk),
        "claimed_by": claimant(row, now=timezone.now()),
        "me": scope.author,
        "related": related_writes(row=row, scope=scope),
        "around": neighbours(row=row, scope=scope, wanted=form.wanted),
        "query": form.query,
        "last_day": last_day(),
        **decision_forms(),
    }
    return render(request, "console/queue_item.html", context)
