from __future__ import annotations

import json
import sys
from argparse import ArgumentParser
from datetime import timedelta
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand

from audit.configured import configured_signer, configured_witness
from audit.faults import AuditError
from audit.offline import read_key
from audit.verify import UNSEALED_AFTER, verify_log


class Command(BaseCommand):
    help = "Check the whole audit log; exit 1 and name the first entry that was altered, lost or moved."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--json", action="store_true", help="print one JSON object")
        parser.add_argument("--witness", type=Path, help="witness file (default: the configured one)")
        parser.add_argument(
            "--key",
            type=read_key,
            action="append",
            help="trust only this public key, ID=BASE64; may be repeated (default: the configured signer's)",
        )
        parser.add_argument(
            "--unsealed-minutes",
            type=int,
            default=int(UNSEALED_AFTER.total_seconds() // 60),
            help="how long an entry may wait to be sealed",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            report = verify_log(
                public_keys=dict(options["key"]) if options["key"] else configured_signer().public_keys(),
                witness=options["witness"] or configured_witness(),
                unsealed_after=timedelta(minutes=options["unsealed_minutes"]),
            )
        except AuditError as fault:
            self._say_fault(fault, as_json=options["json"])
            sys.exit(1)
        if options["json"]:
            self.stdout.write(json.dumps({"ok": True, **report.as_json()}))
        else:
            self.stdout.write(
                f"The log is whole: {report.size} entries under {report.checkpoints} checkpoints, "
                f"{report.witnessed} witnessed, {report.waiting} waiting to be sealed. Root {report.root}"
            )

    def _say_fault(self, fault: AuditError, *, as_json: bool) -> None:
        if as_json:
            self.stdout.write(json.dumps({"ok": False, "fault": fault.as_json()}))
            return
        place = ""
        if fault.seq is not None:
            place = f" at entry {fault.seq}" if fault.last == fault.seq else f" in {fault.seq}..{fault.last}"
        self.stdout.write(f"FAULT {fault.code}{place}: {fault.detail}")
