"""What staff write that stands in clear: it may describe a form or a purpose, never hold what identifies somebody."""

from __future__ import annotations

from collections.abc import Mapping

from vault.errors import InvalidField
from vault.screening import BUDGET_SECONDS, screen_fields
from vault.types import Action, Category, SourceType, Trust

# What a text that stands in clear must not hold; what could not be read to its end may hold it.
FORBIDDEN = frozenset({Category.SECRET, Category.FAILURE})


def refuse_personal(texts: Mapping[str, str], *, budget_seconds: float = BUDGET_SECONDS) -> None:
    """Raise InvalidField at the pointer of the first text that holds a credential or somebody's identifier."""
    for pointer, text in texts.items():
        # Under its own pointer a text would be read as the value of a field of that name.
        verdict = screen_fields(
            {"/text": text}, trust=Trust.VERIFIED, source_type=SourceType.STAFF, budget_seconds=budget_seconds
        )
        for finding in verdict.findings:
            identifies = finding.category is Category.PII and finding.action is not Action.ALLOW
            if identifies or finding.category in FORBIDDEN:
                raise InvalidField(
                    "This holds a credential or what identifies somebody; describe its form instead.",
                    pointer=pointer,
                )
