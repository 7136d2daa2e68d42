"""Changing a namespace's policy: at once where it is as strict as before, else on a second person's word."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.db import transaction

from audit.actions import Action as Event
from vault.errors import InvalidField, StaleVersion
from vault.lifecycle import approvals
from vault.lifecycle.clear_text import refuse_personal
from vault.lifecycle.desk import STAFF, refusals_noted
from vault.lifecycle.namespaces.document import check_document
from vault.lifecycle.namespaces.keeping import (
    KIND,
    find_namespace,
    keep_found,
    keep_next,
    lock_namespace,
    require_everything,
)
from vault.lifecycle.namespaces.loosening import loosens
from vault.lifecycle.namespaces.proposals import act_of, ask_for_change, find_proposal, is_overtaken
from vault.models import Approval, Namespace
from vault.retrieval import trail
from vault.retrieval.scope import Scope

MAX_CHARACTERS = 200
CHANGED, LOOSENED = "changed", "loosened"
STALE = "The policy has changed since this was asked for. Look at it as it stands, and ask anew."
SEEN_OTHERWISE = "The policy has changed since you opened it; nothing was stored. Look at it again."


@dataclass(frozen=True, slots=True)
class PolicyChange:
    """What became of a change: in force, or waiting for `approval` because of what it loosens.

    `is_new` is false when just this change waited already: then nobody is asked twice.
    """

    namespace: Namespace
    loosened: tuple[str, ...]
    approval: Approval | None = None
    is_new: bool = True


def change_policy(
    *,
    namespace: str,
    policy: Mapping[str, Any],
    expected_version: int,
    reason: str,
    scope: Scope,
    purpose: str | None = None,
    code: str = "",
) -> PolicyChange:
    """Put a whole policy, and a purpose if one is given, in the place of those in force.

    What lets through more than before waits for a privacy officer when staff ask for it; the operator's own commands
    own the machine and need nobody. `code` is the entry's reason when it is not said by what changed.

    Raises ScopeMissing, NotFound, StaleVersion when another version than the expected is in force, and InvalidField for
    a part that is not valid, for words that identify somebody, and when nothing would change.
    """
    require_everything(scope)
    row = find_namespace(namespace)
    with refusals_noted(Event.POLICY_CHANGED, scope=scope, kind=KIND, target=str(row.pk)):
        check_document(policy)
        check_words(reason, pointer="/reason", required=True)
        check_words(purpose or "", pointer="/purpose")
        with transaction.atomic(durable=True):
            row = lock_namespace(row.pk)
            if row.policy_version != expected_version:
                raise StaleVersion(SEEN_OTHERWISE)
            keep_found(row)
            return _take(row, dict(policy), row.purpose if purpose is None else purpose, reason, code, scope)


def preview_policy(
    *, namespace: str, policy: Mapping[str, Any], scope: Scope, purpose: str | None = None
) -> tuple[str, ...]:
    """What a change would loosen; changes nothing. Raises as `change_policy`, but for the version and the reason."""
    require_everything(scope)
    row = find_namespace(namespace)
    check_document(policy)
    check_words(purpose or "", pointer="/purpose")
    _require_a_difference(row, policy, row.purpose if purpose is None else purpose)
    return loosens(row.policy, policy)


def carry_out_policy(approval: Approval, scope: Scope) -> None:
    """Put an approved change in force, once.

    Raises NotFound, ApprovalRequired, and StaleVersion when the policy or the purpose is not the one any more that the
    change was shown against.
    """
    with transaction.atomic(durable=True):
        proposal = find_proposal(approval)
        row = lock_namespace(proposal.namespace_id)
        if is_overtaken(proposal, row):
            raise StaleVersion(STALE)
        spent = approvals.spend(act=act_of(proposal), scope=scope)
        keep_found(row)
        row.policy, row.purpose = proposal.after, proposal.purpose_after
        loosened = loosens(proposal.before, proposal.after)
        keep_next(row, author=proposal.author, reason=proposal.reason, approved_by=spent.decided_by)
        _note(row, scope, reason=LOOSENED, loosened=len(loosened))


def check_words(text: str, *, pointer: str, required: bool = False) -> None:
    """Raise InvalidField for a line that is missing, too long, or that identifies or names somebody."""
    if required and not text.strip():
        raise InvalidField("Say why.", pointer=pointer)
    if len(text) > MAX_CHARACTERS or not text.isprintable():
        raise InvalidField(f"This is one line of up to {MAX_CHARACTERS} characters.", pointer=pointer)
    if text:
        refuse_personal({pointer: text}, names=True)


def _take(
    row: Namespace, policy: dict[str, Any], purpose: str, reason: str, code: str, scope: Scope
) -> PolicyChange:
    _require_a_difference(row, policy, purpose)
    loosened = loosens(row.policy, policy)
    if loosened and scope.actor.kind == STAFF:
        approval, is_new = ask_for_change(row, policy, purpose=purpose, reason=reason, scope=scope)
        return PolicyChange(row, loosened, approval, is_new)
    row.policy, row.purpose = policy, purpose
    keep_next(row, author=scope.author, reason=reason)
    _note(row, scope, reason=code or (LOOSENED if loosened else CHANGED), loosened=len(loosened))
    return PolicyChange(row, loosened)


def _require_a_difference(row: Namespace, policy: Mapping[str, Any], purpose: str) -> None:
    if (policy, purpose) == (row.policy, row.purpose):
        raise InvalidField("Nothing would change.", pointer="/")


def _note(row: Namespace, scope: Scope, *, reason: str, loosened: int) -> None:
    trail.note(
        Event.POLICY_CHANGED, scope=scope, kind=KIND, target=str(row.pk), reason=reason,
        policy_version=row.policy_version, loosened=loosened,
    )  # fmt: skip
