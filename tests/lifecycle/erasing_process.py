"""Executes an erasure and kills itself with SIGKILL at a named point: `python -m ... REQUEST POINT`.

Points are `before STEP` (a step of the run), `in STORE` (its rows deleted, the transaction open), and `after CALL`.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from typing import Any
from uuid import UUID

import django

django.setup()

from vault.crypto import KeyVault  # noqa: E402 - models can be imported only now
from vault.lifecycle import certificate, erasure_run  # noqa: E402
from vault.lifecycle.data_map import Store  # noqa: E402


def die(*_: object, **__: object) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def then_die(call: Callable[..., Any]) -> Callable[..., Any]:
    def wrapped(*arguments: Any, **named: Any) -> None:
        call(*arguments, **named)
        die()

    return wrapped


def die_in(store: str) -> None:
    erase = Store.erase

    def erase_and_perhaps_die(self: Store, subject_id: UUID) -> int:
        rows = erase(self, subject_id)
        if self.name == store:
            die()
        return rows

    Store.erase = erase_and_perhaps_die  # type: ignore[method-assign]


def arm(point: str) -> None:
    kind, _, name = point.partition(" ")
    if kind == "before":
        setattr(erasure_run, name, die)
    elif kind == "in":
        die_in(name)
    else:
        owner: Any = {"destroy_subject": KeyVault, "issue": certificate}.get(name, erasure_run)
        setattr(owner, name, then_die(getattr(owner, name)))


if __name__ == "__main__":
    arm(sys.argv[2])
    erasure_run.execute_erasure(UUID(sys.argv[1]))
