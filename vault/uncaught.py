"""What no page foresaw: one line in the log and one count for each, for the pages as for the API.

Django's own lines about it are silenced, since they carry addresses and the messages of exceptions. The API answers
for itself; everything else would otherwise end as a page that points to a log in which nothing stands.
"""

from __future__ import annotations

import sys
from typing import Any

import structlog
from django.core.signals import got_request_exception

from vault import metrics

CODE = "internal_error"

log = structlog.get_logger(__name__)


def note_uncaught(**_: Any) -> None:
    """Log type and place of the exception that ends a request, under the request's id; count it."""
    log.error("request_failed", code=CODE, exc_info=sys.exc_info())
    metrics.count_error(CODE)


def connect() -> None:
    """Listen for such exceptions; called again, nothing happens."""
    got_request_exception.connect(note_uncaught, dispatch_uid="vault.uncaught")
