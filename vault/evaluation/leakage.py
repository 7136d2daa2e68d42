"""What a dump of the vectors gives away: two attacks on rows as the vault stores them, with controls.

Both attackers have the table, the same encoder and a list of texts that contains the true ones; neither has a key.
The first looks for the text behind a row; the second, within one subject, for the two rows behind a pair of texts.
The same attacks on plain vectors, and on turned ones without noise, show that they work where nothing stops them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import UUID

import numpy as np
from django.db import connections
from numpy.typing import NDArray

from vault.database import OWNER
from vault.embedding import embed
from vault.evaluation.retrieval import Item, read_observations
from vault.evaluation.retrieval_sealed import SealedRanker
from vault.evaluation.scratch import scratch_vault
from vault.keys import key_vault

ROWS_OF_A_SUBJECT = 120
PAIRS_OF_A_SUBJECT = 200
TOP_SHARE = 0.01
SEED = 11
DUMP = """
    SELECT i.memory_id, i.subject_id, i.vector::text FROM vault_memoryindex i
    JOIN vault_namespace n ON n.id = i.namespace_id WHERE n.name = %s AND i.vector IS NOT NULL
"""

Matrix = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Dump:
    """Rows as somebody with the table has them; `truth` says which text of `texts` stands behind each."""

    rows: Matrix
    subjects: list[UUID]
    truth: NDArray[np.int64]
    texts: Matrix
    turned: Matrix


def evaluate(folder: Path) -> dict[str, Any]:
    """Store observations in a scratch vault, dump the vectors, attack them. Raises DataMissing."""
    items = _chosen(read_observations(folder))
    with scratch_vault():
        ranker = SealedRanker()
        ranker.load(items)
        dump = _dump(ranker, items)
        closed = SealedRanker(sealed=True)
        closed.load(items[:ROWS_OF_A_SUBJECT])
        sealed_rows = len(_rows(closed.namespace))
    return {
        "rows": len(dump.rows),
        "nearest_neighbour": nearest_neighbour(dump.rows, dump.texts, dump.truth),
        "nearest_neighbour_on_plain_vectors": nearest_neighbour(
            dump.texts[dump.truth], dump.texts, dump.truth
        ),
        "confirm_a_pair": confirm_pairs(dump.rows, dump),
        "confirm_a_pair_without_noise": confirm_pairs(dump.turned, dump),
        "sealed_namespace_vectors": sealed_rows,
    }


def nearest_neighbour(rows: Matrix, texts: Matrix, truth: NDArray[np.int64]) -> dict[str, Any]:
    """How often the true text is the nearest to its row, and among the nearest hundredth; and what chance gives."""
    near = rows @ texts.T
    ranks = (near > near[np.arange(len(rows)), truth][:, None]).sum(axis=1)
    top = max(1, round(TOP_SHARE * len(texts)))
    return {
        "candidates": len(texts),
        "first": round(float((ranks == 0).mean()), 4),
        "first_by_chance": round(1 / len(texts), 4),
        "first_hundredth": round(float((ranks < top).mean()), 4),
        "first_hundredth_by_chance": round(top / len(texts), 4),
        "mean_rank_share": round(float(ranks.mean() / len(texts)), 4),
    }


def confirm_pairs(rows: Matrix, dump: Dump) -> dict[str, Any]:
    """Whether the distance of two rows tells that two guessed texts stand behind them.

    `auc`: how often a true pair of rows fits the distance of the texts better than a random pair of the subject does
    (0.5 is chance). `found`: how often the best fitting of all pairs of the subject is the true one.
    """
    random = np.random.default_rng(SEED)
    better, found, chances = [], [], []
    for subject in sorted(set(dump.subjects)):
        own = [n for n, each in enumerate(dump.subjects) if each == subject]
        # Two rows are one pair, and nothing to mistake it for.
        if len(own) <= 2:
            continue
        inner = rows[own] @ rows[own].T
        guessed = dump.texts[dump.truth[own]]
        first, second = np.triu_indices(len(own), 1)
        for _ in range(PAIRS_OF_A_SUBJECT):
            one, other = random.choice(len(own), size=2, replace=False)
            misfit = np.abs(inner - guessed[one] @ guessed[other])
            true = misfit[one, other]
            better.append(float(np.mean(misfit[first, second] > true)))
            found.append(bool(misfit[first, second].min() >= true))
            chances.append(1 / len(first))
    if not better:
        return {"pairs": 0}
    return {
        "pairs": len(better),
        "auc": round(float(np.mean(better)), 4),
        "found": round(float(np.mean(found)), 4),
        "found_by_chance": round(float(np.mean(chances)), 5),
    }


def _chosen(items: Sequence[Item]) -> list[Item]:
    """The first observations of each subject, in their order."""
    counts: dict[str, int] = {}
    chosen = []
    for item in items:
        counts[item.subject] = counts.get(item.subject, 0) + 1
        if counts[item.subject] <= ROWS_OF_A_SUBJECT:
            chosen.append(item)
    return chosen


def _dump(ranker: SealedRanker, items: Sequence[Item]) -> Dump:
    texts = list(dict.fromkeys(item.text for item in items))
    place = {text: number for number, text in enumerate(texts)}
    text_of = {item.id: item.text for item in items}
    vectors = np.asarray(embed(texts))
    rows = _rows(ranker.namespace)
    truth = np.array([place[text_of[ranker.item_of(memory)]] for memory, _, _ in rows], dtype=np.int64)
    stored = np.array([row for _, _, row in rows], dtype=np.float32)
    subjects = [subject for _, subject, _ in rows]
    keys = {subject: key_vault().subject(subject) for subject in set(subjects)}
    turned = np.stack(
        [keys[subject].rotate(vectors[text]) for subject, text in zip(subjects, truth.tolist(), strict=True)]
    )
    return Dump(stored, subjects, truth, vectors, turned)


def _rows(namespace: str) -> list[tuple[UUID, UUID, list[float]]]:
    """The vectors as whoever has the table reads them: as its owner, past every policy."""
    with connections[OWNER].cursor() as cursor:
        cursor.execute(DUMP, [namespace])
        return [
            (memory, subject, [float(part) for part in vector.strip("[]").split(",")])
            for memory, subject, vector in cursor.fetchall()
        ]
