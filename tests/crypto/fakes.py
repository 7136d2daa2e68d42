"""Stand-ins for what the suite cannot have: a key management service, and a process that dies."""

from __future__ import annotations

import os
import signal
from collections.abc import Sequence

from vault.crypto.errors import RootKeyMissing
from vault.crypto.providers import SoftwareRoot
from vault.crypto.sealing import new_key


class FakeKms(SoftwareRoot):
    """A key management service in memory: `calls` is what it was asked, `fail_on` what it refuses."""

    destroys_epochs = True

    def __init__(self) -> None:
        self.roots: dict[int, bytes] = {}
        self.calls: list[str] = []
        self.fail_on = ""

    def epochs(self) -> Sequence[int]:
        return sorted(self.roots)

    def new_epoch(self, epoch: int) -> None:
        self._called("new_epoch")
        self.roots.setdefault(epoch, new_key())

    def destroy(self, epoch: int) -> None:
        self._called("destroy")
        self.roots.pop(epoch, None)

    def rewrap(
        self, wrapped: bytes, *, old_epoch: int, old_context: bytes, epoch: int, context: bytes
    ) -> bytes:
        self._called("rewrap")
        return super().rewrap(
            wrapped, old_epoch=old_epoch, old_context=old_context, epoch=epoch, context=context
        )

    def sign(self, message: bytes, *, wrapped: bytes, epoch: int, context: bytes) -> bytes:
        self._called("sign")
        return super().sign(message, wrapped=wrapped, epoch=epoch, context=context)

    def _roots(self, epoch: int) -> Sequence[bytes]:
        if epoch not in self.roots:
            raise RootKeyMissing
        return [self.roots[epoch]]

    def _called(self, name: str) -> None:
        self.calls.append(name)
        if name == self.fail_on:
            raise ConnectionError(name)


def die() -> None:
    """End this process as `kill -9` does: nothing is flushed, nothing is rolled back by hand."""
    os.kill(os.getpid(), signal.SIGKILL)
