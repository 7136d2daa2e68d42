"""Every route of the API against every kind of caller: a route without a row here fails the first test."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.test import Client
from django.urls import URLPattern
from django.utils import timezone

from tests.api.callers import EVERY_RIGHT, Caller, token_for
from tests.api.erasing import ask
from tests.console.people import at_the_console
from tests.factories import make_memory, make_quarantined_write, make_scope, make_subject
from vault.api import urls
from vault.api.views.documents import openapi_document
from vault.lifecycle.access_export import request_export
from vault.models import Agent, Role
from vault.retrieval.scope import Right

pytestmark = pytest.mark.django_db

OPEN_TO_ALL = {"openapi", "api-docs"}
AGENT = "support-bot"
SUBJECT = "S1"
FOREIGN = 404
KEPT = b"opens at six"
Place = dict[str, str]
# Stands for a visitor that the world makes.
VISITOR = "a visitor"
# Who a visitor turns out to be: somebody whose erasure nobody has asked for, which would stop a link.
MET = "S3"


@dataclass(frozen=True)
class Row:
    """One call. `right` is what it needs, None for any credential. Names in a path stand for what was made.

    `foreign` is what a token of another namespace gets, `bound` one that is bound to another subject: 404 wherever the
    call names something of somebody else; where it names nothing, they are served what is their own.
    """

    right: Right | None
    good: set[int]
    body: Any = None
    foreign: set[int] = field(default_factory=lambda: {FOREIGN})
    bound: set[int] = field(default_factory=lambda: {FOREIGN})
    headers: dict[str, str] = field(default_factory=dict)
    query: str = ""


SEARCH = {"subject": SUBJECT, "query": "when does the depot open"}
WRITE = {"subject": SUBJECT, "text": "The yard opens at nine."}
MATCH_1 = {"If_Match": '"v1"'}
# The rights that no subject token carries.
REFUSED = {403}
ROWS: dict[tuple[str, str], Row] = {
    ("post", "memories"): Row(Right.MEMORY_WRITE, {201, 200}, WRITE, foreign={201}),
    ("get", "memories"): Row(Right.MEMORY_READ, {200}, query=f"?subject={SUBJECT}"),
    ("post", "batch"): Row(Right.MEMORY_WRITE, {200}, {"memories": [WRITE]}, foreign={200}, bound={200}),
    ("post", "search"): Row(Right.MEMORY_READ, {200}, SEARCH),
    ("post", "context"): Row(Right.MEMORY_READ, {200}, SEARCH),
    ("post", "forget-matching"): Row(
        Right.MEMORY_WRITE, {200}, {"subject": SUBJECT, "session": str(uuid4())}
    ),
    ("get", "memory"): Row(Right.MEMORY_READ, {200}),
    ("patch", "memory"): Row(Right.MEMORY_WRITE, {200}, {"importance": 0.7}, headers=MATCH_1),
    ("delete", "memory"): Row(Right.MEMORY_WRITE, {200}, headers=MATCH_1),
    ("post", "restore"): Row(Right.MEMORY_WRITE, {409}, {}),
    ("post", "feedback"): Row(Right.MEMORY_READ, {200}, {"useful": True}),
    ("get", "versions"): Row(Right.MEMORY_READ, {200}),
    ("post", "rollback"): Row(Right.MEMORY_WRITE, {404}, {"version": 7, "reason": "x"}, headers=MATCH_1),
    ("post", "sessions"): Row(Right.SESSION_WRITE, {201}, {"subject": SUBJECT}, foreign={201}),
    ("get", "session"): Row(Right.SESSION_READ, {200}),
    ("post", "turns"): Row(Right.SESSION_WRITE, {201}, {"role": "user", "text": "The yard opens at nine."}),
    ("get", "turns"): Row(Right.SESSION_READ, {200}),
    ("delete", "turn"): Row(Right.SESSION_WRITE, {204}),
    ("get", "window"): Row(Right.SESSION_READ, {200}),
    ("post", "window"): Row(Right.SESSION_READ, {200}, {"query": "opening hours"}),
    ("post", "end"): Row(Right.SESSION_WRITE, {200}, {}),
    ("post", "visitor-links"): Row(
        Right.TOKEN_ISSUE, {201}, {"visitor": VISITOR, "subject": MET}, foreign={404}, bound=REFUSED
    ),
    ("delete", "visitor-link"): Row(Right.TOKEN_ISSUE, {204}, bound=REFUSED),
    ("post", "subject-tokens"): Row(
        Right.TOKEN_ISSUE, {201}, {"subject": SUBJECT, "scopes": ["memory:read"], "ttl_seconds": 60},
        foreign={201}, bound=REFUSED,
    ),
    ("get", "subject"): Row(Right.MEMORY_READ, {200}),
    ("get", "subject-export"): Row(Right.MEMORY_READ, {404}),
    ("post", "subject-export"): Row(Right.SUBJECT_EXPORT, {202}, {}),
    ("get", "contact"): Row(Right.MEMORY_READ, {404}),
    ("put", "contact"): Row(Right.SUBJECT_EXPORT, {204}, {"email": "anna@example.com"}, bound=REFUSED),
    ("delete", "contact"): Row(Right.SUBJECT_EXPORT, {204}, bound=REFUSED),
    ("get", "export"): Row(Right.SUBJECT_EXPORT, {200}),
    ("get", "export-file"): Row(Right.SUBJECT_EXPORT, {409}),
    ("post", "erasure-requests"): Row(
        Right.SUBJECT_ERASE, {201}, {"subject": SUBJECT, "reason": "withdrawn"}
    ),
    ("get", "erasure-request"): Row(Right.SUBJECT_ERASE, {200}),
    ("get", "certificate"): Row(Right.SUBJECT_ERASE, {409}),
    ("get", "quarantine"): Row(Right.MEMORY_WRITE, {200}),
    ("get", "audit-checkpoint"): Row(Right.AUDIT_READ, {200, 404}, foreign={200, 404}, bound=REFUSED),
    ("get", "audit-proof"): Row(Right.AUDIT_READ, {404}, bound=REFUSED),
}  # fmt: skip
PATTERNS: dict[str, URLPattern] = {str(p.name): p for p in urls.urlpatterns if isinstance(p, URLPattern)}


def methods_of(pattern: URLPattern) -> set[str]:
    view = pattern.callback.view_class  # type: ignore[attr-defined]
    return {name for name in ("get", "post", "put", "patch", "delete") if hasattr(view, name)}


def every_route() -> set[tuple[str, str]]:
    return {
        (method, name)
        for name, pattern in PATTERNS.items()
        if name not in OPEN_TO_ALL
        for method in methods_of(pattern)
    }


@dataclass
class World:
    """What the calls name: an agent with every right, and rows of its own on one subject."""

    agent: Caller
    places: Place

    def call(self, caller: Callable[..., Any], key: tuple[str, str], row: Row | None = None) -> Any:
        method, name = key
        row = row or ROWS[key]
        body = row.body
        if isinstance(body, dict) and body.get("visitor") == VISITOR:
            body = {**body, "visitor": self.places["visitor"]}
        return caller(method, self.path(name) + row.query, body, row.headers)

    def path(self, name: str) -> str:
        path = "/" + str(PATTERNS[name].pattern)
        for argument, value in self.places.items():
            for kind in ("uuid", "path", "int"):
                path = path.replace(f"<{kind}:{argument}>", value)
        assert "<" not in path, f"{path}: name what stands for its argument in `world`"
        return path


@pytest.fixture
def world() -> World:
    agent = Caller(token_for(AGENT))
    row = Agent.objects.get(name=AGENT)
    subject = make_subject(SUBJECT)
    make_subject("S2")
    make_subject(MET)
    memory = make_memory("The depot opens at six.", subject=subject, agent_id=row.pk).row
    write = make_quarantined_write(subject=subject, agent_id=row.pk)
    export = request_export(
        subject_id=subject.pk, reason_code="access_request", scope=make_scope(agent=AGENT)
    )
    linked, visitor = (agent.post("/sessions", {}).json()["visitor"] for _ in range(2))
    link = agent.post("/visitor-links", {"visitor": linked, "subject": MET}).json()["id"]
    erasure = ask(agent, SUBJECT).json()["id"]
    session = agent.post("/sessions", {"subject": SUBJECT}).json()["id"]
    agent.post(f"/sessions/{session}/turns", {"role": "user", "text": "The depot opens at six."})
    places = {
        "memory_id": str(memory.pk), "write_id": str(write.pk), "subject": SUBJECT, "request_id": erasure,
        "export_id": str(export.pk), "session_id": session, "seq": str(10**9), "number": "1",
        "link_id": link, "visitor": visitor,
    }  # fmt: skip
    return World(agent, places)


def by(caller: Caller) -> Callable[..., Any]:
    return lambda method, path, body, headers: caller.call(method, path, body, **headers)


def with_cookie(client: Client) -> Callable[..., Any]:
    """A browser in which staff have signed in: no token, only the console's cookie."""

    def call(method: str, path: str, body: Any, headers: dict[str, str]) -> Any:
        raw = {} if body is None else {"data": body, "content_type": "application/json"}
        return getattr(client, method)("/api/v1" + path, headers={}, **raw)

    return call


