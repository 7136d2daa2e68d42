"""The operator's command for an agent's credential: a name that is misspelt makes nothing."""

from __future__ import annotations

import json
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from audit.models import AuditEntry
from tests.factories import make_namespace
from vault.keys import key_vault
from vault.management.known_namespaces import MAX_NAMED, unknown_namespace
from vault.models import Agent, AgentToken, Grant, Namespace, NamespacePolicyVersion

pytestmark = pytest.mark.django_db


def run(*arguments: str, stderr: StringIO | None = None) -> Any:
    out = StringIO()
    call_command(
        "create_agent_token", "--agent", "support-bot", *arguments, "--json", stdout=out, stderr=stderr
    )
    return json.loads(out.getvalue())


def test_a_credential_for_a_namespace_that_there_is():
    make_namespace("billing")

    token = run("--namespace", "billing")["token"]

    assert AgentToken.objects.get().token_hash == key_vault().token_hash(token)
    assert Grant.objects.get().namespace.name == "billing"


def test_without_a_name_it_is_the_default_namespace():
    run()

    assert Grant.objects.get().namespace.name == "default"


def test_a_misspelt_namespace_is_refused_with_the_nearest_and_all_that_there_are():
    make_namespace("billing")

    with pytest.raises(CommandError, match=r"Did you mean billing\? There are: billing, default\."):
        run("--namespace", "biling")

    assert not Namespace.objects.filter(name="biling").exists()
    assert not Agent.objects.exists()


@pytest.mark.parametrize("arguments", [("--scopes", "memory:raed"), ("--namespace", "no name")])
def test_what_will_not_do_leaves_no_agent_behind(arguments):
    with pytest.raises(CommandError):
        run(*arguments)

    assert not Agent.objects.exists()


def test_a_new_namespace_is_made_when_it_is_asked_for_and_is_kept_in_its_history():
    said = StringIO()

    run("--namespace", "billing", "--new-namespace", stderr=said)

    assert "Made the namespace billing" in said.getvalue()
    assert NamespacePolicyVersion.objects.get().namespace.name == "billing"
    assert AuditEntry.objects.filter(action="namespace.created", actor_id="create_agent_token").count() == 1


def test_asked_for_again_the_namespace_is_used_as_it_is():
    before = make_namespace("billing", purpose="Invoices")

    run("--namespace", "billing", "--new-namespace")

    assert Namespace.objects.get(name="billing").purpose == before.purpose


def test_a_name_that_identifies_somebody_makes_no_namespace():
    with pytest.raises(CommandError, match="identifies somebody"):
        run("--namespace", "DE89" + "370400440532013000", "--new-namespace")

    assert not Agent.objects.exists()


@pytest.mark.parametrize(
    ("name", "known", "said"),
    [
        ("Billing", ["billing"], "Did you mean billing?"),
        ("xyz", ["billing"], "There are: billing."),
        ("xyz", [], "There are none yet."),
        ("xyz", [f"n{number}" for number in range(MAX_NAMED + 3)], "and 3 more."),
    ],
)
def test_what_is_said_of_an_unknown_name(name, known, said):
    assert said in unknown_namespace(name, known)


def test_nothing_near_is_no_suggestion():
    assert "Did you mean" not in unknown_namespace("xyz", ["billing"])
