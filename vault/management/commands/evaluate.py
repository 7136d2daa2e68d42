"""`manage.py evaluate TASK --data DIR [--json]`: the figures of one task over labelled data."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from vault.evaluation import TASKS, task
from vault.evaluation.data import DataMissing


class Command(BaseCommand):
    help = "Measure one part of the vault on labelled data, with the real pipeline and the default policy."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("task", choices=TASKS)
        parser.add_argument("--data", required=True, type=Path, help="folder with one folder a task")
        parser.add_argument("--large", action="store_true", help="vectors: also a subject of 100,000")
        parser.add_argument("--json", action="store_true", help="print one JSON object")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            figures = task(options["task"])(options["data"], **self._asked(options))
        except DataMissing as missing:
            raise CommandError(f"There is no {missing} in the data folder.") from missing
        self.stdout.write(json.dumps(figures, indent=None if options["json"] else 2, ensure_ascii=False))

    def _asked(self, options: dict[str, Any]) -> dict[str, bool]:
        """The options that belong to one task alone."""
        if not options["large"]:
            return {}
        if options["task"] != "vectors":
            raise CommandError("--large belongs to the task `vectors`.")
        return {"large": True}
