"""What a collector is: it reads one kind of record page by page, under the subject's keys, as of one moment."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, TypeVar
from uuid import UUID

from django.db.models import Model, Q, QuerySet

from vault.crypto import SubjectKeys
from vault.models import Agent, Namespace, Subject
from vault.types import Finding

PAGE = 100
UNREADABLE = "unreadable"

Record = Mapping[str, Any]
Place = Any
Row = TypeVar("Row", bound=Model)


@dataclass(slots=True)
class Names:
    """Names of namespaces and agents, each looked up once for a file."""

    _namespaces: dict[int, str] = field(default_factory=dict)
    _agents: dict[UUID, str] = field(default_factory=dict)

    def namespace(self, number: int) -> str:
        if number not in self._namespaces:
            self._namespaces = dict(Namespace.objects.values_list("pk", "name"))
        return self._namespaces.get(number, str(number))

    def agent(self, identifier: UUID | None) -> str:
        """Empty for none; the id of an agent that is not there any more."""
        if identifier is None:
            return ""
        if identifier not in self._agents:
            found = Agent.objects.filter(pk=identifier).values_list("name", flat=True).first()
            self._agents[identifier] = found or str(identifier)
        return self._agents[identifier]

    def author(self, author: str) -> str:
        """Who acted, for the subject: an agent by name, staff as such and not by person."""
        kind, _, identifier = author.partition(":")
        if kind != "agent":
            return kind
        try:
            return f"agent {self.agent(UUID(identifier))}"
        except ValueError:
            return kind


@dataclass(frozen=True, slots=True)
class Look:
    """What a collector may use: the subject with its keys, the moment, and how much the file covers.

    `namespaces` are ids, or None for all. `asker` is who asked when the file covers less than is kept.
    """

    subject: Subject
    keys: SubjectKeys
    as_of: datetime
    namespaces: frozenset[int] | None
    names: Names
    asker: UUID | None = None

    def covered(self) -> Q:
        """The subject's rows in the namespaces that the file covers."""
        mine = Q(subject_id=self.subject.pk)
        return mine if self.namespaces is None else mine & Q(namespace_id__in=self.namespaces)


@dataclass(frozen=True, slots=True)
class Page:
    """Some records, how many rows did not open, and where to go on; None at the end."""

    records: tuple[Record, ...]
    after: Place | None
    faults: int = 0


@dataclass(frozen=True, slots=True)
class Collector:
    """One section of the file, the stores of the data map that it tells of, and how it reads.

    With `columns` people see a table of these fields, without it one card a record.
    """

    section: str
    title: str
    explained: str
    stores: tuple[str, ...]
    page: Callable[[Look, Place | None], Page]
    columns: tuple[str, ...] = ()


def next_rows(rows: QuerySet[Row], after: Place | None) -> tuple[list[Row], Place | None]:
    """A page of rows in the order of their keys, which are times, and the place after it."""
    if after is not None:
        rows = rows.filter(pk__gt=after)
    found = list(rows.order_by("pk")[:PAGE])
    return found, found[-1].pk if len(found) == PAGE else None


def page_of(rows: QuerySet[Row], after: Place | None, record: Callable[[Row], Record]) -> Page:
    """A page of records, one a row."""
    found, place = next_rows(rows, after)
    records = tuple(record(row) for row in found)
    return Page(records, place, sum(UNREADABLE in each for each in records))


def instant(moment: datetime | None) -> str | None:
    """A time as the file writes it: RFC 3339, in UTC."""
    return None if moment is None else moment.astimezone(UTC).isoformat().replace("+00:00", "Z")


def ids(identifiers: Sequence[UUID]) -> list[str]:
    return [str(identifier) for identifier in identifiers]


def told(findings: Sequence[Finding]) -> list[dict[str, str]]:
    """Findings as kinds and places; no value stands in them."""
    return [
        {"category": f.category.value, "type": f.type, "action": f.action.value, "field": f.pointer}
        for f in findings
    ]
