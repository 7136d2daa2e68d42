"""Trying weights, half-life and decay: on an example at first, then on the memories of one subject."""

from __future__ import annotations

from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from audit.actions import Action
from console.access import Ability, scope_of, staff_page
from console.simulator_forms import SimulatorForm
from vault.errors import NotFound, SubjectErased
from vault.retrieval.score import (
    DEFAULT_HALF_LIFE_DAYS,
    DEFAULT_WEIGHTS,
    Decay,
    ScoreParts,
    Weights,
    recency,
    score,
)
from vault.retrieval.search import Hit, SearchQuery, find

SHOWN = 20
# Similarity, age in days, importance: the table of the documentation.
EXAMPLES = ((0.9, 60, 0.3), (0.7, 2, 0.6), (0.5, 10, 0.9), (0.2, 1, 0.1))


@dataclass(frozen=True, slots=True)
class ExampleRow:
    age_days: int
    parts: ScoreParts


@staff_page(Ability.POLICY_READ)
def simulator_page(request: HttpRequest) -> HttpResponse:
    form = SimulatorForm(initial=SimulatorForm.defaults())
    return render(request, "console/simulator.html", {"form": form, "examples": examples()})


@staff_page(Ability.POLICY_READ, method="POST")
def simulate(request: HttpRequest) -> HttpResponse:
    """The ranking under the sliders: of the example until a subject and a question are given.

    Reading memories needs the right to read them, beside that of the page; each ranking is a recorded read.
    """
    form = SimulatorForm(request.POST)
    context: dict[str, object] = {"form": form}
    if form.is_valid() and not form.cleaned_data["external_id"]:
        days = form.cleaned_data["half_life_days"]
        context["examples"] = examples(form.weights(), half_life_days=days, decay=form.decay_of())
    elif form.is_valid():
        try:
            context["hits"] = _hits(form, request)
        except (NotFound, SubjectErased):
            form.add_error("external_id", "The vault keeps nothing on a subject with exactly this id.")
    part = "HX-Request" in request.headers
    # A part of a page is swapped in only when it is a success; its text says what is wrong.
    status = 200 if part or form.is_valid() else 400
    template = "console/simulator_ranking.html" if part else "console/simulator.html"
    return render(request, template, context, status=status)


def examples(
    weights: Weights = DEFAULT_WEIGHTS,
    *,
    half_life_days: float = DEFAULT_HALF_LIFE_DAYS,
    decay: Decay = Decay.EXPONENTIAL,
) -> list[ExampleRow]:
    """The example's rows, the best score first. Pure."""
    rows = [
        ExampleRow(
            age, score(near, recency(age, half_life_days=half_life_days, decay=decay), weight, weights)
        )
        for near, age, weight in EXAMPLES
    ]
    return sorted(rows, key=lambda row: -row.parts.score)


def _hits(form: SimulatorForm, request: HttpRequest) -> tuple[Hit, ...]:
    """A look of staff is recorded and does not count as use."""
    query = SearchQuery(
        subject=form.cleaned_data["external_id"],
        query=form.cleaned_data["query"],
        k=SHOWN,
        weights=form.weights(),
        half_life_days=form.cleaned_data["half_life_days"],
        decay=form.decay_of(),
    )
    return find(query=query, scope=scope_of(request), event=Action.MEMORY_SEARCHED)
