"""Reads labelled sets: one folder a task, JSON lines, plain or gzipped."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any


class DataMissing(Exception):
    """The folder does not hold the set that a task needs."""


def rows(folder: Path, task: str, name: str = "") -> Iterator[dict[str, Any]]:
    """Yield the rows of `<folder>/<task>/<name>.jsonl` or `.jsonl.gz`; raises DataMissing."""
    stem = folder / task / (name or task)
    plain, packed = stem.with_name(stem.name + ".jsonl"), stem.with_name(stem.name + ".jsonl.gz")
    if plain.is_file():
        with plain.open(encoding="utf-8") as lines:
            yield from _parsed(lines)
    elif packed.is_file():
        with gzip.open(packed, "rt", encoding="utf-8") as lines:
            yield from _parsed(lines)
    else:
        raise DataMissing(f"{task}/{stem.name}.jsonl(.gz)")


def _parsed(lines: Any) -> Iterator[dict[str, Any]]:
    for line in lines:
        if line.strip():
            yield json.loads(line)
