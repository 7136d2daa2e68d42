"""What keys cost on this machine: `python -m tests.crypto.measure`. No test; docs/keys.md shows it."""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median, quantiles
from uuid import uuid4

import numpy as np

from vault.crypto import FileRootKey, KeyVault, open_vault, vectors
from vault.crypto.sqlite_store import SqliteStore
from vault.crypto.wrapping import new_data_key, unwrap_kek, wrap_data_key

SUBJECTS = 100_000
DIMENSIONS = 384


def show(name: str, act: Callable[[], object], *, times: int) -> None:
    act()
    took = []
    for _ in range(times):
        start = time.perf_counter()
        act()
        took.append((time.perf_counter() - start) * 1e6)
    print(f"{name:<42} {median(took):>9.0f} {quantiles(took, n=20)[-1]:>9.0f}")


def show_once(name: str, act: Callable[[], object]) -> None:
    start = time.perf_counter()
    act()
    print(f"{name:<42} {time.perf_counter() - start:>9.2f} s")


def one_subject(vault: KeyVault) -> None:
    subject = uuid4()
    vault.create_subject(subject)
    keys = vault.subject(subject)
    sealed = keys.seal(bytes(2048), context=b"place")
    vector = np.random.default_rng(0).standard_normal(DIMENSIONS).astype(np.float32)
    entries = [(uuid4(), 1, os.urandom(32)) for _ in range(1000)]
    state = keys.manifest.of(entries)
    mac = keys.manifest.seal(state)
    sequence = iter(range(1, 10_000))

    print(f"{'microseconds':<42} {'median':>9} {'p95':>9}")
    show("subject(), cached", lambda: vault.subject(subject), times=2000)
    show("create_subject()", lambda: vault.create_subject(uuid4()), times=300)
    show("destroy_subject()", lambda: vault.destroy_subject(uuid4()), times=300)
    show("seal(), 2 KiB", lambda: keys.seal(bytes(2048), context=b"place"), times=2000)
    show("open(), 2 KiB", lambda: keys.open(sealed, context=b"place"), times=2000)
    show("token_hashes(), 20 tokens", lambda: keys.token_hashes(["token"] * 20), times=500)
    show("rotation matrix, first use of a subject", lambda: vectors.rotation(bytes(32), DIMENSIONS), times=10)
    show("protect()", lambda: keys.protect(vector), times=500)
    show("rotate()", lambda: keys.rotate(vector), times=500)
    show(
        "manifest add() and seal()",
        lambda: keys.manifest.seal(keys.manifest.add(state, entries[0])),
        times=500,
    )
    show("manifest check(), 1000 entries", lambda: keys.manifest.check(state, mac, entries), times=20)
    show("witness_manifest()", lambda: vault.witness_manifest(subject, next(sequence), mac), times=1000)
    show("sign()", lambda: vault.signer().sign(b"checkpoint"), times=200)


def many_subjects(vault: KeyVault, keystore: Path, root: FileRootKey) -> None:
    store = SqliteStore(keystore)
    with store.writing() as rows:
        epoch = rows.current_epoch()
        assert epoch is not None
        kek = unwrap_kek(root, epoch)
        for _ in range(SUBJECTS):
            rows.add_subject_key(
                wrap_data_key(new_data_key(), subject=uuid4().bytes, epoch=epoch.number, kek=kek)
            )
    store.close()
    show_once(f"roll_epoch(), {SUBJECTS:,} subjects", vault.roll_epoch)
    show_once(
        f"copy_keystore(), {SUBJECTS:,} subjects", lambda: vault.copy_keystore(keystore.with_name("copy"))
    )
    print(f"{'keystore file':<42} {keystore.stat().st_size / 1e6:>9.1f} MB")


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        keystore = Path(folder) / "keystore"
        root = FileRootKey(Path(folder) / "root", create=True)
        vault = open_vault(keystore=keystore, root=root, create=True)
        one_subject(vault)
        many_subjects(vault, keystore, root)
        vault.close()


if __name__ == "__main__":
    main()
