"""Idempotency-Key: the first answer is kept, sealed under its subject's key, and given again.

A key is reserved before the work, in a transaction of its own, and its answer is written in the transaction
of the work where the service lets it be. An attempt that raised frees its key: it stored nothing, so the same
request runs again and meets the same checks. After an erasure the answers are gone: the request runs afresh.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db import IntegrityError, transaction
from django.utils import timezone

from vault.crypto import associated_data
from vault.errors import IdempotencyInProgress, IdempotencyMismatch, KeyDestroyed
from vault.keys import key_vault
from vault.models import IdempotencyRecord, isolation

# A worker that died leaves its reservation behind; no request runs that long.
STALE_AFTER = timedelta(seconds=60)
# How long a second request waits for the first one's answer before it is told to come back.
WAIT_SECONDS = 2.0
POLL_SECONDS = 0.05


@dataclass(frozen=True, slots=True)
class Answer:
    """What is sent and kept: status, body and the headers that belong to the resource.

    It is sealed under the key of `subject_id`; one that tells nothing of a subject has none.
    """

    status: int
    body: Any
    subject_id: UUID | None = None
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Attempt:
    """One use of a key: who, on which endpoint, and keyed digests of key and request."""

    caller: str
    endpoint: str
    key_hash: bytes
    request_hash: bytes

    @staticmethod
    def of(*, key: str, caller: str, endpoint: str, about: tuple[str, ...], request: Any) -> Attempt:
        """`about` names what makes the same key another one: the subjects and the path's arguments."""
        return Attempt(caller, endpoint, _digest("key", [key, *about]), _digest("request", request))


@dataclass(slots=True)
class Reservation:
    """A key that is ours until `finish` or `free`."""

    attempt: Attempt
    since: datetime
    finished: bool = False

    def finish(self, answer: Answer) -> None:
        """Keep the answer for replay; inside a transaction, as part of it.

        Raises IdempotencyInProgress, which rolls the work back, when another has taken the key over.
        """
        with transaction.atomic():
            isolation.open_directory()
            changed = self._rows().update(
                subject_id=answer.subject_id,
                status_code=answer.status,
                sealed_answer=_seal(answer, self.attempt),
                expires_at=self.since + settings.IDEMPOTENCY_TTL,
            )
        if not changed:
            raise IdempotencyInProgress
        self.finished = True

    def free(self) -> None:
        """Let the key be used again; for an attempt that stored nothing."""
        with transaction.atomic():
            isolation.open_directory()
            self._rows().delete()

    def _rows(self) -> Any:
        return _of(self.attempt).filter(created_at=self.since, status_code__isnull=True)


def once(attempt: Attempt, work: Callable[[Reservation], Answer]) -> tuple[Answer, bool]:
    """Do the work, or give the first answer again; the flag says that it was given again.

    Work whose service cannot take the answer into its transaction is finished right after it. Raises
    IdempotencyMismatch for another request under the key, IdempotencyInProgress while the first one runs.
    """
    taken = _take(attempt)
    if isinstance(taken, Answer):
        return taken, True
    done = False
    try:
        answer = work(taken)
        done = True
    finally:
        # Whatever was raised, the work has rolled back; the exception itself goes on to its handler.
        if not done:
            taken.free()
    if not taken.finished:
        taken.finish(answer)
    return answer, False


def _take(attempt: Attempt) -> Reservation | Answer:
    deadline = time.monotonic() + WAIT_SECONDS
    while True:
        with transaction.atomic(durable=True):
            isolation.open_directory()
            found = _reserve(attempt, timezone.now())
        if found is not None:
            return found
        if time.monotonic() >= deadline:
            raise IdempotencyInProgress
        time.sleep(POLL_SECONDS)


def _reserve(attempt: Attempt, now: datetime) -> Reservation | Answer | None:
    """A reservation, the first answer, or None while the first request runs."""
    row = IdempotencyRecord(
        caller=attempt.caller,
        endpoint=attempt.endpoint,
        key_hash=attempt.key_hash,
        request_hash=attempt.request_hash,
        created_at=now,
        expires_at=now + settings.IDEMPOTENCY_TTL,
    )
    try:
        # The unique key decides between two that come at once.
        with transaction.atomic():
            row.save(force_insert=True)
        return Reservation(attempt, now)
    except IntegrityError:
        standing = _of(attempt).select_for_update().first()
    if standing is None:
        return None
    if _is_void(standing, now):
        return _take_over(standing, attempt, now)
    if bytes(standing.request_hash) != attempt.request_hash:
        raise IdempotencyMismatch
    if standing.status_code is None:
        return None
    try:
        return _open(standing, attempt)
    except KeyDestroyed:
        return _take_over(standing, attempt, now)


def _is_void(row: IdempotencyRecord, now: datetime) -> bool:
    return row.expires_at <= now or (row.status_code is None and row.created_at <= now - STALE_AFTER)


def _take_over(row: IdempotencyRecord, attempt: Attempt, now: datetime) -> Reservation:
    row.created_at, row.expires_at = now, now + settings.IDEMPOTENCY_TTL
    row.request_hash, row.subject_id, row.status_code, row.sealed_answer = (
        attempt.request_hash,
        None,
        None,
        b"",
    )
    row.save()
    return Reservation(attempt, now)


def _of(attempt: Attempt) -> Any:
    return IdempotencyRecord.objects.filter(
        caller=attempt.caller, endpoint=attempt.endpoint, key_hash=attempt.key_hash
    )


def _digest(what: str, value: Any) -> bytes:
    canonical = json.dumps(value, sort_keys=True, ensure_ascii=True, separators=(",", ":"), default=str)
    return key_vault().token_hash(f"idempotency {what}:{canonical}")


def _context(attempt: Attempt, subject_id: UUID | None) -> bytes:
    return associated_data(
        what="idempotency answer",
        caller=attempt.caller,
        endpoint=attempt.endpoint,
        key=attempt.key_hash.hex(),
        subject=subject_id,
    )


def _seal(answer: Answer, attempt: Attempt) -> bytes:
    plain = json.dumps([answer.status, answer.body, dict(answer.headers)], default=str).encode()
    context = _context(attempt, answer.subject_id)
    if answer.subject_id is None:
        return key_vault().seal_system(plain, context=context)
    return key_vault().subject(answer.subject_id).seal(plain, context=context)


def _open(row: IdempotencyRecord, attempt: Attempt) -> Answer:
    context, sealed = _context(attempt, row.subject_id), bytes(row.sealed_answer)
    if row.subject_id is None:
        plain = key_vault().open_system(sealed, context=context)
    else:
        plain = key_vault().subject(row.subject_id).open(sealed, context=context)
    status, body, headers = json.loads(plain)
    return Answer(status, body, row.subject_id, headers)
