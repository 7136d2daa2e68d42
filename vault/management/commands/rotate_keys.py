"""Roll the key epoch."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from dataclasses import asdict
from typing import Any
from uuid import UUID

from django.core.management.base import BaseCommand, CommandError

from vault.errors import NotFound, VaultError
from vault.lifecycle.desk import system_scope
from vault.lifecycle.key_epoch import ask_key_epoch, preview_key_epoch, roll_key_epoch
from vault.models import Approval, ApprovalKind

SCOPE = system_scope("operator")


class Command(BaseCommand):
    help = (
        "Wrap every living key anew and end the epoch before, with it all that was destroyed. File the request with "
        "--ask, let an administrator approve it in the console, and carry it out there or with --approval."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        act = parser.add_mutually_exclusive_group(required=True)
        act.add_argument("--ask", action="store_true", help="file the request for approval")
        act.add_argument("--approval", type=UUID, metavar="ID", help="roll, using this approval up")
        act.add_argument("--dry-run", action="store_true", help="say what would be done, and change nothing")
        parser.add_argument("--reason", default="operator_request", help="a code, for --ask")
        parser.add_argument("--json", action="store_true", help="print one JSON object")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            report = self._report(options)
        except VaultError as refusal:
            raise CommandError(f"{refusal.code}: {refusal.detail}") from None
        if options["json"]:
            self.stdout.write(json.dumps(report, default=str))
        else:
            self.stdout.write("\n".join(f"{name}: {value}" for name, value in report.items()))

    def _report(self, options: dict[str, Any]) -> dict[str, Any]:
        if options["dry_run"]:
            return preview_key_epoch()
        if options["ask"]:
            approval = ask_key_epoch(reason_code=options["reason"], scope=SCOPE)
            return {"approval": str(approval.pk), "status": approval.status}
        found = Approval.objects.filter(pk=options["approval"], kind=ApprovalKind.KEY_EPOCH).first()
        if found is None:
            raise NotFound
        return asdict(roll_key_epoch(approval=found, scope=SCOPE))
