"""Every call of the API as a method."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, BinaryIO, Self
from urllib.parse import quote

from vault.client.answers import Context, Erasure, Export, Forgotten, Page, SearchAnswer, SubjectToken
from vault.client.sessions import Sessions
from vault.client.transport import Transport
from vault.client.values import BatchResult, Memory, Quarantine, Version, Written


class Vault:
    """A client with one token. Refusals are raised as `vault.client.errors`; see there.

    Every method takes further fields of the API as keywords, so that a newer vault can be used by an older
    client. Times may be given as aware datetimes.
    """

    def __init__(self, base_url: str, token: str, **transport: Any) -> None:
        """`transport` takes timeout_seconds (30), retries (3), and a transport of httpx for tests."""
        self._transport = Transport(base_url, token, **transport)
        self.sessions = Sessions(self._transport)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._transport.close()

    # --- writing ---
    def write(
        self, *, subject: str, text: str, source: str | Mapping[str, str] | None = None,
        idempotency_key: str | None = None, **fields: Any,
    ) -> Written:  # fmt: skip
        """Write one memory. `source` is a type alone ("user"), or a mapping with its reference."""
        body = draft(subject=subject, text=text, source=source, **fields)
        return Written.read(self._transport.call("POST", "memories", body=body, key=idempotency_key))

    def write_batch(
        self, drafts: Iterable[Mapping[str, Any]], *, idempotency_key: str | None = None
    ) -> tuple[BatchResult, ...]:
        """Write up to 100 memories; each is answered by itself, in order."""
        body = {"memories": [draft(**one) for one in drafts]}
        answer = self._transport.call("POST", "memories/batch", body=body, key=idempotency_key)
        return tuple(BatchResult.read(result) for result in answer["results"])

    def change(self, memory_id: str, *, version: int, reason: str = "changed", **fields: Any) -> Written:
        """Replace fields of the memory as it stood at `version`; None clears a time or the attribute."""
        body = {"reason": reason, **_plain(fields)}
        return Written.read_change(
            self._transport.call("PATCH", f"memories/{memory_id}", body=body, version=version)
        )

    def forget(self, memory_id: str, *, version: int, reason: str = "forgotten") -> Memory:
        """Hide a memory; `restore` takes that back."""
        body = {"reason": reason}
        return Memory.read(
            self._transport.call("DELETE", f"memories/{memory_id}", body=body, version=version)
        )

    def restore(self, memory_id: str, *, version: int | None = None, reason: str = "restored") -> Memory:
        """Bring a forgotten memory back; without `version`, as it stands now."""
        path = f"memories/{memory_id}/restore"
        return Memory.read(self._transport.call("POST", path, body={"reason": reason}, version=version))

    def rollback(self, memory_id: str, *, to_version: int, version: int, reason: str) -> Memory:
        """Write a new version with the content of `to_version`; `version` is the one that stands now."""
        body = {"version": to_version, "reason": reason}
        path = f"memories/{memory_id}/rollback"
        return Memory.read(self._transport.call("POST", path, body=body, version=version))

    def feedback(self, memory_id: str, *, useful: bool) -> bool:
        """Say whether a memory was of use; whether the word counts (not when the same was said today)."""
        answer = self._transport.call("POST", f"memories/{memory_id}/feedback", body={"useful": useful})
        return bool(answer["counted"])

    def forget_matching(
        self, *, subject: str, session: str | None = None, source: Mapping[str, str] | None = None, **fields: Any
    ) -> Forgotten:  # fmt: skip
        """Hide up to 100 memories that match all that is named; a session or a source has to be."""
        named = {"session": session, "source": source, **_plain(fields)}
        body = {"subject": subject, **{name: value for name, value in named.items() if value is not None}}
        answer = self._transport.call("POST", "memories/forget", body=body)
        return Forgotten(tuple(answer["memories"]), answer["more"], tuple(answer["wholes"]))

    # --- reading ---
    def get(self, memory_id: str) -> Memory:
        return Memory.read(self._transport.call("GET", f"memories/{memory_id}"))

    def list(self, *, subject: str, cursor: str | None = None, **filters: Any) -> Page[Memory]:
        """One page of a subject's memories, oldest first."""
        query = {"subject": subject, **filters, "cursor": cursor}
        answer = self._transport.call("GET", "memories", query=query)
        rows = tuple(Memory.read(row) for row in answer["results"])
        return Page(rows, answer["next"], answer["previous"])

    def list_all(self, *, subject: str, **filters: Any) -> Iterator[Memory]:
        """Every memory of a subject, page after page."""
        page = self.list(subject=subject, **filters)
        yield from page
        while page.next:
            page = self.list(subject=subject, **filters, cursor=page.next)
            yield from page

    def versions(self, memory_id: str) -> tuple[Version, ...]:
        """The whole history of a memory, the first version first."""
        path, found, cursor = f"memories/{memory_id}/versions", [], None
        while True:
            answer = self._transport.call("GET", path, query={"limit": 100, "cursor": cursor})
            found += [Version.read(row) for row in answer["results"]]
            cursor = answer["next"]
            if cursor is None:
                return tuple(found)

    def search(self, *, subject: str, query: str, **fields: Any) -> SearchAnswer:
        """The best memories for a question, with the parts of their scores. Raises NoSuchSubject for a new subject."""
        body = {"subject": subject, "query": query, **_plain(fields)}
        return SearchAnswer.read(self._transport.call("POST", "memories/search", body=body, is_write=False))

    def context(self, *, subject: str, query: str, max_tokens: int = 500, **fields: Any) -> Context:
        """The best memories as a block for a prompt, within `max_tokens`. Raises as `search`."""
        body = {"subject": subject, "query": query, "max_tokens": max_tokens, **_plain(fields)}
        return Context.read(self._transport.call("POST", "context", body=body, is_write=False))

    def quarantine(self, write_id: str) -> Quarantine:
        """The state of a write of one's own that was set aside."""
        return Quarantine.read(self._transport.call("GET", f"quarantine/{write_id}"))

    # --- subjects ---
    def subject(self, subject: str) -> dict[str, Any]:
        """Counts of what is kept on a subject."""
        answer: dict[str, Any] = self._transport.call("GET", f"subjects/{quote(subject, safe='')}")
        return answer

    def subject_token(self, *, subject: str, scopes: Sequence[str], ttl_seconds: int) -> SubjectToken:
        """A short-lived token that reaches one subject only: what a model's tools should be given."""
        body = {"subject": subject, "scopes": list(scopes), "ttl_seconds": ttl_seconds}
        return SubjectToken.read(self._transport.call("POST", "subject-tokens", body=body))

    def request_export(self, *, subject: str, reason: str = "access_request") -> Export:
        """Ask for everything that is kept on a subject; somebody else approves it."""
        path = f"subjects/{quote(subject, safe='')}/export"
        return Export.read(self._transport.call("POST", path, body={"reason": reason}))

    def export(self, export_id: str) -> Export:
        return Export.read(self._transport.call("GET", f"exports/{export_id}"))

    def save_export(self, export_id: str, target: BinaryIO) -> int:
        """Write the file of a ready export to `target`, piece by piece; returns its length. Raises Conflict, Gone."""
        return self._transport.save(f"exports/{export_id}/file", target)

    def request_erasure(self, *, subject: str, reason: str, evidence: str = "") -> Erasure:
        """Ask for a subject's erasure; somebody else approves it."""
        body = {"subject": subject, "reason": reason, "evidence": evidence}
        return Erasure.read(self._transport.call("POST", "erasure-requests", body=body))

    def erasure(self, request_id: str) -> Erasure:
        return Erasure.read(self._transport.call("GET", f"erasure-requests/{request_id}"))

    def certificate(self, request_id: str) -> dict[str, Any]:
        """The signed certificate; raises Conflict until the erasure is done."""
        answer: dict[str, Any] = self._transport.call("GET", f"erasure-requests/{request_id}/certificate")
        return answer


def draft(
    *, subject: str, text: str, source: str | Mapping[str, str] | None = None, **fields: Any
) -> dict[str, Any]:
    """One write as a body; what is None is left to the vault."""
    body: dict[str, Any] = {"subject": subject, "text": text}
    if source is not None:
        body["source"] = {"type": source} if isinstance(source, str) else dict(source)
    return {**body, **{name: value for name, value in _plain(fields).items() if value is not None}}


def _plain(fields: Mapping[str, Any]) -> dict[str, Any]:
    """Times as the API writes them; raises ValueError for one without an offset."""
    return {name: _instant(value) if isinstance(value, datetime) else value for name, value in fields.items()}


def _instant(value: datetime) -> str:
    if value.utcoffset() is None:
        raise ValueError("a time needs an offset")
    return value.isoformat()
