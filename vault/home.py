"""The vault's own folder on one machine: secrets (0600), the embedded database, logs, the broker.

Nothing of Django is imported here, so that it can run before the settings are read.
"""

from __future__ import annotations

import atexit
import os
import secrets
import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path

SECRET_BYTES = 48
SECRET_FILES = {
    "SECRET_KEY": "secret_key",
    "DATABASE_OWNER_PASSWORD": "database_owner",
    "DATABASE_RUNTIME_PASSWORD": "database_runtime",
    "METRICS_TOKEN": "metrics_token",
}


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
    """The home that VAULT_HOME names; `./var` of the checkout when it names none."""
    default = Path(__file__).resolve().parent.parent / "var"
    return Home(Path(os.environ.get("VAULT_HOME") or default).expanduser().resolve())


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
    """Make the folders and every secret that is missing; what exists is never replaced."""
    for folder in (home.keys, home.keystore.parent, home.broker, home.witness.parent, home.logs, home.static):
        folder.mkdir(parents=True, exist_ok=True)
        folder.chmod(0o700)
    for name in SECRET_FILES:
        write_secret(home.secret(name), secrets.token_urlsafe(SECRET_BYTES))


def write_secret(path: Path, value: str) -> None:
    """Write `value` for the owner's eyes alone; a file that exists is left as it is."""
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return
    with os.fdopen(handle, "w", encoding="utf-8") as stream:
        stream.write(value)


def export_environment(home: Home) -> None:
    """Point the settings at this home's secrets, without overriding what an operator has set."""
    os.environ.setdefault("VAULT_HOME", str(home.path))
    for name in SECRET_FILES:
        if name not in os.environ and home.secret(name).exists():
            os.environ.setdefault(f"{name}_FILE", str(home.secret(name)))
