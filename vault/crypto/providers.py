"""Root keys: what wraps the keystore's keys, and is never in the keystore itself.

A root is kept in numbered epochs. A key that is wrapped under an epoch which was destroyed is gone from
every copy of the keystore, however old. A key management service (KMS) fits behind `RootKeyProvider`.
"""

from __future__ import annotations

import base64
import json
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Protocol, Self

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from vault.crypto.errors import KeystoreFault, RootKeyMissing
from vault.crypto.private_files import create_private, locked, require_owner_only, write_private
from vault.crypto.sealing import KEY_BYTES, new_key, open_sealed, seal
from vault.errors import IntegrityFault


class RootKeyProvider(Protocol):
    """The root of all keys. Every method may be called by several threads and processes at once.

    `wrap`, `unwrap`, `rewrap` and `sign` raise RootKeyMissing for an epoch that is not there, and
    IntegrityFault for wrapped bytes that are not of this root, epoch and context.
    """

    @property
    def destroys_epochs(self) -> bool:
        """Whether `destroy` really ends an epoch; False for a root that is one fixed secret."""

    def epochs(self) -> Sequence[int]:
        """The living epochs, oldest first; empty when the provider keeps no list."""

    def new_epoch(self, epoch: int) -> None:
        """Make the root of `epoch`; one that is there already is left as it is."""

    def destroy(self, epoch: int) -> None:
        """End the root of `epoch`, for ever; one that is gone already is no fault."""

    def wrap(self, key: bytes, *, epoch: int, context: bytes) -> bytes: ...

    def unwrap(self, wrapped: bytes, *, epoch: int, context: bytes) -> bytes: ...

    def rewrap(
        self, wrapped: bytes, *, old_epoch: int, old_context: bytes, epoch: int, context: bytes
    ) -> bytes: ...

    def sign(self, message: bytes, *, wrapped: bytes, epoch: int, context: bytes) -> bytes:
        """The Ed25519 signature of `message` by the private key (raw, 32 bytes) in `wrapped`."""


class SoftwareRoot(ABC):
    """Wrapping in this process, for roots whose bytes this process can read."""

    @abstractmethod
    def _roots(self, epoch: int) -> Sequence[bytes]:
        """The roots that may have wrapped under `epoch`, the one to wrap with first, or RootKeyMissing."""

    def wrap(self, key: bytes, *, epoch: int, context: bytes) -> bytes:
        return seal(key, key=self._roots(epoch)[0], context=context)

    def unwrap(self, wrapped: bytes, *, epoch: int, context: bytes) -> bytes:
        for root in self._roots(epoch):
            try:
                return open_sealed(wrapped, key=root, context=context)
            except IntegrityFault:
                continue
        raise IntegrityFault("A wrapped key does not open under this root.")

    def rewrap(
        self, wrapped: bytes, *, old_epoch: int, old_context: bytes, epoch: int, context: bytes
    ) -> bytes:
        key = self.unwrap(wrapped, epoch=old_epoch, context=old_context)
        return self.wrap(key, epoch=epoch, context=context)

    def sign(self, message: bytes, *, wrapped: bytes, epoch: int, context: bytes) -> bytes:
        private = self.unwrap(wrapped, epoch=epoch, context=context)
        return Ed25519PrivateKey.from_private_bytes(private).sign(message)


class EnvironmentRootKey(SoftwareRoot):
    """One fixed secret from the environment. It cannot end an epoch; docs/keys.md says what follows.

    To change the secret, start with the new one and the old one as `previous`, roll the epoch, and drop it.
    """

    destroys_epochs = False

    def __init__(self, secret: str, *, previous: str = "") -> None:
        if not secret:
            raise RootKeyMissing
        self._keys = [_root_from_text(text) for text in (secret, previous) if text]

    @classmethod
    def from_environment(cls, environment: Mapping[str, str], name: str = "VAULT_ROOT_KEY") -> Self:
        """Read NAME, and NAME_PREVIOUS if it is there; raises RootKeyMissing without the first."""
        return cls(environment.get(name, ""), previous=environment.get(f"{name}_PREVIOUS", ""))

    def epochs(self) -> Sequence[int]:
        return ()

    def new_epoch(self, epoch: int) -> None:
        """Nothing to make: the one secret serves every epoch."""

    def destroy(self, epoch: int) -> None:
        """Nothing can be ended; `destroys_epochs` says so."""

    def _roots(self, epoch: int) -> Sequence[bytes]:
        return self._keys


class FileRootKey(SoftwareRoot):
    """A file of this machine, mode 0600, with one random root per living epoch."""

    destroys_epochs = True

    def __init__(self, path: Path, *, create: bool = False) -> None:
        """Use the file at `path`; with `create`, on the first start, make it if there is none.

        Raises RootKeyMissing without it, and KeystoreExposed if others may read it.
        """
        self._path = path
        if create:
            self._create()
        self._read()

    def epochs(self) -> Sequence[int]:
        return sorted(self._read())

    def new_epoch(self, epoch: int) -> None:
        with locked(self._path):
            roots = self._content()
            if epoch not in roots:
                write_private(self._path, _as_text({**roots, epoch: new_key()}))

    def destroy(self, epoch: int) -> None:
        """End the root of `epoch`; raises KeystoreFault for the newest, on which everything rests."""
        with locked(self._path):
            roots = self._content()
            if epoch not in roots:
                return
            if epoch == max(roots):
                raise KeystoreFault("The newest root is never destroyed.")
            write_private(self._path, _as_text({e: root for e, root in roots.items() if e != epoch}))

    def _create(self) -> None:
        create_private(self._path.with_name(self._path.name + ".lock"))
        with locked(self._path):
            if not self._path.exists():
                write_private(self._path, _as_text({}))

    def _roots(self, epoch: int) -> Sequence[bytes]:
        # Read anew each time: it is rare, and another process may have ended the epoch.
        try:
            return [self._read()[epoch]]
        except KeyError:
            raise RootKeyMissing from None

    def _read(self) -> dict[int, bytes]:
        if not self._path.exists():
            raise RootKeyMissing
        # Locked, because a writer overwrites the file that it has just replaced.
        with locked(self._path, shared=True):
            return self._content()

    def _content(self) -> dict[int, bytes]:
        try:
            require_owner_only(self._path)
            content = json.loads(self._path.read_bytes())
            return {int(epoch): _root_from_text(text) for epoch, text in content["roots"].items()}
        except FileNotFoundError:
            raise RootKeyMissing from None
        except (ValueError, KeyError, TypeError, AttributeError):
            raise KeystoreFault("The root key file is damaged.") from None


def _root_from_text(text: str) -> bytes:
    try:
        root = base64.b64decode(text, validate=True)
    except ValueError:
        root = b""
    if len(root) != KEY_BYTES:
        raise KeystoreFault("A root key must be 32 random bytes in base64.")
    return root


def _as_text(roots: Mapping[int, bytes]) -> bytes:
    encoded = {str(epoch): base64.b64encode(root).decode("ascii") for epoch, root in roots.items()}
    return json.dumps({"format": 1, "roots": encoded}).encode("ascii")
