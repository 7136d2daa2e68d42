"""`/memories/batch`: many writes in one request, each answered as if it had come alone."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from vault.api.answers import BatchOut
from vault.api.drafts import draft_from
from vault.api.errors import account_for
from vault.api.idempotency import Answer, Attempt, Reservation, once
from vault.api.refusals import FieldError, InvalidRequest
from vault.api.replay import attempt_of, idempotency_key, respond
from vault.api.requests import BatchIn, WriteIn
from vault.api.schema import KEYED
from vault.api.validation import read_object
from vault.api.views.endpoint import Endpoint
from vault.api.writes import write
from vault.retrieval.scope import Right

ENDPOINT = "memories/batch"
ITEM_ENDPOINT = "memories/batch/item"
MAX_WRITES = 100


class BatchView(Endpoint):
    @extend_schema(
        operation_id="write_memories", request=BatchIn, responses={200: BatchOut}, parameters=KEYED
    )
    def post(self, request: Request) -> Response:
        """Write up to 100 memories in order; one that fails does not undo the others.

        Every result is what the single call would have answered, with its `status`. With an Idempotency-Key
        the writes that were stored are answered again, the others run again.
        """
        self.scope.require(Right.MEMORY_WRITE)
        items = _items(request.data)
        key = idempotency_key(request)
        if key is None:
            return Response({"results": self._results(items, None)})
        results: list[dict[str, Any]] = []

        def work(_: Reservation | None) -> Answer:
            results.extend(self._results(items, key))
            # Texts are kept with the items, each under its own subject's key; the whole only guards the key.
            return Answer(200, None)

        whole = attempt_of(request, key, endpoint=ENDPOINT, about=_subjects(items), body=request.data)
        _, replayed = once(whole, work)
        if replayed:
            results = self._results(items, key)
        return respond(Answer(200, {"results": results}), replayed=replayed)

    def _results(self, items: list[Any], key: str | None) -> list[dict[str, Any]]:
        return [self._one(item, index, key) for index, item in enumerate(items)]

    def _one(self, item: Any, index: int, key: str | None) -> dict[str, Any]:
        try:
            answer = self._write(item, index, key)
        except Exception as exc:  # noqa: BLE001 - one write's fault must not take the other answers along
            return account_for(exc, request=self.request)[1]
        return {"status": answer.status, **answer.body}

    def _write(self, item: Any, index: int, key: str | None) -> Answer:
        draft = draft_from(read_object(WriteIn, item, pointer=f"/memories/{index}"), scope=self.scope)

        def work(reservation: Reservation | None) -> Answer:
            return write(draft, scope=self.scope, reservation=reservation)

        if key is None:
            return work(None)
        attempt = Attempt.of(
            key=key, caller=self.scope.author, endpoint=ITEM_ENDPOINT,
            about=(str(index), draft.subject), request=item,
        )  # fmt: skip
        return once(attempt, work)[0]


def _items(body: Any) -> list[Any]:
    """The writes of the body: `{"memories": [...]}`, or the list alone."""
    given = body.get("memories") if isinstance(body, dict) and set(body) == {"memories"} else body
    if not isinstance(given, list):
        raise InvalidRequest((FieldError("/memories", "required", "Must be a list of writes."),))
    if not 1 <= len(given) <= MAX_WRITES:
        raise InvalidRequest((FieldError("/memories", "length", f"Holds 1 to {MAX_WRITES} writes."),))
    return given


def _subjects(items: list[Any]) -> tuple[str, ...]:
    return tuple(str(item.get("subject", "")) if isinstance(item, dict) else "" for item in items)
