"""Reads a conversation: JSON lines with subject, id, speaker, text, created and session, and its questions beside it.

Plain or gzipped. A time without an offset is taken as UTC.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Any
from uuid import UUID, uuid5

# Makes ids of sessions out of their names: the same file gives the same ids.
SESSIONS = UUID("8d1f6a52-6a1f-5c1e-9d5b-0f6f2f7d7c11")


class BadConversation(Exception):
    """The file is not such a conversation; the message names the line."""


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn of one conversation."""

    id: str
    subject: str
    speaker: str
    text: str = field(repr=False)
    created: datetime
    session: UUID


@dataclass(frozen=True, slots=True)
class Question:
    """A question over a conversation, with the ids of the turns that a right answer rests on, if they are known."""

    subject: str
    text: str
    evidence: frozenset[str]


def read_turns(path: Path) -> list[Turn]:
    """Every turn of the file in its order. Raises BadConversation, OSError."""
    turns = []
    for number, row in _rows(path):
        try:
            session = uuid5(SESSIONS, f"{row['subject']}/{row.get('session', '')}")
            turns.append(
                Turn(
                    row["id"],
                    row["subject"],
                    row.get("speaker", ""),
                    row["text"],
                    _instant(row["created"]),
                    session,
                )
            )
        except (KeyError, ValueError, TypeError) as fault:
            raise BadConversation(f"{path.name}, line {number}: {type(fault).__name__}") from None
    return turns


def read_questions(path: Path) -> list[Question]:
    """The questions beside a file of turns; none when there is no such file."""
    for name in ("questions.jsonl", "questions.jsonl.gz"):
        beside = path.with_name(name)
        if beside.is_file():
            rows = [row for _, row in _rows(beside)]
            return [Question(r["subject"], r["question"], frozenset(r.get("evidence_ids", ()))) for r in rows]
    return []


def _rows(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    with _opened(path) as lines:
        for number, line in enumerate(lines, 1):
            if not line.strip():
                continue
            try:
                yield number, json.loads(line)
            except ValueError:
                raise BadConversation(f"{path.name}, line {number}: not JSON") from None


def _opened(path: Path) -> IO[str]:
    if path.suffix == ".gz":
        return gzip.open(path, "rt", encoding="utf-8")
    return path.open(encoding="utf-8")


def _instant(text: str) -> datetime:
    moment = datetime.fromisoformat(text)
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
