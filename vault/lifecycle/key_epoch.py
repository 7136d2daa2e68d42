"""Rolling the key epoch by itself: asked for by one person, approved by another, done once.

The roll at the end of an erasure is not this one: it was approved with the erasure.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from datetime import datetime

from django.db import transaction

from audit.actions import Action as Event
from audit.models import AuditEntry
from vault.crypto import EpochRoll
from vault.errors import ApprovalRequired
from vault.keys import key_vault, roll_epoch
from vault.lifecycle import approvals
from vault.lifecycle.approvals import Act
from vault.lifecycle.desk import refusals_noted
from vault.models import Approval, ApprovalKind
from vault.retrieval import trail
from vault.retrieval.scope import Scope

KIND = "key_epoch"


@dataclass(frozen=True, slots=True)
class KeyState:
    """The epoch that wraps now, and what is known of those before it."""

    epoch: int
    since: datetime
    # Epochs that were begun to be left and have not ended: a roll was interrupted.
    unfinished: int
    last_rolled_at: datetime | None


def key_state() -> KeyState:
    """How the keys stand now; changes nothing."""
    epochs = key_vault().epochs()
    current = next(epoch for epoch in epochs if epoch.state == "current")
    last = AuditEntry.objects.filter(action=Event.KEYS_ROTATED, outcome="ok").order_by("-at").first()
    return KeyState(
        epoch=current.number,
        since=datetime.fromisoformat(current.created_at),
        unfinished=sum(epoch.state == "retiring" for epoch in epochs),
        last_rolled_at=last.at if last else None,
    )


def ask_key_epoch(*, reason_code: str, scope: Scope) -> Approval:
    """Ask for the approval of a roll of the epoch that is current now; asked twice, it is one request."""
    with transaction.atomic(durable=True):
        return approvals.ask(act=_act(), reason_code=reason_code, scope=scope)


def carry_out_key_epoch(approval: Approval, scope: Scope) -> None:
    """Roll the epoch that the approval names; see `roll_key_epoch`."""
    roll_key_epoch(approval=approval, scope=scope)


def roll_key_epoch(*, approval: Approval, scope: Scope) -> EpochRoll:
    """Re-wrap every living key and end the epoch that was approved, with an entry; uses the approval up.

    Raises ApprovalRequired for an approval of another act, used, expired, or of an epoch that has ended since.
    Killed on the way, the keys are whole, and the next roll finishes what was left.
    """
    with (
        refusals_noted(Event.KEYS_ROTATED, scope=scope, kind=KIND),
        transaction.atomic(durable=True),
    ):
        act = _act()
        if bytes(approval.request_hash) != act.digest():
            raise ApprovalRequired
        spent = approvals.spend(act=act, scope=scope)
        rolled = roll_epoch()
        trail.note(
            Event.KEYS_ROTATED, scope=scope, kind=KIND, target=spent.pk, old_epoch=rolled.old_epoch,
            new_epoch=rolled.new_epoch, rewrapped=rolled.rewrapped, root_destroyed=rolled.root_destroyed,
        )  # fmt: skip
    return rolled


def preview_key_epoch() -> dict[str, object]:
    """What a roll would do; changes nothing."""
    state = asdict(key_state())
    return {**state, "keys": key_vault().count_keys()}


def _act() -> Act:
    # The epoch is named, so that an approval cannot roll a second one when an erasure has rolled meanwhile.
    return Act(ApprovalKind.KEY_EPOCH, particulars={"epoch": key_state().epoch})
