"""The review desk, the decisions: on one write, on many, and the request for a second person."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone

from console import words
from console.access import Ability, scope_of, staff_page
from console.queue_forms import BulkForm, RejectForm, ReleaseForm
from console.refusals import refusal_of
from console.views.queue_item import PAGE, item_address, queue_address
from vault.errors import ApprovalRequired
from vault.lifecycle.reviewing.bulk import BulkResult, BulkVerb, decide_many
from vault.lifecycle.reviewing.claims import claimant
from vault.lifecycle.reviewing.deciding import Variant, reject_write, release_write
from vault.lifecycle.reviewing.four_eyes import ask_release
from vault.lifecycle.reviewing.reading import write_row
from vault.lifecycle.standing_requests import waiting_releases

NOT_DONE_STATUS = 409


@staff_page(Ability.QUEUE_DECIDE, method="POST", back=PAGE)
def release(request: HttpRequest, write_id: UUID) -> HttpResponse:
    """Let a write in, or ask a second person for a high-impact claim."""
    form = ReleaseForm(request.POST, codes=words.RELEASE_REASONS)
    if not form.is_valid():
        messages.error(request, "Choose a reason for the release, and a day if you allow the pattern.")
        return redirect(item_address(request, write_id))
    scope, given = scope_of(request), form.cleaned_data
    variant = Variant.REDACTED if given["variant"] == form.REDACTED else Variant.AS_IS
    row = write_row(write_id=write_id, scope=scope)
    try:
        memory = release_write(
            write_id=write_id, revision=given["revision"], reason_code=given["reason"], scope=scope,
            variant=variant, allow_until=form.allow_until,
        )  # fmt: skip
    except ApprovalRequired:
        waiting = waiting_releases(revisions={write_id: given["revision"]}, scope=scope)
        if waiting:
            messages.warning(
                request, "Its release was asked for already and waits here; nothing was asked twice."
            )
            return redirect("console:approval", approval_id=waiting[write_id].pk)
        asked = ask_release(
            write_id=write_id, revision=given["revision"], reason_code=given["reason"], scope=scope,
            variant=variant,
        )  # fmt: skip
        messages.success(request, "A second person is asked. It is let in when they approve it.")
        return redirect("console:approval", approval_id=asked.pk)
    _warn_if_claimed(request, claimant(row, now=timezone.now()))
    messages.success(request, f"Released as memory {memory.row.pk}.")
    if form.allow_until:
        messages.success(request, f"Its pattern is allowed to this agent until {given['until']:%Y-%m-%d}.")
    return redirect(queue_address(request))


@staff_page(Ability.QUEUE_DECIDE, method="POST", back=PAGE)
def reject(request: HttpRequest, write_id: UUID) -> HttpResponse:
    form = RejectForm(request.POST, codes=words.REJECT_REASONS)
    if not form.is_valid():
        messages.error(request, "Choose a reason for the rejection.")
        return redirect(item_address(request, write_id))
    scope = scope_of(request)
    row = write_row(write_id=write_id, scope=scope)
    reject_write(
        write_id=write_id,
        revision=form.cleaned_data["revision"],
        reason_code=form.cleaned_data["reason"],
        scope=scope,
        suspend_grant=form.cleaned_data["suspend"],
    )
    _warn_if_claimed(request, claimant(row, now=timezone.now()))
    messages.success(request, "Rejected. The text is kept out for good.")
    if form.cleaned_data["suspend"]:
        messages.success(request, "The agent's grant on this namespace is suspended from its next call on.")
    return redirect(queue_address(request))


@staff_page(Ability.QUEUE_DECIDE, method="POST", back="console:queue")
def decide_marked(request: HttpRequest) -> HttpResponse:
    """One decision on all that was marked, with a result for each; if one cannot be decided so, none is.

    What waits for a second person is left out, and the page says so.
    """
    form = BulkForm(request.POST)
    if not form.is_valid():
        messages.error(request, " ".join(str(error) for error in form.non_field_errors()) or "Nothing done.")
        return redirect(queue_address(request))
    scope, verb, marked = scope_of(request), BulkVerb(form.cleaned_data["verb"]), form.cleaned_data["choices"]
    asked = waiting_releases(revisions={choice.write_id: choice.revision for choice in marked}, scope=scope)
    choices = [choice for choice in marked if choice.write_id not in asked]
    if not choices:
        messages.warning(request, "Nothing done: all that was marked waits for a second person.")
        return redirect(queue_address(request))
    result = decide_many(choices=choices, verb=verb, reason_code=form.cleaned_data["reason"], scope=scope)
    context = {
        "result": result,
        "skipped": asked.items(),
        "marked": len(marked),
        "verb": verb.value,
        "reason": form.cleaned_data["reason"],
        "items": _described(result),
        "back": queue_address(request),
    }
    status = 200 if result.done else NOT_DONE_STATUS
    return render(request, "console/queue_bulk.html", context, status=status)


def _described(result: BulkResult) -> list[dict[str, object]]:
    """Each result with the words for its refusal, and who was quicker if somebody was."""
    return [
        {
            "result": item,
            "refusal": refusal_of(item.refusal) if item.refusal else None,
            "decided_by": item.refusal.facts.get("decided_by", "") if item.refusal else "",
        }
        for item in result.items
    ]


def _warn_if_claimed(request: HttpRequest, claimed_by: str) -> None:
    if claimed_by and claimed_by != scope_of(request).author:
        messages.warning(request, "Somebody else was working on this write; tell them that it is decided.")
