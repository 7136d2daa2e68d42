"""Forgetting a consolidated memory forgets what it was put together from, and taking that back takes both back.

Whoever forgets a statement means what it says, not the row in which it stands: the originals say the same, and would
stay readable in the archive. The other way about, a whole that went because one original did comes back with it.
"""

from __future__ import annotations

from itertools import takewhile

from audit.actions import Action as Event
from vault.crypto import SubjectKeys
from vault.models import Memory, MemoryVersion
from vault.retrieval.opening import open_current, open_version
from vault.types import Status
from vault.writing.cap import require_room
from vault.writing.ground import Ground, move_status
from vault.writing.store import has_twin
from vault.writing.withdrawal import CONSOLIDATED, WITH_PART, has_own_words, parents_of, wholes_of

# The last version of an original that was forgotten together with what it was put together into.
WITH_WHOLE = "whole_forgotten"
# The version of a whole that came back with the original on whose account it had been forgotten.
WITH_PART_BACK = "part_restored"


def forget_parts(whole: Memory, *, ground: Ground) -> int:
    """Forget the archived originals of a whole; returns how many. Needs the subject's lock."""
    if not whole.consolidated:
        return 0
    parts = list(parents_of(whole))
    move_status(
        parts, Status.FORGOTTEN, event=Event.MEMORY_FORGOTTEN, reason=WITH_WHOLE, ground=ground,
        sealed=whole.namespace.sealed, made=str(whole.pk),
    )  # fmt: skip
    return len(parts)


def archive_parts(whole: Memory, *, ground: Ground, standing: bool) -> int:
    """Put back into the archive what was forgotten with a whole and was not touched since; returns how many.

    With `standing`, of a whole with words of its own, also the originals that are served with the words they had in
    it: they are older than its own, and it says what is left of them.
    """
    if not whole.consolidated:
        return 0
    parts = [row for row in _originals(whole) if row.status == Status.FORGOTTEN and _ended(row, WITH_WHOLE)]
    if standing and has_own_words(whole, keys=ground.keys):
        parts += [
            row
            for row in _originals(whole)
            if row.status == Status.ACTIVE and says_the_same(row, keys=ground.keys)
        ]
    move_status(
        parts, Status.ARCHIVED, event=Event.MEMORY_RESTORED, reason=CONSOLIDATED, ground=ground,
        sealed=whole.namespace.sealed, made=str(whole.pk),
    )  # fmt: skip
    return len(parts)


def is_stood_for(part: Memory, *, ground: Ground) -> bool:
    """Whether a whole stands for what this forgotten original says, or does again by this call.

    It does again where it was forgotten on account of an original and no other of them is forgotten still. Raises
    CapReached, IntegrityFault.
    """
    wholes = wholes_of(part)
    if not wholes or not says_the_same(part, keys=ground.keys):
        return False
    if any(whole.status != Status.FORGOTTEN for whole in wholes):
        return True
    return any(_come_back(whole, part, ground) for whole in wholes)


def status_before(memory: Memory) -> Status:
    """The status that a forgotten memory had, past any that being part of a whole gave it."""
    rows = MemoryVersion.objects.filter(memory=memory).exclude(status=Status.FORGOTTEN).order_by("-number")
    earlier = list(rows.values_list("status", "reason_code"))
    if not earlier:
        return Status.ACTIVE
    last = earlier[0][0]
    # In the archive its metadata may have been changed since it was put there.
    archived = takewhile(lambda version: version[0] == Status.ARCHIVED, earlier)
    if CONSOLIDATED in {reason for _, reason in archived}:
        return Status.ACTIVE
    return Status(last)


def says_the_same(part: Memory, *, keys: SubjectKeys) -> bool:
    """Whether an original still has the words with which it went into a whole. Raises IntegrityFault."""
    went = (
        MemoryVersion.objects.filter(memory=part, status=Status.ARCHIVED, reason_code=CONSOLIDATED)
        .order_by("-number")
        .first()
    )
    return (
        went is not None and open_version(went, keys=keys).content.text == open_current(part, keys=keys).text
    )


def _come_back(whole: Memory, part: Memory, ground: Ground) -> bool:
    others = [row for row in _originals(whole) if row.pk != part.pk]
    over = whole.expires_at is not None and whole.expires_at <= ground.now
    if over or not _ended(whole, WITH_PART) or any(row.status == Status.FORGOTTEN for row in others):
        return False
    status = status_before(whole)
    if status is Status.ACTIVE:
        if has_twin(whole, bytes(whole.fingerprint)):
            return False
        archive_parts(whole, ground=ground, standing=True)
        require_room(namespace=whole.namespace, ground=ground)
    move_status(
        [whole], status, event=Event.MEMORY_RESTORED, reason=WITH_PART_BACK, ground=ground,
        sealed=whole.namespace.sealed, because=str(part.pk),
    )  # fmt: skip
    return True


def _originals(whole: Memory) -> list[Memory]:
    rows = Memory.objects.filter(
        pk__in=whole.derived_from, subject_id=whole.subject_id, destroyed_at__isnull=True
    )
    return list(rows.order_by("created_at", "pk"))


def _ended(row: Memory, reason: str) -> bool:
    last = MemoryVersion.objects.filter(memory=row, number=row.version, reason_code=reason)
    return last.exists()
