"""The write pipeline: reads as its specification. What is slow comes before the transaction."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from django.db import transaction
from django.utils import timezone

from audit.actions import Action as Event
from audit.actions import Outcome
from vault.errors import CapReached, InvalidField, NotFound, NotWorthKeeping, SubjectErased
from vault.keys import key_vault
from vault.models import QuarantinedWrite, isolation
from vault.retrieval import trail
from vault.retrieval.scope import GrantedNamespace, Right, Scope
from vault.retrieval.subjects import find_subject
from vault.screening import redact
from vault.types import Action, MemoryDraft, SourceType, Trust, Verdict
from vault.writing.judge import embed_or_none, judge
from vault.writing.landing import Landing, land
from vault.writing.locks import lock_or_create_subject
from vault.writing.results import WriteResult
from vault.writing.second_opinion import second_opinions
from vault.writing.set_aside import set_aside
from vault.writing.trust import effective_trust
from vault.writing.worthiness import refuse_unworthy

Remember = Callable[[WriteResult], None]


def write_memory(*, draft: MemoryDraft, scope: Scope, remember: Remember | None = None) -> WriteResult:
    """Take one validated draft through screening into the vault, onto a person's desk, or nowhere.

    `remember` is called inside the transaction that stores, with what will be answered. Raises NotFound for a
    namespace or subject out of scope, SubjectErased, SecretDetected, CategoryNotAllowed, InvalidField, and
    CapReached, NotWorthKeeping for what does not fit in or was given up.
    """
    namespace = scope.namespace(draft.namespace, Right.MEMORY_WRITE)
    check_right_to_write(draft, scope=scope)
    trust = effective_trust(draft.source.type, claimed=draft.trust, ceiling=namespace.max_trust)
    verdict = judge(draft, trust=trust, namespace=namespace, scope=scope)
    if verdict.action is Action.QUARANTINE:
        return quarantine(draft, verdict, trust=trust, namespace=namespace, scope=scope, remember=remember)
    draft, findings = redact(draft, verdict.findings)
    vector = embed_or_none(draft.text)
    refuse_unworthy(draft, vector, namespace=namespace, scope=scope)
    opinions = second_opinions(draft, vector, trust=trust, namespace=namespace, scope=scope)
    landing = Landing(draft, findings, vector, trust, namespace, opinions)
    with _refusals_noted(scope, namespace), transaction.atomic(durable=True):
        result = land(landing, verdict=verdict, scope=scope, now=timezone.now())
        if remember is not None:
            remember(result)
    return result


@contextmanager
def _refusals_noted(scope: Scope, namespace: GrantedNamespace) -> Iterator[None]:
    """Leave an entry for a draft that was refused by what is there already, once that rolled back."""
    try:
        yield
    except (CapReached, NotWorthKeeping) as refusal:
        trail.note_refusal(
            Event.MEMORY_REFUSED, scope=scope, kind="namespace", target=str(namespace.id), reason=refusal.code
        )
        raise


def check_right_to_write(draft: MemoryDraft, *, scope: Scope) -> None:
    """What can be refused without looking at the text; refusals are recorded.

    Raises SubjectErased, NotFound for a subject that the token is not bound to, InvalidField for a source or
    a date that the credential may not give.
    """
    if draft.source.type is SourceType.STAFF and not scope.everything:
        raise InvalidField("Only staff write in the name of staff.", pointer="/source/type")
    if draft.created_at is not None:
        scope.namespace(draft.namespace, Right.MEMORY_IMPORT)
    subject = find_subject(draft.subject)
    if scope.subject_id is not None and (subject is None or not scope.allows_subject(subject.pk)):
        trail.note_refusal(
            Event.ACCESS_DENIED, scope=scope, kind="subject", outcome=Outcome.DENIED, reason=NotFound.code
        )
        raise NotFound
    if subject is not None and subject.erased_at is not None:
        trail.note_refusal(Event.MEMORY_REFUSED, scope=scope, kind="subject", reason=SubjectErased.code)
        raise SubjectErased


def quarantine(
    draft: MemoryDraft,
    verdict: Verdict,
    *,
    trust: Trust,
    namespace: GrantedNamespace,
    scope: Scope,
    remember: Remember | None = None,
) -> WriteResult:
    """Set a draft aside for a person. Everything it may do later is decided then."""
    keys = key_vault()
    with transaction.atomic(durable=True):
        subject = lock_or_create_subject(draft.subject, keys=keys)
        isolation.open_subject(subject.pk, namespaces=[namespace.id])
        subject_keys = keys.subject(subject.pk)
        write = set_aside(
            draft, verdict, subject=subject, namespace_id=namespace.id, agent_id=scope.agent_id,
            trust=trust, now=timezone.now(), keys=subject_keys,
        )  # fmt: skip
        note_quarantine(write, verdict, scope=scope, subject_ref=subject_keys.audit_reference)
        result = WriteResult("quarantined", verdict, quarantined=write)
        if remember is not None:
            remember(result)
    return result


def note_quarantine(write: QuarantinedWrite, verdict: Verdict, *, scope: Scope, subject_ref: str) -> None:
    trail.note(
        Event.MEMORY_QUARANTINED, scope=scope, kind="quarantine", target=write.pk, subject_ref=subject_ref,
        reason=verdict.reasons[0], findings=len(verdict.findings), policy_version=verdict.policy_version,
    )  # fmt: skip
