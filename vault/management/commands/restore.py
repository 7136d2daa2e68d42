"""Restore a backup of the data, or put a copy of the keystore in the place of a lost one."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from contextlib import nullcontext
from pathlib import Path
from typing import Any
from uuid import UUID

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from vault import starting
from vault.crypto import restore_keystore
from vault.errors import VaultError
from vault.lifecycle.desk import system_scope
from vault.occupancy import Occupied, occupied
from vault.operations.restore import ask_restore, preview_restore, restore_backup
from vault.operations.staging import holds_a_vault

SCOPE = system_scope("operator")


class Command(BaseCommand):
    help = (
        "Restore a backup under the keys of now: the erased stay erased. Into a vault in use it needs an approval: "
        "file it with --ask, let an administrator approve it in the console, stop the vault, and give its id with "
        "--approval."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, nargs="?", help="the backup")
        parser.add_argument(
            "--ask", action="store_true", help="file the request for approval, and do nothing else"
        )
        parser.add_argument("--approval", type=UUID, metavar="ID", help="the approval to use up")
        parser.add_argument("--reason", default="operator_request", help="a code, for --ask")
        parser.add_argument(
            "--dry-run", action="store_true", help="unpack and look through it, and change nothing"
        )
        parser.add_argument(
            "--accept-lost-entries",
            action="store_true",
            help="go on when the witness file knows a later audit log than the backup's",
        )
        parser.add_argument(
            "--keystore", type=Path, metavar="COPY", help="first put this copy where no keystore is"
        )
        parser.add_argument("--json", action="store_true", help="print one JSON object")

    def handle(self, *args: Any, **options: Any) -> None:
        only_looks = options["ask"] or options["dry_run"]
        try:
            with nullcontext() if only_looks else occupied(settings.HOME, act="restore"):
                report = self._report(options)
        except VaultError as refusal:
            raise CommandError(f"{refusal.code}: {refusal.detail}") from None
        except Occupied as held:
            raise CommandError(str(held)) from None
        except OSError as error:
            raise CommandError(f"The file cannot be read: {error.strerror}.") from None
        if options["json"]:
            self.stdout.write(json.dumps(report))
        else:
            self._tell(report)

    def _report(self, options: dict[str, Any]) -> dict[str, Any]:
        if options["keystore"]:
            restore_keystore(copy=options["keystore"], keystore=settings.KEYSTORE_URL)
        file = options["file"]
        if file is None:
            if options["keystore"]:
                return {"keystore": "restored"}
            raise CommandError("Name the backup, or a copy of the --keystore.")
        if not holds_a_vault():
            starting.migrate()
        if options["ask"]:
            approval = ask_restore(file=file, reason_code=options["reason"], scope=SCOPE)
            return {"approval": str(approval.pk), "status": approval.status}
        if options["dry_run"]:
            return {"dry_run": True, **preview_restore(file=file).as_json()}
        plan = restore_backup(
            file=file,
            approval_id=options["approval"],
            accept_lost_entries=options["accept_lost_entries"],
            scope=SCOPE,
        )
        return {"dry_run": False, **plan.as_json()}

    def _tell(self, report: dict[str, Any]) -> None:
        if "dry_run" in report:
            self.stdout.write("Nothing was changed. It would be:" if report["dry_run"] else "Restored.")
        for name, value in report.items():
            if name != "dry_run":
                self.stdout.write("\n".join(_lines(name, value)))


def _lines(name: str, value: Any) -> list[str]:
    """One fact as people read it: a line, or a head and a line for each part."""
    label = name.replace("_", " ")
    if isinstance(value, dict):
        return [f"{label}:", *(f"  {line}" for part in value.items() for line in _lines(*part))]
    if isinstance(value, bool) or value is None:
        return [f"{label}: {'yes' if value else 'no'}"]
    return [f"{label}: {(', '.join(value) or 'none') if isinstance(value, list | tuple) else value}"]
