"""How far a write may be believed: from the credential and the source, never from what the text says."""

from __future__ import annotations

from vault.types import SourceType, Trust

# What a source implies. Staff and the application itself may vouch; what came from outside may not.
TRUST_OF_SOURCE = {
    SourceType.STAFF: Trust.VERIFIED,
    SourceType.SYSTEM: Trust.VERIFIED,
    SourceType.USER: Trust.STATED,
    SourceType.AGENT: Trust.INFERRED,
    SourceType.EXTERNAL: Trust.UNTRUSTED,
}


def effective_trust(source: SourceType, *, claimed: Trust | None, ceiling: Trust) -> Trust:
    """The lowest of what the source implies, what the body claims, and the grant's ceiling."""
    levels = [TRUST_OF_SOURCE[source], ceiling]
    return Trust.lowest(*levels, *([claimed] if claimed is not None else []))
