"""Fitting the coefficients of relevance and the weights of the score on labelled questions.

Every figure comes from a fit that never saw the conversation it is measured on. Answers, categories and ids
are no signals; importance and age are not fitted into relevance, because policy weighs them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import datetime, timedelta
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vault.evaluation.retrieval import (
    ADVERSARIAL_CATEGORY,
    Answer,
    Item,
    Question,
    figures,
    read_observations,
    read_questions,
    read_turns,
)
from vault.evaluation.retrieval_in_memory import InMemoryRanker, Prepared
from vault.retrieval.fusion import SECONDS_PER_DAY, Mode, cosine, rank, signals, similarities
from vault.retrieval.score import DEFAULT_HALF_LIFE_DAYS, DEFAULT_WEIGHTS, Ranking, Weights, recency
from vault.retrieval.similarity import DEFAULT_COEFFICIENTS, Array, Coefficients, Signals

RIDGE = 1e-3
NEWTON_STEPS = 15
MAX_HALVINGS = 12
DEPTH = 10
RECENCY_WEIGHTS = (0.0, 0.1, 0.25, 0.4)
HALF_LIVES_DAYS = (7.0, 30.0, 90.0, 365.0)


@dataclass(frozen=True, slots=True)
class Example:
    """One question over one set of items, with the signals of its candidates, one row each."""

    question: Question
    ready: Prepared
    items: dict[str, Item]
    as_of: datetime
    spoken: Signals
    matrix: Array
    right: NDArray[np.bool_]

    @property
    def ages(self) -> list[float]:
        """In days, in the order of the candidates."""
        return [(self.as_of - each.when).total_seconds() / SECONDS_PER_DAY for each in self.ready.candidates]


@dataclass(frozen=True, slots=True)
class Setting:
    """What may be set; without coefficients those are taken that fit what the store looks like."""

    coefficients: Coefficients | None = None
    weights: Weights = DEFAULT_WEIGHTS
    half_life_days: float = DEFAULT_HALF_LIFE_DAYS


def tune(data_dir: Path, ranker: InMemoryRanker) -> dict[str, Any]:
    """Fit, and report before and after by leaving one conversation out; changes nothing. Raises DataMissing."""
    sets = {
        "turns": _examples(ranker, read_turns(data_dir), read_questions(data_dir)),
        "observations": _examples(ranker, read_observations(data_dir), read_questions(data_dir)),
    }
    held_out = {name: _held_out(some) for name, some in sets.items()}
    fitted = {name: best_setting(some) for name, some in sets.items()}
    return {
        "before": {name: measure(some, {}) for name, some in sets.items()},
        "refitted_default_weights": {
            name: measure(some, {key: Setting(each.coefficients) for key, each in held_out[name].items()})
            for name, some in sets.items()
        },
        "after": {name: measure(some, held_out[name]) for name, some in sets.items()},
        "fitted": {name: asdict(setting) for name, setting in fitted.items()},
    }


def _held_out(examples: Sequence[Example]) -> dict[str, Setting]:
    """For each conversation the best setting of all the others."""
    subjects = sorted({each.question.subject for each in examples})
    return {
        subject: best_setting([each for each in examples if each.question.subject != subject])
        for subject in subjects
    }


def measure(examples: Sequence[Example], settings: dict[str, Setting]) -> dict[str, Any]:
    """The figures of these examples, each under its conversation's setting, or under the default."""
    return figures([_answer(each, settings.get(each.question.subject, Setting())) for each in examples])


def best_setting(examples: Sequence[Example]) -> Setting:
    """The coefficients that fit best, then the weight and half-life of recency with the best recall@10.

    Of equals the one nearest to the default wins, so that a set that says nothing of age changes nothing.
    """
    fitted = fit(examples)
    start = Setting(coefficients=fitted)
    settings = [
        replace(start, weights=replace(DEFAULT_WEIGHTS, recency=weight), half_life_days=days)
        for weight, days in product(RECENCY_WEIGHTS, HALF_LIVES_DAYS)
    ]
    scored = [each for each in examples if _counts(each.question)]
    vector = fitted.vector()
    similar = [similarities(each.ready.candidates, each.spoken, each.matrix @ vector) for each in scored]
    return max(settings, key=lambda each: (round(_recall(scored, similar, each), 3), -_distance(each)))


def fit(examples: Sequence[Example], *, start: Coefficients = DEFAULT_COEFFICIENTS) -> Coefficients:
    """Coefficients that make the evidence most likely among its question's candidates.

    A conditional logit with ridge penalty, by Newton's method. Signals that never vary keep their coefficient.
    """
    useful = [each for each in examples if _counts(each.question) and each.right.any()]
    matrix = np.concatenate([each.matrix for each in useful])
    target = np.concatenate([each.right / each.right.sum() for each in useful])
    starts = np.cumsum([0, *(len(each.right) for each in useful[:-1])])
    spread = matrix.std(axis=0)
    varies = (spread > 0) & _fitted_columns()
    scaled = matrix[:, varies] / spread[varies]
    fixed = matrix[:, ~varies] @ start.vector()[~varies]
    found = start.vector()
    found[varies] = _newton(scaled, target, starts, fixed) / spread[varies]
    return Coefficients(*(round(value, 3) for value in found.tolist()))


