"""Trying a rule on what is kept already: how many texts it would have met, never the texts themselves."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from itertools import groupby
from uuid import UUID

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from vault.errors import IntegrityFault, KeyDestroyed
from vault.keys import key_vault
from vault.lifecycle.desk import require_staff
from vault.lifecycle.rules.drafting import lock_rule, note
from vault.models import Memory, QuarantinedWrite, Rule, RuleVersion, isolation
from vault.retrieval.opening import current_versions, open_content
from vault.retrieval.scope import Scope
from vault.screening.normalise import normalise
from vault.screening.rules import matches
from vault.types import QuarantineStatus, Status
from vault.writing.set_aside import open_draft

# The newest texts; older ones say less of what agents write now, and a trial has to answer while somebody waits.
MAX_MEMORIES = 1000
MAX_DRAFTS = 200
EXAMPLES = 20


@dataclass(frozen=True, slots=True)
class Trial:
    """What a version would have met: of how many texts, by their trust, and some of the memories by id."""

    tried_on: int
    matched: int
    by_trust: dict[str, int]
    memories: tuple[UUID, ...]


def try_rule(*, rule_id: UUID, scope: Scope) -> Trial:
    """Read the newest version over the newest memories and waiting drafts of its namespace; recorded.

    Raises NotFound. Opens at most MAX_MEMORIES memories and MAX_DRAFTS drafts; what fails its integrity check is
    left out, as everywhere.
    """
    require_staff(scope)
    with transaction.atomic(durable=True):
        isolation.open_everything()
        rule = lock_rule(rule_id)
        version = RuleVersion.objects.get(rule=rule, number=rule.version)
        tried_on, matched, by_trust, found = 0, 0, Counter[str](), []
        for memory_id, trust, text in _texts(rule):
            tried_on += 1
            if next(matches(version.pattern, normalise(text).folded), None) is not None:
                matched += 1
                by_trust[trust] += 1
                if memory_id is not None:
                    found.append(memory_id)
        version.tried_at, version.tried_on, version.matched = timezone.now(), tried_on, matched
        version.save(update_fields=["tried_at", "tried_on", "matched"])
        note(rule, scope, reason="tried", tried_on=tried_on, matched=matched)
    return Trial(tried_on, matched, dict(by_trust), tuple(found[:EXAMPLES]))


def _texts(rule: Rule) -> Iterator[tuple[UUID | None, str, str]]:
    """The texts in reach of a rule, each with its trust; the id of a memory, and none for a draft."""
    memories = _in_reach(Memory.objects.filter(status=Status.ACTIVE), rule).order_by("-created_at")
    rows = sorted(memories[:MAX_MEMORIES], key=lambda row: row.subject_id)
    for subject_id, group in groupby(rows, key=lambda row: row.subject_id):
        yield from _texts_of(subject_id, list(group))
    drafts = _in_reach(QuarantinedWrite.objects.filter(status=QuarantineStatus.PENDING), rule)
    for write in drafts.order_by("-created_at")[:MAX_DRAFTS]:
        with suppress(IntegrityFault, KeyDestroyed):
            draft, _ = open_draft(write, keys=key_vault().subject(write.subject_id))
            yield None, write.trust, draft.text


def _texts_of(subject_id: UUID, rows: list[Memory]) -> Iterator[tuple[UUID | None, str, str]]:
    """A subject whose key was destroyed since, or whose versions are not all there, has none to try a rule on."""
    with suppress(IntegrityFault, KeyDestroyed):
        keys, versions = key_vault().subject(subject_id), current_versions(rows)
        for row in rows:
            with suppress(IntegrityFault):
                yield row.pk, row.trust, open_content(row, versions[row.pk], keys=keys).text


def _in_reach(rows: QuerySet, rule: Rule) -> QuerySet:  # type: ignore[type-arg]
    return rows if rule.namespace_id is None else rows.filter(namespace_id=rule.namespace_id)
