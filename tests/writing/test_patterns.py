"""What a reviewer's pattern lets pass: exactly what it names, for one agent, for a time."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from uuid import UUID

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone
from hypothesis import given
from hypothesis import strategies as st

from audit.models import AuditEntry
from tests.factories import make_namespace, make_scope
from vault.models import Agent, AllowedPattern
from vault.screening.verdict import decide
from vault.types import Action, Category, Finding, MemoryDraft, Source, SourceType, Verdict
from vault.writing import judge
from vault.writing.codes import covering_codes, detector_codes, is_coverable, pattern_code
from vault.writing.patterns import covered
from vault.writing.pipeline import write_memory

PATTERN = UUID(int=7)
RULE = Finding(Category.INJECTION, "override", 0, 4, 0.9, Action.QUARANTINE, detector="injection-rule")
HEALTH = Finding(Category.SENSITIVE, "health", 0, 4, 0.9, Action.QUARANTINE, detector="lexicon")
CLAIM = Finding(
    Category.INJECTION, "high_impact:approval", 0, 4, 0.9, Action.QUARANTINE, detector="high-impact"
)
FAILURE = Finding(Category.FAILURE, "DETECTOR_FAILED", 0, 0, 1.0, Action.QUARANTINE, detector="injection")
SECRET = Finding(Category.SECRET, "TOKEN", 0, 4, 1.0, Action.QUARANTINE, detector="named")
PERSONAL = Finding(Category.PII, "EMAIL_ADDRESS", 0, 4, 1.0, Action.QUARANTINE, detector="mail")
EVERY_KIND = [RULE, replace(RULE, score=0.55), HEALTH, CLAIM, FAILURE, SECRET, PERSONAL]


def of(*findings: Finding) -> Verdict:
    return decide(findings, policy_version=3)


def allowing(*findings: Finding) -> dict[str, UUID]:
    return {pattern_code(finding): PATTERN for finding in findings}


def test_a_write_whose_every_stop_is_allowed_passes_under_its_labels():
    verdict = covered(of(RULE, HEALTH), allowing(RULE, HEALTH))

    assert verdict.action is Action.ALLOW
    assert {finding.type for finding in verdict.findings} == {"override", "health"}
    assert {allowance.code for allowance in verdict.allowed} == {
        "injection-rule/override/0.9",
        "lexicon/health",
    }


def test_one_stop_that_is_not_allowed_stops_it_still():
    verdict = of(RULE, HEALTH)

    assert covered(verdict, allowing(RULE)) == verdict


def test_what_the_policy_masks_is_masked_still():
    phone = Finding(Category.PII, "PHONE_NUMBER", 0, 4, 0.9, Action.REDACT, detector="phones")

    assert covered(of(RULE, phone), allowing(RULE)).action is Action.REDACT


@pytest.mark.parametrize(("seen", "passes"), [(0.52, True), (0.6, True), (0.61, False), (0.99, False)])
def test_a_doubtful_text_that_was_allowed_opens_the_door_to_no_surer_one(seen, passes):
    doubtful = replace(RULE, score=0.58)

    verdict = covered(of(replace(RULE, score=seen)), allowing(doubtful))

    assert (verdict.action is Action.ALLOW) is passes


@pytest.mark.parametrize("finding", [CLAIM, FAILURE, SECRET, PERSONAL])
def test_no_pattern_covers_what_only_a_person_may_let_in(finding):
    verdict = of(finding)

    assert not is_coverable(finding)
    assert covered(verdict, allowing(finding)) == verdict


@given(st.lists(st.sampled_from(EVERY_KIND)), st.lists(st.sampled_from(EVERY_KIND)))
def test_a_pattern_never_lets_pass_more_than_it_names(found, named):
    verdict = covered(of(*found), allowing(*named))

    if verdict.allowed:
        assert all(set(covering_codes(f)) & set(allowing(*named)) for f in found)
        assert all(is_coverable(f) for f in found)


def test_what_a_sensitive_statement_is_about_is_not_said_beside_the_write():
    assert detector_codes([HEALTH, RULE]) == ["injection-rule/override", "lexicon"]


# --- in the pipeline ---
with_database = pytest.mark.django_db


@pytest.fixture
def screened(monkeypatch) -> None:
    monkeypatch.setattr(judge, "screen", lambda *_, **__: of(RULE))
    monkeypatch.setattr(judge, "embed_or_none", lambda _: None)


def allow(agent_id: UUID, **fields) -> AllowedPattern:
    now = timezone.now()
    named = {
        "agent_id": agent_id, "namespace": make_namespace(), "codes": [pattern_code(RULE)], "reason_code": "x",
        "created_by": "staff:1", "created_at": now - timedelta(days=3), "until": now + timedelta(days=3),
    }  # fmt: skip
    return AllowedPattern.objects.create(**{**named, **fields})


def write(scope):
    draft = MemoryDraft("S1", "default", "Answer in English.", Source(SourceType.EXTERNAL))
    return write_memory(draft=draft, scope=scope)


@with_database
@pytest.mark.usefixtures("screened")
def test_a_later_write_of_that_agent_is_stored():
    scope = make_scope()
    allow(scope.agent_id)

    assert write(scope).outcome == "created"


@with_database
@pytest.mark.usefixtures("screened")
def test_the_same_write_of_another_agent_waits():
    allow(make_scope().agent_id)

    assert write(make_scope()).outcome == "quarantined"


@with_database
@pytest.mark.usefixtures("screened")
@pytest.mark.parametrize(
    "over",
    [
        {"until": timezone.now() - timedelta(days=1)},
        {"revoked_at": timezone.now(), "revoked_by": "staff:1"},
        {"codes": ["injection-rule/exfiltrate/1.0"]},
        {"codes": ["injection-rule/override"]},
        {"codes": ["injection-rule/override/0.8"]},
    ],
)
def test_a_pattern_that_is_over_or_names_something_else_lets_nothing_pass(over):
    scope = make_scope()
    allow(scope.agent_id, **over)

    assert write(scope).outcome == "quarantined"


@with_database
@pytest.mark.usefixtures("screened")
def test_a_pattern_holds_in_its_namespace_alone():
    scope = make_scope()
    allow(scope.agent_id, namespace=make_namespace("billing"))

    assert write(scope).outcome == "quarantined"


@with_database
@pytest.mark.usefixtures("screened")
def test_a_hit_is_counted_and_said_in_the_entry_of_the_write():
    scope = make_scope()
    pattern = allow(scope.agent_id)

    write(scope)

    pattern.refresh_from_db()
    facts = AuditEntry.objects.get(action="memory.written").facts
    assert pattern.hits == 1
    assert (facts["allowed"], facts["allowed_code"], facts["allowed_pattern"]) == (
        1, "injection-rule/override/0.9", str(pattern.pk),
    )  # fmt: skip


@with_database
def test_the_database_keeps_no_pattern_for_longer_than_ninety_days():
    agent = Agent.objects.create(name="web-reader")
    now = timezone.now()

    with pytest.raises(IntegrityError), transaction.atomic():
        allow(agent.pk, created_at=now, until=now + timedelta(days=91))
