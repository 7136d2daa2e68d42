"""Trying weights, half-life and decay: on an example at first, then on the memories of one subject."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from audit.actions import Action
from console.access import Ability, scope_of, staff_page
from console.simulator_forms import SimulatorForm
from vault.errors import InvalidField, NotFound, SubjectErased
from vault.retrieval.kind_policy import rankings
from vault.retrieval.scope import GrantedNamespace
from vault.retrieval.score import DEFAULT_RANKING, Ranking, ScoreParts, recency, score
from vault.retrieval.search import Hit, SearchQuery, find
from vault.types import Kind

SHOWN = 20
# Similarity, age in days, importance: the table of the documentation.
EXAMPLES = ((0.9, 60, 0.3), (0.7, 2, 0.6), (0.5, 10, 0.9), (0.2, 1, 0.1))


@dataclass(frozen=True, slots=True)
class ExampleRow:
    age_days: int
    parts: ScoreParts


@dataclass(frozen=True, slots=True)
class RankingInForce:
    """How one namespace weighs one kind, or all; no ranking where its policy cannot be read."""

    namespace: str
    kind: Kind | None
    ranking: Ranking | None


@staff_page(Ability.POLICY_READ)
def simulator_page(request: HttpRequest) -> HttpResponse:
    form = SimulatorForm(initial=SimulatorForm.defaults())
    context = {"form": form, "examples": examples(), "in_force": in_force(scope_of(request).namespaces)}
    return render(request, "console/simulator.html", context)


@staff_page(Ability.POLICY_READ, method="POST")
def simulate(request: HttpRequest) -> HttpResponse:
    """The ranking under the sliders: of the example until a subject and a question are given.

    Reading memories needs the right to read them, beside that of the page; each ranking is a recorded read.
    """
    form = SimulatorForm(request.POST)
    context: dict[str, object] = {"form": form, "in_force": in_force(scope_of(request).namespaces)}
    if form.is_valid() and not form.cleaned_data["external_id"]:
        context["examples"] = examples(form.ranking() or DEFAULT_RANKING)
    elif form.is_valid():
        try:
            context["hits"] = _hits(form, request)
        except (NotFound, SubjectErased):
            form.add_error("external_id", "The vault keeps nothing on a subject with exactly this id.")
        except InvalidField as refused:
            form.add_error(None, refused.detail)
    part = "HX-Request" in request.headers
    # A part of a page is swapped in only when it is a success; its text says what is wrong.
    status = 200 if part or form.is_valid() else 400
    template = "console/simulator_ranking.html" if part else "console/simulator.html"
    return render(request, template, context, status=status)


def examples(ranking: Ranking = DEFAULT_RANKING) -> list[ExampleRow]:
    """The example's rows, the best score first. Pure."""
    rows = [
        ExampleRow(
            age,
            score(
                near,
                recency(age, half_life_days=ranking.half_life_days, decay=ranking.decay),
                weight,
                ranking.weights,
            ),
        )
        for near, age, weight in EXAMPLES
    ]
    return sorted(rows, key=lambda row: -row.parts.score)


def in_force(places: Sequence[GrantedNamespace]) -> list[RankingInForce]:
    """How search weighs each kind in each namespace, where that is not as shipped. Pure."""
    rows = []
    for place in places:
        try:
            by_kind = rankings(place.policy)
        except InvalidField:
            rows.append(RankingInForce(place.name, None, None))
            continue
        rows += [
            RankingInForce(place.name, kind, ranking)
            for kind, ranking in by_kind.items()
            if ranking != DEFAULT_RANKING
        ]
    return rows


def _hits(form: SimulatorForm, request: HttpRequest) -> tuple[Hit, ...]:
    """A look of staff is recorded and does not count as use. Without a ranking of the sliders it is search's own."""
    query = SearchQuery(subject=form.cleaned_data["external_id"], query=form.cleaned_data["query"], k=SHOWN)
    ranking = form.ranking()
    if ranking is not None:
        query = replace(
            query, weights=ranking.weights, half_life_days=ranking.half_life_days, decay=ranking.decay
        )
    return find(query=query, scope=scope_of(request), event=Action.MEMORY_SEARCHED).hits
