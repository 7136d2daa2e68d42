"""Reads labelled rows, and says which of them may train a model that ships."""

from __future__ import annotations

import gzip
import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

SETS = ("injection", "benign")
# Licences that allow a derived model under this repository's licence, and an operator's own texts, from which only
# that operator's own weights can come; anything else only measures.
PERMISSIVE = ("MIT", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "ODC-BY", "operator")
FORBIDDEN = ("CC-BY-NC", "AGPL", "GPL", "unstated", "none")


@dataclass(frozen=True, slots=True)
class LabelledText:
    """One row; `group` is what must not be split between training and measuring."""

    text: str
    label: int
    kind: str
    source: str
    language: str
    licence: str
    weak: bool = False
    ood: bool = False

    @property
    def may_train(self) -> bool:
        if any(word.lower() in self.licence.lower() for word in FORBIDDEN):
            return False
        return any(name in self.licence for name in PERMISSIVE)


def read(folder: Path) -> list[LabelledText]:
    """All rows of injection/ and benign/ below the folder, plain or gzipped; FileNotFoundError if absent."""
    return [_row(json.loads(line)) for path in paths(folder) for line in _lines(path)]


def paths(folder: Path) -> list[Path]:
    found = []
    for name in SETS:
        candidates = [folder / name / f"{name}.jsonl.gz", folder / name / f"{name}.jsonl"]
        existing = [path for path in candidates if path.is_file()]
        if not existing:
            raise FileNotFoundError(f"no {name}.jsonl in the data folder")
        found.append(existing[0])
    return found


def digests(folder: Path) -> dict[str, str]:
    """SHA-256 of each file as it stands, by name."""
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in paths(folder)}


def _lines(path: Path) -> Iterator[str]:
    packed = path.read_bytes()
    text = (gzip.decompress(packed) if path.suffix == ".gz" else packed).decode("utf-8")
    yield from (line for line in text.split("\n") if line.strip())


def _row(row: dict[str, object]) -> LabelledText:
    return LabelledText(
        text=str(row["text"]),
        label=int(str(row["label"])),
        kind=str(row["kind"]),
        source=str(row["source"]),
        language=str(row.get("lang", "en")),
        licence=str(row.get("licence", "unstated")),
        weak=bool(row.get("weak")),
        ood=bool(row.get("ood")),
    )
