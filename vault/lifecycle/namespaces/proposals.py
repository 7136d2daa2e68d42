"""Changes of a policy that wait for a second person: asked for once, found again, and shown where they would hold."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.utils import timezone

from vault.errors import NotFound
from vault.lifecycle import approvals
from vault.lifecycle.approvals import OPEN, Act
from vault.lifecycle.namespaces.keeping import require_everything
from vault.models import Approval, ApprovalKind, Namespace, PolicyProposal
from vault.models.identifiers import new_id
from vault.retrieval.scope import Scope


@dataclass(frozen=True, slots=True)
class WaitingChange:
    """A request that is open and in time, and what it would change."""

    approval: Approval
    proposal: PolicyProposal

    @property
    def is_overtaken(self) -> bool:
        return is_overtaken(self.proposal, self.proposal.namespace)


def ask_for_change(
    row: Namespace, policy: Mapping[str, Any], *, purpose: str, reason: str, scope: Scope
) -> tuple[Approval, bool]:
    """The request for this change of the locked namespace, and whether it is new.

    Whoever asks for what waits already, is given what waits: two requests for one change would be decided twice.
    """
    change = {
        "namespace": row, "before": row.policy, "after": policy, "purpose_before": row.purpose,
        "purpose_after": purpose,
    }  # fmt: skip
    for proposal in PolicyProposal.objects.filter(**change):
        standing = approvals.find_standing(act=act_of(proposal))
        if standing is not None:
            return standing, False
    proposal, _ = PolicyProposal.objects.get_or_create(
        **change, reason=reason, author=scope.author, defaults={"id": new_id(), "created_at": timezone.now()}
    )
    return approvals.ask(act=act_of(proposal), reason_code="policy_loosened", scope=scope), True


def waiting_changes(*, scope: Scope, namespace_id: int | None = None) -> tuple[WaitingChange, ...]:
    """The changes that wait for a second person, or to be carried out; of one namespace or of all, the oldest first."""
    require_everything(scope)
    rows = Approval.objects.filter(
        kind=ApprovalKind.POLICY, status__in=OPEN, expires_at__gt=timezone.now()
    ).order_by("requested_at")
    asked = proposals_of(rows)
    found = (WaitingChange(row, asked[row.target_id]) for row in rows if row.target_id in asked)
    return tuple(one for one in found if namespace_id in (None, one.proposal.namespace_id))


def proposals_of(rows: Collection[Approval]) -> dict[UUID | None, PolicyProposal]:
    """What each of these requests was asked for, by its target; those for other acts are not in it."""
    targets = [row.target_id for row in rows if row.kind == ApprovalKind.POLICY and row.target_id]
    return {
        found.pk: found for found in PolicyProposal.objects.select_related("namespace").filter(pk__in=targets)
    }


def find_proposal(approval: Approval) -> PolicyProposal:
    """What an approval was asked for. Raises NotFound."""
    found = proposals_of([approval]).get(approval.target_id)
    if found is None:
        raise NotFound
    return found


def is_overtaken(proposal: PolicyProposal, namespace: Namespace) -> bool:
    """Whether another policy or purpose is in force by now than the one that the change was shown against. Pure."""
    return (namespace.policy, namespace.purpose) != (proposal.before, proposal.purpose_before)


def act_of(proposal: PolicyProposal) -> Act:
    """The act that a proposal asks for: both documents are named by their digest."""
    said = [proposal.before, proposal.after, proposal.purpose_before, proposal.purpose_after]
    digest = hashlib.sha256(json.dumps(said, sort_keys=True).encode()).hexdigest()
    return Act(ApprovalKind.POLICY, proposal.pk, {"namespace": proposal.namespace_id, "documents": digest})
