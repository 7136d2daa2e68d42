"""What a person has seen of a preview: which memories as they stood, and in which words. Signed, so that it comes back.

What is put together on a person's word is what stood on the page: a memory that changed or came since is left alone.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from uuid import UUID

from django.core import signing

from vault.errors import InvalidField
from vault.language_model import ModelFailed
from vault.lifecycle.upkeep.proposing import Proposal
from vault.lifecycle.upkeep.rewording import MODEL, Reworded, in_words

SALT = "vault.lifecycle.upkeep.seen"
GOOD_FOR_SECONDS = 3600


@dataclass(frozen=True, slots=True)
class Seen:
    """By what a proposal was made of, the model's text for it; empty where its originals' own words were shown."""

    texts: Mapping[str, str] = field(repr=False)

    def worded(self, proposal: Proposal) -> Reworded | None:
        """The proposal in the words that were seen; None when it was not."""
        text = self.texts.get(_made_of(proposal))
        if text is None:
            return None
        if not text:
            return Reworded(proposal, proposal, is_agreed=True)
        try:
            return replace(in_words(proposal, text), is_agreed=True)
        except ModelFailed:
            return None


def sign_seen(subject_id: UUID, previews: Iterable[Reworded]) -> str:
    """What a page shows, for its form to bring back."""
    texts = {
        _made_of(shown.quoted): shown.proposal.extract.text if shown.by == MODEL else "" for shown in previews
    }
    return signing.dumps({"subject": str(subject_id), "texts": texts}, salt=SALT, compress=True)


def read_seen(token: str, *, subject_id: UUID) -> Seen:
    """Raises InvalidField for what no page of this subject showed within the last hour."""
    try:
        found = signing.loads(token, salt=SALT, max_age=GOOD_FOR_SECONDS)
    except signing.BadSignature as error:
        raise InvalidField("Look at what would be put together again.", pointer="/seen") from error
    if found["subject"] != str(subject_id):
        raise InvalidField("This was shown for another subject.", pointer="/seen")
    return Seen(found["texts"])


def _made_of(proposal: Proposal) -> str:
    """A name for these memories at these versions: a changed one makes another proposal."""
    parts = "\n".join(f"{parent.row.pk} {parent.row.version}" for parent in proposal.parents)
    return hashlib.sha256(parts.encode()).hexdigest()
