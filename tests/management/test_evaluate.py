from __future__ import annotations

import json
from dataclasses import asdict
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from audit.models import AuditEntry
from tests.drafts import make_agent_scope
from vault.errors import InvalidField, NotFound, ScopeMissing
from vault.lifecycle.desk import system_scope
from vault.lifecycle.retrieval_policy import with_rankings, write_rankings
from vault.management.commands import evaluate
from vault.models import Namespace
from vault.retrieval.kind_policy import kind_policies
from vault.retrieval.score import Ranking, Weights
from vault.types import Kind

pytestmark = pytest.mark.django_db(transaction=True)

FITTED = {"weights": asdict(Weights(0.6, 0.1, 0.15)), "half_life_days": 90.0}
RANKING = {Kind.FACT: Ranking(Weights(0.6, 0.1, 0.15), 90.0)}


@pytest.fixture
def fit(monkeypatch):
    """A fit that takes no minutes; the real one has its own tests."""
    monkeypatch.setattr(
        evaluate, "tune", lambda folder, ranker: {"fitted": {"turns": FITTED, "observations": FITTED}}
    )


def run(tmp_path, *options: str) -> dict:
    out = StringIO()
    call_command("evaluate", "retrieval", "--data", str(tmp_path), "--json", *options, stdout=out)
    return json.loads(out.getvalue())


def test_a_fit_changes_nothing_by_itself(fit, tmp_path):
    Namespace.objects.create(name="support")

    assert run(tmp_path, "--tune")["fitted"]["turns"] == FITTED
    assert Namespace.objects.get(name="support").policy == {}


def test_a_fit_becomes_policy_only_when_told(fit, tmp_path):
    Namespace.objects.create(name="support")
    Namespace.objects.create(name="billing")

    run(tmp_path, "--tune", "--write-policy", "support")

    row = Namespace.objects.get(name="support")
    policies = kind_policies(row.policy)
    assert {policies[kind].half_life_days for kind in Kind} == {90.0}
    assert policies[Kind.EVENT].weights == Weights(0.6, 0.1, 0.15)
    assert row.policy_version == 2
    assert Namespace.objects.get(name="billing").policy == {}
    assert AuditEntry.objects.filter(action="policy.changed", actor_id="evaluate").count() == 1


@pytest.mark.parametrize(
    "options",
    [
        ("retrieval", "--write-policy", "support"),
        ("retrieval", "--tune", "--write-policy", "nowhere"),
        ("pii", "--tune"),
        ("retrieval", "--large"),
    ],
)
def test_options_that_mean_nothing_together_are_refused_at_once(fit, tmp_path, options):
    task, *rest = options

    with pytest.raises(CommandError):
        call_command("evaluate", task, "--data", str(tmp_path), *rest)


def test_all_else_in_a_policy_stays():
    policy = {"upkeep": {"cap": 5}, "retrieval": {"fact": {"k": 3}, "event": {"k": 2}}}

    changed = with_rankings(policy, RANKING)

    assert changed["upkeep"] == {"cap": 5}
    assert changed["retrieval"]["event"] == {"k": 2}
    assert changed["retrieval"]["fact"]["k"] == 3
    assert "weights" not in policy["retrieval"]["fact"]


def test_a_half_life_that_is_none_is_refused():
    with pytest.raises(InvalidField):
        with_rankings({}, {Kind.FACT: Ranking(Weights(), 0.0)})


def test_a_stranger_writes_no_policy():
    Namespace.objects.create(name="support")

    with pytest.raises(ScopeMissing):
        write_rankings(namespace="support", rankings=RANKING, scope=make_agent_scope())
    with pytest.raises(NotFound):
        write_rankings(namespace="nowhere", rankings=RANKING, scope=system_scope("evaluate"))
