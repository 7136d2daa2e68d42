"""Checkpoints that were witnessed outside the database and that a restored audit log does not hold."""

from __future__ import annotations

import os
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

from django.utils import timezone

from audit.configured import configured_witness
from audit.tree_head import read_head
from audit.witness import read_witness
from vault.errors import VaultError


class EntriesLost(VaultError):
    code = "entries_lost"
    detail = (
        "The witness file holds checkpoints that the backup's audit log does not: entries would be lost. "
        "Give --accept-lost-entries to go on; the loss is then written down in the log itself."
    )


@dataclass(frozen=True, slots=True)
class LostEntries:
    """The newest head that was witnessed and is not in the restored log."""

    checkpoints: int
    size: int
    root: str


def lost_entries(restored_notes: Collection[str]) -> LostEntries | None:
    """What the witness file knows beyond the checkpoints of a backup; None when nothing is lost."""
    path = configured_witness()
    if path is None or not path.exists():
        return None
    unknown = [note for note in read_witness(path) if note not in restored_notes]
    if not unknown:
        return None
    head, _ = read_head(unknown[-1])
    return LostEntries(len(unknown), head.size, head.root.hex())


def set_witness_aside() -> Path | None:
    """Keep the witness of a log that was lost under another name: the restored log begins a new one."""
    path = configured_witness()
    if path is None or not path.exists():
        return None
    aside = path.with_name(f"{path.name}.lost-{timezone.now():%Y%m%dT%H%M%S%fZ}")
    os.replace(path, aside)
    return aside
