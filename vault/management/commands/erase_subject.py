from __future__ import annotations

import json
from argparse import ArgumentParser
from typing import Any
from uuid import UUID

from django.core.management.base import BaseCommand, CommandError

from vault.errors import VaultError
from vault.lifecycle.desk import system_scope
from vault.lifecycle.erasure import get_request, preview_erasure, request_erasure
from vault.lifecycle.erasure_run import execute_erasure

SCOPE = system_scope("operator")


class Command(BaseCommand):
    help = (
        "Ask for the erasure of a subject. Staff verify the request and approve it in the console; "
        "--execute then runs it here, or goes on with one that stopped."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("subject", nargs="?", help="the caller's own id of the subject")
        parser.add_argument("--reason", default="operator_request", help="a code, such as withdrawn_consent")
        parser.add_argument("--dry-run", action="store_true", help="count what would go, and change nothing")
        parser.add_argument(
            "--execute", type=UUID, metavar="REQUEST", help="run an approved request without a worker"
        )
        parser.add_argument("--json", action="store_true", help="print the report as JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            report = self._report(options)
        except VaultError as refusal:
            raise CommandError(f"{refusal.code}: {refusal.detail}") from None
        if options["json"]:
            self.stdout.write(json.dumps(report))
        else:
            self.stdout.write("\n".join(f"{name}: {value}" for name, value in report.items()))

    def _report(self, options: dict[str, Any]) -> dict[str, Any]:
        if options["execute"]:
            execute_erasure(options["execute"])
            request = get_request(request_id=options["execute"], scope=SCOPE)
            return {"request": str(request.pk), "status": request.status}
        if not options["subject"]:
            raise CommandError("Name the subject, or a request to --execute.")
        if options["dry_run"]:
            return preview_erasure(subject=options["subject"], scope=SCOPE)
        request = request_erasure(subject=options["subject"], reason_code=options["reason"], scope=SCOPE)
        return {"request": str(request.pk), "status": request.status}
