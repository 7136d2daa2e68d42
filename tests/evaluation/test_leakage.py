from __future__ import annotations

import gzip
import json
from uuid import uuid4

import numpy as np
import pytest

from vault.crypto.vectors import noised, rotation, turned
from vault.evaluation.data import DataMissing
from vault.evaluation.leakage import Dump, confirm_pairs, evaluate, nearest_neighbour

WORDS = ("lamp", "kettle", "garden", "violin", "ferry", "invoice", "cousin", "marathon")


def unit(*shape: int) -> np.ndarray:
    rows = np.random.default_rng(5).normal(size=shape).astype(np.float32)
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


TEXTS = unit(400, 64)
ORDER = np.arange(400)
TURN = rotation(b"k" * 32, 64)
TURNED = np.stack([turned(row, TURN) for row in TEXTS])


def test_plain_vectors_give_their_texts_away():
    assert nearest_neighbour(TEXTS, TEXTS, ORDER)["first"] == 1.0


def test_turned_vectors_tell_a_stranger_nothing():
    found = nearest_neighbour(TURNED, TEXTS, ORDER)

    assert found["first_hundredth"] <= 4 * found["first_hundredth_by_chance"]
    assert 0.4 < found["mean_rank_share"] < 0.6


def test_without_noise_a_pair_is_confirmed_and_with_noise_it_drowns():
    subject = uuid4()
    dump = Dump(TURNED, [subject] * 400, ORDER, TEXTS, TURNED)
    hidden = np.stack([noised(row, 1.0) for row in TURNED])

    exact, blurred = confirm_pairs(TURNED, dump), confirm_pairs(hidden, dump)

    assert exact["found"] > 0.9
    assert blurred["found"] < 0.05
    assert blurred["auc"] < exact["auc"]


def test_a_subject_of_two_rows_is_no_trial():
    dump = Dump(TURNED[:2], [uuid4()] * 2, ORDER[:2], TEXTS, TURNED[:2])

    assert confirm_pairs(dump.rows, dump) == {"pairs": 0}


def test_missing_data_is_named(tmp_path):
    with pytest.raises(DataMissing):
        evaluate(tmp_path)


@pytest.mark.django_db(transaction=True, databases=["default", "owner"])
def test_the_rows_of_a_real_vault_are_attacked_and_a_sealed_one_has_none(tmp_path):
    folder = tmp_path / "retrieval"
    folder.mkdir()
    rows = [
        {"subject": f"c{n % 2}", "id": f"o{n}", "speaker": "Mira", "text": f"Mira likes the {word} of {n}.",
         "created": "2026-03-02T09:00:00", "session": 1, "source_ids": [f"t{n}"]}
        for n, word in enumerate(WORDS * 2)
    ]  # fmt: skip
    with gzip.open(folder / "observations.jsonl.gz", "wt") as file:
        file.writelines(json.dumps(row) + "\n" for row in sorted(rows, key=lambda row: row["subject"]))

    figures = evaluate(tmp_path)

    assert figures["rows"] == len(rows)
    assert figures["nearest_neighbour_on_plain_vectors"]["first"] == 1.0
    assert figures["sealed_namespace_vectors"] == 0
