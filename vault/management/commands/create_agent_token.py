"""Make a credential for an agent on a namespace, and show it once."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from typing import Any

from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError
from django.core.validators import validate_slug

from audit.log import Actor
from vault.lifecycle.tokens import create_agent, issue_agent_token
from vault.retrieval.scope import Right
from vault.types import Trust


class Command(BaseCommand):
    help = "Make an agent token; the agent and the namespace are made if they are new."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--agent", required=True)
        parser.add_argument("--namespace", default="default")
        parser.add_argument("--scopes", default="memory:read,memory:write", help="comma-separated")
        parser.add_argument(
            "--max-trust", default=Trust.STATED.value, choices=[level.value for level in Trust]
        )
        parser.add_argument("--json", action="store_true", dest="as_json")

    def handle(
        self, *, agent: str, namespace: str, scopes: str, max_trust: str, as_json: bool, **_: Any
    ) -> None:
        for name in (agent, namespace):
            try:
                validate_slug(name)
            except ValidationError:
                raise CommandError("Names are letters, digits, hyphens and underscores.") from None
        actor = Actor("system", "create_agent_token")
        token = issue_agent_token(
            agent=create_agent(name=agent, actor=actor),
            namespace=namespace,
            scopes=_rights(scopes),
            max_trust=Trust(max_trust),
            actor=actor,
        )
        self.stdout.write(json.dumps({"token": token}) if as_json else token)


def _rights(words: str) -> list[Right]:
    known = {right.value for right in Right}
    given = [word.strip() for word in words.split(",") if word.strip()]
    unknown = [word for word in given if word not in known]
    if unknown or not given:
        raise CommandError(f"Scopes are: {', '.join(sorted(known))}")
    return [Right(word) for word in given]
