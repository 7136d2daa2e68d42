"""Letting a quarantined draft into the vault: what is still checked, and where it comes down."""

from __future__ import annotations

from dataclasses import dataclass, replace
from uuid import UUID

from django.utils import timezone

from audit.actions import Action as Event
from vault.errors import InvalidTransition, StaleVersion
from vault.keys import key_vault
from vault.lifecycle.forget import refuse_twin
from vault.lifecycle.reviewing.masking import masking_all
from vault.models import Memory, MemoryVersion, Namespace, QuarantinedWrite
from vault.retrieval import trail
from vault.retrieval.opening import name_memories
from vault.retrieval.records import Content, OpenedMemory
from vault.retrieval.scope import GrantedNamespace, Scope
from vault.screening import redact
from vault.screening.verdict import Reason
from vault.types import Category, MemoryDraft, Status, Trust, Verdict
from vault.writing.fingerprint import same_statement_form
from vault.writing.judge import embed_or_none, judge
from vault.writing.landing import Landing, land
from vault.writing.locks import lock_subject
from vault.writing.store import write_version

SECRETS_DETECTOR = "secrets"
INJECTION_DETECTOR = "injection"
RELEASED = "released"


@dataclass(frozen=True, slots=True)
class Cleared:
    """A draft that a person may let in: masked, embedded, with the trust that it came with.

    `is_high_impact` is what screening says of it now; a check that did not run cannot rule it out.
    """

    landing: Landing
    verdict: Verdict
    is_high_impact: bool = False


def clear(
    write: QuarantinedWrite, draft: MemoryDraft, verdict: Verdict, *, scope: Scope, redacted: bool = False
) -> Cleared:
    """Mask and embed a draft. A person's word covers what set it aside, and not what the policy refuses.

    With `redacted`, personal and sensitive data are masked even where the policy would keep them, by the
    findings of then and of now. Raises SecretDetected, CategoryNotAllowed, and InvalidTransition when the check
    for credentials fails.
    """
    namespace = _namespace(write.namespace)
    trust = Trust(write.trust)
    again = judge(draft, trust=trust, namespace=namespace, scope=scope)
    if any(f.category is Category.FAILURE and f.detector == SECRETS_DETECTOR for f in again.findings):
        raise InvalidTransition("The check for credentials did not run; try again.")
    found = verdict.findings
    if redacted:
        found = masking_all(tuple(dict.fromkeys((*found, *again.findings))), draft)
    masked, findings = redact(draft, found)
    landing = Landing(masked, tuple(findings), embed_or_none(masked.text), trust, namespace)
    return Cleared(landing, verdict, may_be_high_impact(again))


def may_be_high_impact(verdict: Verdict) -> bool:
    """Whether a verdict names a high-impact claim, or comes from a screening that did not look for one. Pure."""
    unread = any(
        f.category is Category.FAILURE and f.detector == INJECTION_DETECTOR for f in verdict.findings
    )
    return unread or Reason.HIGH_IMPACT_CLAIM.value in verdict.reasons


def put_into_vault(write: QuarantinedWrite, cleared: Cleared, *, scope: Scope) -> OpenedMemory:
    """Store a cleared draft as the new memory, or the change, that it was meant to be.

    Needs the caller's transaction with the subject locked. Raises StaleVersion when the memory that was to be
    changed has changed since, InvalidTransition when it is not active any more.
    """
    if write.memory_id is not None:
        return _change(write.memory_id, write, cleared, scope=scope)
    landing = replace(cleared.landing, draft=_without_lost_targets(write, cleared.landing.draft))
    # The version's author is who releases; the memory stays the agent's that wrote it.
    landed = land(
        landing, verdict=cleared.verdict, scope=replace(scope, agent_id=write.agent_id), now=timezone.now()
    )
    if landed.memory is None:
        raise InvalidTransition
    return landed.memory


def _without_lost_targets(write: QuarantinedWrite, draft: MemoryDraft) -> MemoryDraft:
    """What the draft was to supersede may have gone while it waited."""
    active = set(
        Memory.objects.filter(
            pk__in=draft.supersedes,
            subject_id=write.subject_id,
            namespace_id=write.namespace_id,
            status=Status.ACTIVE,
        ).values_list("pk", flat=True)
    )
    return replace(draft, supersedes=tuple(pk for pk in draft.supersedes if pk in active))


def _change(memory_id: UUID, write: QuarantinedWrite, cleared: Cleared, *, scope: Scope) -> OpenedMemory:
    landing, draft = cleared.landing, cleared.landing.draft
    subject = lock_subject(write.subject_id)
    memory = Memory.objects.filter(pk=memory_id).first()
    if memory is None or memory.status != Status.ACTIVE:
        raise InvalidTransition
    if MemoryVersion.objects.filter(memory=memory, written_at__gt=write.created_at).exists():
        raise StaleVersion
    keys = key_vault().subject(subject.pk)
    refuse_twin(memory, keys.fingerprint(same_statement_form(draft.text)))
    memory.kind, memory.importance, memory.volatile = draft.kind.value, draft.importance, bool(draft.volatile)
    memory.occurred_at, memory.expires_at = draft.occurred_at, draft.expires_at
    memory.trust = landing.trust.value
    content = Content(
        draft.text, draft.attribute, draft.source.ref, draft.metadata, landing.findings, landing.vector
    )
    write_version(
        memory, content, subject=subject, author=scope.author, reason_code=RELEASED, now=timezone.now(),
        sealed=landing.namespace.sealed, keys=keys,
    )  # fmt: skip
    trail.note(
        Event.MEMORY_CHANGED, scope=scope, kind="memory", target=memory.pk, subject_ref=keys.audit_reference,
        reason=RELEASED, version=memory.version,
    )  # fmt: skip
    return name_memories([(memory, content)], subject=subject)[0]


def _namespace(row: Namespace) -> GrantedNamespace:
    return GrantedNamespace(
        id=row.pk,
        name=row.name,
        rights=frozenset(),
        max_trust=Trust.VERIFIED,
        sealed=row.sealed,
        policy=row.policy,
        policy_version=row.policy_version,
    )
