"""What a caller may see: computed once from the credential, never from anything in the request."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any
from uuid import UUID

from audit.log import Actor
from vault.errors import NotFound, ScopeMissing
from vault.models import Subject, isolation
from vault.types import Trust


class Right(StrEnum):
    """The rights that a grant may carry, by the names that the API gives them."""

    MEMORY_READ = "memory:read"
    MEMORY_WRITE = "memory:write"
    MEMORY_IMPORT = "memory:import"
    SUBJECT_ERASE = "subject:erase"
    SUBJECT_EXPORT = "subject:export"
    TOKEN_ISSUE = "token:issue"  # noqa: S105 - the name of a right
    SESSION_READ = "session:read"
    SESSION_WRITE = "session:write"
    AUDIT_READ = "audit:read"


# What is opened with these is handed to whoever asked.
SERVING = frozenset({Right.MEMORY_READ, Right.SESSION_READ})


@dataclass(frozen=True, slots=True)
class GrantedNamespace:
    """One namespace of the scope, with the rights that hold in it and the most trust it may give."""

    id: int
    name: str
    rights: frozenset[Right]
    max_trust: Trust
    sealed: bool = False
    policy: Mapping[str, Any] = field(default_factory=dict)
    policy_version: int = 1


@dataclass(frozen=True, slots=True)
class Scope:
    """Who calls and what is theirs to see. `subject_id` is set when the credential is bound to one subject.

    `everything` is true for staff and for the vault's own jobs, which see all namespaces.
    """

    actor: Actor
    namespaces: tuple[GrantedNamespace, ...]
    agent_id: UUID | None = None
    agent_name: str = ""
    subject_id: UUID | None = None
    request_id: str = ""
    everything: bool = False

    @property
    def author(self) -> str:
        """How rows name this caller: a kind and an id, never a name."""
        return f"{self.actor.kind}:{self.actor.id}"

    def require(self, right: Right) -> tuple[GrantedNamespace, ...]:
        """The namespaces in which `right` holds; raises ScopeMissing when there is none."""
        found = tuple(namespace for namespace in self.namespaces if right in namespace.rights)
        if not found:
            raise ScopeMissing
        return found

    def namespace(self, name: str, right: Right) -> GrantedNamespace:
        """One namespace by name; absent and out of scope both raise NotFound."""
        for namespace in self.require(right):
            if namespace.name == name:
                return namespace
        raise NotFound

    def select(self, names: tuple[str, ...] | None, right: Right) -> tuple[GrantedNamespace, ...]:
        """The named namespaces, or all in which `right` holds; an unknown name raises NotFound."""
        if names is None:
            return self.require(right)
        return tuple(self.namespace(name, right) for name in names)

    def allows_subject(self, subject_id: UUID) -> bool:
        return self.subject_id is None or self.subject_id == subject_id

    def open(self, subject_id: UUID, right: Right) -> None:
        """Open one subject's rows to this transaction, as far as the credential reaches.

        Of a restricted subject nothing is opened to be served to an agent: it is as if nothing were kept. Raises
        NotFound for a subject that a subject token is not bound to, RuntimeError outside a transaction.
        """
        if not self.allows_subject(subject_id):
            raise NotFound
        isolation.open_subject(subject_id, namespaces=[n.id for n in self.require(right)])
        if right in SERVING and not self.everything and _is_restricted(subject_id):
            isolation.open_subject(subject_id, namespaces=())


def _is_restricted(subject_id: UUID) -> bool:
    return Subject.objects.filter(pk=subject_id, restricted_at__isnull=False).exists()
