"""The embedded PostgreSQL: started under the vault's home when no DATABASE_URL names another.

The last of the vault's processes that uses the server stops it, whoever started it. Roles log in with
passwords from the home's key folder, so another user of the machine who can reach the socket gets nothing.
"""

from __future__ import annotations

import atexit
import os
import shlex
import stat
import subprocess
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from urllib.parse import quote, urlencode

import psycopg
from psycopg import sql

from vault import bundled, cluster
from vault.home import Home
from vault.occupancy import starts_database, use_database
from vault.postmaster import Postmaster, forget_dead_postmaster, postmaster_of, ready_postmaster

OWNER_ROLE = "postgres"
DATABASE = "vault"
# The processes of a server that was killed take a moment to go, and keep the next one from starting until then.
START_ATTEMPTS = 5
PAUSE_SECONDS = 1.0
# Pages of the last minutes are written again after a crash; that takes as long as it takes, within reason.
RECOVERY_SECONDS = 300.0
HBA = "# written by Memory Vault\nlocal all all scram-sha-256\n"
say = partial(print, flush=True)
_attached: set[Home] = set()


class DatabaseFault(Exception):
    """The embedded database does not run; the text is one line for the operator."""


def attach(home: Home) -> bool:
    """Make the embedded server run and export DATABASE_URL; True when this call started it.

    Until this process ends, no other one that leaves stops the server. Raises DatabaseFault, with nothing left running
    that was started here.
    """
    use_database(home)
    return _run(home)


def attach_until_exit(home: Home) -> None:
    """The embedded server for the rest of this process; at its end it is stopped, unless another still uses it.

    Raises DatabaseFault.
    """
    is_last = use_database(home)
    atexit.register(_stop_in(os.getpid(), home, is_last))
    _run(home)
    _attached.add(home)


def is_attached(home: Home) -> bool:
    """Whether this process uses the embedded server of a home until it ends, and so may look after it."""
    return home in _attached


def keep_running(home: Home) -> bool:
    """Start the server again when it has fallen; True when that was so. Raises DatabaseFault when it does not start."""
    return False if postmaster_of(_folder(home)) is not None else _run(home)


def stop(home: Home) -> None:
    """Stop the embedded server of this home, if it runs; nothing committed is lost."""
    if postmaster_of(_folder(home)) is not None:
        # 'fast' closes open connections; the default 'smart' would wait for them for ever.
        _control(_folder(home), "-w", "-m", "fast", "stop")


def _stop_in(owner: int, home: Home, is_last: Callable[[], bool]) -> Callable[[], None]:
    def stop_in_the_process_that_attached() -> None:
        if os.getpid() == owner and is_last():
            try:
                stop(home)
            except (OSError, subprocess.SubprocessError) as fault:
                say(f"The embedded database did not stop ({_in_a_line(fault)}).")

    return stop_in_the_process_that_attached


def _run(home: Home) -> bool:
    try:
        with starts_database(home):
            return _run_alone(home)
    except (OSError, RuntimeError, subprocess.SubprocessError, psycopg.Error) as fault:
        raise DatabaseFault(
            f"The embedded database in {home.database} did not start ({_in_a_line(fault)}); "
            f"what it said itself is in {home.database / 'log'}."
        ) from fault


def _run_alone(home: Home) -> bool:
    cluster.ensure_cluster(_folder(home), say=say)
    started = False
    server = ready_postmaster(_folder(home), patience_seconds=RECOVERY_SECONDS)
    try:
        if server is None:
            started = True
            server = _start(_folder(home))
        _prepare(home, server.socket_folder)
    except (OSError, subprocess.SubprocessError, psycopg.Error):
        if started:
            stop(home)
        raise
    return started


def _prepare(home: Home, host: str) -> None:
    """Passwords, the vault's own database, and its address for the settings."""
    owner_password = home.secret("DATABASE_OWNER_PASSWORD").read_text(encoding="utf-8").strip()
    _require_passwords(home, host, owner_password)
    url = _url(host, OWNER_ROLE, owner_password, "postgres")
    with psycopg.connect(url, autocommit=True) as connection:
        known = connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", [DATABASE]).fetchone()
        if not known:
            connection.execute(f"CREATE DATABASE {DATABASE}")
    # One that an older version made has no mark yet.
    cluster.mark_finished(_folder(home))
    os.environ["DATABASE_URL"] = _url(host, OWNER_ROLE, owner_password, DATABASE)


def _start(folder: Path) -> Postmaster:
    """Raises OSError or subprocess.SubprocessError when the server does not start."""
    server = bundled.server_of(folder)
    with server._lock:
        # Who may pass through which folder, when another user runs the server.
        server.ensure_pgdata_inited()
    for attempt in range(START_ATTEMPTS):
        try:
            forget_dead_postmaster(folder)
            listens = f'-h "" -k {shlex.quote(str(bundled.socket_folder(server)))}'
            _control(folder, "-w", "-o", listens, "-l", str(folder / "log"), "start")
        except (OSError, subprocess.SubprocessError):
            if attempt == START_ATTEMPTS - 1 and postmaster_of(folder) is None:
                raise
        if found := ready_postmaster(folder, patience_seconds=RECOVERY_SECONDS):
            return found
        if postmaster_of(folder) is not None:
            break
        time.sleep(PAUSE_SECONDS)
    raise TimeoutError("it was not ready in time")


def _folder(home: Home) -> Path:
    return home.database.resolve()


def _in_a_line(fault: BaseException) -> str:
    return str(fault).strip().partition("\n")[0] or type(fault).__name__


def _url(host: str, user: str, password: str, database: str) -> str:
    return f"postgresql://{user}:{quote(password)}@/{database}?{urlencode({'host': host}, quote_via=quote)}"


def _require_passwords(home: Home, host: str, owner_password: str) -> None:
    """Turn the library's trust authentication into passwords, once."""
    hba = home.database / "pg_hba.conf"
    if hba.read_text(encoding="utf-8") == HBA:
        return
    with psycopg.connect(
        f"postgresql://{OWNER_ROLE}@/postgres?{urlencode({'host': host}, quote_via=quote)}", autocommit=True
    ) as c:
        c.execute(sql.SQL("ALTER ROLE {} PASSWORD {}").format(
            sql.Identifier(OWNER_ROLE), sql.Literal(owner_password)))  # fmt: skip
        _replace(hba, HBA)
        c.execute("SELECT pg_reload_conf()")


def _replace(path: Path, text: str) -> None:
    """Put a whole file in the place of another of the same owner: half of one would let nobody in."""
    beside = path.with_name(f"{path.name}.new")
    beside.write_text(text, encoding="utf-8")
    owner = path.stat()
    beside.chmod(stat.S_IMODE(owner.st_mode))
    if os.geteuid() == 0:
        os.chown(beside, owner.st_uid, owner.st_gid)
    beside.replace(path)


def _control(folder: Path, *arguments: str) -> None:
    bundled.run(bundled.server_of(folder), "pg_ctl", "-D", str(folder), *arguments)
