from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from audit.export import export_log
from audit.faults import AuditError
from audit.proofs import NotProvableError


class Command(BaseCommand):
    help = "Write the sealed log and its signed checkpoint to two files for `python -m audit.offline log`."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("log", type=Path)
        parser.add_argument("checkpoint", type=Path)

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            head = export_log(log=options["log"], checkpoint=options["checkpoint"])
        except NotProvableError:
            raise CommandError("No checkpoint has been signed yet.") from None
        except AuditError as fault:
            raise CommandError(str(fault)) from None
        self.stdout.write(f"{head.size} entries written.")
