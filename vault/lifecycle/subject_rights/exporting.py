"""The subject's own file: asked for when staff pass the request on, fetched by the number of the request."""

from __future__ import annotations

from dataclasses import replace
from uuid import UUID

from vault.lifecycle.access_export import Download, open_download, request_export
from vault.models import AccessExport
from vault.retrieval.scope import Scope

PURPOSE = "subject_request"


def ask_export(*, subject_id: UUID, request_id: UUID, reason_code: str, scope: Scope) -> AccessExport:
    """Ask for the file in the name of the subject's request, and approve it as this member of staff.

    Asked again while it is being made, it is the same one. Raises NotFound, SubjectErased.
    """
    return request_export(
        subject_id=subject_id, reason_code=reason_code, scope=scope,
        requested_by=f"subject_request:{request_id}",
    )  # fmt: skip


def open_export(*, export_id: UUID, scope: Scope) -> Download:
    """The file, for somebody who has shown the number of its request; the download is an entry.

    Raises NotFound, InvalidTransition before it is ready, ExportExpired.
    """
    # The number is the right to this one file; the public scope has none.
    return open_download(export_id=export_id, purpose=PURPOSE, scope=replace(scope, everything=True))
