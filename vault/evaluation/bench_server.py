"""A web process of the bench's own, on the scratch vault, so that HTTP is measured without a running vault."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import urlsplit, urlunsplit

import httpx
from django.conf import settings
from django.db import connections

from vault.database import OWNER

START_PATIENCE_SECONDS = 120.0
POLL_SECONDS = 0.2


class ServerMissing(Exception):
    """The web process did not get ready."""


@contextmanager
def served() -> Iterator[str]:
    """The address of one web worker over the database and keys that this process is configured for."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [
        sys.executable, "-m", "granian", "--interface", "wsgi", "--host", "127.0.0.1", "--port", str(port),
        "--workers", "1", "--blocking-threads", "2", "--log-level", "error", "vault.wsgi:application",
    ]  # fmt: skip
    process = subprocess.Popen(
        command,
        env=_environment(),
        cwd=settings.BASE_DIR,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        url = f"http://127.0.0.1:{port}"
        _wait_for(url, process)
        yield url
    finally:
        process.terminate()
        process.wait()


def _environment() -> dict[str, str]:
    database = connections[OWNER].settings_dict["NAME"]
    parts = urlsplit(settings.DATABASE_URL)
    return {
        **os.environ,
        "DATABASE_URL": urlunsplit(parts._replace(path=f"/{database}")),
        "KEYSTORE_URL": settings.KEYSTORE_URL,
        "ROOT_KEY_FILE": settings.ROOT_KEY_FILE,
        "DATABASE_POOL": "1",
        "OMP_NUM_THREADS": "1",
        "RATE_LIMIT_PER_MINUTE": "1000000",
    }


def _wait_for(url: str, process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + START_PATIENCE_SECONDS
    while time.monotonic() < deadline and process.poll() is None:
        try:
            if httpx.get(f"{url}/readyz", timeout=5.0).status_code == 200:
                return
        except httpx.TransportError:
            pass
        time.sleep(POLL_SECONDS)
    raise ServerMissing
