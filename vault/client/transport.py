"""HTTP with patience: retries what is safe to repeat, and nothing else.

Reads repeat as they are. A POST that writes carries an Idempotency-Key, so that a repeat is answered and not
done again. PATCH and DELETE name the version that they mean, so a repeat after an answer that was lost is
refused as stale; they are only repeated when the vault says that it did nothing (429, 503).
"""

from __future__ import annotations

import random
import time
import uuid
from collections.abc import Callable, Mapping
from typing import Any, BinaryIO

import httpx

from vault.client.errors import Unreachable, problem_from

BUSY = frozenset({429, 503})
FAILED = frozenset({500, 502, 504})
IN_PROGRESS = "idempotency_in_progress"
FIRST_WAIT_SECONDS = 0.2
LONGEST_WAIT_SECONDS = 20.0


class Transport:
    """One connection pool with one token."""

    def __init__(
        self,
        base_url: str,
        token: str,
        *,
        timeout_seconds: float = 30.0,
        retries: int = 3,
        transport: httpx.BaseTransport | None = None,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._http = httpx.Client(
            base_url=base_url.rstrip("/") + "/api/v1/",
            headers={"Authorization": f"Bearer {token}", "Accept": "application/json"},
            timeout=timeout_seconds,
            transport=transport,
        )
        self._retries = retries
        self._sleep = sleep

    def close(self) -> None:
        self._http.close()

    def call(
        self,
        method: str,
        path: str,
        *,
        body: Any = None,
        query: Mapping[str, Any] | None = None,
        version: int | None = None,
        key: str | None = None,
        is_write: bool = True,
    ) -> Any:
        """One call; the answer's JSON. Raises a VaultProblem for a refusal, Unreachable without an answer.

        `version` becomes If-Match. A POST that `is_write` gets `key`, or a key of its own, for its repeats.
        """
        headers = {} if version is None else {"If-Match": f'"v{version}"'}
        if method == "POST" and is_write:
            headers["Idempotency-Key"] = key or str(uuid.uuid4())
        repeatable = method in ("GET", "POST")
        for attempt in range(self._retries + 1):
            response = self._send(
                method, path, body, query, headers, final=attempt == self._retries or not repeatable
            )
            if response is not None:
                if response.is_success:
                    return response.json()
                if attempt == self._retries or not _may_repeat(response, repeatable=repeatable):
                    raise problem_from(
                        response.status_code, _document(response), response.headers.get("X-Request-Id", "")
                    )
            self._sleep(_wait_seconds(response, attempt))
        raise AssertionError("the last attempt either returns or raises")

    def save(self, path: str, target: BinaryIO) -> int:
        """Stream a file to `target`. Not repeated: what was written before a fault cannot be taken back.

        Raises a VaultProblem for a refusal, Unreachable when the answer breaks off.
        """
        written = 0
        try:
            with self._http.stream("GET", path) as response:
                if not response.is_success:
                    response.read()
                    request_id = response.headers.get("X-Request-Id", "")
                    raise problem_from(response.status_code, _document(response), request_id)
                for piece in response.iter_bytes():
                    written += target.write(piece)
        except httpx.TransportError as error:
            raise Unreachable(type(error).__name__) from error
        return written

    def _send(
        self,
        method: str,
        path: str,
        body: Any,
        query: Mapping[str, Any] | None,
        headers: dict[str, str],
        *,
        final: bool,
    ) -> httpx.Response | None:
        """The response; None when none came and another attempt may follow."""
        # httpx drops the query of an address when `params` is an empty mapping.
        params = {name: value for name, value in (query or {}).items() if value is not None} or None
        try:
            return self._http.request(method, path, json=body, params=params, headers=headers)
        except httpx.TransportError as error:
            if final:
                raise Unreachable(type(error).__name__) from error
            return None


def _may_repeat(response: httpx.Response, *, repeatable: bool) -> bool:
    if response.status_code in BUSY:
        return True
    if response.status_code == 409:
        return _document(response).get("code") == IN_PROGRESS
    return repeatable and response.status_code in FAILED


def _wait_seconds(response: httpx.Response | None, attempt: int) -> float:
    """What the vault asks for, or twice as long each time with some chance, so that clients do not march in step."""
    asked = response.headers.get("Retry-After", "") if response is not None else ""
    if asked.isdigit():
        return min(float(asked), LONGEST_WAIT_SECONDS)
    longest = min(FIRST_WAIT_SECONDS * 2.0**attempt, LONGEST_WAIT_SECONDS)
    return random.uniform(longest / 2, longest)  # noqa: S311 - nothing secret hangs on it


def _document(response: httpx.Response) -> dict[str, Any]:
    try:
        document = response.json()
    except ValueError:
        return {}
    return document if isinstance(document, dict) else {}
