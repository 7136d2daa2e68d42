"""Is it alive, is it ready, and how does it fare: for supervisors, balancers and Prometheus."""

from __future__ import annotations

import hmac
from collections.abc import Callable

import structlog
from django.conf import settings
from django.db import Error, connection, connections
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from prometheus_client import CONTENT_TYPE_LATEST

from vault.crypto import KeystoreFault
from vault.database import OWNER
from vault.keys import key_vault
from vault.metrics import exposition

LOOPBACK = frozenset({"127.0.0.1", "::1"})
FORWARDED = ("HTTP_X_FORWARDED_FOR", "HTTP_FORWARDED", "HTTP_X_REAL_IP")
log = structlog.get_logger(__name__)


class NotReadyError(Exception):
    """A part that answers, but not as it must."""


@require_safe
@never_cache
def livez(request: HttpRequest) -> JsonResponse:
    """The process answers."""
    return JsonResponse({"status": "ok"})


@require_safe
@never_cache
def readyz(request: HttpRequest) -> JsonResponse:
    """Everything that a call needs is there; 503 names the part that is not."""
    checks = {name: _passes(name, check) for name, check in CHECKS.items()}
    ready = all(checks.values())
    body = {
        "status": "ok" if ready else "unavailable",
        "checks": {name: "ok" if passed else "unavailable" for name, passed in checks.items()},
    }
    return JsonResponse(body, status=200 if ready else 503)


@require_safe
@never_cache
def metrics(request: HttpRequest) -> HttpResponse:
    """Prometheus text, for its own token or for a caller on this machine."""
    if not (_has_token(request) or _is_local(request)):
        return HttpResponse(status=401, headers={"WWW-Authenticate": 'Bearer realm="metrics"'})
    return HttpResponse(exposition(), content_type=CONTENT_TYPE_LATEST)


def _has_token(request: HttpRequest) -> bool:
    scheme, _, token = request.headers.get("Authorization", "").partition(" ")
    given, expected = token.strip().encode(), settings.METRICS_TOKEN.encode()
    return scheme.lower() == "bearer" and hmac.compare_digest(given, expected)


def _is_local(request: HttpRequest) -> bool:
    """Whether the caller is on this machine; behind a proxy everybody would look so."""
    if any(request.META.get(header) for header in FORWARDED):
        return False
    return request.META.get("REMOTE_ADDR") in LOOPBACK


def _passes(name: str, check: Callable[[], None]) -> bool:
    try:
        check()
    except (Error, KeystoreFault, NotReadyError) as exc:
        log.warning("not_ready", part=name, exc_info=exc)
        return False
    return True


def _database() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")


def _keystore() -> None:
    key_vault().signer()


class _Migrations:
    """Whether every migration of this code is applied; asked until they are, since then they stay."""

    def __init__(self) -> None:
        self.applied = False

    def __call__(self) -> None:
        if self.applied:
            return
        owner = connections[OWNER]
        try:
            executor = MigrationExecutor(owner)
            if executor.migration_plan(executor.loader.graph.leaf_nodes()):
                raise NotReadyError("migrations")
        finally:
            owner.close()
        self.applied = True


CHECKS: dict[str, Callable[[], None]] = {
    "database": _database,
    "keystore": _keystore,
    "migrations": _Migrations(),
}
