"""One rule that staff wrote, as screening reads it."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from vault.types import RuleAction

PREFIX = "staff-rule"


@dataclass(frozen=True, slots=True)
class StaffRule:
    """One live version of a rule."""

    id: UUID
    name: str
    version: int
    pattern: str
    action: RuleAction
    slot: str = ""

    @property
    def type(self) -> str:
        """What findings and masks call it."""
        return f"RULE_{self.name.upper().replace('-', '_')}"

    @property
    def detector(self) -> str:
        return f"{PREFIX}:{self.name}:{self.version}"


def named_in(detector: str) -> tuple[str, int] | None:
    """The name and version of the rule that a finding's detector names; None for any other detector."""
    prefix, _, rest = detector.partition(":")
    name, _, version = rest.rpartition(":")
    return (name, int(version)) if prefix == PREFIX and version.isdigit() else None
