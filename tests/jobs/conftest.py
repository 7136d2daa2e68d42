"""Real workers on a real broker: the folders of the embedded one, and Redis where it is installed."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

import pytest
from django.db import connections
from kombu import pools

from vault.broker import FILESYSTEM, connection_url, transport_options
from vault.celery import app

PATIENCE_SECONDS = 60


def wait_until(happened: Callable[[], bool], *, seconds: float = PATIENCE_SECONDS) -> None:
    """Fail the test unless `happened` turns true in time."""
    deadline = time.monotonic() + seconds
    while not happened():
        assert time.monotonic() < deadline, "it did not happen in time"
        time.sleep(0.1)


@dataclass
class Broker:
    """One broker, and the workers that a test starts on it."""

    url: str
    home: Path
    workers: list[subprocess.Popen[bytes]] = field(default_factory=list)

    @property
    def log(self) -> Path:
        return self.home / "worker.log"

    def start_worker(self) -> subprocess.Popen[bytes]:
        """A worker process of its own, on the test's database."""
        command = [sys.executable, "-m", "celery", "-A", "vault.celery", "worker", "--pool=solo", "-c", "1"]
        quiet = ["--without-gossip", "--without-mingle", "--without-heartbeat", "--loglevel=INFO"]
        with self.log.open("ab") as log:
            worker = subprocess.Popen([*command, *quiet], env=self.environment(), stdout=log, stderr=log)
        self.workers.append(worker)
        return worker

    def environment(self) -> dict[str, str]:
        parts = urlsplit(os.environ["DATABASE_URL"])
        database = f"/{connections['owner'].settings_dict['NAME']}"
        return {
            **os.environ,
            "VAULT_HOME": str(self.home),
            "BROKER_URL": self.url,
            "DATABASE_URL": urlunsplit(parts._replace(path=database)),
            "PYTHONPATH": str(Path(__file__).resolve().parents[2]),
        }

    def stop(self) -> None:
        for worker in self.workers:
            if worker.poll() is None:
                worker.send_signal(signal.SIGKILL)
            worker.wait()


@pytest.fixture
def redis_url(tmp_path: Path) -> Iterator[str]:
    """A Redis server of the test's own on a free port of the loopback."""
    program = shutil.which("redis-server")
    if program is None:
        pytest.skip("redis-server is not installed")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    options = ["--port", str(port), "--bind", "127.0.0.1", "--save", "", "--dir", str(tmp_path)]
    server = subprocess.Popen([program, *options], stdout=subprocess.DEVNULL)
    try:
        wait_until(lambda: is_listening(port), seconds=10)
        yield f"redis://127.0.0.1:{port}/0"
    finally:
        server.terminate()
        server.wait()


def is_listening(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


@pytest.fixture(params=["filesystem", pytest.param("redis", marks=pytest.mark.redis)])
def broker(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Broker]:
    """The same tests on either broker; this process sends its nudges there too."""
    # Celery's own command line reads BROKER_URL as well, before the settings do.
    url = (
        connection_url(FILESYSTEM) if request.param == "filesystem" else request.getfixturevalue("redis_url")
    )
    found = Broker(url, tmp_path / "home")
    found.home.mkdir()
    before = {name: app.conf[name] for name in ("broker_url", "broker_transport_options")}
    connect(broker_url=url, broker_transport_options=transport_options(url, found.home / "broker"))
    yield found
    found.stop()
    connect(**before)


def connect(**settings: object) -> None:
    """Point this process's Celery at another broker, and forget the connections to the old one."""
    app.conf.update(settings)
    app.__dict__.pop("amqp", None)
    # All of kombu's, which are kept by address: a closed one would be handed out again to whoever comes back to it.
    pools.reset()
    app._pool = None
