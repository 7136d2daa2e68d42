"""PostgreSQL's own programs for dumps, and how they log in as the owner: the password never stands in arguments."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import IO

from django.db import connections
from psycopg.conninfo import make_conninfo

from vault import bundled
from vault.database import OWNER
from vault.errors import VaultError

CHUNK_BYTES = 1 << 20
VERSION = re.compile(r"\(PostgreSQL\) (\d+)")
SECONDS_FOR_A_VERSION = 30


class ProgramMissing(VaultError):
    code = "program_missing"
    detail = "A program of PostgreSQL that is as new as the server is needed on PATH."


class ProgramFailed(VaultError):
    """It stopped with a fault; `detail` holds its first line of complaint, for the operator's eyes."""

    code = "program_failed"
    detail = "A program of PostgreSQL stopped with a fault."


def find_program(name: str) -> str:
    """The program that fits the server: PATH's of the same version, or the embedded server's if new enough.

    Raises ProgramMissing, naming program and version.
    """
    wanted = server_version()
    found = [(version, path) for path in _candidates(name) if (version := _version_of(path)) >= wanted]
    if not found:
        raise ProgramMissing(f"{name} of PostgreSQL {wanted} or newer is needed on PATH; there is none.")
    return min(found, key=lambda candidate: candidate[0])[1]


def server_version() -> int:
    """The major version of the server."""
    with connections[OWNER].cursor() as cursor:
        cursor.execute("SHOW server_version_num")
        return int(cursor.fetchone()[0]) // 10_000


def login(database: str = "") -> tuple[str, dict[str, str]]:
    """A connection string of the owner without its password, and the environment that carries that."""
    settings = connections[OWNER].settings_dict
    options = {key: value for key, value in settings["OPTIONS"].items() if key != "pool"}
    string = make_conninfo(
        "",
        dbname=database or settings["NAME"],
        **{
            key: settings[name]
            for key, name in (("user", "USER"), ("host", "HOST"), ("port", "PORT"))
            if settings[name]
        },
        **options,
    )
    # An owner without the right to pass by row-level security still sees every row with this scope.
    scope = "-c vault.scope=everything -c vault.namespaces=*"
    return string, {**os.environ, "PGPASSWORD": str(settings["PASSWORD"]), "PGOPTIONS": scope}


@contextmanager
def output_of(command: list[str], environment: dict[str, str]) -> Iterator[IO[bytes]]:
    """What a program prints, as it prints it; raises ProgramFailed at the end unless it ended well."""
    with tempfile.TemporaryFile() as complaints:
        process = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=complaints)
        try:
            if process.stdout is None:
                raise ProgramFailed
            yield process.stdout
            if process.wait() != 0:
                raise ProgramFailed(_first_line(complaints))
        finally:
            _end(process)


def feed(command: list[str], environment: dict[str, str], chunks: Iterable[bytes]) -> None:
    """Give a program all chunks; raises ProgramFailed, or whatever the chunks raise: then it is stopped."""
    with tempfile.TemporaryFile() as complaints:
        process = subprocess.Popen(command, env=environment, stdin=subprocess.PIPE, stderr=complaints)
        try:
            if process.stdin is None:
                raise ProgramFailed
            try:
                for chunk in chunks:
                    process.stdin.write(chunk)
                process.stdin.close()
            except BrokenPipeError:
                # It has stopped reading; why, its exit code and its complaint say.
                pass
            if process.wait() != 0:
                raise ProgramFailed(_first_line(complaints))
        finally:
            _end(process)


def _candidates(name: str) -> list[str]:
    own = bundled.programs() / name
    return [path for path in (shutil.which(name), str(own) if own.exists() else None) if path]


def _version_of(path: str) -> int:
    answer = subprocess.run(
        [path, "--version"], capture_output=True, text=True, check=False, timeout=SECONDS_FOR_A_VERSION
    )
    found = VERSION.search(answer.stdout)
    return int(found[1]) if found else 0


def _first_line(complaints: IO[bytes]) -> str:
    complaints.seek(0)
    return complaints.readline(500).decode("utf-8", "replace").strip()


def _end(process: subprocess.Popen[bytes]) -> None:
    if process.poll() is None:
        process.kill()
        process.wait()
    for pipe in (process.stdin, process.stdout):
        if pipe is not None and not pipe.closed:
            try:
                pipe.close()
            except BrokenPipeError:
                continue
