"""A consolidated text in fewer words, by a language model where one may be asked; else the statements as they are.

The model's text is taken only where it is shorter, keeps every name, number and denial of each original, and says
nothing that none of them says. Asked outside every transaction.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from vault.language_model import UNGROUNDED, ModelFailed, as_line, ask_model, may_ask
from vault.lifecycle.upkeep.clustering import MAX_CHARACTERS
from vault.lifecycle.upkeep.extract import Extract, lead_of
from vault.lifecycle.upkeep.proposing import Proposal
from vault.types import ModelUse
from vault.writing.reconciling.restating import quotes, restates

RULES, MODEL = "rules", "model"
TASK = (
    "Each line is a statement about one matter. Write them as fewer and shorter sentences that stand alone: leave out "
    "only what is said twice, keep every name, number, date and denial exactly, add nothing and conclude nothing. "
    'JSON: {"text": <text>}.'
)


@dataclass(frozen=True, slots=True)
class Reworded:
    """A proposal with the text that is to stand, who wrote it, and why a model that may be asked did not.

    `quoted` is the proposal in the words of its originals. `is_agreed` says that a person has seen this very text.
    """

    proposal: Proposal
    quoted: Proposal
    by: str = RULES
    fallback: str = ""
    is_agreed: bool = False


def quote(proposal: Proposal) -> Reworded:
    """The proposal as it is."""
    return Reworded(proposal, proposal)


def reword(proposal: Proposal) -> Reworded:
    """The proposal in the model's words, where they hold; as it is, and why, where not."""
    if not may_ask(ModelUse.CONSOLIDATION):
        return quote(proposal)
    try:
        return in_words(proposal, _by_model(proposal))
    except ModelFailed as failure:
        return Reworded(proposal, proposal, fallback=failure.code)


def in_words(proposal: Proposal, text: str) -> Reworded:
    """The proposal with a text of the model in the place of its own. Raises ModelFailed when the text does not hold."""
    too_long = len(text) >= len(proposal.extract.text) or len(text) > MAX_CHARACTERS
    if too_long or not (restates(text, _said(proposal)) and quotes(text, _said(proposal))):
        raise ModelFailed(UNGROUNDED)
    # Where each original stands in it cannot be told any more: whatever was found in one holds for the whole.
    places = ((0, len(text)),) * len(proposal.parents)
    extract = Extract(text, places, proposal.extract.occurred_at)
    return Reworded(replace(proposal, extract=extract), proposal, MODEL)


def _by_model(proposal: Proposal) -> str:
    text = ask_model(TASK, [as_line(statement=said) for said in _said(proposal)]).get("text")
    if not isinstance(text, str):
        raise ModelFailed(UNGROUNDED)
    return " ".join(text.split())


def _said(proposal: Proposal) -> list[str]:
    """The originals, each led by its day where they happened at different times."""
    together = proposal.extract.occurred_at is not None
    return [
        ("" if together else lead_of(parent.row.occurred_at)) + parent.content.text.strip()
        for parent in proposal.parents
    ]
