"""Who acts in the demo: agents with credentials of their own, and the person who approves an erasure."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from io import StringIO
from uuid import UUID

from django.core.management import call_command

from audit.log import Actor
from vault.keys import key_vault
from vault.lifecycle.erasure import approve_erasure, verify_request
from vault.lifecycle.registers import suspend_grant
from vault.lifecycle.tokens import create_agent, issue_agent_token
from vault.models import Grant, Namespace, Role, SignInLink, StaffUser
from vault.retrieval.scope import GrantedNamespace, Right, Scope
from vault.types import Trust

NAMESPACE = "demo"
AGENT = "demo-agent"
OFFICER = "demo-officer@vault.example"
RIGHTS = (
    Right.MEMORY_READ,
    Right.MEMORY_WRITE,
    Right.MEMORY_IMPORT,
    Right.SUBJECT_ERASE,
    Right.TOKEN_ISSUE,
)
OPERATOR = Actor("system", "demo")


@contextmanager
def demo_token() -> Iterator[str]:
    """A credential for the demo's namespace; when the block ends its grant is suspended, so it opens nothing."""
    agent = create_agent(name=AGENT, actor=OPERATOR)
    token = issue_agent_token(
        agent=agent, namespace=NAMESPACE, scopes=RIGHTS, max_trust=Trust.STATED, actor=OPERATOR
    )
    try:
        yield token
    finally:
        granted = Grant.objects.get(agent=agent, namespace__name=NAMESPACE)
        suspend_grant(grant_id=granted.pk, scope=_officer_scope())


def public_keys() -> dict[str, bytes]:
    """The keys that an outsider would have pinned before."""
    return dict(key_vault().signer().public_keys())


def approve(request_id: UUID) -> None:
    """The second person: verifies that the request is the subject's own, and approves it."""
    scope = _officer_scope()
    verify_request(request_id=request_id, scope=scope)
    approve_erasure(request_id=request_id, scope=scope)


def _officer_scope() -> Scope:
    """The scope that the console would give the demo's privacy officer."""
    officer = _officer()
    place = Namespace.objects.get(name=NAMESPACE)
    rights = frozenset({Right.MEMORY_READ, Right.SUBJECT_ERASE})
    seen = GrantedNamespace(place.pk, place.name, rights, Trust.VERIFIED, place.sealed, place.policy)
    return Scope(actor=Actor("staff", str(officer.pk)), namespaces=(seen,), everything=True)


def _officer() -> StaffUser:
    """A privacy officer who exists for the demo alone: without a password and without a link, nobody signs in."""
    found = StaffUser.objects.filter(email=OFFICER).first()
    if found is None:
        call_command("create_staff", email=OFFICER, role=Role.PRIVACY_OFFICER.value, stdout=StringIO())
        found = StaffUser.objects.get(email=OFFICER)
        SignInLink.objects.filter(staff=found).delete()
    return found
