"""Making a backup: one moment of the main database in one sealed file, and the keystore's latest copy elsewhere."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Any

import structlog
from django.conf import settings
from django.db import connections, transaction
from django.db.migrations.recorder import MigrationRecorder
from psycopg import sql

from audit.actions import Action as Event
from audit.models import Checkpoint
from vault.crypto.private_files import locked
from vault.database import OWNER, SCHEMA
from vault.errors import InvalidField
from vault.keys import copy_keystore
from vault.models.identifiers import new_id
from vault.operations import programs
from vault.operations.backup_file import Manifest, write_backup
from vault.operations.tables import FLEETING
from vault.retrieval import trail
from vault.retrieval.scope import Scope

KIND = "backup"
PATTERN = "vault-*.backup"
DESCRIPTION = ".json"
UNFINISHED = ".part"
KEEP = 14

logger = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Backup:
    """What was made, or with a dry run would be."""

    file: str
    keystore_copy: str
    bytes: int
    sha256: str
    removed: tuple[str, ...]
    manifest: Manifest

    def as_json(self) -> dict[str, Any]:
        return {**asdict(self), "manifest": self.manifest.as_json()}


class _Hashed:
    """A file that is hashed while it is written."""

    def __init__(self, target: IO[bytes]) -> None:
        self._target = target
        self._hash = hashlib.sha256()
        self.size = 0

    def write(self, data: bytes, /) -> int:
        self._hash.update(data)
        self.size += len(data)
        return self._target.write(data)

    def hexdigest(self) -> str:
        return self._hash.hexdigest()


def preview_backup(*, folder: Path, keep: int) -> Backup:
    """What `make_backup` would write and remove; changes nothing. Raises ProgramMissing, InvalidField."""
    _require_apart(folder)
    programs.find_program("pg_dump")
    with _moment() as (_, manifest):
        file = folder / _name(manifest)
    return Backup(str(file), settings.KEYSTORE_BACKUP_FILE, 0, "", _too_old(folder, keep - 1), manifest)


def make_backup(*, folder: Path, keep: int, scope: Scope) -> Backup:
    """Back up data and keys, with an entry, and remove all but the `keep` newest backups of the data.

    The file appears under its name when it is whole. Raises ProgramMissing, ProgramFailed, InvalidField.
    """
    _require_apart(folder)
    program = programs.find_program("pg_dump")
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    with locked(folder / "backups"):
        for left in folder.glob(PATTERN + UNFINISHED):
            left.unlink()
        with _moment() as (snapshot, manifest):
            file = folder / _name(manifest)
            unfinished = file.with_name(file.name + UNFINISHED)
            size, digest = _write(unfinished, program, snapshot, manifest)
        # The keys after the data: every subject of the data has its key in the copy.
        copy_keystore(Path(settings.KEYSTORE_BACKUP_FILE))
        with transaction.atomic(durable=True):
            trail.note(
                Event.BACKUP_MADE, scope=scope, kind=KIND, target=new_id(), file_hash=digest, bytes=size,
                audit_size=manifest.audit_size, subjects=manifest.rows.get("vault_subject", 0),
            )  # fmt: skip
        description = {**manifest.as_json(), "sha256": digest, "bytes": size}
        file.with_name(file.name + DESCRIPTION).write_text(
            json.dumps(description, indent=2, sort_keys=True) + "\n"
        )
        os.replace(unfinished, file)
        removed = _too_old(folder, keep)
        for name in removed:
            (folder / name).unlink()
            (folder / (name + DESCRIPTION)).unlink(missing_ok=True)
    return Backup(str(file), settings.KEYSTORE_BACKUP_FILE, size, digest, removed, manifest)


def _require_apart(folder: Path) -> None:
    copy = Path(settings.KEYSTORE_BACKUP_FILE).resolve()
    if copy.is_relative_to(folder.resolve()):
        raise InvalidField(
            "Keys and data must not be backed up to the same folder; set KEYSTORE_BACKUP_FILE."
        )


def _name(manifest: Manifest) -> str:
    moment = datetime.fromisoformat(manifest.made_at)
    return f"vault-{moment:%Y%m%dT%H%M%S%fZ}.backup"


def _too_old(folder: Path, keep: int) -> tuple[str, ...]:
    names = sorted(path.name for path in folder.glob(PATTERN))
    return tuple(names[: max(0, len(names) - keep)])


@contextmanager
def _moment() -> Iterator[tuple[str, Manifest]]:
    """One moment of the database that other sessions can look at too, and what is there at that moment."""
    with transaction.atomic(using=OWNER, durable=True), connections[OWNER].cursor() as cursor:
        cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        cursor.execute(
            "SELECT set_config('vault.scope', 'everything', true), set_config('vault.namespaces', '*', true)"
        )
        cursor.execute("SELECT pg_export_snapshot()")
        yield str(cursor.fetchone()[0]), _manifest(cursor)
    connections[OWNER].close()


def _manifest(cursor: Any) -> Manifest:
    head = Checkpoint.objects.using(OWNER).order_by("-size").first()
    return Manifest(
        made_at=datetime.now(UTC).isoformat(timespec="microseconds"),
        server_version=programs.server_version(),
        migrations=_migrations(),
        rows=_count_rows(cursor),
        audit_size=head.size if head else 0,
        audit_root=bytes(head.root).hex() if head else "",
    )


def _migrations() -> Mapping[str, str]:
    """The newest migration of each application: of equal keys, the last one stays."""
    return dict(sorted(MigrationRecorder(connections[OWNER]).applied_migrations()))


def _count_rows(cursor: Any) -> Mapping[str, int]:
    cursor.execute("SELECT tablename FROM pg_tables WHERE schemaname = %s ORDER BY 1", [SCHEMA])
    counts = {}
    for (table,) in cursor.fetchall():
        if table not in FLEETING:
            cursor.execute(sql.SQL("SELECT count(*) FROM {}").format(sql.Identifier(table)))
            counts[table] = int(cursor.fetchone()[0])
    return counts


def _write(path: Path, program: str, snapshot: str, manifest: Manifest) -> tuple[int, str]:
    login, environment = programs.login()
    command = [
        program, "--format=custom", "--no-owner", "--no-privileges", "--enable-row-security",
        f"--snapshot={snapshot}", *(f"--exclude-table-data={table}" for table in sorted(FLEETING)), f"--dbname={login}",
    ]  # fmt: skip
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(handle, "wb") as target, programs.output_of(command, environment) as dump:
            hashed = _Hashed(target)
            write_backup(manifest, dump, hashed)
            target.flush()
            os.fsync(target.fileno())
    except BaseException:
        path.unlink()
        raise
    return hashed.size, hashed.hexdigest()
