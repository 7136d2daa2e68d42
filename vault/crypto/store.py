"""Where the keystore's rows live: the promise that both databases keep."""

from __future__ import annotations

from abc import ABC, abstractmethod
from contextlib import AbstractContextManager

from vault.crypto.rows import Rows


class Store(ABC):
    """One keystore database, for all threads and processes that share it.

    Every block raises KeystoreUnavailable when the database does not answer.
    """

    @abstractmethod
    def exists(self) -> bool:
        """Whether a keystore was ever made here."""

    @abstractmethod
    def create(self) -> None:
        """Make the tables; a keystore that is there already is left as it is."""

    @abstractmethod
    def reading(self) -> AbstractContextManager[Rows]:
        """Single statements, each seeing all that is committed when it runs."""

    @abstractmethod
    def writing(self) -> AbstractContextManager[Rows]:
        """One durable transaction, alone among all writers; a block that raises leaves nothing behind."""

    @abstractmethod
    def witnessing(self) -> AbstractContextManager[Rows]:
        """Single statements on the witnesses: cheap, and after a power cut perhaps not the last one."""

    @abstractmethod
    def close(self) -> None:
        """Give back what is idle."""
