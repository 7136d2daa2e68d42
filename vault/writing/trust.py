"""How far a write may be believed: from the credential and the source, never from what the text says."""

from __future__ import annotations

from collections.abc import Iterable

from vault.errors import TrustTooLow
from vault.types import Category, Finding, SourceType, Trust

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


def require_trust(standing: Trust, *, ceiling: Trust) -> None:
    """Raise TrustTooLow unless a caller may give as much trust as what it would replace has."""
    if ceiling.rank < standing.rank:
        raise TrustTooLow


def derived_trust(parents: Iterable[Trust]) -> Trust:
    """The trust of what is made of others: the lowest of theirs. Raises ValueError when there are none."""
    return Trust.lowest(*parents)


def derived_sensitivities(parents: Iterable[Iterable[Finding]]) -> frozenset[str]:
    """The sensitive categories of what is made of others: all that any of them has, by their findings."""
    return frozenset(
        finding.type for findings in parents for finding in findings if finding.category is Category.SENSITIVE
    )
