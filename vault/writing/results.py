"""What became of a write."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal
from uuid import UUID

from vault.models import QuarantinedWrite
from vault.retrieval.records import OpenedMemory
from vault.types import Verdict
from vault.writing.reconciling.opinion import RULES


@dataclass(frozen=True, slots=True)
class WriteResult:
    """`memory` is set unless the draft was quarantined, `quarantined` only then.

    `archived` gave way to the new memory at the namespace's cap. `reconciled_by` says who decided what a text that
    the words leave in doubt does to others; `fallback`, why a model that may be asked did not.
    """

    outcome: Literal["created", "merged", "changed", "quarantined"]
    verdict: Verdict
    memory: OpenedMemory | None = None
    superseded: tuple[UUID, ...] = ()
    conflicts: tuple[UUID, ...] = ()
    quarantined: QuarantinedWrite | None = None
    archived: tuple[UUID, ...] = ()
    reconciled_by: str = RULES
    fallback: str = ""
