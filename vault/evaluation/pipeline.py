"""One text through the real screening with the default policy, timed."""

from __future__ import annotations

import time

from vault.screening import screen
from vault.types import MemoryDraft, Source, SourceType, Trust, Verdict

# A figure of an evaluation is about what is found, not about a busy machine; times are reported apart.
BUDGET_SECONDS = 30.0


def screened(
    text: str, *, source: SourceType = SourceType.USER, trust: Trust = Trust.STATED
) -> tuple[Verdict, float]:
    """The verdict on a memory with this text, and the milliseconds that it took."""
    draft = MemoryDraft(subject="evaluated", namespace="evaluation", text=text, source=Source(source))
    began = time.perf_counter()
    verdict = screen(draft, trust=trust, budget_seconds=BUDGET_SECONDS)
    return verdict, (time.perf_counter() - began) * 1000
