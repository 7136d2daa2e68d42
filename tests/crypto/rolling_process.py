"""Run by the suite as a process of its own: rolls the epoch of a vault, and dies where it is told."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from tests.crypto.fakes import die
from vault.crypto import FileRootKey, open_vault, rolling
from vault.crypto.rows import Rows, SubjectKey

POINTS = (
    "before the new root",
    "after the new root",
    "after the new epoch began",
    "in the second batch",
    "after the second batch",
    "before the copy",
    "before the old root ended",
    "after the old root ended",
)


class DyingRoot(FileRootKey):
    def __init__(self, path: Path, point: str) -> None:
        super().__init__(path)
        self._point = point

    def new_epoch(self, epoch: int) -> None:
        self._die_at("before the new root")
        super().new_epoch(epoch)
        self._die_at("after the new root")

    def destroy(self, epoch: int) -> None:
        self._die_at("before the old root ended")
        super().destroy(epoch)
        self._die_at("after the old root ended")

    def _die_at(self, point: str) -> None:
        if point == self._point:
            die()


def dying_batches(point: str) -> Callable[[Rows, Sequence[SubjectKey]], None]:
    write, batches = Rows.replace_subject_keys, [0]

    def replace(rows: Rows, keys: Sequence[SubjectKey]) -> None:
        batches[0] += 1
        if point == "after the new epoch began" or (point == "after the second batch" and batches[0] == 3):
            die()
        write(rows, keys)
        if point == "in the second batch" and batches[0] == 2:
            die()

    return replace


def main(keystore: str, root: str, point: str) -> None:
    rolling.BATCH = 4
    Rows.replace_subject_keys = dying_batches(point)  # type: ignore[method-assign]
    vault = open_vault(keystore=keystore, root=DyingRoot(Path(root), point))
    vault.roll_epoch(before_destroy=die if point == "before the copy" else None)


if __name__ == "__main__":
    main(*sys.argv[1:])
