"""Echoes: what an agent hands back is what the vault itself served, not news.

An echo must not count as a second witness, must not raise the trust of what it repeats (an agent's word weighs
more than a stranger's), and must not bring back what was replaced or forgotten since it was served.
"""

from __future__ import annotations

import re
from datetime import timedelta
from uuid import UUID

from vault.errors import NotWorthKeeping
from vault.models import Memory
from vault.retrieval.context import HEADER
from vault.types import Kind, MemoryDraft, SourceType, Status
from vault.writing.fingerprint import same_statement_form
from vault.writing.ground import Ground

# How long after it was served a memory that has gone since can still be an echo and no news.
ECHO_WINDOW = timedelta(days=1)
_KINDS = "|".join(kind.value for kind in Kind)
_LINE = re.compile(rf"^\s*(?:[-*]\s*)?\[\d{{4}}-\d\d-\d\d \| (?:{_KINDS}) \| [^\]]*\]\s*(?P<text>.+)$")
# A context block shows control characters as pictures; here they are themselves again.
_PICTURES = {0x2400 + code: chr(code) for code in range(0x20)} | {0x2421: "\x7f"}


def served_statements(text: str) -> tuple[str, ...]:
    """The statements that a text repeats, without the dress of a context block; the text itself if it has none."""
    lines = [line for line in text.splitlines() if line.strip() and line.strip() != HEADER]
    dressed = [_LINE.match(line) for line in lines]
    if not lines or not all(dressed):
        return (text.translate(_PICTURES),)
    return tuple(match["text"].translate(_PICTURES) for match in dressed if match)


def find_echo(draft: MemoryDraft, *, namespace_id: int, ground: Ground) -> Memory | None:
    """The memory that stands for what an agent's draft hands back; None when there is anything new in it.

    Raises NotWorthKeeping when all of it was served, and has been given up since.
    """
    if draft.source.type is not SourceType.AGENT:
        return None
    known = [
        _served(statement, namespace_id=namespace_id, ground=ground)
        for statement in served_statements(draft.text)
    ]
    if not all(known):
        return None
    standing = [memory for memory in map(_successor, filter(None, known)) if memory is not None]
    if not standing:
        raise NotWorthKeeping("It repeats what the vault served and has given up since; nothing was stored.")
    return standing[0]


def _served(statement: str, *, namespace_id: int, ground: Ground) -> Memory | None:
    """The memory that makes this statement and was served; what is active before what is not."""
    rows = Memory.objects.filter(
        subject=ground.subject,
        namespace_id=namespace_id,
        fingerprint=ground.keys.fingerprint(same_statement_form(statement)),
        last_used_at__isnull=False,
    ).order_by("-last_used_at")
    active = next((row for row in rows if row.status == Status.ACTIVE), None)
    if active is not None:
        return active
    return rows.filter(last_used_at__gte=ground.now - ECHO_WINDOW).first()


def _successor(memory: Memory) -> Memory | None:
    """What stands for a memory now: itself, what replaced it, or what it was consolidated into."""
    seen: set[UUID] = set()
    while memory.status == Status.SUPERSEDED and memory.superseded_by is not None and memory.pk not in seen:
        seen.add(memory.pk)
        memory = memory.superseded_by
    if memory.status == Status.ARCHIVED:
        return Memory.objects.filter(
            subject_id=memory.subject_id, derived_from__contains=[memory.pk], status=Status.ACTIVE
        ).first()
    return memory if memory.status == Status.ACTIVE else None
