"""Whom a session or a link is for, when the calling application signed for its subject.

An assertion counts for the agent whose key signed it, and for one purpose: sessions in one namespace, or links. It
names the subject and nothing else; what the caller may do there, its credential says.
"""

from __future__ import annotations

from vault.crypto.assertion import AssertionRefused
from vault.errors import InvalidField
from vault.retrieval.asserted import Asserted, audience_of, read_assertion
from vault.retrieval.scope import GrantedNamespace, Scope

VISITOR_PREFIX = "visitor:"
# In a namespace's policy: a session is for a subject only on an assertion, also one that a link makes the subject's.
POLICY = "asserted_sessions"


def session_audience(namespace: str) -> str:
    """What an assertion that starts a session in this namespace names as its audience."""
    return audience_of(f"/sessions/{namespace}/")


def link_audience() -> str:
    """What an assertion that says who a visitor is names as its audience."""
    return audience_of("/visitor-links/")


def asserted_subject(token: str, *, named: str, audience: str, scope: Scope) -> Asserted:
    """Whom the caller's own application signed for.

    Raises AssertionRefused, and InvalidField when the call names another subject besides.
    """
    asserted = read_assertion(token, audience=audience)
    if asserted.agent_id != scope.agent_id:
        raise AssertionRefused(reason="agent")
    if asserted.subject.startswith(VISITOR_PREFIX):
        # A visitor is known by its cookie alone.
        raise AssertionRefused(reason="subject")
    if named and named != asserted.subject:
        raise InvalidField("The assertion is for another subject.", pointer="/subject")
    return asserted


def require_assertion(place: GrantedNamespace, *, subject: str) -> None:
    """Raise InvalidField for a subject that is only named, where the namespace's policy wants it signed for."""
    if subject and place.policy.get(POLICY) is True:
        raise InvalidField("The namespace takes a subject from an assertion only.", pointer="/assertion")
