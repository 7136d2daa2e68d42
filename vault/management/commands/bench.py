"""`manage.py bench [--json]`: what a write and a search cost, and where a write's time goes."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from vault.evaluation.bench import ROUNDS, SIZES, bench


class Command(BaseCommand):
    help = "Measure writes and searches at one client, in a scratch vault. Prints figures; there is no pass mark."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--rounds", type=int, default=ROUNDS, help=f"calls of each kind (default {ROUNDS})"
        )
        parser.add_argument(
            "--sizes", default=",".join(map(str, SIZES)), help="memories of the subjects searched"
        )
        parser.add_argument("--json", action="store_true", dest="as_json")

    def handle(self, *, rounds: int, sizes: str, as_json: bool, **_: Any) -> None:
        report = bench(rounds=rounds, sizes=[int(size) for size in sizes.split(",")])
        if as_json:
            self.stdout.write(json.dumps(report))
            return
        machine = report["machine"]
        self.stdout.write(
            f"{report['rounds']} calls of each kind, one client; {machine['cores']} cores, "
            f"load {machine['load_1_min']}, Python {machine['python']}\n\n{'':<34}{'median':>10}{'p95':>10}"
        )
        for name, figure in report["figures"].items():
            self.stdout.write(f"{name:<34}{figure['median_ms']:>7.1f} ms{figure['p95_ms']:>7.1f} ms")
        self.stdout.write("\nratios of medians, measured side by side")
        for name, ratio in report["ratios"].items():
            self.stdout.write(f"{name:<60}{ratio:>6.2f}")
