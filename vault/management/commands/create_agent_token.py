"""Make a credential for an agent on a namespace, and show it once."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from typing import Any

from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError
from django.core.validators import validate_slug

from audit.log import Actor
from vault.errors import InvalidField
from vault.lifecycle.desk import system_scope
from vault.lifecycle.namespaces.creating import create_namespace
from vault.lifecycle.tokens import create_agent, issue_agent_token
from vault.management.known_namespaces import require_namespace
from vault.models import Namespace
from vault.retrieval.scope import Right
from vault.types import Trust

ACTOR = Actor("system", "create_agent_token")
REASON = "Made together with a credential for an agent."


class Command(BaseCommand):
    help = "Make an agent token; the agent is made if it is new, the namespace only with --new-namespace."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--agent", required=True)
        parser.add_argument("--namespace", default="default", help="one that there is (default: default)")
        parser.add_argument(
            "--new-namespace", action="store_true", help="make the namespace if there is none of this name"
        )
        parser.add_argument("--scopes", default="memory:read,memory:write", help="comma-separated")
        parser.add_argument(
            "--max-trust", default=Trust.STATED.value, choices=[level.value for level in Trust]
        )
        parser.add_argument("--json", action="store_true", dest="as_json")

    def handle(
        self,
        *,
        agent: str,
        namespace: str,
        new_namespace: bool,
        scopes: str,
        max_trust: str,
        as_json: bool,
        **_: Any,
    ) -> None:
        for name in (agent, namespace):
            try:
                validate_slug(name)
            except ValidationError:
                raise CommandError("Names are letters, digits, hyphens and underscores.") from None
        # Whatever is wrong is told before anything is made.
        rights = _rights(scopes)
        if new_namespace:
            self._make(namespace)
        require_namespace(namespace)
        token = issue_agent_token(
            agent=create_agent(name=agent, actor=ACTOR),
            namespace=namespace,
            scopes=rights,
            max_trust=Trust(max_trust),
            actor=ACTOR,
        )
        self.stdout.write(json.dumps({"token": token}) if as_json else token)

    def _make(self, name: str) -> None:
        if Namespace.objects.filter(name=name).exists():
            return
        try:
            create_namespace(
                name=name, purpose="", sealed=False, reason=REASON, scope=system_scope("create_agent_token")
            )
        except InvalidField as refusal:
            raise CommandError(refusal.detail) from None
        # The credential alone goes to the standard output.
        self.stderr.write(f"Made the namespace {name}; it follows the default policy.")


def _rights(words: str) -> list[Right]:
    known = {right.value for right in Right}
    given = [word.strip() for word in words.split(",") if word.strip()]
    unknown = [word for word in given if word not in known]
    if unknown or not given:
        raise CommandError(f"Scopes are: {', '.join(sorted(known))}")
    return [Right(word) for word in given]
