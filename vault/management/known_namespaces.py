"""Which namespaces there are, said to an operator who named one that there is not."""

from __future__ import annotations

from django.core.management.base import CommandError

from vault.models import Namespace
from vault.nearest import did_you_mean

MAX_NAMED = 20


def require_namespace(name: str) -> None:
    """Raise CommandError for a name that no namespace has, with those that there are and the nearest to it."""
    known = list(Namespace.objects.order_by("name").values_list("name", flat=True))
    if name not in known:
        raise CommandError(unknown_namespace(name, known))


def unknown_namespace(name: str, known: list[str]) -> str:
    """What to tell about a name that is not among the known ones. Pure."""
    more = f", and {len(known) - MAX_NAMED} more" if len(known) > MAX_NAMED else ""
    there = f"There are: {', '.join(known[:MAX_NAMED])}{more}." if known else "There are none yet."
    return f"There is no namespace of this name.{did_you_mean(name, known)} {there}"
