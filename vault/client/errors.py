"""What the vault's refusals are in Python: one class a kind, the stable code on each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from vault.client.values import Finding


@dataclass(frozen=True, slots=True)
class FieldError:
    """One field that breaks the contract, by its JSON pointer."""

    pointer: str
    code: str
    detail: str


class VaultProblem(Exception):
    """A refusal. `code` is stable, `errors` names fields, `request_id` finds the entry in the vault's log."""

    def __init__(self, status: int, document: Mapping[str, Any], request_id: str = "") -> None:
        self.status = status
        self.code = str(document.get("code", "unknown"))
        self.detail = str(document.get("detail", ""))
        self.errors = tuple(
            FieldError(str(e.get("pointer", "")), str(e.get("code", "")), str(e.get("detail", "")))
            for e in document.get("errors", ())
        )
        self.document = dict(document)
        self.request_id = request_id
        # Details are the vault's own words: they name places and what may stand there, never what was sent.
        fields = "; ".join(f"{error.pointer}: {error.detail}" for error in self.errors)
        super().__init__(f"{status} {self.code}: {fields or self.detail}")


class InvalidRequest(VaultProblem):
    """400, 413, 415, 428: the request itself is wrong."""


class Unauthenticated(VaultProblem):
    """401: no token, or one that is not accepted."""


class AccessDenied(VaultProblem):
    """403: the token carries no such right."""


class NotFound(VaultProblem):
    """404: absent, or not for this token to see."""


class NoSuchSubject(NotFound):
    """404 of a call about a subject: nothing was written about it yet, or it is not for this token to see.

    A first search for a new subject gets this; to an agent it says what an empty answer would.
    """


class Conflict(VaultProblem):
    """409: not in a state that allows it."""


class Gone(VaultProblem):
    """410: the subject was erased."""


class PreconditionFailed(VaultProblem):
    """412: the memory has changed since that version."""


class Refused(VaultProblem):
    """422: policy does not take the write, or the key was used for another request.

    `findings` says what kind stands where in what was sent, never the value; empty where nothing was found.
    """

    @property
    def findings(self) -> tuple[Finding, ...]:
        return tuple(Finding.read(finding) for finding in self.document.get("findings", ()))


class RateLimited(VaultProblem):
    """429: too many calls, after all retries."""


class ServerFault(VaultProblem):
    """5xx: the vault failed, after all retries."""


class Unreachable(Exception):
    """No answer came, after all retries."""


KINDS: dict[int, type[VaultProblem]] = {
    400: InvalidRequest,
    401: Unauthenticated,
    403: AccessDenied,
    404: NotFound,
    409: Conflict,
    410: Gone,
    412: PreconditionFailed,
    413: InvalidRequest,
    415: InvalidRequest,
    422: Refused,
    428: InvalidRequest,
    429: RateLimited,
}


def problem_from(status: int, document: Mapping[str, Any], request_id: str = "") -> VaultProblem:
    """The exception of an answer that is a refusal."""
    kind = KINDS.get(status, ServerFault if status >= 500 else VaultProblem)
    if kind is NotFound and document.get("missing") == "subject":
        kind = NoSuchSubject
    return kind(status, document, request_id)