def bound_to(agent: Caller, subject: str, rights: list[str]) -> Caller:
    issue = {"subject": subject, "scopes": rights, "ttl_seconds": 600}
    response = agent.post("/subject-tokens", issue)
    assert response.status_code == 201, response.content
    return Caller(response.json()["token"])


def test_every_route_has_a_row_and_every_row_a_route():
    assert every_route() == set(ROWS)


def test_every_documented_operation_is_a_route_of_the_matrix():
    documented = {
        (method, path.removeprefix("/api/v1/"))
        for path, operations in openapi_document()["paths"].items()
        for method in operations
    }
    routes = {
        (method, str(PATTERNS[name].pattern).replace("uuid:", "").replace("path:", "").replace("int:", ""))
        for method, name in ROWS
    }

    assert documented <= {(method, path.replace("<", "{").replace(">", "}")) for method, path in routes}


@pytest.mark.parametrize("key", sorted(ROWS), ids=" ".join)
def test_the_right_token_is_answered(key, world):
    answer = world.call(by(world.agent), key)

    assert answer.status_code in ROWS[key].good, answer.content


# What is refused changes nothing: all routes are asked in one world.
@pytest.mark.parametrize(
    "token", ["", "mv_" + "x" * 43, "mvs_" + "x" * 43], ids=["none", "bad", "bad subject token"]
)
def test_without_a_token_that_is_known_there_is_nothing(token, world, subtests):
    for key in sorted(ROWS):
        with subtests.test(key=key):
            answer = world.call(by(Caller(token)), key)

            assert (answer.status_code, answer.json()["code"]) == (401, "unauthenticated")


