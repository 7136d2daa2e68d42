"""A bar that says how far a long load has come: one line that is rewritten, or one line a tenth without a terminal."""

from __future__ import annotations

import time
from collections.abc import Callable

WIDTH = 40
TENTHS = 10


class Progress:
    """Counts to `total`, and says how many there are a second. `write` adds no line end of its own."""

    def __init__(self, total: int, write: Callable[[str], None], *, is_terminal: bool) -> None:
        self._total, self._write, self._is_terminal = total, write, is_terminal
        self._began = time.monotonic()
        self._done = self._told = 0

    def advance(self, count: int) -> None:
        self._done += count
        if self._is_terminal:
            self._write(f"\r   {self._line()}")
        elif self._tenth() > self._told:
            self._write(f"   {self._line()}\n")
        self._told = self._tenth()

    def finish(self) -> None:
        if self._is_terminal:
            self._write("\n")

    def _tenth(self) -> int:
        return self._done * TENTHS // self._total if self._total else TENTHS

    def _line(self) -> str:
        share = self._done / self._total if self._total else 1.0
        filled = round(share * WIDTH)
        rate = self._done / max(time.monotonic() - self._began, 1e-9)
        return (
            f"[{'#' * filled}{'.' * (WIDTH - filled)}] {self._done:,} of {self._total:,}, {rate:.0f} a second"
        )
