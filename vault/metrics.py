"""What Prometheus reads. Labels are enums, routes and codes: never text, never an id.

With PROMETHEUS_MULTIPROC_DIR set, the processes of one vault add up their counters there.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.multiprocess import MultiProcessCollector

from vault.errors import CategoryNotAllowed, NotWorthKeeping, SecretDetected
from vault.store_metrics import StoreCollector

LATENCY_SECONDS = (0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0)
METHODS = frozenset({"GET", "POST", "PATCH", "DELETE", "HEAD", "OPTIONS", "PUT"})
UNMATCHED = "unmatched"
STATIC = "static"

_registry = CollectorRegistry()
REQUESTS = Histogram(
    "vault_request_seconds",
    "Time to answer, by route.",
    ["method", "route", "status"],
    buckets=LATENCY_SECONDS,
    registry=_registry,
)
RETRIEVAL = Histogram(
    "vault_retrieval_seconds", "Time to find memories.", ["mode"], buckets=LATENCY_SECONDS, registry=_registry
)
RETRIEVALS = Counter(
    "vault_retrievals",
    "Searches and context blocks, by whether they found any.",
    ["result"],
    registry=_registry,
)
VERDICTS = Counter(
    "vault_write_verdicts", "What became of writes and changes.", ["outcome"], registry=_registry
)
ERRORS = Counter("vault_errors", "Refusals and faults, by code.", ["code"], registry=_registry)


class MetricsMiddleware:
    """Times every answer under the pattern of its route, so that no id becomes a label."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        started = time.perf_counter()
        response = self.get_response(request)
        method = request.method if request.method in METHODS else "OTHER"
        labels = (method, route_of(request), f"{response.status_code // 100}xx")
        REQUESTS.labels(*labels).observe(time.perf_counter() - started)
        return response


def route_of(request: HttpRequest) -> str:
    """The pattern that the address matched, not the address."""
    match = request.resolver_match
    if match is not None:
        return str(match.route)
    return STATIC if request.path.startswith(settings.STATIC_URL) else UNMATCHED


def count_error(code: str) -> None:
    """`code` is one of the closed list of problem codes."""
    ERRORS.labels(code).inc()


@dataclass(slots=True)
class Verdict:
    outcome: str = ""


@contextmanager
def counted_verdict() -> Iterator[Verdict]:
    """Count what becomes of a write; one that fails for another cause than screening is not counted."""
    verdict = Verdict()
    try:
        yield verdict
    except (SecretDetected, CategoryNotAllowed, NotWorthKeeping):
        verdict.outcome = "refused"
        raise
    finally:
        if verdict.outcome:
            VERDICTS.labels(verdict.outcome).inc()


def count_retrieval(*, mode: str, seconds: float, found: int) -> None:
    """One search or context block."""
    RETRIEVAL.labels(mode).observe(seconds)
    RETRIEVALS.labels("hit" if found else "miss").inc()


def exposition() -> bytes:
    """All figures of this vault as Prometheus text."""
    collected = _registry
    if settings.PROMETHEUS_FOLDER:
        collected = CollectorRegistry()
        MultiProcessCollector(collected, path=settings.PROMETHEUS_FOLDER)  # type: ignore[no-untyped-call]
    stores = CollectorRegistry()
    stores.register(StoreCollector())
    return generate_latest(collected) + generate_latest(stores)
