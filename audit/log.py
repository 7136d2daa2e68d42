"""Writing to the log: one entry per thing that happened, in the transaction in which it happened."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import Final

import uuid_utils.compat as uuids
from django.db import DEFAULT_DB_ALIAS, transaction

from audit.actions import Action, Outcome
from audit.canonical import Fact
from audit.models import CODE_CHARACTERS, AuditEntry

# Codes, ids and counts fit; a sentence, an e-mail address or a URL with a query does not.
_CODE = re.compile(rf"[A-Za-z0-9_.:/+-]{{0,{CODE_CHARACTERS}}}")
_FACT_NAME = re.compile(rf"[a-z_]{{1,{CODE_CHARACTERS}}}")
_MAX_FACTS = 40
# Beyond 2**53 readers of JSON in other languages would see another number than the one that was hashed.
_MAX_NUMBER: Final = 2**53

ACTOR_KINDS = frozenset({"agent", "subject_token", "staff", "system", "anonymous"})


@dataclass(frozen=True, slots=True)
class Actor:
    """Who acts, by id; never a name or an address. Raises ValueError for what is neither kind nor code."""

    kind: str
    id: str

    def __post_init__(self) -> None:
        if self.kind not in ACTOR_KINDS:
            raise ValueError("unknown kind of actor")
        _require_code("actor id", self.id)


@dataclass(frozen=True, slots=True)
class Target:
    """What is acted on, by id. Raises ValueError for what is not a code."""

    kind: str
    id: str = ""

    def __post_init__(self) -> None:
        _require_code("target kind", self.kind)
        _require_code("target id", self.id)


def record(
    action: Action,
    *,
    actor: Actor,
    target: Target,
    outcome: Outcome = Outcome.OK,
    subject_ref: str = "",
    request_id: str = "",
    reason: str = "",
    **facts: Fact,
) -> AuditEntry:
    """Append one entry, inside the transaction that makes the change it tells of.

    `subject_ref` is the subject's random reference, never its id. Takes no lock: writers do not wait for each
    other. Raises RuntimeError outside a transaction, ValueError for anything that could be content.
    """
    _require_transaction("record()")
    for name, value in (("subject_ref", subject_ref), ("request_id", request_id), ("reason", reason)):
        _require_code(name, value)
    _require_facts(facts)
    return AuditEntry.objects.using(DEFAULT_DB_ALIAS).create(
        uuid=uuids.uuid7(),
        action=Action(action),
        outcome=Outcome(outcome),
        actor_kind=actor.kind,
        actor_id=actor.id,
        target_kind=target.kind,
        target_id=target.id,
        subject_ref=subject_ref,
        request_id=request_id,
        reason=reason,
        facts=facts,
    )


def record_alone(
    action: Action,
    *,
    actor: Actor,
    target: Target,
    outcome: Outcome = Outcome.OK,
    subject_ref: str = "",
    request_id: str = "",
    reason: str = "",
    **facts: Fact,
) -> None:
    """Append one entry in a transaction of its own: for events that change no row, and for refusals.

    The change that was refused rolls back; its entry stays. Raises RuntimeError inside a transaction.
    """
    with transaction.atomic(durable=True):
        record(
            action,
            actor=actor,
            target=target,
            outcome=outcome,
            subject_ref=subject_ref,
            request_id=request_id,
            reason=reason,
            **facts,
        )


def relax_commit() -> None:
    """Let this transaction's commit return before it is on disk; only for transactions that change no memory.

    A crash of the server may then lose the last fraction of a second of read entries, and nothing else.
    Raises RuntimeError outside a transaction.
    """
    _require_transaction("relax_commit()")
    with transaction.get_connection(DEFAULT_DB_ALIAS).cursor() as cursor:
        cursor.execute("SET LOCAL synchronous_commit = off")


def _require_transaction(caller: str) -> None:
    if not transaction.get_connection(DEFAULT_DB_ALIAS).in_atomic_block:
        raise RuntimeError(f"{caller} needs the caller's transaction")


def _require_code(name: str, value: object) -> None:
    """The message names the field and never its value, which may be what must not be logged."""
    if not isinstance(value, str) or not _CODE.fullmatch(value):
        raise ValueError(f"{name} is not a code")


def _require_facts(facts: dict[str, Fact]) -> None:
    if len(facts) > _MAX_FACTS:
        raise ValueError("too many facts for one entry")
    for name, value in facts.items():
        if not _FACT_NAME.fullmatch(name):
            raise ValueError("the name of a fact is not a code")
        if isinstance(value, int | float):
            if not math.isfinite(value) or abs(value) > _MAX_NUMBER:
                raise ValueError(f"fact {name} is not a finite number within 2**53")
        else:
            _require_code(f"fact {name}", value)
