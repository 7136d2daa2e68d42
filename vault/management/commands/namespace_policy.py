"""See and set the policy of a namespace, for the operator at the machine."""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from vault.errors import InvalidField, VaultError
from vault.lifecycle.desk import system_scope
from vault.lifecycle.namespaces.changing import change_policy
from vault.lifecycle.namespaces.creating import create_namespace, seal_namespace
from vault.lifecycle.namespaces.document import check_document, parse_document
from vault.lifecycle.namespaces.keeping import find_namespace
from vault.management.known_namespaces import require_namespace
from vault.models import Namespace

SCOPE = system_scope("operator")
STANDARD_INPUT = "-"


class Command(BaseCommand):
    help = (
        "Print a namespace's policy, or set it with --set FILE (- reads standard input) and --reason. Whoever runs it "
        "owns the machine, so that a policy that lets through more than before needs no second person here; the entry "
        "in the audit log says that the system did it, and what it loosened stands in the answer."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("name", metavar="NAME")
        parser.add_argument("--set", metavar="FILE", dest="file", help="the whole policy as JSON")
        parser.add_argument("--purpose", help="what the namespace is for")
        parser.add_argument("--reason", default="", help="why, in clear: it names no person")
        parser.add_argument("--create", action="store_true", help="make the namespace first")
        parser.add_argument(
            "--sealed",
            action="store_true",
            help="hold no vector outside the ciphertext; removes those that are there, and has no way back",
        )
        parser.add_argument("--json", action="store_true", dest="as_json", help="print one JSON object")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            report = _report(options)
        except InvalidField as refusal:
            where = refusal.facts.get("pointer", "")
            raise CommandError(f"{refusal.code}: {refusal.detail} ({where})") from None
        except VaultError as refusal:
            raise CommandError(f"{refusal.code}: {refusal.detail}") from None
        if options["as_json"]:
            self.stdout.write(json.dumps(report))
            return
        for name, value in report.items():
            self.stdout.write(f"{name}: {json.dumps(value, indent=2) if name == 'policy' else value}")


def _report(options: dict[str, Any]) -> dict[str, Any]:
    """Do what was asked, in the order create, set, seal, and say what stands."""
    name, reason, purpose = options["name"], options["reason"], options["purpose"]
    if not options["create"]:
        require_namespace(name)
    # Read before anything is made: a file that is no policy leaves no new namespace behind.
    policy = None if options["file"] is None else parse_document(_read(options["file"]))
    if policy is not None:
        check_document(policy)
    if options["create"]:
        create_namespace(
            name=name, purpose=purpose or "", sealed=options["sealed"], reason=reason, scope=SCOPE
        )
    row = find_namespace(name)
    done: dict[str, Any] = {}
    if policy is not None or (purpose is not None and not options["create"]):
        change = change_policy(
            namespace=name,
            policy=row.policy if policy is None else policy,
            purpose=purpose,
            expected_version=row.policy_version,
            reason=reason,
            scope=SCOPE,
        )
        done["loosened"] = list(change.loosened)
    if options["sealed"] and not options["create"]:
        done["vectors_removed"] = seal_namespace(namespace=name, reason=reason, scope=SCOPE)
    return {**_facts(find_namespace(name)), **done}


def _facts(row: Namespace) -> dict[str, Any]:
    return {
        "name": row.name,
        "purpose": row.purpose,
        "sealed": row.sealed,
        "version": row.policy_version,
        "policy": row.policy,
    }


def _read(file: str) -> str:
    try:
        return sys.stdin.read() if file == STANDARD_INPUT else Path(file).read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise CommandError("The file is not UTF-8.") from None
    except OSError as fault:
        raise CommandError(f"The file cannot be read: {fault.strerror}.") from None
