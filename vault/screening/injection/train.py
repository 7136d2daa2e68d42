"""Train the injection weights: python -m vault.screening.injection.train --data DIR.

Reads DIR/injection and DIR/benign, leaves out what its licence does not let train, adds the invented
texts, cross-validates by source, and writes the weights and their card beside this file.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from vault.screening.injection import SURE, InjectionSignal, assess, decide
from vault.screening.injection.data import LabelledText, digests, read
from vault.screening.injection.invented import compose, expand_all
from vault.screening.injection.learning import Bags, Example, learn
from vault.screening.injection.linear import Array, sigmoid
from vault.screening.injection.model import CARD, WEIGHTS
from vault.screening.normalise import normalise
from vault.types import Action, SourceType, Trust

FOLDS = 8
PER_TEMPLATE, COMPOSED, SEED = 10, 300, 7
HERE = Path(__file__).parent
# Overall share of benign texts that may score above the point that becomes one half.
FALSE_POSITIVE_TARGET = 0.010
SLOPE, EVEN = 1.0, 0.5
OUTSIDE, FROM = Trust.UNTRUSTED, SourceType.EXTERNAL


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    folder = parser.parse_args(arguments).data
    rows = read(folder)
    examples = [*map(_example, rows), *_invented()]
    bags = Bags(examples)
    may_train = np.array([row.may_train for row in rows] + [True] * (len(examples) - len(rows)))
    by_source = cross_validate(bags, rows, may_train, fold_by_source(rows))
    by_row = cross_validate(bags, rows, may_train, fold_by_row(rows))
    weights = learn(bags, may_train)
    point = operating_point(by_row, rows)
    card = {
        "data": digests(folder),
        "rows_trained_on": int(may_train[: len(rows)].sum()),
        "invented_texts": len(examples) - len(rows),
        "calibration": {"slope": SLOPE, "intercept": -SLOPE * point},
        "by_source": figures(caught_by_score(by_source, point), rows),
        "by_row": figures(caught_by_score(by_row, point), rows),
        "whole_by_source": figures(caught_by_filter(by_source, point, rows), rows),
    }
    np.savez_compressed(HERE / WEIGHTS, weights=weights.astype(np.float16))
    (HERE / CARD).write_text(json.dumps(card, indent=1, sort_keys=True) + "\n", encoding="utf-8")


def _example(row: LabelledText) -> Example:
    return Example(row.text, row.label, row.source, weak=row.weak)


def _invented() -> list[Example]:
    texts = expand_all(per_template=PER_TEMPLATE, seed=SEED)
    texts += compose(texts, count=COMPOSED, seed=SEED)
    return [Example(each.text, each.label, each.template, invented=True) for each in texts]


def fold_by_source(rows: Sequence[LabelledText]) -> NDArray[np.int64]:
    """A fold for each row, all rows of a source and label in one; the folds about equally large."""
    sizes = Counter((row.source, row.label) for row in rows)
    loads = {0: [0] * FOLDS, 1: [0] * FOLDS}
    fold: dict[tuple[str, int], int] = {}
    for (source, label), size in sorted(sizes.items(), key=lambda item: (-item[1], item[0])):
        fold[source, label] = int(np.argmin(loads[label]))
        loads[label][fold[source, label]] += size
    return np.array([fold[row.source, row.label] for row in rows])


def fold_by_row(rows: Sequence[LabelledText]) -> NDArray[np.int64]:
    return np.random.default_rng(SEED).integers(0, FOLDS, len(rows))


def cross_validate(
    bags: Bags, rows: Sequence[LabelledText], may_train: NDArray[np.bool_], folds: NDArray[np.int64]
) -> Array:
    """The score of each row by a model that saw neither its fold nor what may not train."""
    scores = np.zeros(len(rows))
    for fold in range(FOLDS):
        chosen = may_train.copy()
        chosen[: len(rows)] &= folds != fold
        scores[folds == fold] = bags.scores(learn(bags, chosen))[: len(rows)][folds == fold]
    return scores


def operating_point(scores: Array, rows: Sequence[LabelledText]) -> float:
    """The raw score above which the target share of benign rows lies."""
    benign = np.sort(scores[np.array([row.label == 0 for row in rows])])[::-1]
    return float(benign[int(FALSE_POSITIVE_TARGET * len(benign))]) + 1e-6


def caught_by_score(scores: Array, point: float) -> NDArray[np.bool_]:
    """What the model alone sets aside."""
    caught: NDArray[np.bool_] = sigmoid(SLOPE * (scores - point)) > EVEN
    return caught


def caught_by_filter(scores: Array, point: float, rows: Sequence[LabelledText]) -> NDArray[np.bool_]:
    """What the filter sets aside of text from outside: these scores beside the rules, the carriers and the claims."""
    signals = [assess(normalise(row.text)) for row in rows]
    return np.array(
        [
            decide(
                with_score(signal, float(sigmoid(SLOPE * (score - point)))), trust=OUTSIDE, source_type=FROM
            )
            is not Action.ALLOW
            for signal, score in zip(signals, scores, strict=True)
        ]
    )


def with_score(signal: InjectionSignal, probability: float) -> InjectionSignal:
    """The signal as it would be if the model had said this."""
    score = max(probability, SURE if signal.decisive else 0.0)
    return replace(signal, score=score, model_score=probability)


def figures(caught: NDArray[np.bool_], rows: Sequence[LabelledText]) -> dict[str, dict[str, list[int]]]:
    """[caught, of] for each kind and source, weak rows apart."""
    tables: dict[str, dict[str, list[int]]] = {"kind": {}, "source": {}, "weak": {}}
    for row, hit in zip(rows, caught, strict=True):
        headline = [("kind", row.kind), ("source", f"{row.source}/{row.label}")]
        for table, key in [("weak", row.kind)] if row.weak else headline:
            count = tables[table].setdefault(key, [0, 0])
            count[0] += int(hit)
            count[1] += 1
    return tables


if __name__ == "__main__":
    main()
