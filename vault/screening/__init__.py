"""Screening: every string of a write is read before anything of it is stored.

Promise: what was not screened is never stored as clean. A detector that fails or runs out of time sets
the write aside; a credential refuses it whatever else happens. The text that is kept is the text that
was sent, masked where policy says so; folded and decoded readings are only ever looked at.
"""

from __future__ import annotations

from collections.abc import Mapping

from vault.embedding import embed as default_embed
from vault.screening.detection import Embed, Screening
from vault.screening.detectors import DEFAULT, warm_up
from vault.screening.engine import Detectors, deadline_after, run
from vault.screening.fields import string_fields
from vault.screening.normalise import normalise
from vault.screening.policy import DEFAULT_POLICY, ScreeningPolicy
from vault.screening.redact import redact, redact_text
from vault.types import MemoryDraft, SourceType, Trust, Verdict

__all__ = [
    "DEFAULT",
    "DEFAULT_POLICY",
    "Detectors",
    "ScreeningPolicy",
    "redact",
    "redact_text",
    "screen",
    "screen_fields",
    "string_fields",
    "warm_up",
]

BUDGET_SECONDS = 2.0


def screen(
    draft: MemoryDraft,
    *,
    trust: Trust,
    policy: ScreeningPolicy = DEFAULT_POLICY,
    detectors: Detectors = DEFAULT,
    budget_seconds: float = BUDGET_SECONDS,
    embed: Embed = default_embed,
) -> Verdict:
    """Judge every string of a draft at the trust that its credential allows. Never raises for its content.

    `embed` may be the caller's own, to keep the vector of the text for storing.
    """
    return screen_fields(
        string_fields(draft),
        trust=trust,
        source_type=draft.source.type,
        policy=policy,
        detectors=detectors,
        budget_seconds=budget_seconds,
        embed=embed,
    )


def screen_fields(
    fields: Mapping[str, str],
    *,
    trust: Trust,
    source_type: SourceType,
    policy: ScreeningPolicy = DEFAULT_POLICY,
    detectors: Detectors = DEFAULT,
    budget_seconds: float = BUDGET_SECONDS,
    embed: Embed = default_embed,
) -> Verdict:
    """The same for strings of any origin (turns, notes, patches), under their JSON pointers."""
    if detectors is DEFAULT:
        warm_up()
    screening = Screening(
        fields=fields,
        trust=trust,
        source_type=source_type,
        policy=policy,
        deadline=deadline_after(budget_seconds),
        embed=embed,
        normalise=normalise,
    )
    return run(screening, detectors)
