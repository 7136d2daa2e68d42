"""Loading the models before the first caller would have to wait for them."""

from __future__ import annotations

from vault.keys import key_vault
from vault.screening import screen
from vault.types import MemoryDraft, Source, SourceType, Trust

SAMPLE = "The blue kettle in the kitchen was repaired on Monday."
WARM_UP_SECONDS = 60.0


def load_models() -> None:
    """Run one harmless draft through screening and embedding, and open the keystore."""
    draft = MemoryDraft(
        subject="warm-up", namespace="default", text=SAMPLE, source=Source(SourceType.SYSTEM, "", "")
    )
    screen(draft, trust=Trust.STATED, budget_seconds=WARM_UP_SECONDS)
    key_vault().reference_hash("warm-up")
