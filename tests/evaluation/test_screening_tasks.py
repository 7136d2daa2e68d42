"""The tasks on small samples written for the suite."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from tests.screening.drafts import GITHUB_SHAPED
from vault.evaluation import TASKS, task
from vault.evaluation.data import DataMissing, rows


def write(folder: Path, name: str, lines: list[dict[str, Any]], *, packed: bool = False) -> None:
    text = "".join(json.dumps(line) + "\n" for line in lines)
    (folder / name).mkdir()
    if packed:
        (folder / name / f"{name}.jsonl.gz").write_bytes(gzip.compress(text.encode()))
    else:
        (folder / name / f"{name}.jsonl").write_text(text, encoding="utf-8")


@pytest.mark.parametrize("packed", [False, True])
def test_rows_are_read_plain_or_packed(tmp_path: Path, packed: bool) -> None:
    write(tmp_path, "pii", [{"text": "a"}, {"text": "b"}], packed=packed)

    assert [row["text"] for row in rows(tmp_path, "pii")] == ["a", "b"]


def test_a_missing_set_is_named(tmp_path: Path) -> None:
    with pytest.raises(DataMissing, match=r"pii/pii\.jsonl"):
        list(rows(tmp_path, "pii"))


def test_an_unknown_task_is_refused() -> None:
    with pytest.raises(LookupError):
        task("astrology")
    assert "secrets" in TASKS


def secret(text: str, label: int, kind: str, **more: Any) -> dict[str, Any]:
    return {"text": text, "label": label, "kind": kind, "source": "here", "lang": "en", **more}


def test_secrets_are_scored_by_kind(tmp_path: Path) -> None:
    write(
        tmp_path,
        "secrets",
        [
            secret(f"use {GITHUB_SHAPED}", 1, "token"),
            secret("nothing in here", 1, "password"),
            secret("Please keep my password hints short.", 0, "policy_talk"),
            secret(f"like {GITHUB_SHAPED}", 0, "near_miss"),
            secret("left out", 1, "token", ambiguous=1),
        ],
    )

    figures = task("secrets")(tmp_path)

    assert figures["recall"] == 0.5
    assert figures["recall_by_kind"] == {"password": 0.0, "token": 1.0}
    assert figures["false_positive_rate"] == 0.0
    assert figures["near_miss_rate"] == 1.0


def test_personal_data_is_scored_by_span_and_type(tmp_path: Path) -> None:
    text = "Write to zora.quill@example.com today"
    span = {"start": 9, "end": 31, "type": "EMAIL_ADDRESS", "orig": "EMAIL"}
    write(
        tmp_path,
        "pii",
        [
            {"text": text, "spans": [span, {**span, "type": "PASSPORT"}], "source": "here", "lang": "en"},
            {"text": "Run the linter first.", "spans": [], "source": "no-pii:here", "lang": "en"},
        ],
    )

    figures = task("pii")(tmp_path)

    assert (figures["typed_recall"], figures["any_recall"]) == (0.5, 1.0)
    assert figures["clean_texts_flagged_direct_identifier"] == 0.0


def test_sensitive_lines_are_scored_by_category(tmp_path: Path) -> None:
    write(
        tmp_path,
        "sensitive",
        [
            {"text": "She was diagnosed with epilepsy.", "categories": ["health", "union"], "lang": "en"},
            {"text": "Prefers short answers.", "categories": [], "lang": "en"},
        ],
    )

    figures = task("sensitive")(tmp_path)

    assert (figures["recall"], figures["precision"]) == (0.5, 1.0)
    assert figures["empty_flagged"]["hits"] == 0
