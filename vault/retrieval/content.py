"""The bytes inside a version's ciphertext, and the labels that its associated data binds.

A sealed content is a length, that many bytes of JSON, and the exact vector as little-endian float32.
"""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any
from uuid import UUID

import numpy as np

from vault.crypto import associated_data
from vault.errors import IntegrityFault
from vault.models.memory import Labels
from vault.retrieval.records import Content
from vault.types import Action, Category, Finding

LENGTH_BYTES = 4


def pack(content: Content) -> bytes:
    """The plaintext of a version."""
    head = json.dumps(
        {
            "text": content.text,
            "attribute": content.attribute,
            "source_ref": content.source_ref,
            "metadata": content.metadata,
            "findings": [asdict(finding) for finding in content.findings],
        },
        ensure_ascii=False,
        separators=(",", ":"),
    ).encode()
    vector = b"" if content.vector is None else np.asarray(content.vector, dtype="<f4").tobytes()
    return len(head).to_bytes(LENGTH_BYTES) + head + vector


def unpack(plaintext: bytes) -> Content:
    """The content that `pack` wrote; raises IntegrityFault for other bytes."""
    end = LENGTH_BYTES + int.from_bytes(plaintext[:LENGTH_BYTES])
    try:
        fields: dict[str, Any] = json.loads(plaintext[LENGTH_BYTES:end])
        vector = np.frombuffer(plaintext[end:], dtype="<f4") if len(plaintext) > end else None
        return Content(
            text=fields["text"],
            attribute=fields["attribute"],
            source_ref=fields["source_ref"],
            metadata=fields["metadata"],
            findings=findings_from(fields["findings"]),
            vector=vector,
        )
    except (ValueError, KeyError, TypeError):
        raise IntegrityFault from None


def findings_from(rows: list[dict[str, Any]]) -> tuple[Finding, ...]:
    """Findings as they were written down."""
    return tuple(
        Finding(**{**row, "category": Category(row["category"]), "action": Action(row["action"])})
        for row in rows
    )


def version_context(labels: Labels, *, memory: UUID, version: int, subject: UUID, namespace: int) -> bytes:
    """The associated data of one version: its place and every label that stands beside it in clear.

    A label changed in SQL, a row moved to another subject or an old row put back gives other bytes, and the
    ciphertext does not open.
    """
    return associated_data(
        what="memory version",
        memory=memory,
        version=version,
        subject=subject,
        namespace=namespace,
        kind=labels.kind,
        source=labels.source_type,
        agent=labels.agent_id,
        trust=labels.trust,
        status=labels.status,
        importance=repr(float(labels.importance)),
        volatile="yes" if labels.volatile else "no",
        occurred_at=labels.occurred_at,
        expires_at=labels.expires_at,
        created_at=labels.created_at,
    )


def reference_context(subject: UUID) -> bytes:
    """The associated data of a subject's sealed reference (the caller's own id for it)."""
    return associated_data(what="subject reference", subject=subject)
