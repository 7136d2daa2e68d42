"""Views of the queue that a member of staff keeps: a name and codes, never a subject, a write or a text."""

from __future__ import annotations

import re
from collections.abc import Mapping
from uuid import UUID

from django.conf import settings
from django.db import transaction

from vault.errors import InvalidField, InvalidTransition, NotFound
from vault.lifecycle.desk import require_staff
from vault.models import SavedFilter
from vault.retrieval.scope import Scope
from vault.screening import screen_fields
from vault.types import Action, SourceType, Trust

# What a kept view may name. A subject is not among them: what is kept would outlive an erasure.
KEPT = ("status", "reason", "namespace", "agent", "detector", "assigned", "overdue")
MAX_FILTERS = 20
NAME_CHARACTERS = 40
PERSON = "PERSON"
_VALUE = re.compile(r"[A-Za-z0-9_.:/+-]{1,128}")


def list_filters(*, scope: Scope) -> tuple[SavedFilter, ...]:
    """The caller's own filters, by name."""
    require_staff(scope)
    return tuple(SavedFilter.objects.filter(staff_id=int(scope.actor.id)).order_by("name"))


def save_filter(*, name: str, query: Mapping[str, str], scope: Scope) -> SavedFilter:
    """Keep a view under a name; the same name again replaces it.

    Raises InvalidField for a name that is empty, too long or tells of a person, and for a query that names what is
    not in KEPT or holds more than codes; InvalidTransition when there are MAX_FILTERS.
    """
    require_staff(scope)
    _check_name(name)
    if not query or not all(key in KEPT and _VALUE.fullmatch(value) for key, value in query.items()):
        raise InvalidField("This view cannot be kept.", pointer="/query")
    with transaction.atomic(durable=True):
        own = SavedFilter.objects.filter(staff_id=int(scope.actor.id))
        if own.exclude(name=name).count() >= MAX_FILTERS:
            raise InvalidTransition("Delete a saved filter first.")
        kept, _ = SavedFilter.objects.update_or_create(
            staff_id=int(scope.actor.id), name=name, defaults={"query": dict(query)}
        )
    return kept


def delete_filter(*, filter_id: UUID, scope: Scope) -> None:
    """Drop one of the caller's own filters; anybody else's is not there. Raises NotFound."""
    require_staff(scope)
    if not SavedFilter.objects.filter(pk=filter_id, staff_id=int(scope.actor.id)).delete()[0]:
        raise NotFound


def _check_name(name: str) -> None:
    if not name.strip() or len(name) > NAME_CHARACTERS or not name.isprintable():
        raise InvalidField(f"A name has up to {NAME_CHARACTERS} characters.", pointer="/name")
    verdict = screen_fields(
        {"/name": name},
        trust=Trust.VERIFIED,
        source_type=SourceType.STAFF,
        budget_seconds=settings.SCREENING_BUDGET_SECONDS,
    )
    if any(finding.action is not Action.ALLOW or finding.type == PERSON for finding in verdict.findings):
        raise InvalidField("Name what the view shows, not a person.", pointer="/name")
