"""One memory on its way into an answer, as the guard of what is served together reads it."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from vault.types import SourceType, Trust, is_of_nobodys_word

Id = TypeVar("Id")


@dataclass(frozen=True, slots=True)
class Served(Generic[Id]):
    """One memory on its way into an answer, in the order of its rank.

    `source` tells whose it is, `search` which of the answer's searches found it.
    """

    id: Id
    text: str = field(repr=False)
    trust: Trust
    source_type: SourceType
    source: str = field(repr=False)
    created_at: datetime
    vector: NDArray[np.float32] | None = field(default=None, repr=False)
    search: int = 0

    @property
    def is_distrusted(self) -> bool:
        """Less than what a person stated: what an agent inferred may still repeat what it was fed."""
        return self.trust.rank < Trust.STATED.rank or self.source_type is SourceType.EXTERNAL

    @property
    def is_from_outside(self) -> bool:
        """Of nobody's word. What an agent notes in one form ("Lamp 4 is in room 9") is no swarm."""
        return is_of_nobodys_word(self.trust, self.source_type)
