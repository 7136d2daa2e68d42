from __future__ import annotations

import base64
import json
import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from audit.offline import read_key
from vault.keys import key_vault
from vault.lifecycle.verify_certificate import (
    CertificateFault,
    read_certificate,
    read_keys,
    verify_certificate,
)


class Command(BaseCommand):
    help = (
        "Check an erasure certificate; exit 1 and name the fault. Without a key, this vault's own are used."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", nargs="?", type=Path, metavar="FILE")
        parser.add_argument("--public-key", type=read_key, action="append", default=[], metavar="ID=BASE64")
        parser.add_argument("--public-keys", type=Path, metavar="FILE", help="a file of pinned keys")
        parser.add_argument(
            "--print-keys", action="store_true", help="print this vault's public keys, to be pinned"
        )
        parser.add_argument("--json", action="store_true", help="print the report as JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["print_keys"]:
            keys = key_vault().signer().public_keys()
            encoded = {key_id: base64.b64encode(key).decode("ascii") for key_id, key in keys.items()}
            self.stdout.write(json.dumps(encoded, indent=2))
            return
        if options["file"] is None:
            raise CommandError("Name the certificate's FILE.")
        try:
            report = verify_certificate(read_certificate(options["file"]), public_keys=_pinned(options))
        except CertificateFault as fault:
            self._fail(fault, as_json=options["json"])
        else:
            self.stdout.write(json.dumps({"ok": True, **report}) if options["json"] else _sentence(report))

    def _fail(self, fault: CertificateFault, *, as_json: bool) -> None:
        if as_json:
            self.stdout.write(
                json.dumps({"ok": False, "fault": {"code": fault.code, "detail": fault.detail}})
            )
        else:
            self.stderr.write(str(fault))
        sys.exit(1)


def _pinned(options: dict[str, Any]) -> dict[str, bytes]:
    pinned = read_keys(options["public_keys"]) if options["public_keys"] else {}
    pinned.update(options["public_key"])
    return pinned or dict(key_vault().signer().public_keys())


def _sentence(report: dict[str, Any]) -> str:
    irrecoverable = report["irrecoverable_at"] or "not claimed"
    return (
        f"The certificate holds: request {report['request']}, {report['erased']} rows erased, none left.\n"
        f"Unreadable since {report['unreadable_at']}, irrecoverable since {irrecoverable}."
    )
