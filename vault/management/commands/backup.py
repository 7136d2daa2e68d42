"""Back up data and keys."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from vault.errors import VaultError
from vault.lifecycle.desk import system_scope
from vault.operations.backup import KEEP, Backup, make_backup, preview_backup

SCOPE = system_scope("operator")


class Command(BaseCommand):
    help = "Back up the main database to one sealed file, and the keystore's latest copy to another place."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--to", type=Path, metavar="DIR", help="folder for the data (default: BACKUP_FOLDER)"
        )
        parser.add_argument(
            "--keep", type=int, default=KEEP, metavar="N", help=f"newest to keep (default: {KEEP})"
        )
        parser.add_argument(
            "--dry-run", action="store_true", help="say what would be done, and change nothing"
        )
        parser.add_argument("--json", action="store_true", help="print one JSON object")

    def handle(self, *args: Any, **options: Any) -> None:
        folder = (options["to"] or Path(settings.BACKUP_FOLDER)).expanduser().resolve()
        if options["keep"] < 1:
            raise CommandError("--keep must be 1 or more.")
        try:
            if options["dry_run"]:
                backup = preview_backup(folder=folder, keep=options["keep"])
            else:
                backup = make_backup(folder=folder, keep=options["keep"], scope=SCOPE)
        except VaultError as refusal:
            raise CommandError(f"{refusal.code}: {refusal.detail}") from None
        if options["json"]:
            self.stdout.write(json.dumps({"dry_run": options["dry_run"], **backup.as_json()}))
        else:
            self._tell(backup, dry_run=options["dry_run"])

    def _tell(self, backup: Backup, *, dry_run: bool) -> None:
        self.stdout.write("Nothing was changed. It would write:" if dry_run else "Written:")
        self.stdout.write(f"  data: {backup.file}" + ("" if dry_run else f" ({backup.bytes} bytes)"))
        self.stdout.write(f"  keys: {backup.keystore_copy}, in the place of the copy before")
        rows = sum(backup.manifest.rows.values())
        self.stdout.write(
            f"  {rows} rows in {len(backup.manifest.rows)} tables; audit log of {backup.manifest.audit_size}"
        )
        if backup.sha256:
            self.stdout.write(f"  sha256: {backup.sha256}")
        for name in backup.removed:
            self.stdout.write(f"  removed as too old: {name}")
