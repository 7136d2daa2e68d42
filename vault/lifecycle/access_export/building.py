"""Making the file: what stands in it, in which order, and its signature."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any
from uuid import UUID

from django.utils import timezone

from vault.errors import IntegrityFault, SubjectErased
from vault.keys import audit_signer
from vault.lifecycle import holds
from vault.lifecycle.access_export import cells, page
from vault.lifecycle.access_export.archive import Archive, Writing
from vault.lifecycle.access_export.collecting import Collector, Record, instant
from vault.lifecycle.access_export.declared import COLLECTORS
from vault.lifecycle.access_export.memories import SERVED
from vault.lifecycle.access_export.signing import signed_manifest
from vault.lifecycle.access_export.turns import Build, begin, finish, turn
from vault.lifecycle.verify_export import FORMAT, MANIFEST
from vault.retrieval.integrity import check_manifest
from vault.retrieval.subjects import reference_of


def execute_export(export_id: UUID) -> None:
    """Make the file of an approved export; one that is ready, closed or gone with its subject is left alone.

    Raises InvalidTransition for one that nobody approved, ExportTakenOver, and whatever breaks a turn.
    """
    try:
        build = begin(export_id)
        if build is None:
            return
        archive = Archive(build.parts, build.as_of)
        document = _head(build)
        _write_json(build, archive, document)
        _write_page(build, archive, document)
        _write_table(build, archive)
        _sign(build, archive, document)
        archive.close()
        finish(build)
    except SubjectErased:
        return


def _head(build: Build) -> dict[str, Any]:
    with turn(build) as (export, look):
        covered = look.namespaces
        document = {
            "format": FORMAT,
            "export": str(export.pk),
            "as_of": instant(build.as_of),
            "reason": export.reason_code,
            "asked_by": build.names.author(export.requested_by),
            "asked_at": instant(export.requested_at),
            "covers": "all" if covered is None else sorted(build.names.namespace(n) for n in covered),
            "is_complete": look.asker is None,
            "subject": {
                "id": reference_of(look.subject),
                "known_since": instant(look.subject.created_at),
                "last_activity_at": instant(look.subject.last_activity_at),
                "restricted_since": instant(look.subject.restricted_at),
                "legal_hold": holds.is_held(look.subject.pk),
            },
        }
        try:
            check_manifest(look.subject.pk, keys=look.keys)
        except IntegrityFault:
            # The file is made all the same, and says that something may be missing from it.
            build.faults += 1
    return document


def _records(build: Build, collector: Collector) -> Iterator[Record]:
    """Every record of a section, a page a turn."""
    after, is_first = None, True
    while is_first or after is not None:
        is_first = False
        with turn(build) as (_, look):
            found = collector.page(look, after)
        yield from found.records
        after = found.after
        build.done += len(found.records)
        if collector.section not in build.counts:
            build.faults += found.faults


def _write_json(build: Build, archive: Archive, document: dict[str, Any]) -> None:
    with archive.file("export.json") as out:
        out.text(json.dumps(document, ensure_ascii=False)[:-1])
        for collector in COLLECTORS:
            out.text(f",\n{json.dumps(collector.section)}: [")
            build.counts[collector.section] = _write_list(build, collector, out)
            out.text("]")
        out.text("}\n")


def _write_list(build: Build, collector: Collector, out: Writing) -> int:
    count = 0
    for count, record in enumerate(_records(build, collector), 1):
        out.text((",\n" if count > 1 else "\n") + json.dumps(record, ensure_ascii=False))
    return count


def _write_page(build: Build, archive: Archive, document: dict[str, Any]) -> None:
    with archive.file("export.html") as out:
        out.text(page.head({**document, "counts": build.counts, "faults": build.faults}, COLLECTORS))
        for collector in COLLECTORS:
            out.text(page.section_head(collector))
            count = 0
            for record in _records(build, collector):
                out.text(page.record(collector, record))
                count += 1
            out.text(page.section_foot(collector, count=count))
        out.text(page.foot(document))


def _write_table(build: Build, archive: Archive) -> None:
    with archive.file("memories.csv") as out:
        out.text(cells.header())
        for record in _records(build, SERVED):
            out.text(cells.row(record))


def _sign(build: Build, archive: Archive, document: dict[str, Any]) -> None:
    manifest = signed_manifest(
        {
            **{
                name: document[name]
                for name in ("format", "export", "as_of", "reason", "covers", "is_complete")
            },
            "made_at": instant(timezone.now()),
            "counts": build.counts,
            "faults": build.faults,
            "files": [member.document() for member in archive.members],
        },
        signer=audit_signer(),
    )
    with archive.file(MANIFEST) as out:
        out.text(json.dumps(manifest, ensure_ascii=False, indent=1) + "\n")
