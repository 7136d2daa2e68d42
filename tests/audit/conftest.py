"""A signer of its own, entries to seal, and a hand that reaches past the triggers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from django.db import connections, transaction

from audit.actions import Action
from audit.checkpoint import seal_all, sign_checkpoint
from audit.faults import AuditError
from audit.log import Actor, Target, record
from audit.models import APPEND_ONLY_TABLES, AuditEntry
from audit.verify import verify_log

AGENT = Actor("agent", "a-1")


class FakeSigner:
    """Signs with a key that lives as long as the test."""

    def __init__(self, key_id: str = "test-1") -> None:
        self.key_id = key_id
        self._key = Ed25519PrivateKey.generate()

    def sign(self, message: bytes) -> bytes:
        return self._key.sign(message)

    def public_keys(self) -> dict[str, bytes]:
        return {self.key_id: self._key.public_key().public_bytes_raw()}


@pytest.fixture
def signer() -> FakeSigner:
    return FakeSigner()


@pytest.fixture
def witness(tmp_path: Path) -> Path:
    return tmp_path / "witness" / "checkpoints.log"


def record_some(number: int) -> list[AuditEntry]:
    with transaction.atomic():
        return [
            record(Action.MEMORY_READ, actor=AGENT, target=Target("memory", f"m-{count}"), count=count)
            for count in range(number)
        ]


@pytest.fixture
def grow(signer: FakeSigner, witness: Path) -> Callable[[int], None]:
    """Record entries, seal them, sign the head and have it witnessed."""

    def record_seal_and_sign(number: int) -> None:
        record_some(number)
        seal_all()
        sign_checkpoint(signer, witness=witness)

    return record_seal_and_sign


@pytest.fixture
def tamper() -> Callable[..., None]:
    """Run one statement as the owner of the tables, with the triggers off."""

    def change(statement: str, parameters: Sequence[Any] = ()) -> None:
        with connections["owner"].cursor() as cursor:
            for table in APPEND_ONLY_TABLES:
                cursor.execute(f"ALTER TABLE {table} DISABLE TRIGGER USER")
            cursor.execute(statement, parameters)
            for table in APPEND_ONLY_TABLES:
                cursor.execute(f"ALTER TABLE {table} ENABLE ALWAYS TRIGGER {table}_append_only")

    return change


@pytest.fixture
def fault_of(signer: FakeSigner, witness: Path) -> Callable[..., tuple[str, int | None, int | None]]:
    """Verify, and give the fault: its code, and the first and last entry that it names."""

    def find(**options: Any) -> tuple[str, int | None, int | None]:
        with pytest.raises(AuditError) as fault:
            verify_log(**{"public_keys": signer.public_keys(), "witness": witness, **options})
        return fault.value.code, fault.value.seq, fault.value.last

    return find
