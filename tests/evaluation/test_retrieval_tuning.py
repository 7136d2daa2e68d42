from dataclasses import replace
from datetime import UTC, datetime

import numpy as np
import pytest

from vault.evaluation.retrieval import Item, Question
from vault.evaluation.retrieval_in_memory import Prepared
from vault.evaluation.retrieval_tuning import Example, best_setting, fit, measure
from vault.retrieval.fusion import Candidate
from vault.retrieval.query import analyse
from vault.retrieval.score import DEFAULT_WEIGHTS
from vault.retrieval.similarity import DEFAULT_COEFFICIENTS, Signals

DAY = datetime(2026, 3, 2, tzinfo=UTC)
COLUMNS = list(Signals.__dataclass_fields__)
CANDIDATES = 40


def example(seed: int, *, telling: str = "keyword", category: int = 4) -> Example:
    """A question whose evidence has more of one signal than the other candidates, among noise."""
    random = np.random.default_rng(seed)
    right = np.zeros(CANDIDATES, dtype=np.bool_)
    right[random.integers(CANDIDATES)] = True
    matrix = np.zeros((CANDIDATES, len(COLUMNS)))
    matrix[:, COLUMNS.index("semantic")] = random.normal(0.3, 0.1, CANDIDATES)
    matrix[:, COLUMNS.index(telling)] = random.normal(5, 1, CANDIDATES) + 3 * right
    ids = [f"{seed}/{n}" for n in range(CANDIDATES)]
    items = {id: Item(id, f"c{seed % 3}", "Mira", id, DAY, "1", frozenset([id])) for id in ids}
    candidates = [
        Candidate(
            id=id, text=id, when=DAY, importance=0.5, keyword=float(matrix[n, COLUMNS.index("keyword")])
        )
        for n, id in enumerate(ids)
    ]
    evidence = frozenset(id for id, holds in zip(ids, right, strict=True) if holds)
    question = Question(f"c{seed % 3}", "Which?", category, "single_hop", frozenset(["Mira"]), evidence)
    ready = Prepared(analyse("Which?"), np.zeros(384, np.float32), candidates)
    return Example(question, ready, items, DAY, Signals(*matrix.T), matrix, right)


EXAMPLES = [example(seed) for seed in range(60)]


def test_a_telling_signal_gets_a_large_coefficient():
    found = fit(EXAMPLES)

    assert found.keyword > 1
    assert abs(found.semantic) < found.keyword * 3


def test_a_signal_that_never_varies_keeps_its_coefficient():
    assert fit(EXAMPLES).near_day == DEFAULT_COEFFICIENTS.near_day


def test_identifiers_are_not_fitted():
    assert fit([example(seed, telling="identifier") for seed in range(20)]).identifier == 6.0


def test_questions_about_the_wrong_speaker_teach_nothing():
    misleading = [example(seed, telling="asks", category=5) for seed in range(100, 160)]

    assert fit([*EXAMPLES, *misleading]) == fit(EXAMPLES)


def test_the_fit_is_the_same_each_time():
    assert fit(EXAMPLES) == fit(EXAMPLES)


def test_a_set_that_says_nothing_of_age_changes_no_weight():
    setting = best_setting(EXAMPLES)

    assert (setting.weights, setting.half_life_days) == (DEFAULT_WEIGHTS, 30.0)


def test_old_evidence_does_not_raise_the_weight_of_recency():
    aged = []
    for each in EXAMPLES:
        candidates = [
            replace(candidate, when=datetime(2025, 3, 2, tzinfo=UTC)) if holds else candidate
            for candidate, holds in zip(each.ready.candidates, each.right.tolist(), strict=True)
        ]
        aged.append(replace(each, ready=replace(each.ready, candidates=candidates)))

    assert best_setting(aged).weights.recency <= DEFAULT_WEIGHTS.recency


def test_figures_are_taken_under_each_conversations_own_setting():
    plain = measure(EXAMPLES, {})
    blind = replace(best_setting(EXAMPLES), coefficients=replace(DEFAULT_COEFFICIENTS, keyword=-5.0))

    assert measure(EXAMPLES, {"c0": blind, "c1": blind, "c2": blind})["mrr"] < plain["mrr"]
    assert plain["questions"] == pytest.approx(len(EXAMPLES))
