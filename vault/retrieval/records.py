"""Opened memories: what stands in a ciphertext, beside the labels it is bound to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

import numpy as np
from numpy.typing import NDArray

from vault.models import Memory, MemoryVersion
from vault.types import Finding


@dataclass(frozen=True, slots=True)
class Content:
    """All that is sealed of one version. `vector` has unit length, or is None when embedding failed."""

    # Out of every repr: what a person wrote must not reach a traceback.
    text: str = field(repr=False)
    attribute: str = field(default="", repr=False)
    source_ref: str = field(default="", repr=False)
    metadata: Mapping[str, Any] = field(default_factory=dict, repr=False)
    findings: tuple[Finding, ...] = ()
    vector: NDArray[np.float32] | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class OpenedMemory:
    """One memory as its readers see it; `subject`, `namespace` and `agent` are names for people."""

    row: Memory
    content: Content
    subject: str = field(repr=False)
    namespace: str
    agent: str = ""
    supersedes: tuple[UUID, ...] = ()
    # Those that contradict it, in conflicts that nobody has decided yet.
    conflicts_with: tuple[UUID, ...] = ()
    # Whether that puts it in doubt: a statement is not by what is believed less.
    is_disputed: bool = False


@dataclass(frozen=True, slots=True)
class OpenedVersion:
    """One version of a memory, opened; `row.author`, `row.reason_code` and `row.written_at` tell its story."""

    row: MemoryVersion
    content: Content
