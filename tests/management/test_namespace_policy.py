"""The operator's command for a namespace's policy."""

from __future__ import annotations

import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from audit.models import AuditEntry
from tests.factories import make_memory, make_namespace
from tests.lifecycle.namespaces.policies import LOOSER, STRICTER, in_force, kept
from vault.models import Approval, Namespace, NamespacePolicyVersion

pytestmark = pytest.mark.django_db

REASON = ("--reason", "The desk asks for it.")


def run(*arguments: object) -> Any:
    out = StringIO()
    call_command("namespace_policy", *map(str, arguments), "--json", stdout=out)
    return json.loads(out.getvalue())


@pytest.fixture
def written(tmp_path: Path):
    def write(policy: Any) -> Path:
        file = tmp_path / "policy.json"
        file.write_text(policy if isinstance(policy, str) else json.dumps(policy))
        return file

    return write


def test_it_prints_what_is_in_force_and_changes_nothing():
    make_namespace("billing", purpose="Invoices", policy=STRICTER)

    assert run("billing") == {
        "name": "billing", "purpose": "Invoices", "sealed": False, "version": 1, "policy": STRICTER,
    }  # fmt: skip
    assert kept("billing") == []


def test_without_json_it_prints_lines():
    make_namespace("billing")
    out = StringIO()

    call_command("namespace_policy", "billing", stdout=out)

    assert "version: 1" in out.getvalue()


def test_it_loosens_at_once_as_the_system(written):
    make_namespace("billing")

    answer = run("billing", "--set", written(LOOSER), *REASON)

    assert (answer["version"], answer["loosened"]) == (2, ["/screening/allowed_sensitive/health"])
    assert in_force("billing").policy == LOOSER
    assert AuditEntry.objects.get(action="policy.changed").actor_kind == "system"
    assert NamespacePolicyVersion.objects.first().author == "system:operator"
    assert not Approval.objects.exists()


def test_it_makes_a_namespace_with_a_policy(written):
    answer = run(
        "billing", "--create", "--sealed", "--purpose", "Invoices", "--set", written(STRICTER), *REASON
    )

    assert (answer["sealed"], answer["purpose"], answer["policy"]) == (True, "Invoices", STRICTER)
    assert kept("billing") == [(1, {}), (2, STRICTER)]


def test_it_changes_the_purpose_alone():
    make_namespace("billing", policy=STRICTER)

    run("billing", "--purpose", "Invoices", *REASON)

    assert (in_force("billing").purpose, in_force("billing").policy) == ("Invoices", STRICTER)


def test_it_seals_and_says_how_many_vectors_went():
    make_memory(embedded=True, namespace="billing")

    assert run("billing", "--sealed", *REASON)["vectors_removed"] == 1


@pytest.mark.parametrize(
    ("policy", "said"), [("{", "not JSON"), ({"nonsense": 1}, "/nonsense"), ({}, "Nothing would change")]
)
def test_what_will_not_do_is_refused_and_named(written, policy, said):
    make_namespace("billing")

    with pytest.raises(CommandError, match=said):
        run("billing", "--set", written(policy), *REASON)


@pytest.mark.parametrize("policy", ["{", {"nonsense": 1}])
def test_a_file_that_is_no_policy_leaves_no_namespace_behind(written, policy):
    with pytest.raises(CommandError):
        run("billing", "--create", "--set", written(policy), *REASON)

    assert not Namespace.objects.filter(name="billing").exists()


def test_a_change_needs_a_reason(written):
    make_namespace("billing")

    with pytest.raises(CommandError, match="/reason"):
        run("billing", "--set", written(STRICTER))


def test_an_unknown_namespace_is_refused_with_the_nearest_and_all_that_there_are():
    make_namespace("billing")

    with pytest.raises(CommandError, match=r"Did you mean billing\? There are: billing, default\."):
        run("biling", "--set", "-", *REASON)


@pytest.mark.parametrize(
    ("policy", "said"),
    [
        ('{"upkeep": {\n"cap": 5,}}', r"Expecting property name .* at line 2, column 10\. \(/\)"),
        ({"upkeep": {"cap": 0}}, r"from 1 to 1,000,000; what was given is not enough\. \(/upkeep/cap\)"),
        ({"upkeep": {"capp": 5}}, r"Did you mean cap\?"),
        ({"screening": {"actions": {"pii": {"PERSON": "hide"}}}}, "Must be one of: allow, redact, "),
        ({"screening": {"actions": {"pii": {"PERSONS": "redact"}}}}, r"Did you mean PERSON\?"),
    ],
)
def test_what_is_wrong_with_a_file_is_told_so_that_it_can_be_mended(written, policy, said):
    make_namespace("billing")

    with pytest.raises(CommandError, match=said):
        run("billing", "--set", written(policy), *REASON)


def test_a_file_that_is_not_there_is_said_to_be_so():
    with pytest.raises(CommandError, match="cannot be read: No such file"):
        run("billing", "--create", "--set", "no-such-file.json", *REASON)


@pytest.mark.parametrize("arguments", [("nowhere",), ("billing", "--set", "no-such-file.json", *REASON)])
def test_what_is_not_there_is_refused(arguments):
    make_namespace("billing")

    with pytest.raises(CommandError):
        run(*arguments)
