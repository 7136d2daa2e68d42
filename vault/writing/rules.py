"""Staff's rules at a write: which are live, what they say of how a text is stored, and the count of their hits."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from uuid import UUID

from django.db.models import F, Q
from django.utils import timezone

from vault.errors import IntegrityFault
from vault.models import Memory, Rule, RuleVersion
from vault.retrieval.opening import current_versions, open_content
from vault.screening.normalise import normalise
from vault.screening.rule import StaffRule, named_in
from vault.screening.rules import matches
from vault.types import Category, Kind, MemoryDraft, RuleAction, Status, Verdict
from vault.writing.ground import Ground

PRIORITY_IMPORTANCE = 0.9
PREFERENCE_IMPORTANCE = 0.7
# How many memories of a subject are looked at for "the previous one"; more would make one write cost seconds.
MAX_LOOKED_AT = 500

STORING = (RuleAction.PREFERENCE, RuleAction.PRIORITY, RuleAction.FORGET_PREVIOUS)


def live_rules(namespace_id: int) -> tuple[StaffRule, ...]:
    """The rules in force for a namespace, in order."""
    rows = RuleVersion.objects.filter(
        Q(rule__namespace_id=namespace_id) | Q(rule__namespace__isnull=True), number=F("rule__live_version")
    ).select_related("rule")
    return tuple(
        StaffRule(row.rule_id, row.rule.name, row.number, row.pattern, RuleAction(row.action), row.slot)
        for row in rows.order_by("rule__position", "rule__pk")
    )


def spoken(verdict: Verdict) -> frozenset[tuple[str, int]]:
    """The rules that a verdict speaks of, by name and version."""
    named = (named_in(f.detector) for f in verdict.findings if f.category is Category.RULE)
    return frozenset(rule for rule in named if rule is not None)


def count_hits(verdict: Verdict) -> None:
    """Count one hit for each rule, at once and apart from the write: a hot rule must not queue the writers."""
    for name in sorted({name for name, _ in spoken(verdict)}):
        Rule.objects.filter(name=name).update(hits=F("hits") + 1, last_hit_at=timezone.now())


def storing_rule(verdict: Verdict, *, namespace_id: int) -> StaffRule | None:
    """The first rule in order that matched and says how a text is stored."""
    matched = spoken(verdict)
    if not matched:
        return None
    return next(
        (r for r in live_rules(namespace_id) if (r.name, r.version) in matched and r.action in STORING), None
    )


def as_the_rule_says(draft: MemoryDraft, rule: StaffRule) -> MemoryDraft:
    """The draft as a storing rule wants it; never less important than it was. Pure."""
    if rule.action is RuleAction.PRIORITY:
        return replace(draft, importance=max(draft.importance, PRIORITY_IMPORTANCE))
    if rule.action is RuleAction.PREFERENCE:
        return replace(
            draft,
            kind=Kind.FACT,
            attribute=draft.attribute or rule.slot,
            importance=max(draft.importance, PREFERENCE_IMPORTANCE),
        )
    return draft


def follow_rules(draft: MemoryDraft, verdict: Verdict, *, namespace_id: int, ground: Ground) -> MemoryDraft:
    """The draft as the first storing rule wants it, in the transaction that stores it."""
    rule = storing_rule(verdict, namespace_id=namespace_id)
    if rule is None:
        return draft
    if rule.action is RuleAction.FORGET_PREVIOUS:
        previous = _previous(rule, namespace_id=namespace_id, ground=ground)
        return replace(draft, supersedes=tuple(dict.fromkeys((*draft.supersedes, *previous))))
    return as_the_rule_says(draft, rule)


def _previous(rule: StaffRule, *, namespace_id: int, ground: Ground) -> Iterator[UUID]:
    """The subject's active memories that the rule's pattern matches; reconciling decides whether they give way."""
    active = Memory.objects.filter(subject=ground.subject, namespace_id=namespace_id, status=Status.ACTIVE)
    rows = list(active.order_by("-created_at")[:MAX_LOOKED_AT])
    versions = current_versions(rows)
    for row in rows:
        try:
            text = open_content(row, versions[row.pk], keys=ground.keys).text
        except IntegrityFault:
            continue
        if next(matches(rule.pattern, normalise(text).folded), None) is not None:
            yield row.pk