def _newton(matrix: Array, target: Array, starts: NDArray[np.int64], fixed: Array) -> Array:
    """The maximum of the penalised likelihood of `target` under a softmax within each segment."""
    weights = np.zeros(matrix.shape[1])
    loss, likely = _softmax_loss(matrix @ weights + fixed, target, starts)
    for _ in range(NEWTON_STEPS):
        means = np.add.reduceat(matrix * likely[:, None], starts)
        gradient = matrix.T @ (likely - target) / len(starts) + RIDGE * weights
        curvature = (matrix.T @ (matrix * likely[:, None]) - means.T @ means) / len(starts)
        step = np.linalg.solve(curvature + RIDGE * np.eye(len(weights)), gradient)
        # A full step may overshoot where the softmax is flat; halve it until it helps.
        for halvings in range(MAX_HALVINGS):
            moved = weights - step / 2**halvings
            new_loss, new_likely = _softmax_loss(matrix @ moved + fixed, target, starts)
            new_loss += RIDGE * float(moved @ moved) / 2
            if new_loss < loss:
                weights, loss, likely = moved, new_loss, new_likely
                break
    return weights


def _softmax_loss(logits: Array, target: Array, starts: NDArray[np.int64]) -> tuple[float, Array]:
    """The mean negative log likelihood over segments, and the softmax within each."""
    sizes = np.diff([*starts, len(target)])
    shifted = logits - np.repeat(np.maximum.reduceat(logits, starts), sizes)
    sums = np.add.reduceat(np.exp(shifted), starts)
    loss = float(np.log(sums).sum() - target @ shifted) / len(starts)
    return loss, np.exp(shifted) / np.repeat(sums, sizes)


def _fitted_columns() -> NDArray[np.bool_]:
    """All but the identifiers: few questions of any set hold one, and policy wants them first."""
    return np.array([name != "identifier" for name in asdict(DEFAULT_COEFFICIENTS)])


def _examples(ranker: InMemoryRanker, items: Sequence[Item], questions: Iterable[Question]) -> list[Example]:
    ranker.load(items)
    known = {item.id: item for item in items}
    end = {item.subject: item.created for item in sorted(items, key=lambda item: item.created)}
    return [
        _example(ranker, question, known, end[question.subject] + timedelta(days=1)) for question in questions
    ]


def _example(ranker: InMemoryRanker, question: Question, items: dict[str, Item], as_of: datetime) -> Example:
    ready = ranker.prepare(question.subject, question.text)
    cosines = [cosine(ready.vector, candidate.vector) for candidate in ready.candidates]
    spoken = signals(ready.candidates, cosines, ready.hints, Mode.HYBRID)
    right = [bool(items[candidate.id].answers & question.evidence) for candidate in ready.candidates]
    return Example(question, ready, items, as_of, spoken, spoken.matrix(), np.array(right, dtype=np.bool_))


def _answer(example: Example, setting: Setting) -> Answer:
    ranked = rank(
        example.ready.candidates,
        hints=example.ready.hints,
        vector=example.ready.vector,
        as_of=example.as_of,
        ranking=Ranking(setting.weights, setting.half_life_days),
        coefficients=setting.coefficients,
    )
    return Answer(example.question, tuple(example.items[each.id] for each in ranked[:DEPTH]))


def _recall(examples: Sequence[Example], similar: Sequence[Array], setting: Setting) -> float:
    """Recall@10 under a setting's weights; importance is left out, for it is the same everywhere."""
    total = 0.0
    for example, similarity in zip(examples, similar, strict=True):
        fresh = np.array([recency(age, half_life_days=setting.half_life_days) for age in example.ages])
        scores = setting.weights.similarity * similarity + setting.weights.recency * fresh
        best = np.argsort(-scores, kind="stable")[:DEPTH]
        found = tuple(example.items[example.ready.candidates[place].id] for place in best.tolist())
        total += Answer(example.question, found).recall(DEPTH)
    return total / len(examples)


def _counts(question: Question) -> bool:
    return bool(question.evidence) and question.category != ADVERSARIAL_CATEGORY


def _distance(setting: Setting) -> float:
    steps = abs(HALF_LIVES_DAYS.index(setting.half_life_days) - HALF_LIVES_DAYS.index(DEFAULT_HALF_LIFE_DAYS))
    return steps + 10 * abs(setting.weights.recency - DEFAULT_WEIGHTS.recency)
