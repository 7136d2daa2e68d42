"""Withdrawing what was put together, when one of the memories that it was made of is no longer what it was.

The others are active again with their own text, and the consolidated text is destroyed in every version of
it: a fact that was taken out must not live on inside a summary. Whether the rest is put together again is for a job,
which is written down here with the withdrawal: until it has run the rest is served as it was before.

A whole that was changed since it was made says what none of its originals says: nothing brings that back once it is
destroyed. It is forgotten instead, to be restored, and its other originals stay in the archive.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from itertools import pairwise
from uuid import UUID

from django.db.models import Exists, OuterRef

from audit.actions import Action as Event
from vault.crypto import SubjectKeys
from vault.errors import CapReached
from vault.models import Job, JobKind, JobStatus, LegalHold, Memory, MemoryVersion, Subject
from vault.retrieval.opening import open_version
from vault.types import Status
from vault.writing.cap import make_room
from vault.writing.destroy import destroy_content
from vault.writing.ground import Ground, move_status
from vault.writing.store import has_twin

WITHDRAWN = "parent_changed"
CONSOLIDATED = "consolidated"
# Its text is hidden with what it was made of, by the undoing of what an agent, a source or a session wrote.
UNDONE = "bulk_rollback"
# The last version of a whole with words of its own, forgotten because an original was or says something else by now.
WITH_PART = "part_forgotten"
# The last version of a whole that is to be done again, and of each of its parts since.
TO_DO_AGAIN = (WITHDRAWN, UNDONE)


def withdraw_consolidated(parent: Memory, *, ground: Ground) -> tuple[UUID, ...]:
    """Withdraw every consolidated memory that holds this one; returns the ids of those that went by this.

    The parent itself keeps its status: the caller decides about it. Under a hold the text is hidden, and
    destroyed by the retention job when the hold has gone. One with words of its own is forgotten and keeps them.
    """
    gone: list[UUID] = []
    for row in wholes_of(parent):
        if has_own_words(row, keys=ground.keys):
            if row.status == Status.FORGOTTEN:
                continue
            move_status(
                [row], Status.FORGOTTEN, event=Event.MEMORY_FORGOTTEN, reason=WITH_PART, ground=ground,
                sealed=row.namespace.sealed, because=str(parent.pk),
            )  # fmt: skip
        else:
            if row.status == Status.ACTIVE:
                bring_back(row, ground=ground, reason=WITHDRAWN, leave=parent.pk)
            _give_up(row, because=str(parent.pk), ground=ground)
        gone.append(row.pk)
    return tuple(gone)


def wholes_of(part: Memory) -> list[Memory]:
    """The consolidated memories that hold this one and whose text is still there, the oldest first."""
    rows = Memory.objects.filter(
        subject_id=part.subject_id,
        consolidated=True,
        destroyed_at__isnull=True,
        derived_from__contains=[part.pk],
    )
    return list(rows.select_related("namespace").order_by("created_at", "pk"))


def has_own_words(whole: Memory, *, keys: SubjectKeys) -> bool:
    """Whether any version says something else than the one in which it was made.

    A move of the status says nothing new, and is not opened. Raises IntegrityFault.
    """
    first, *later = MemoryVersion.objects.filter(memory=whole, destroyed_at__isnull=True).order_by("number")
    rewritten = [version for before, version in pairwise((first, *later)) if before.status == version.status]
    return bool(rewritten) and any(_said_in(version, keys) != _said_in(first, keys) for version in rewritten)


def _said_in(version: MemoryVersion, keys: SubjectKeys) -> tuple[object, ...]:
    content = open_version(version, keys=keys).content
    return content.text, content.attribute, content.metadata, version.kind, version.occurred_at


def withdraw_mixed(memories: Sequence[UUID], *, ground: Ground) -> None:
    """Withdraw what holds any of these memories and is not one of them, before they leave the subject."""
    made = Memory.objects.filter(
        subject=ground.subject,
        consolidated=True,
        destroyed_at__isnull=True,
        derived_from__overlap=list(memories),
    )
    for row in made.exclude(pk__in=memories).select_related("namespace"):
        if row.status == Status.ACTIVE:
            bring_back(row, ground=ground, reason=WITHDRAWN)
        _give_up(row, because="", ground=ground)


def bring_back(made: Memory, *, ground: Ground, reason: str, leave: UUID | None = None) -> list[Memory]:
    """Make the archived parents of a consolidated memory active again, and the memory itself forgotten.

    A parent stays archived when another active memory says the same by now, or its time has run out.
    """
    sealed = made.namespace.sealed
    facts = {"made": str(made.pk)}
    move_status(
        [made], Status.FORGOTTEN, event=Event.CONSOLIDATION_UNDONE, reason=reason, ground=ground, sealed=sealed,
        because=str(leave or ""),
    )  # fmt: skip
    back = [row for row in parents_of(made) if row.pk != leave and _may_stand(row, ground)]
    for row in back:
        move_status(
            [row], Status.ACTIVE, event=Event.MEMORY_RESTORED, reason=reason, ground=ground, sealed=sealed, **facts
        )  # fmt: skip
    return back


def parents_of(made: Memory) -> Sequence[Memory]:
    """The archived memories that a consolidated one was made of, the oldest first."""
    rows = Memory.objects.filter(
        pk__in=made.derived_from,
        subject_id=made.subject_id,
        status=Status.ARCHIVED,
        destroyed_at__isnull=True,
    )
    return list(rows.order_by("created_at", "pk"))


def to_do_again(subject: Subject) -> list[Memory]:
    """The wholes that were withdrawn while two or more of their parts stand as they came back; the newest first."""
    made = Memory.objects.filter(ended_as(TO_DO_AGAIN), subject=subject, consolidated=True)
    rows = made.filter(status=Status.FORGOTTEN).select_related("namespace").order_by("-updated_at", "-pk")
    return [row for row in rows if len(rest_of(row)) > 1]


def rest_of(made: Memory) -> list[Memory]:
    """The parts of a withdrawn whole that are served again and that nobody has touched since, the oldest first."""
    rows = Memory.objects.filter(
        ended_as(TO_DO_AGAIN), pk__in=made.derived_from, subject_id=made.subject_id, status=Status.ACTIVE
    )
    return list(rows.select_related("namespace").order_by("created_at", "pk"))


def ask_again(made: Iterable[UUID], *, now: datetime) -> None:
    """Write down that what is left of these wholes (ids) may be put together again. Needs the caller's transaction.

    The sweeper hands the job out: here stands no broker.
    """
    for target in made:
        live = Job.objects.filter(
            kind=JobKind.CONSOLIDATION,
            target_id=target,
            status__in=[JobStatus.QUEUED, JobStatus.RUNNING],
        )
        if not live.exists():
            Job.objects.create(kind=JobKind.CONSOLIDATION, target_id=target, leased_until=now)


def is_withdrawn(row: Memory) -> bool:
    """Whether it was withdrawn because one of its parts is no longer what it was."""
    last = MemoryVersion.objects.filter(memory=row, number=row.version, reason_code=WITHDRAWN)
    return row.consolidated and last.exists()


def ended_as(reasons: Sequence[str]) -> Exists:
    """Of a memory, that the reason of its last version is one of these."""
    return Exists(
        MemoryVersion.objects.filter(
            memory=OuterRef("pk"), number=OuterRef("version"), reason_code__in=reasons
        )
    )


def _may_stand(row: Memory, ground: Ground) -> bool:
    over = row.expires_at is not None and row.expires_at <= ground.now
    return not over and not has_twin(row, bytes(row.fingerprint))


def _give_up(row: Memory, *, because: str, ground: Ground) -> None:
    held = LegalHold.objects.filter(subject=ground.subject, released_at__isnull=True).exists()
    if not held:
        destroy_content(row, reason=WITHDRAWN, ground=ground, because=because)
        ask_again([row.pk], now=ground.now)
    try:
        make_room(namespace=row.namespace, ground=ground, coming=0)
    except CapReached:
        # All that is left is pinned or held: nothing that a parent's return could push out.
        return
