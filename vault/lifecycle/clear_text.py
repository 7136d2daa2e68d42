"""What staff write that stands in clear: it may describe a form or a purpose, never hold what identifies somebody."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from vault.errors import InvalidField
from vault.screening import BUDGET_SECONDS, screen_fields
from vault.types import Action, Category, Finding, SourceType, Trust

PERSON = "PERSON"
MODEL = "spacy-ner"
_FULL_NAME = re.compile(r"[^\W\d_]\.?(?:[^\W\d_]|['’-])*(?: [^\W\d_]\.?(?:[^\W\d_]|['’-])*){1,3}")
CREDENTIAL = "This holds a credential. It stands in clear, so describe its form instead."
IDENTIFIER = (
    "This holds what identifies somebody ({kinds}). It stands in clear, so describe its form instead."
)
NAME = (
    "This seems to name a person, and it stands in clear for good: leave the name out. If it names nobody, say it in "
    "other words."
)
UNCHECKED = "It could not be checked for personal data in time; nothing was stored. Try again."


def refuse_personal(
    texts: Mapping[str, str], *, names: bool = False, budget_seconds: float = BUDGET_SECONDS
) -> None:
    """Raise InvalidField at the pointer of the first text that holds a credential or somebody's identifier.

    With `names`, people's names count too: for what is kept for good and needs none. What could not be read to its end
    may hold anything, and is refused.
    """
    for pointer, text in texts.items():
        # Under its own pointer a text would be read as the value of a field of that name.
        verdict = screen_fields(
            {"/text": text}, trust=Trust.VERIFIED, source_type=SourceType.STAFF, budget_seconds=budget_seconds
        )
        said = objection(verdict.findings, text=text, names=names)
        if said:
            raise InvalidField(said, pointer=pointer)


def objection(findings: Sequence[Finding], *, text: str = "", names: bool = False) -> str:
    """What is said against a text with these findings; empty for one that may stand in clear. Pure."""
    categories = {finding.category for finding in findings}
    if Category.SECRET in categories:
        return CREDENTIAL
    personal = [finding for finding in findings if finding.category is Category.PII]
    kinds = sorted({finding.type for finding in personal if finding.action is not Action.ALLOW})
    if kinds:
        return IDENTIFIER.format(kinds=", ".join(kind.replace("_", " ").lower() for kind in kinds))
    if names and any(_names_somebody(finding, text) for finding in personal):
        return NAME
    return UNCHECKED if Category.FAILURE in categories else ""


def _names_somebody(finding: Finding, text: str) -> bool:
    """Whether a person is named, and not a product or a word with a capital: those the model takes for names as well.

    It was trained on English sentences, so that of its own finds only a first and a last name count; what a title or an
    introduction says is a name counts in any case.
    """
    if finding.type != PERSON:
        return False
    return finding.detector != MODEL or _FULL_NAME.fullmatch(text[finding.start : finding.end]) is not None
