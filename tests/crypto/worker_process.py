"""Run by the suite as a process of its own, beside others on the same vault: does what it is told."""

from __future__ import annotations

import sys
from pathlib import Path
from uuid import UUID, uuid4

from vault.crypto import FileRootKey, KeyVault, open_vault


def work(vault: KeyVault, rounds: int) -> None:
    """Create, use and destroy subjects, and roll now and then."""
    for round_number in range(rounds):
        kept, erased = uuid4(), uuid4()
        for subject in (kept, erased):
            vault.create_subject(subject)
            sealed = vault.subject(subject).seal(subject.bytes, context=b"")
            vault.witness_manifest(subject, round_number, b"head")
            assert vault.subject(subject).open(sealed, context=b"") == subject.bytes
        vault.destroy_subject(erased)
        if round_number % 10 == 5:
            vault.roll_epoch()


def main(keystore: str, root: str, task: str, argument: str) -> None:
    vault = open_vault(keystore=keystore, root=FileRootKey(Path(root)))
    if task == "destroy":
        vault.destroy_subject(UUID(argument))
    else:
        work(vault, int(argument))
    vault.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
