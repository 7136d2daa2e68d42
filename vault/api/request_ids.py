"""Ids that tie an answer to its audit entries and log lines."""

from __future__ import annotations

import re

from vault.models.identifiers import new_id

# As an audit entry takes it; anything else could be content.
SANE = re.compile(r"[A-Za-z0-9._-]{1,64}", re.ASCII)


def request_id_from(header: str | None) -> str:
    """The caller's own id when it is one, a new one otherwise."""
    return header if header and SANE.fullmatch(header) else str(new_id())
