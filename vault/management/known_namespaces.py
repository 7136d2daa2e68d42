"""Which namespaces there are, said to an operator who named one that there is not."""

from __future__ import annotations

from difflib import get_close_matches

from django.core.management.base import CommandError

from vault.models import Namespace

MAX_NAMED = 20


def require_namespace(name: str) -> None:
    """Raise CommandError for a name that no namespace has, with those that there are and the nearest to it."""
    known = list(Namespace.objects.order_by("name").values_list("name", flat=True))
    if name not in known:
        raise CommandError(unknown_namespace(name, known))


def unknown_namespace(name: str, known: list[str]) -> str:
    """What to tell about a name that is not among the known ones. Pure."""
    said = ["There is no namespace of this name."]
    folded = {other.casefold(): other for other in reversed(known)}
    near = get_close_matches(name.casefold(), folded, n=1)
    if near:
        said.append(f"Did you mean {folded[near[0]]}?")
    more = f", and {len(known) - MAX_NAMED} more" if len(known) > MAX_NAMED else ""
    said.append(f"There are: {', '.join(known[:MAX_NAMED])}{more}." if known else "There are none yet.")
    return " ".join(said)
