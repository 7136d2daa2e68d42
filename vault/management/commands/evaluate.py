"""`manage.py evaluate TASK --data DIR [--json]`: the figures of one task over labelled data.

`evaluate retrieval --tune` fits weights, half-life and coefficients and prints before and after; a policy is written
only with `--write-policy NAMESPACE`, which takes weights and half-life: of statements for facts and lessons, of turns
for events.
"""

from __future__ import annotations

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from vault.embedding import embed
from vault.evaluation import TASKS, task
from vault.evaluation.data import DataMissing
from vault.evaluation.retrieval_in_memory import InMemoryRanker
from vault.evaluation.retrieval_tuning import tune
from vault.lifecycle.desk import system_scope
from vault.lifecycle.retrieval_policy import write_rankings
from vault.models import Namespace
from vault.retrieval.score import Ranking, Weights
from vault.types import Kind

FITTED_ON = {Kind.FACT: "observations", Kind.LESSON: "observations", Kind.EVENT: "turns"}


class Command(BaseCommand):
    help = "Measure one part of the vault on labelled data, with the real pipeline and the default policy."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("task", choices=TASKS)
        parser.add_argument("--data", required=True, type=Path, help="folder with one folder a task")
        parser.add_argument("--large", action="store_true", help="vectors: also a subject of 100,000")
        parser.add_argument(
            "--tune", action="store_true", help="retrieval: fit, by leaving a conversation out"
        )
        parser.add_argument(
            "--write-policy", metavar="NAMESPACE", default="", help="with --tune: keep the fit"
        )
        parser.add_argument("--json", action="store_true", help="print one JSON object")

    def handle(self, *args: Any, **options: Any) -> None:
        _check(options)
        try:
            figures = self._figures(options)
        except DataMissing as missing:
            raise CommandError(f"There is no {missing} in the data folder.") from missing
        self.stdout.write(json.dumps(figures, indent=None if options["json"] else 2, ensure_ascii=False))

    def _figures(self, options: dict[str, Any]) -> dict[str, Any]:
        if options["tune"]:
            found = tune(options["data"], InMemoryRanker(embed))
            if options["write_policy"]:
                _keep(found["fitted"], options["write_policy"])
            return found
        return task(options["task"])(options["data"], **({"large": True} if options["large"] else {}))


def _check(options: dict[str, Any]) -> None:
    """Options that belong to one task alone are refused with another, before anything is measured."""
    if options["large"] and options["task"] != "vectors":
        raise CommandError("--large belongs to the task `vectors`.")
    if options["tune"] and options["task"] != "retrieval":
        raise CommandError("--tune belongs to the task `retrieval`.")
    if options["write_policy"] and not options["tune"]:
        raise CommandError("--write-policy keeps what --tune has found.")
    if options["write_policy"] and not Namespace.objects.filter(name=options["write_policy"]).exists():
        raise CommandError("There is no namespace of that name.")


def _keep(fitted: dict[str, Any], namespace: str) -> None:
    rankings = {
        kind: Ranking(Weights(**fitted[name]["weights"]), fitted[name]["half_life_days"])
        for kind, name in FITTED_ON.items()
    }
    write_rankings(namespace=namespace, rankings=rankings, scope=system_scope("evaluate"))
