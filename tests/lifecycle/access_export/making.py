"""A whole export for tests: asked for, approved by somebody else, made, and unpacked again."""

from __future__ import annotations

import io
import json
import zipfile
from dataclasses import dataclass, field
from typing import Any

from tests.factories import staff_scope
from tests.open_rows import everything_open
from vault.lifecycle.access_export import carry_out_export, execute_export, open_download, request_export
from vault.lifecycle.approvals import approve
from vault.models import AccessExport, Approval, ApprovalKind, Subject
from vault.retrieval.scope import Scope


@dataclass(frozen=True)
class Unpacked:
    """A file as its reader finds it."""

    raw: bytes
    files: dict[str, bytes] = field(default_factory=dict)

    @property
    def document(self) -> dict[str, Any]:
        return json.loads(self.files["export.json"])

    @property
    def page(self) -> str:
        return self.files["export.html"].decode()

    @property
    def manifest(self) -> dict[str, Any]:
        return json.loads(self.files["manifest.json"])


def asked(subject: Subject, *, scope: Scope | None = None) -> AccessExport:
    return request_export(subject_id=subject.pk, reason_code="access_request", scope=scope or staff_scope())


def approval_of(export: AccessExport) -> Approval:
    return Approval.objects.get(target_id=export.pk)


def approved(subject: Subject, *, scope: Scope | None = None) -> AccessExport:
    """An export that one asked for and another approved; its job is queued."""
    export = asked(subject, scope=scope)
    second = staff_scope()
    approval = approve(approval_id=approval_of(export).pk, kinds=[ApprovalKind.EXPORT], scope=second)
    carry_out_export(approval, second)
    return fresh(export)


def made(subject: Subject, *, scope: Scope | None = None) -> AccessExport:
    """An export whose file is ready."""
    export = approved(subject, scope=scope)
    execute_export(export.pk)
    return fresh(export)


def fresh(export: AccessExport) -> AccessExport:
    with everything_open():
        return AccessExport.objects.get(pk=export.pk)


def unpacked(export: AccessExport, *, scope: Scope | None = None) -> Unpacked:
    """Download the file and take it apart."""
    download = open_download(export_id=export.pk, purpose="access_request", scope=scope or staff_scope())
    raw = b"".join(download.chunks)
    assert len(raw) == download.size
    with zipfile.ZipFile(io.BytesIO(raw)) as archive:
        assert archive.testzip() is None
        return Unpacked(raw, {name: archive.read(name) for name in archive.namelist()})


def exported(subject: Subject, **fields: Any) -> Unpacked:
    return unpacked(made(subject, **fields))
