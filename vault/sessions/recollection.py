"""The memories that a window gets: looked for at the right moments, and kept from one window to the next."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from uuid import UUID

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from audit.actions import Action as Event
from vault.keys import key_vault
from vault.models import Memory, Session, Turn
from vault.retrieval import trail
from vault.retrieval.by_kind import window_searches
from vault.retrieval.context import BlockMemory
from vault.retrieval.guard import Served
from vault.retrieval.integrity import check_manifest, reading
from vault.retrieval.opening import open_memories
from vault.retrieval.recall import block_line
from vault.retrieval.records import Content, OpenedMemory
from vault.retrieval.scope import GrantedNamespace, Right, Scope
from vault.retrieval.search import Hit, SearchQuery, find_together
from vault.retrieval.served import as_served
from vault.retrieval.subjects import reference_of
from vault.retrieval.turns import open_state, seal_state
from vault.retrieval.usage import count_use
from vault.sessions.asking import fill_in
from vault.sessions.finding import find_session
from vault.sessions.leaning import Said
from vault.sessions.read import recent_turns
from vault.sessions.retrieval_moments import DEMAND, KEPT, NONE
from vault.sessions.roles import Role
from vault.types import Status

# A line of a context block costs about this much, so more memories than that cannot fit.
TOKENS_PER_MEMORY = 12
MAX_MEMORIES = 100
FOUND = "found"


@dataclass(frozen=True, slots=True)
class Recollection:
    """Memories as lines, the best first; why they are there; and the texts that were searched with.

    `memories` are the same again as the guard reads them. `same` names the turns of the session that say what a
    memory says.
    """

    why: str
    lines: tuple[BlockMemory[UUID], ...] = field(default=(), repr=False)
    memories: tuple[Served[UUID], ...] = field(default=(), repr=False)
    used: str = field(default="", repr=False)
    asked: str = field(default="", repr=False)
    fallback: str = ""
    same: Mapping[UUID, int] = field(default_factory=dict)


NOTHING = Recollection(NONE)


def recollect(*, session: Session, query: str, max_tokens: int, scope: Scope) -> Recollection:
    """The memories for a window. Without the right to read memories there are none, and the window stands.

    Searches when `query` is given, at the start of the session and after a shift of its topic; raises what `search`
    raises.
    """
    readable = [n for n in scope.namespaces if n.id == session.namespace_id and Right.MEMORY_READ in n.rights]
    if not readable:
        return NOTHING
    if not query and not session.retrieve_why:
        return _kept(session, scope)
    said = recent_turns(session_id=session.pk, scope=scope)
    asked = query or next((turn.text for turn in reversed(said) if turn.role == Role.USER), "")
    if not asked.strip():
        return NOTHING
    before = said if query else said[: _place_of_last(said, Role.USER)]
    filled = fill_in(asked, before, session_id=session.pk, scope=scope)
    hits = _search(filled.text, session, readable[0], max_tokens, scope)
    why = DEMAND if query else session.retrieve_why
    _remember(session, [hit.memory.row.pk for hit in hits], scope)
    count_use([hit.memory.row for hit in hits])
    found = _recollection(
        [hit.memory for hit in hits], why=why, session=session, scope=scope, used=filled.text, asked=asked
    )
    return replace(found, fallback=filled.fallback)


def _place_of_last(said: Sequence[Said], role: str) -> int:
    return next((index for index in reversed(range(len(said))) if said[index].role == role), len(said))


def _search(
    used: str, session: Session, place: GrantedNamespace, max_tokens: int, scope: Scope
) -> Sequence[Hit]:
    """One search a kind, as the namespace's policy has it, merged by score."""
    fits = min(MAX_MEMORIES, max(1, max_tokens // TOKENS_PER_MEMORY))
    query = SearchQuery(subject=reference_of(session.subject), query=used, namespaces=(place.name,))
    searches = window_searches(query, place=place, most=fits)
    return find_together(queries=searches, scope=scope, event=Event.CONTEXT_BUILT).hits


def _remember(session: Session, found: Sequence[UUID], scope: Scope) -> None:
    with transaction.atomic(durable=True):
        find_session(session_id=session.pk, scope=scope, right=Right.SESSION_READ)
        row = Session.objects.select_for_update().get(pk=session.pk)
        keys = key_vault().subject(row.subject_id)
        state = open_state(row, keys=keys)
        metadata = {**state.metadata, FOUND: [str(memory) for memory in found]}
        seal_state(row, Content("", metadata=metadata, vector=state.vector), keys=keys)
        row.retrieve_why = ""
        row.save(update_fields=["state", "state_revision", "retrieve_why"])


def _kept(session: Session, scope: Scope) -> Recollection:
    """The memories that were found last, as they stand now; what was forgotten or expired since is not served."""
    with reading(scope=scope, kind="session"):
        row = find_session(session_id=session.pk, scope=scope, right=Right.SESSION_READ)
        keys = key_vault().subject(row.subject_id)
        wanted = [UUID(value) for value in open_state(row, keys=keys).metadata.get(FOUND, ())]
        check_manifest(row.subject_id, keys=keys)
        scope.open(row.subject_id, Right.MEMORY_READ)
        living = Q(expires_at__isnull=True) | Q(expires_at__gt=timezone.now())
        rows = Memory.objects.filter(
            living,
            pk__in=wanted,
            subject_id=row.subject_id,
            namespace_id=row.namespace_id,
            status=Status.ACTIVE,
        )
        memories = open_memories(list(rows), subject=row.subject)
        trail.note(
            Event.CONTEXT_BUILT, scope=scope, kind="session", target=row.pk, subject_ref=keys.audit_reference,
            count=len(memories),
        )  # fmt: skip
    place = {memory: index for index, memory in enumerate(wanted)}
    ordered = sorted(memories, key=lambda memory: place[memory.row.pk])
    return _recollection(ordered, why=KEPT if ordered else NONE, session=session, scope=scope)


def _recollection(
    memories: Sequence[OpenedMemory],
    *,
    why: str,
    session: Session,
    scope: Scope,
    used: str = "",
    asked: str = "",
) -> Recollection:
    lines = tuple(block_line(memory, scope=scope, now=timezone.now()) for memory in memories)
    read = tuple(as_served(memory.row, memory.content) for memory in memories)
    return Recollection(why, lines, read, used, asked, same=_same(memories, session, scope))


def _same(memories: Sequence[OpenedMemory], session: Session, scope: Scope) -> dict[UUID, int]:
    """Which turns of the session say what a memory says."""
    if not memories:
        return {}
    with transaction.atomic(durable=True):
        find_session(session_id=session.pk, scope=scope, right=Right.SESSION_READ)
        wanted = {bytes(memory.row.fingerprint): memory.row.pk for memory in memories}
        rows = Turn.objects.filter(session=session, fingerprint__in=list(wanted))
        return {wanted[bytes(fp)]: number for number, fp in rows.values_list("number", "fingerprint")}
