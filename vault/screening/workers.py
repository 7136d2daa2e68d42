"""A few threads that run detectors, so that one that hangs cannot hold the request.

Python cannot stop a thread. A hung detector therefore keeps its worker, and its place in the pool: when
all places are lost, every screening fails (and quarantines) instead of starting threads without bound.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from queue import SimpleQueue

Work = Callable[[], None]


class WorkerPool:
    """At most `size` daemon threads, started when first needed and then kept."""

    def __init__(self, size: int) -> None:
        self._places = threading.BoundedSemaphore(size)
        self._waiting: SimpleQueue[tuple[Work, threading.Event]] = SimpleQueue()
        self._lock = threading.Lock()
        self._idle = 0

    def run(self, work: Work, *, timeout_seconds: float) -> bool:
        """Run `work`, which must not raise; False if there was no place, or it did not end in time."""
        deadline = time.monotonic() + timeout_seconds
        if not self._places.acquire(timeout=max(timeout_seconds, 0)):
            return False
        done = threading.Event()
        self._hand_over(work, done)
        return done.wait(max(deadline - time.monotonic(), 0))

    def _hand_over(self, work: Work, done: threading.Event) -> None:
        with self._lock:
            if self._idle:
                self._idle -= 1
            else:
                threading.Thread(target=self._serve, name="screening", daemon=True).start()
        self._waiting.put((work, done))

    def _serve(self) -> None:
        while True:
            work, done = self._waiting.get()
            try:
                work()
            finally:
                with self._lock:
                    self._idle += 1
                self._places.release()
                done.set()
