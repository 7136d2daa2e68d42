from __future__ import annotations

import json
import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from vault.lifecycle.integrity import RowFault, verify_memories


class Command(BaseCommand):
    help = "Open every sealed row of every subject; exit 1 and name the first that is not what was stored."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--json", action="store_true", help="print the report as JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        report = {"subjects": 0, "memories": 0, "versions": 0, "quarantined": 0, "sessions": 0, "turns": 0}
        try:
            for checked in verify_memories():
                report["subjects"] += 1
                report["memories"] += checked.memories
                report["versions"] += checked.versions
                report["quarantined"] += checked.quarantined
                report["sessions"] += checked.sessions
                report["turns"] += checked.turns
        except RowFault as fault:
            self._fail(fault, as_json=options["json"])
        if options["json"]:
            self.stdout.write(json.dumps({"ok": True, **report}))
        else:
            self.stdout.write(
                "All rows are what was stored: " + ", ".join(f"{v} {k}" for k, v in report.items())
            )

    def _fail(self, fault: RowFault, *, as_json: bool) -> None:
        found = {"reason": fault.reason, "subject": str(fault.subject), "row": str(fault.row or "")}
        if as_json:
            self.stdout.write(json.dumps({"ok": False, "fault": found}))
        else:
            self.stderr.write(f"{fault.reason}: subject {fault.subject}, row {fault.row or '-'}")
        sys.exit(1)
