"""What a request for approval is about, as its page shows it: as much as whoever asked for it had in front of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from uuid import UUID

from django.urls import reverse
from django.utils import timezone

from console import words
from console.approvers import rests_on_their_roles
from console.policy_words import as_text, differences
from console.written import REDACTED, written_context
from vault.errors import InvalidTransition, NotFound
from vault.lifecycle.access_export import extent_of, get_export
from vault.lifecycle.approvals import OPEN, stands
from vault.lifecycle.holds import get_hold, preview_hold_release
from vault.lifecycle.key_epoch import key_state, preview_key_epoch
from vault.lifecycle.namespaces.loosening import loosens
from vault.lifecycle.namespaces.proposals import find_proposal, is_overtaken
from vault.lifecycle.retraining import count_taught
from vault.lifecycle.reviewing.reading import OpenedWrite, look_at_write, write_row
from vault.lifecycle.rolling_back.listing import get_rollback
from vault.models import Approval, ApprovalKind, ExportStatus, RollbackStatus
from vault.operations.overview import find_backup
from vault.retrieval.scope import Scope
from vault.types import QuarantineStatus

Context = dict[str, object]
GONE = "What this is about is no longer there, so it cannot be carried out any more."


@dataclass(frozen=True, slots=True)
class Look:
    """How the page is looked at: a page of a list, and a write that was revealed for a purpose."""

    page: int = 1
    revealed: OpenedWrite | None = None
    view: str = REDACTED
    purpose: str = ""


def act_context(row: Approval, look: Look, *, scope: Scope) -> Context:
    """`part` names the template of the act, the rest is for it; looks at a text only while the request is open."""
    kind = ApprovalKind(row.kind)
    try:
        shown = SHOWN[kind](row, look, scope) if kind in SHOWN else {}
    except NotFound:
        return {"part": "console/act_other.html"}
    return {"part": f"console/act_{kind if kind in SHOWN else 'other'}.html", **shown}


def is_open(row: Approval) -> bool:
    """Whether it waits to be decided, or to be carried out; not after its time, whether or not a job has met it."""
    return row.status in OPEN and row.expires_at > timezone.now()


def overtaken(row: Approval, *, scope: Scope) -> str:
    """Why an open request cannot be carried out any more, as a sentence; empty while it can. Opens no text."""
    now = timezone.now()
    check = OVERTAKEN.get(ApprovalKind(row.kind))
    if not is_open(row):
        return ""
    if not stands(row, now=now):
        return "Of the people whom it rests on, one was suspended since. Somebody else has to ask for it."
    if not rests_on_their_roles(row):
        return "Of the people whom it rests on, one has another role since, which does not include this."
    if check is None:
        return ""
    try:
        return check(row, scope)
    except NotFound:
        return GONE


def _target(row: Approval) -> UUID:
    if row.target_id is None:
        raise NotFound
    return row.target_id


def _release(row: Approval, look: Look, scope: Scope) -> Context:
    write = write_row(write_id=_target(row), scope=scope)
    here = reverse("console:approval", kwargs={"approval_id": row.pk})
    shown: Context = {
        "write": write,
        "variant": words.VARIANTS.get(str(row.particulars.get("variant")), ""),
        "revision": row.particulars.get("revision"),
    }
    opened = look.revealed or _looked_at(row, write.pk, scope)
    if opened is None:
        return {**shown, "reasons": write.reasons}
    reveal_url = reverse("console:reveal_approval", kwargs={"approval_id": row.pk})
    text = written_context(opened, view=look.view, purpose=look.purpose, here=here, reveal_url=reveal_url)
    return {**shown, **text, "reasons": opened.verdict.reasons}


def _looked_at(row: Approval, write_id: UUID, scope: Scope) -> OpenedWrite | None:
    """The masked draft; none when it is kept no more, or nobody can decide about it here any more."""
    if not is_open(row) or _release_overtaken(row, scope):
        return None
    try:
        return look_at_write(write_id=write_id, scope=scope)
    except InvalidTransition:
        return None


def _rollback(row: Approval, look: Look, scope: Scope) -> Context:
    state = get_rollback(rollback_id=_target(row), scope=scope, page=look.page)
    return {
        "rollback": state.row,
        "state": state,
        "page": look.page,
        "counts": [(words.ROLLBACK_KINDS[kind], count) for kind, count in state.by_kind.items()],
        "items": [(item, words.ROLLBACK_KINDS[item.kind]) for item in state.items],
    }


def _export(row: Approval, _: Look, scope: Scope) -> Context:
    state = get_export(export_id=_target(row), scope=scope)
    return {"export": state.row, "extent": extent_of(export_id=state.row.pk, scope=scope)}


def _hold_release(row: Approval, _: Look, scope: Scope) -> Context:
    return {"end": preview_hold_release(hold_id=_target(row), scope=scope)}


def _key_epoch(row: Approval, _: Look, scope: Scope) -> Context:
    return {"epoch": row.particulars.get("epoch"), "keys": preview_key_epoch()}


def _restore(row: Approval, _: Look, scope: Scope) -> Context:
    digest = str(row.particulars.get("sha256", ""))
    return {"sha256": digest, "backup": find_backup(sha256=digest, scope=scope)}


def _retraining(_: Approval, __: Look, scope: Scope) -> Context:
    counts = count_taught(scope=scope)
    return {"honest": counts[0], "instructions": counts[1]}


def _policy(row: Approval, _: Look, scope: Scope) -> Context:
    proposal = find_proposal(row)
    purposes = (proposal.purpose_before, proposal.purpose_after)
    return {
        "proposal": proposal,
        "differences": differences(proposal.before, proposal.after, purposes=purposes),
        "loosened": loosens(proposal.before, proposal.after),
        "before": as_text(proposal.before),
        "after": as_text(proposal.after),
    }


def _release_overtaken(row: Approval, scope: Scope) -> str:
    write = write_row(write_id=_target(row), scope=scope)
    if write.status != QuarantineStatus.PENDING:
        return "The write was decided since this was asked for, so it cannot be let in any more."
    if write.revision != row.particulars.get("revision"):
        return "The write has changed since this was asked for, so it cannot be let in as it was read."
    return ""


def _rollback_overtaken(row: Approval, scope: Scope) -> str:
    state = get_rollback(rollback_id=_target(row), scope=scope)
    if state.row.status == RollbackStatus.REQUESTED and sum(state.by_kind.values()) != state.row.total:
        return "Rows of the list went with an erasure since, so it cannot be carried out any more."
    return ""


def _export_overtaken(row: Approval, scope: Scope) -> str:
    status = get_export(export_id=_target(row), scope=scope).status
    return "" if status == ExportStatus.WAITING else "The export no longer waits for anybody."


def _hold_overtaken(row: Approval, scope: Scope) -> str:
    lifted = get_hold(hold_id=_target(row), scope=scope).released_at is not None
    return "The hold was lifted since this was asked for." if lifted else ""


def _epoch_overtaken(row: Approval, _: Scope) -> str:
    same = row.particulars.get("epoch") == key_state().epoch
    return "" if same else "Another epoch has begun since this was asked for."


def _policy_overtaken(row: Approval, _: Scope) -> str:
    proposal = find_proposal(row)
    changed = is_overtaken(proposal, proposal.namespace)
    return (
        "The policy has changed since this was asked for, so it cannot be carried out any more."
        if changed
        else ""
    )


SHOWN: Mapping[ApprovalKind, Callable[[Approval, Look, Scope], Context]] = {
    ApprovalKind.RELEASE: _release,
    ApprovalKind.ROLLBACK: _rollback,
    ApprovalKind.EXPORT: _export,
    ApprovalKind.HOLD_RELEASE: _hold_release,
    ApprovalKind.KEY_EPOCH: _key_epoch,
    ApprovalKind.RESTORE: _restore,
    ApprovalKind.RETRAINING: _retraining,
    ApprovalKind.POLICY: _policy,
}
OVERTAKEN: Mapping[ApprovalKind, Callable[[Approval, Scope], str]] = {
    ApprovalKind.RELEASE: _release_overtaken,
    ApprovalKind.ROLLBACK: _rollback_overtaken,
    ApprovalKind.EXPORT: _export_overtaken,
    ApprovalKind.HOLD_RELEASE: _hold_overtaken,
    ApprovalKind.KEY_EPOCH: _epoch_overtaken,
    ApprovalKind.POLICY: _policy_overtaken,
}
