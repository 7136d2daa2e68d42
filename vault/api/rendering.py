"""From what the services return to what is sent."""

from __future__ import annotations

from dataclasses import replace

from rest_framework.response import Response

from vault.api.answers import MemoryOut, QuarantinedOut, ReconciledOut, WrittenOut
from vault.api.etags import etag
from vault.api.idempotency import Answer
from vault.retrieval.records import OpenedMemory
from vault.writing.results import WriteResult

STATUS_OF_OUTCOME = {"created": 201, "merged": 200, "changed": 200, "quarantined": 202}


def memory_response(opened: OpenedMemory, *, status: int = 200) -> Response:
    return Response(MemoryOut(opened).data, status=status, headers={"ETag": etag(opened.row.version)})


def memory_answer(opened: OpenedMemory, *, status: int = 200) -> Answer:
    headers = {"ETag": etag(opened.row.version)}
    return Answer(status, MemoryOut(opened).data, opened.row.subject_id, headers)


def write_answer(result: WriteResult) -> Answer:
    """201 created, 200 merged, 202 quarantined."""
    status = STATUS_OF_OUTCOME[result.outcome]
    if result.memory is None:
        return _set_aside(result, status)
    memory = result.memory.row
    headers = {"ETag": etag(memory.version), "Location": f"/api/v1/memories/{memory.pk}"}
    return Answer(status, WrittenOut(result).data, memory.subject_id, headers)


def change_answer(result: WriteResult) -> Answer:
    """200 with the memory as it stands now, 202 when the change waits for a person."""
    if result.memory is None:
        return _set_aside(result, STATUS_OF_OUTCOME[result.outcome])
    answer = memory_answer(result.memory)
    return replace(answer, body={**answer.body, "reconciled": ReconciledOut(result).data})


def _set_aside(result: WriteResult, status: int) -> Answer:
    assert result.quarantined is not None  # noqa: S101 - a result without a memory has one
    headers = {"Location": f"/api/v1/quarantine/{result.quarantined.pk}"}
    return Answer(status, QuarantinedOut(result).data, result.quarantined.subject_id, headers)
