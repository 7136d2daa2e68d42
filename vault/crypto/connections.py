"""Database connections kept between calls: one caller at a time each, none carried over a fork."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Generic, Protocol, TypeVar

MAX_IDLE = 16


class Closable(Protocol):
    def close(self) -> None: ...


C = TypeVar("C", bound=Closable)


class Connections(Generic[C]):
    """Idle connections of this process, the last used first. List appends and pops are atomic, so no lock."""

    def __init__(self, connect: Callable[[], C]) -> None:
        self._connect = connect
        self._process = os.getpid()
        self._idle: list[C] = []
        self._of_parents: list[list[C]] = []

    @contextmanager
    def borrow(self) -> Iterator[C]:
        """A connection for one block; if the block raises, the connection is closed and not used again."""
        idle = self._idle_here()
        try:
            connection = idle.pop()
        except IndexError:
            connection = self._connect()
        try:
            yield connection
        except BaseException:
            connection.close()
            raise
        if len(idle) < MAX_IDLE:
            idle.append(connection)
        else:
            connection.close()

    def close(self) -> None:
        """Close what is idle; what is borrowed returns later and stays."""
        idle = self._idle_here()
        while idle:
            idle.pop().close()

    def _idle_here(self) -> list[C]:
        if self._process != os.getpid():
            # Closing a parent's connection would end it, or its file locks, in the parent too.
            self._of_parents.append(self._idle)
            self._idle, self._process = [], os.getpid()
        return self._idle
