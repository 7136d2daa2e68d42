"""What a detector is given and what it gives back."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol

from vault.screening.fields import is_key
from vault.screening.limits import check_deadline
from vault.screening.normalise import Normalised
from vault.screening.policy import ScreeningPolicy
from vault.types import Finding, SourceType, Trust

Vector = Any
Embed = Callable[[Sequence[str]], Vector]

# Shorter fields say too little for a vector to mean anything.
MIN_WORDS_TO_EMBED = 3


@dataclass(frozen=True)
class Screening:
    """One run over the fields of one draft, turn or note. `deadline` is in monotonic seconds."""

    fields: Mapping[str, str]
    trust: Trust
    source_type: SourceType
    policy: ScreeningPolicy
    deadline: float
    embed: Embed
    normalise: Callable[[str], Normalised]

    def check_time(self) -> None:
        """Raise ScreeningTimeout when the deadline has passed."""
        check_deadline(self.deadline)

    @cached_property
    def normalised(self) -> Mapping[str, Normalised]:
        forms = {}
        for pointer, text in self.fields.items():
            self.check_time()
            forms[pointer] = self.normalise(text)
        return forms


def is_prose(pointer: str, text: str) -> bool:
    """The text of the memory always; another field when it has words enough to be a sentence."""
    return pointer == "/text" or (not is_key(pointer) and len(text.split()) >= MIN_WORDS_TO_EMBED)


class Detector(Protocol):
    """Finds one category of things in all fields of a screening."""

    def __call__(self, screening: Screening) -> Sequence[Finding]: ...
