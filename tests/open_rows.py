"""Rows of everybody, open for as long as a test looks at them: in a transaction, which a scope does not outlive."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import transaction

from vault.models import isolation


@contextmanager
def everything_open() -> Iterator[None]:
    with transaction.atomic():
        isolation.open_everything()
        yield
