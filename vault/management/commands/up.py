"""Everything on one machine: database, web, worker and beat under one supervisor."""

from __future__ import annotations

import os
import shutil
import sys
import urllib.error
import urllib.request
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.checks import Tags
from django.core.management.base import BaseCommand, CommandError
from django.db import OperationalError

from vault import starting
from vault.embedded import DatabaseFault, is_attached, keep_running
from vault.occupancy import held_by_programs
from vault.running import DEFAULT_HOST, CannotListen, address_noted, require_free_port
from vault.supervisor import Program, Supervisor, no_keeping

READY_TIMEOUT_SECONDS = 2.0
# The web takes about five seconds of a core to load its models; jobs can wait for that.
JOBS_DELAY_SECONDS = 5.0
FIRST_TOKEN_MAY = f"every right, trust up to {starting.FIRST_TRUST.value}; narrower ones: create_agent_token"


class Command(BaseCommand):
    help = "Run the whole vault on this machine until Ctrl-C or SIGTERM."
    # All of them would load every view into a process that serves none; what guards the data is asked below.
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--host", default=DEFAULT_HOST, help="address to listen on")

    def handle(self, *, host: str, **_: Any) -> None:
        try:
            require_free_port(host, settings.PORT)
        except CannotListen as refusal:
            raise CommandError(str(refusal)) from None
        first = self._prepare()
        environment = self._environment()
        keep = self._keep_database if is_attached(settings.HOME) else no_keeping
        address = f"http://{host}:{settings.PORT}"
        self._say(f"Starting Memory Vault on {address} ...")
        with (
            held_by_programs(settings.HOME) as lock,
            address_noted(settings.HOME, host=host, port=settings.PORT),
        ):
            supervisor = Supervisor(self._programs(host, lock), environment, self._say, keep)
            try:
                supervisor.run(ready=lambda: is_ready(address), on_ready=lambda: self._announce(first))
            except DatabaseFault as fault:
                raise CommandError(f"{fault} The vault stopped.") from fault
        self._say("Stopped.")

    def _keep_database(self) -> None:
        if keep_running(settings.HOME):
            self._say("The embedded database had ended; it was started again.")

    def _prepare(self) -> starting.FirstSecrets | None:
        starting.ensure_keys()
        try:
            starting.migrate()
            self.check(tags=[Tags.database, Tags.models], databases=["default"])
            return starting.first_secrets()
        except OperationalError as fault:
            reason = str(fault).strip().partition("\n")[0]
            raise CommandError(f"The database went away or cannot be reached: {reason}") from fault

    def _environment(self) -> dict[str, str]:
        metrics = settings.HOME.path / "metrics"
        # Counters of processes that are gone would be added up again and again.
        shutil.rmtree(metrics, ignore_errors=True)
        metrics.mkdir(mode=0o700, parents=True)
        return {
            **os.environ,
            "PROMETHEUS_MULTIPROC_DIR": str(metrics),
            "PYTHONUNBUFFERED": "1",
            # One thread per model run: a second one makes it slower.
            "OMP_NUM_THREADS": "1",
        }

    def _programs(self, host: str, lock: int) -> list[Program]:
        logs: Path = settings.HOME.logs
        web = [
            "granian", "--interface", "wsgi", "--host", host, "--port", str(settings.PORT),
            "--workers", os.environ.get("WEB_WORKERS", "2"), "--blocking-threads", "4", "--backpressure", "64",
            "--http", "1", "--backlog", "256", "--workers-kill-timeout", "10", "--respawn-failed-workers",
            "--log-level", "warning", "vault.wsgi:application",
        ]  # fmt: skip
        celery = ["celery", "-A", "vault.celery"]
        # One job at a time in the process itself: half the memory of a pool of one, and it stops at once.
        quiet = ["--without-gossip", "--without-mingle", "--without-heartbeat", "-l", "WARNING"]
        worker = ["worker", "--pool=solo", *quiet]
        beat = ["beat", "-l", "WARNING", "--pidfile="]
        # Each ends with this process, however that ends.
        run = [sys.executable, "-m", "vault.lifeline", str(os.getpid()), sys.executable, "-m"]
        later = JOBS_DELAY_SECONDS
        return [
            # The threads of a web process share a pool of connections; the others have one thread each.
            Program("web", [*run, *web], logs / "web.log", {"DATABASE_POOL": "1"}, [lock]),
            Program("worker", [*run, *celery, *worker], logs / "worker.log", {}, [lock], later),
            Program("beat", [*run, *celery, *beat], logs / "beat.log", {}, [lock], later),
        ]

    def _announce(self, first: starting.FirstSecrets | None) -> None:
        self._say(f"Ready. Console: {settings.BASE_URL}/console/   API: {settings.BASE_URL}/api/v1/docs")
        if first is None:
            return
        self._say("\nThis is the first start. What follows is shown once:")
        for role, link in first.sign_in_links.items():
            self._say(f"  console, {role.replace('_', ' ')}:".ljust(30) + link)
        self._say("  token for an agent:".ljust(30) + first.agent_token)
        self._say(f"{'':30}{FIRST_TOKEN_MAY}\n")

    def _say(self, line: str) -> None:
        self.stdout.write(line)
        self.stdout.flush()


def is_ready(address: str) -> bool:
    """Whether the vault's own readiness check says yes."""
    request = urllib.request.Request(f"{address}/readyz")  # noqa: S310 - an address of our own making
    try:
        with urllib.request.urlopen(request, timeout=READY_TIMEOUT_SECONDS) as answer:  # noqa: S310
            return bool(answer.status == 200)
    except (urllib.error.URLError, OSError):
        return False
