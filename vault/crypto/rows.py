"""Every statement on the keystore's tables, in the SQL that SQLite and PostgreSQL share.

Ids are 16 bytes, times ISO 8601 text in UTC. No key stands here that is not wrapped.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple
from uuid import UUID

Value = bytes | int | str | None
Execute = Callable[[str, Sequence[Value]], Sequence[Sequence[Any]]]
ExecuteMany = Callable[[str, Sequence[Sequence[Value]]], None]

TABLES = {
    "keystore_epoch": """
        epoch BIGINT PRIMARY KEY, wrapped_key {bytes}, state TEXT NOT NULL,
        created_at TEXT NOT NULL, destroyed_at TEXT,
        CHECK (state IN ('current', 'retiring', 'destroyed')),
        CHECK ((state = 'destroyed') = (wrapped_key IS NULL)),
        CHECK ((state = 'destroyed') = (destroyed_at IS NOT NULL))""",
    "keystore_subject_key": """
        subject_id {bytes} PRIMARY KEY, epoch BIGINT NOT NULL, wrapped_key {bytes} NOT NULL""",
    "keystore_tombstone": """
        subject_id {bytes} PRIMARY KEY, epoch BIGINT NOT NULL, destroyed_at TEXT NOT NULL""",
    "keystore_vault_key": """
        name TEXT PRIMARY KEY, epoch BIGINT NOT NULL, wrapped_key {bytes} NOT NULL""",
    "keystore_signing_key": """
        key_id TEXT PRIMARY KEY, public_key {bytes} NOT NULL, epoch BIGINT NOT NULL, wrapped_key {bytes},
        created_at TEXT NOT NULL, retired_at TEXT,
        CHECK ((retired_at IS NULL) = (wrapped_key IS NOT NULL))""",
}
WITNESS_TABLES = {
    "keystore_witness": """
        subject_id {bytes} PRIMARY KEY, sequence BIGINT NOT NULL, mac {bytes} NOT NULL""",
}
INDEXES = (
    "CREATE UNIQUE INDEX IF NOT EXISTS keystore_one_current_epoch ON keystore_epoch (state) "
    "WHERE state = 'current'",
    "CREATE UNIQUE INDEX IF NOT EXISTS keystore_one_signing_key "
    "ON keystore_signing_key ((retired_at IS NULL)) WHERE retired_at IS NULL",
)


class Epoch(NamedTuple):
    number: int
    wrapped: bytes | None
    destroyed_at: str | None


class EpochState(NamedTuple):
    """An epoch without its key: "current", "retiring" or "destroyed", and since when."""

    number: int
    state: str
    created_at: str
    destroyed_at: str | None


class SubjectKey(NamedTuple):
    subject: bytes
    epoch: int
    wrapped: bytes


class Tombstone(NamedTuple):
    epoch: int
    destroyed_at: str


class VaultKey(NamedTuple):
    name: str
    epoch: int
    wrapped: bytes


class SigningKey(NamedTuple):
    key_id: str
    public: bytes
    epoch: int
    wrapped: bytes | None


class Rows:
    """The keystore's rows through one connection; whether in a transaction, its giver decides."""

    def __init__(self, execute: Execute, execute_many: ExecuteMany) -> None:
        self._execute = execute
        self._execute_many = execute_many

    def run(self, sql: str) -> Sequence[Sequence[Any]]:
        """One statement of a store's own, without values."""
        return self._execute(sql, ())

    # --- epochs ---
    def current_epoch(self) -> Epoch | None:
        return self._epoch("state = 'current'", ())

    def epoch(self, number: int) -> Epoch | None:
        return self._epoch("epoch = ?", (number,))

    def epochs(self) -> list[EpochState]:
        sql = "SELECT epoch, state, created_at, destroyed_at FROM keystore_epoch ORDER BY epoch DESC"
        return [EpochState(*row) for row in self._execute(sql, ())]

    def retiring_epochs(self) -> list[int]:
        sql = "SELECT epoch FROM keystore_epoch WHERE state = 'retiring' ORDER BY epoch"
        return [row[0] for row in self._execute(sql, ())]

    def begin_epoch(self, number: int, wrapped: bytes, at: str) -> None:
        """Make `number` the current epoch, and the one before it retiring."""
        self._execute("UPDATE keystore_epoch SET state = 'retiring' WHERE state = 'current'", ())
        self._execute("INSERT INTO keystore_epoch VALUES (?, ?, 'current', ?, NULL)", (number, wrapped, at))

    def end_epoch(self, number: int, at: str) -> None:
        """Remove a retiring epoch's key; the first time given stays."""
        self._execute(
            "UPDATE keystore_epoch SET state = 'destroyed', wrapped_key = NULL, destroyed_at = ? "
            "WHERE epoch = ? AND state = 'retiring'",
            (at, number),
        )

    def rows_under(self, epoch: int) -> int:
        """How many rows still need the keys of `epoch`."""
        found = self._execute(
            "SELECT (SELECT count(*) FROM keystore_subject_key WHERE epoch = ?)"
            " + (SELECT count(*) FROM keystore_vault_key WHERE epoch = ?)"
            " + (SELECT count(*) FROM keystore_signing_key WHERE epoch = ? AND wrapped_key IS NOT NULL)",
            (epoch, epoch, epoch),
        )
        return int(found[0][0])

    # --- subjects ---
    def subject_key(self, subject: UUID) -> SubjectKey | None:
        sql = "SELECT subject_id, epoch, wrapped_key FROM keystore_subject_key WHERE subject_id = ?"
        found = self._execute(sql, (subject.bytes,))
        return SubjectKey(*found[0]) if found else None

    def add_subject_key(self, key: SubjectKey) -> None:
        self._execute("INSERT INTO keystore_subject_key VALUES (?, ?, ?)", key)

    def remove_subject_key(self, subject: UUID) -> None:
        self._execute("DELETE FROM keystore_subject_key WHERE subject_id = ?", (subject.bytes,))

    def subject_keys_under(self, epoch: int, *, after: bytes, limit: int) -> list[SubjectKey]:
        """The next keys wrapped under `epoch`, by subject."""
        found = self._execute(
            "SELECT subject_id, epoch, wrapped_key FROM keystore_subject_key "
            "WHERE subject_id > ? AND epoch = ? ORDER BY subject_id LIMIT ?",
            (after, epoch, limit),
        )
        return [SubjectKey(*row) for row in found]

    def replace_subject_keys(self, keys: Sequence[SubjectKey]) -> None:
        """Give the living among these subjects their newly wrapped keys; the destroyed stay destroyed."""
        self._execute_many(
            "UPDATE keystore_subject_key SET epoch = ?, wrapped_key = ? WHERE subject_id = ?",
            [(key.epoch, key.wrapped, key.subject) for key in keys],
        )

    def tombstone(self, subject: UUID) -> Tombstone | None:
        sql = "SELECT epoch, destroyed_at FROM keystore_tombstone WHERE subject_id = ?"
        found = self._execute(sql, (subject.bytes,))
        return Tombstone(*found[0]) if found else None

    def add_tombstone(self, subject: UUID, tombstone: Tombstone) -> None:
        self._execute("INSERT INTO keystore_tombstone VALUES (?, ?, ?)", (subject.bytes, *tombstone))

    # --- keys of the whole vault ---
    def vault_keys(self) -> list[VaultKey]:
        return [
            VaultKey(*row)
            for row in self._execute("SELECT name, epoch, wrapped_key FROM keystore_vault_key", ())
        ]

    def put_vault_key(self, key: VaultKey) -> None:
        self._execute(
            "INSERT INTO keystore_vault_key VALUES (?, ?, ?) ON CONFLICT (name) "
            "DO UPDATE SET epoch = excluded.epoch, wrapped_key = excluded.wrapped_key",
            key,
        )

    def signing_keys(self) -> list[SigningKey]:
        """All that ever signed, the oldest first; the retired have no wrapped key any more."""
        columns = "key_id, public_key, epoch, wrapped_key"
        sql = f"SELECT {columns} FROM keystore_signing_key ORDER BY created_at, key_id"  # noqa: S608
        found = self._execute(sql, ())
        return [SigningKey(*row) for row in found]

    def add_signing_key(self, key: SigningKey, at: str) -> None:
        """Retire the key that signed until now, private half gone, and add the next."""
        self._execute(
            "UPDATE keystore_signing_key SET retired_at = ?, wrapped_key = NULL WHERE retired_at IS NULL",
            (at,),
        )
        self._execute("INSERT INTO keystore_signing_key VALUES (?, ?, ?, ?, ?, NULL)", (*key, at))

    def rewrap_signing_key(self, key: SigningKey) -> None:
        self._execute(
            "UPDATE keystore_signing_key SET epoch = ?, wrapped_key = ? "
            "WHERE key_id = ? AND retired_at IS NULL",
            (key.epoch, key.wrapped, key.key_id),
        )

    # --- witnesses ---
    def witness(self, subject: UUID) -> tuple[int, bytes] | None:
        found = self._execute(
            "SELECT sequence, mac FROM keystore_witness WHERE subject_id = ?", (subject.bytes,)
        )
        return (found[0][0], found[0][1]) if found else None

    def put_witness(self, subject: UUID, sequence: int, mac: bytes) -> None:
        """Keep the newest; one that comes late changes nothing."""
        self._execute(
            "INSERT INTO keystore_witness VALUES (?, ?, ?) ON CONFLICT (subject_id) "
            "DO UPDATE SET sequence = excluded.sequence, mac = excluded.mac "
            "WHERE excluded.sequence > keystore_witness.sequence",
            (subject.bytes, sequence, mac),
        )

    def remove_witness(self, subject: UUID) -> None:
        self._execute("DELETE FROM keystore_witness WHERE subject_id = ?", (subject.bytes,))

    # --- whole tables, for a copy ---
    def every_row(self, table: str) -> Sequence[Sequence[Value]]:
        return self._execute(f"SELECT * FROM {table}", ())  # noqa: S608 - the name is one of TABLES

    def insert_rows(self, table: str, rows: Sequence[Sequence[Value]]) -> None:
        if rows:
            marks = ", ".join("?" * len(rows[0]))
            self._execute_many(f"INSERT INTO {table} VALUES ({marks})", rows)  # noqa: S608 - one of TABLES

    def _epoch(self, condition: str, values: Sequence[Value]) -> Epoch | None:
        sql = f"SELECT epoch, wrapped_key, destroyed_at FROM keystore_epoch WHERE {condition}"  # noqa: S608
        found = self._execute(sql, values)
        return Epoch(*found[0]) if found else None
