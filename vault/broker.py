"""The broker that carries nudges: folders under the vault's home, unless BROKER_URL names a server.

A message holds a task's name and ids. It may be lost or come twice: the job is a row in the database.
"""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

FILESYSTEM = "filesystem://"
KEEP_READ_SECONDS = 600
# Longer than any task takes without renewing its lease, so that Redis does not hand a running one out again.
VISIBILITY_TIMEOUT_SECONDS = 3600
CONNECT_TIMEOUT_SECONDS = 2


def connection_url(url: str) -> str:
    """The URL as kombu wants it: a host, even where there is none, or it warns at every connection."""
    return f"{FILESYSTEM}localhost" if url == FILESYSTEM else url


def transport_options(url: str, folder: Path) -> dict[str, Any]:
    """Celery's options for the broker at `url`; makes the embedded one's folders in a home that is there, mode 0700."""
    if not url.startswith(FILESYSTEM):
        return {
            "visibility_timeout": VISIBILITY_TIMEOUT_SECONDS,
            "socket_connect_timeout": CONNECT_TIMEOUT_SECONDS,
        }
    waiting, read, bindings = folder / "waiting", folder / "read", folder / "bindings"
    # Of a home that is not there nothing is made: whoever reads the settings is not always a vault.
    for path in (folder, waiting, read, bindings) if folder.parent.exists() else ():
        path.mkdir(mode=0o700, exist_ok=True)
    return {
        # Writers and readers share one folder.
        "data_folder_in": str(waiting),
        "data_folder_out": str(waiting),
        # Otherwise a message passes through the machine's folder for temporary files.
        "store_processed": True,
        "processed_folder": str(read),
        "control_folder": str(bindings),
    }


def tidy(folder: Path, *, older_than_seconds: float = KEEP_READ_SECONDS) -> int:
    """Remove the messages that were read long ago; returns how many. Nothing is waiting in there."""
    removed = 0
    horizon = time.time() - older_than_seconds
    for path in (folder / "read").glob("*.msg"):
        try:
            if path.stat().st_mtime < horizon:
                path.unlink()
                removed += 1
        except FileNotFoundError:
            continue  # another worker tidies too
    return removed
