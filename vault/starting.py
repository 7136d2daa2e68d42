"""What a vault needs before it can serve: keys, a migrated database, and on the first day a way in."""

from __future__ import annotations

import json
from dataclasses import dataclass
from io import StringIO
from pathlib import Path

from django.conf import settings
from django.core.management import call_command
from django.db import connections
from django.db.migrations.executor import MigrationExecutor

from audit.log import Actor
from vault.crypto import FileRootKey, open_vault
from vault.database import OWNER, grant_runtime_rights
from vault.lifecycle.tokens import create_agent, issue_agent_token
from vault.models import AgentToken, StaffUser
from vault.retrieval.scope import Right
from vault.types import Trust

# Two people from the first day: one who runs the vault, and one who may read what is in it.
FIRST_STAFF = {
    "privacy_officer": "privacy-officer@vault.example",
    "administrator": "administrator@vault.example",
}
FIRST_AGENT = "first-agent"
# Not verified: what claims to come from a system of record would pass review then.
FIRST_TRUST = Trust.STATED
DEFAULT_NAMESPACE = "default"


@dataclass(frozen=True, slots=True)
class FirstSecrets:
    """Shown once, on the first start, and kept nowhere."""

    sign_in_links: dict[str, str]
    agent_token: str


def ensure_keys() -> None:
    """Open the keystore, making root key and keystore on the first start."""
    root = FileRootKey(Path(settings.ROOT_KEY_FILE), create=True)
    open_vault(keystore=settings.KEYSTORE_URL, root=root, create=True).close()


def migrate() -> None:
    """Bring the schema up to date as its owner; when it is, only the rights are looked after."""
    executor = MigrationExecutor(connections[OWNER])
    if executor.migration_plan(executor.loader.graph.leaf_nodes()):
        call_command("migrate", database=OWNER, verbosity=0, interactive=False)
    else:
        grant_runtime_rights()
    connections[OWNER].close()


def first_secrets() -> FirstSecrets | None:
    """Sign-in links and an agent token for a vault that nobody can enter yet; None for any other."""
    if StaffUser.objects.exists() or AgentToken.objects.exists():
        return None
    links = {role: _invite(email, role) for role, email in FIRST_STAFF.items()}
    actor = Actor("system", "first_start")
    token = issue_agent_token(
        agent=create_agent(name=FIRST_AGENT, actor=actor),
        namespace=DEFAULT_NAMESPACE,
        scopes=list(Right),
        max_trust=FIRST_TRUST,
        actor=actor,
    )
    return FirstSecrets(links, token)


def _invite(email: str, role: str) -> str:
    answer = StringIO()
    call_command("create_staff", email=email, role=role, as_json=True, stdout=answer)
    return str(json.loads(answer.getvalue())["link"])
