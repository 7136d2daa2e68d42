"""Refusals that only the HTTP layer can give; the rest are in vault.errors."""

from __future__ import annotations

from dataclasses import dataclass

from vault.errors import InvalidField, VaultError


@dataclass(frozen=True, slots=True)
class FieldError:
    """One thing wrong in a request; `detail` is for people and repeats nothing that was sent."""

    pointer: str
    code: str
    detail: str


class InvalidRequest(InvalidField):
    """Several fields break their contract; `errors` names each."""

    detail = "The request is not valid; `errors` names each field."

    def __init__(self, errors: tuple[FieldError, ...]) -> None:
        super().__init__()
        self.errors = errors


class BodyTooLarge(VaultError):
    code = "body_too_large"
    detail = "The body is larger than 64 KiB."


class DatabaseUnavailable(VaultError):
    code = "database_unavailable"
    detail = "The database did not answer; nothing was changed. Try again."


class KeystoreUnavailable(VaultError):
    code = "keystore_unavailable"
    detail = "The keystore did not answer; nothing was opened and nothing was sealed. Try again."


class InternalError(VaultError):
    code = "internal_error"
    detail = ""