def test_a_suspended_agent_is_nobody(world, subtests):
    Agent.objects.filter(name=AGENT).update(suspended_at=timezone.now())

    for key in sorted(ROWS):
        with subtests.test(key=key):
            assert world.call(by(world.agent), key).status_code == 401


def test_a_staff_session_is_no_credential_here(world, subtests):
    browser = with_cookie(at_the_console(Role.PRIVACY_OFFICER))

    for key in sorted(ROWS):
        with subtests.test(key=key):
            assert world.call(browser, key).status_code == 401


@pytest.mark.parametrize("right", Right, ids=lambda right: right.value)
def test_a_token_without_the_scope_is_refused(right, world, subtests):
    caller = Caller(token_for("without", scopes=[other for other in EVERY_RIGHT if other is not right]))

    for key in sorted(key for key, row in ROWS.items() if row.right is right):
        with subtests.test(key=key):
            answer = world.call(by(caller), key)

            assert (answer.status_code, answer.json()["code"]) == (403, "scope_missing"), answer.content


@pytest.mark.parametrize("key", sorted(ROWS), ids=" ".join)
def test_a_token_of_another_namespace_gets_nothing_of_this_one(key, world):
    answer = world.call(by(Caller(token_for("stranger", "elsewhere"))), key)

    assert answer.status_code in ROWS[key].foreign, answer.content
    assert KEPT not in answer.content


@pytest.mark.parametrize("key", sorted(ROWS), ids=" ".join)
def test_a_token_bound_to_another_subject_gets_nothing_of_this_one(key, world):
    rights = [
        r.value for r in EVERY_RIGHT if r not in (Right.TOKEN_ISSUE, Right.AUDIT_READ, Right.MEMORY_IMPORT)
    ]
    caller = bound_to(world.agent, "S2", rights)

    answer = world.call(by(caller), key)

    assert answer.status_code in ROWS[key].bound, answer.content
    assert KEPT not in answer.content
    if key == ("post", "batch"):
        assert [result["status"] for result in answer.json()["results"]] == [FOREIGN]


@pytest.mark.parametrize("name", sorted(OPEN_TO_ALL))
def test_the_contract_itself_is_open(name, world):
    assert Caller("").get(world.path(name)).status_code == 200


@pytest.mark.parametrize(
    "key",
    [
        ("get", "memories"),
        ("post", "search"),
        ("post", "context"),
        ("post", "forget-matching"),
        ("get", "subject"),
        ("post", "subject-export"),
        ("put", "contact"),
        ("post", "erasure-requests"),
    ],
    ids=" ".join,
)
def test_a_subject_of_another_namespace_is_answered_as_one_that_nobody_knows(key, world):
    stranger = by(Caller(token_for("stranger", "elsewhere")))
    foreign = world.call(stranger, key)
    row = ROWS[key]
    unknown = replace(
        row,
        body={**row.body, "subject": "nobody"} if row.body and "subject" in row.body else row.body,
        query=row.query.replace(SUBJECT, "nobody"),
    )

    absent = World(world.agent, {**world.places, "subject": "nobody"}).call(stranger, key, unknown)

    assert (foreign.status_code, foreign.content) == (FOREIGN, absent.content)


def test_ids_that_nobody_has_are_answered_as_those_of_others(world):
    nobody = {
        **world.places,
        **{name: str(UUID(int=9)) for name in ("memory_id", "write_id", "request_id", "export_id")},
    }
    stranger = by(Caller(token_for("stranger", "elsewhere")))
    for key in (
        ("get", "memory"),
        ("get", "versions"),
        ("get", "export"),
        ("get", "quarantine"),
        ("get", "erasure-request"),
    ):
        foreign, absent = world.call(stranger, key), World(world.agent, nobody).call(stranger, key)

        assert (foreign.status_code, foreign.content) == (absent.status_code, absent.content)
