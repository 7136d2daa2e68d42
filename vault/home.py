"""The vault's own folder on one machine: secrets (0600), the embedded database, logs, the broker.

Nothing of Django is imported here, so that it can run before the settings are read.
"""

from __future__ import annotations

import atexit
import os
import secrets
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

SECRET_BYTES = 48
SECRET_FILES = {
    "SECRET_KEY": "secret_key",
    "DATABASE_OWNER_PASSWORD": "database_owner",
    "DATABASE_RUNTIME_PASSWORD": "database_runtime",
    "METRICS_TOKEN": "metrics_token",
}


class UnusableHome(Exception):
    """The home cannot be what it must be; the text is one line for the operator."""


@dataclass(frozen=True, slots=True)
class Home:
    """Where everything of one vault lives; two homes are two vaults."""

    path: Path

    @property
    def keys(self) -> Path:
        return self.path / "keys"

    @property
    def root_key(self) -> Path:
        return self.keys / "root_key"

    @property
    def keystore(self) -> Path:
        return self.path / "keystore" / "keystore.sqlite3"

    @property
    def keystore_copy(self) -> Path:
        return self.path / "keystore_backup" / "keystore.sqlite3"

    @property
    def backups(self) -> Path:
        return self.path / "backups"

    @property
    def database(self) -> Path:
        return self.path / "database"

    @property
    def broker(self) -> Path:
        return self.path / "broker"

    @property
    def witness(self) -> Path:
        return self.path / "witness" / "checkpoints.log"

    @property
    def logs(self) -> Path:
        return self.path / "logs"

    @property
    def locks(self) -> Path:
        return self.path / "locks"

    @property
    def address(self) -> Path:
        return self.path / "address"

    @property
    def static(self) -> Path:
        return self.path / "static"

    def secret(self, name: str) -> Path:
        return self.keys / SECRET_FILES[name]

    @property
    def is_new(self) -> bool:
        return not self.secret("SECRET_KEY").exists()


def home_from_environment() -> Home:
    """The home that VAULT_HOME names; `./var` of the checkout when it names none. Raises UnusableHome."""
    default = Path(__file__).resolve().parent.parent / "var"
    named = os.environ.get("VAULT_HOME") or default
    try:
        return Home(Path(named).expanduser().resolve())
    except (OSError, RuntimeError) as fault:
        # A loop of links, or a user that there is not.
        raise UnusableHome(f"VAULT_HOME={named} leads nowhere ({fault}).") from None


def require_folder(home: Home) -> None:
    """Make the home's folder. Raises UnusableHome when something else stands there, or it may not be made."""
    with _told(home):
        home.path.mkdir(parents=True, exist_ok=True)


@contextmanager
def _told(home: Home) -> Iterator[None]:
    try:
        yield
    except OSError as fault:
        where = fault.filename or home.path
        raise UnusableHome(
            f"{home.path} cannot be a vault's home ({where}: {fault.strerror}). "
            "Set VAULT_HOME to a folder that can be written."
        ) from None


def temporary_home() -> Home:
    """An empty home that VAULT_HOME names from now on, and that is gone with this process."""
    path = Path(tempfile.mkdtemp(prefix="vault-home-"))
    owner = os.getpid()

    def remove_in_the_process_that_made_it() -> None:
        if os.getpid() == owner:
            shutil.rmtree(path, ignore_errors=True)

    atexit.register(remove_in_the_process_that_made_it)
    os.environ["VAULT_HOME"] = str(path)
    return Home(path)


def create_secrets(home: Home) -> None:
    """Make the folders and every secret that is missing; what exists is never replaced. Raises UnusableHome."""
    with _told(home):
        for folder in (
            home.keys,
            home.keystore.parent,
            home.broker,
            home.witness.parent,
            home.logs,
            home.static,
        ):
            folder.mkdir(parents=True, exist_ok=True)
            folder.chmod(0o700)
        for name in SECRET_FILES:
            write_secret(home.secret(name), secrets.token_urlsafe(SECRET_BYTES))


def write_secret(path: Path, value: str) -> None:
    """Write `value` for the owner's eyes alone; a file that exists is left as it is.

    It appears whole or not at all: an empty one, of a start that was killed, would be kept as the secret.
    """
    if path.exists():
        return
    handle, beside = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as stream:
            stream.write(value)
            stream.flush()
            os.fsync(stream.fileno())
        with suppress(FileExistsError):
            os.link(beside, path)
    finally:
        Path(beside).unlink()


def export_environment(home: Home) -> None:
    """Point the settings at this home's secrets, without overriding what an operator has set."""
    os.environ.setdefault("VAULT_HOME", str(home.path))
    for name in SECRET_FILES:
        if name not in os.environ and home.secret(name).exists():
            os.environ.setdefault(f"{name}_FILE", str(home.secret(name)))
