"""Statements that contradict each other, side by side, and the decision between them."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from console import words
from console.access import Ability, scope_of, staff_page
from console.diffs import side_by_side
from console.forms import PageForm
from console.rollback_forms import ConflictForm
from vault.lifecycle.conflicts import decide_conflict, list_conflicts, open_conflict
from vault.models import ConflictKind, ConflictStatus
from vault.screening.normalise import reveal

PAGE = "console:conflict"


@staff_page(Ability.MEMORY_READ)
def conflicts_page(request: HttpRequest) -> HttpResponse:
    form = PageForm(request.GET)
    page = (form.cleaned_data["page"] if form.is_valid() else None) or 1
    found = list_conflicts(scope=scope_of(request), page=page)
    return render(request, "console/conflicts.html", {"found": found, "page": page})


@staff_page(Ability.MEMORY_READ)
def conflict_page(request: HttpRequest, conflict_id: UUID) -> HttpResponse:
    """Both texts, opened; `?view=inline` shows the differences in one text."""
    opened = open_conflict(conflict_id=conflict_id, scope=scope_of(request))
    of_rollback = opened.row.kind == ConflictKind.ROLLBACK
    challenger = opened.challenger or opened.standing
    context = {
        "opened": opened,
        "row": opened.row,
        "of_rollback": of_rollback,
        "challenger_version": challenger.row.version,
        "sides": side_by_side(opened.changes),
        "changes": [(piece.change, reveal(piece.text)) for piece in opened.changes],
        "inline": request.GET.get("view") == "inline",
        "is_open": opened.row.status == ConflictStatus.OPEN,
        "decisions": (words.ROLLBACK_DECISIONS if of_rollback else words.CONFLICT_DECISIONS).items(),
        "decision": {**words.CONFLICT_DECISIONS, **words.ROLLBACK_DECISIONS}.get(opened.row.status, ""),
        "reasons": words.CONFLICT_REASONS.items(),
    }
    return render(request, "console/conflict.html", context)


@staff_page(Ability.MEMORY_CHANGE, method="POST", back=PAGE)
def decide(request: HttpRequest, conflict_id: UUID) -> HttpResponse:
    form = ConflictForm(request.POST, codes=words.CONFLICT_REASONS)
    if not form.is_valid():
        messages.error(request, "Choose a decision and a reason.")
        return redirect(PAGE, conflict_id=conflict_id)
    given = form.cleaned_data
    decide_conflict(
        conflict_id=conflict_id,
        decision=ConflictStatus(given["decision"]),
        standing_version=given["standing_version"],
        challenger_version=given["challenger_version"],
        reason=given["reason"],
        scope=scope_of(request),
    )
    messages.success(request, "Decided.")
    return redirect("console:conflicts")
