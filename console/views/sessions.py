"""Sessions: a subject's, and the timeline of one with its window drawn against a budget."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from console.access import Ability, scope_of, staff_page
from console.forms import BudgetForm
from console.refusals import refusal_of
from vault.errors import IntegrityFault
from vault.sessions.timeline import Step, session_timeline, sessions_of

WIDTH, HEIGHT = 600, 140


@staff_page(Ability.MEMORY_READ)
def sessions_page(request: HttpRequest, subject_id: UUID) -> HttpResponse:
    found = sessions_of(subject_id=subject_id, scope=scope_of(request))
    return render(request, "console/sessions.html", {"subject_id": subject_id, "sessions": found})


@staff_page(Ability.MEMORY_READ)
def session_page(request: HttpRequest, session_id: UUID) -> HttpResponse:
    asked = BudgetForm(request.GET)
    budget = (asked.cleaned_data["budget"] if asked.is_valid() else None) or BudgetForm.DEFAULT
    try:
        timeline = session_timeline(session_id=session_id, budget=budget, scope=scope_of(request))
    except IntegrityFault as fault:
        refusal = refusal_of(fault)
        facts = {"session_id": session_id, "refusal": refusal}
        return render(request, "console/session_fault.html", facts, status=refusal.status)
    top = max([budget, *(step.said for step in timeline.steps)])
    context = {
        "timeline": timeline,
        "session": timeline.view.row,
        "form": BudgetForm(initial={"budget": budget}),
        "width": WIDTH,
        "height": HEIGHT,
        "said": _line(timeline.steps, top, lambda step: step.said),
        "shown": _line(timeline.steps, top, lambda step: step.shown),
        "limit": HEIGHT - round(HEIGHT * budget / top),
        "dropped": sum(turn.opened.is_cut_down for turn in timeline.turns),
        "top": top,
        "last": timeline.steps[-1].number if timeline.steps else 0,
    }
    return render(request, "console/session.html", context)


def _line(steps: Sequence[Step], top: int, height: Callable[[Step], int]) -> str:
    """The points of a polyline, from the corner on."""
    last = max((step.number for step in steps), default=1)
    points = [
        (round(WIDTH * step.number / last), HEIGHT - round(HEIGHT * height(step) / top)) for step in steps
    ]
    return " ".join(f"{x},{y}" for x, y in [(0, HEIGHT), *points])
