"""Register, list or revoke the public key with which an application confirms who is signed in there."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any
from uuid import UUID

from django.core.management.base import BaseCommand, CommandError

from audit.log import Actor
from vault.errors import VaultError
from vault.lifecycle.subject_rights.assertion_keys import list_keys, register_key, revoke_key
from vault.lifecycle.subject_rights.proofs import audience
from vault.models import AssertionKey
from vault.sessions.identity import link_audience, session_audience

ACTOR = Actor("system", "assertion_key")


class Command(BaseCommand):
    help = "Keys of applications that sign who somebody is: for the public page, sessions, links. Public half only."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--agent", help="register a key for this agent")
        parser.add_argument("--public-key", help="a PEM file, or base64 of the 32 bytes")
        parser.add_argument("--revoke", type=UUID, metavar="ID")
        parser.add_argument("--json", action="store_true", dest="as_json")

    def handle(
        self, *, agent: str | None, public_key: str | None, revoke: UUID | None, as_json: bool, **_: Any
    ) -> None:
        try:
            keys = _run(agent, public_key, revoke)
        except VaultError as refusal:
            raise CommandError(refusal.detail) from None
        shown = [_facts(key) for key in keys]
        if as_json:
            self.stdout.write(json.dumps({"audience": audience(), "audiences": _audiences(), "keys": shown}))
            return
        for use, name in _audiences().items():
            self.stdout.write(f"audience  {name}  ({use})")
        for facts in shown:
            self.stdout.write(f"{facts['kid']}  {facts['agent']}{'  revoked' if facts['revoked'] else ''}")


def _run(agent: str | None, public_key: str | None, revoke: UUID | None) -> tuple[AssertionKey, ...]:
    if revoke is not None:
        revoke_key(key_id=revoke, actor=ACTOR)
    elif agent and public_key:
        path = Path(public_key)
        text = path.read_text(encoding="utf-8") if path.is_file() else public_key
        return (register_key(agent=agent, public_key=text, actor=ACTOR),)
    elif agent or public_key:
        raise CommandError("Give both --agent and --public-key.")
    return list_keys()


def _audiences() -> dict[str, str]:
    """What an assertion names as its audience, by what it is for."""
    return {
        "privacy": audience(),
        "sessions": session_audience("NAMESPACE"),
        "visitor_links": link_audience(),
    }


def _facts(key: AssertionKey) -> dict[str, Any]:
    return {"kid": str(key.pk), "agent": key.agent.name, "revoked": key.revoked_at is not None}
