"""A rule from its draft to its end: tried before it is live, versioned, counted, followed by writes."""

from __future__ import annotations

import pytest
from django.db import transaction

from audit.models import AuditEntry
from tests.drafts import make_agent_scope, make_draft
from tests.factories import make_memory, make_namespace, make_quarantined_write, make_scope, staff_scope
from tests.open_rows import everything_open
from vault.errors import CategoryNotAllowed, InvalidField, InvalidTransition, NotFound, ScopeMissing
from vault.lifecycle.reviewing.deciding import release_write
from vault.lifecycle.rules.drafting import create_rule, edit_rule
from vault.lifecycle.rules.listing import get_rule, list_rules
from vault.lifecycle.rules.switching import move_up, switch_off, switch_on
from vault.lifecycle.rules.trial import try_rule
from vault.models import Memory, MemoryVersion, Namespace, QuarantinedWrite, Rule, isolation
from vault.types import RuleAction, Trust
from vault.writing.pipeline import write_memory
from vault.writing.rules import live_rules

pytestmark = pytest.mark.django_db


def make_rule(
    pattern="falcon", action=RuleAction.QUARANTINE, *, name="falcon", namespace=None, slot=""
) -> Rule:
    return create_rule(
        name=name, namespace=namespace, pattern=pattern, action=action, slot=slot, scope=staff_scope()
    )


def live(rule: Rule) -> Rule:
    try_rule(rule_id=rule.pk, scope=staff_scope())
    return switch_on(rule_id=rule.pk, expected_version=rule.version, scope=staff_scope())


def write(text: str, scope=None, **fields):
    scope = scope or make_agent_scope()
    return write_memory(draft=make_draft(text, **fields), scope=scope)


def test_a_rule_that_is_not_live_does_nothing():
    make_rule()

    assert write("Project Falcon ships in May.").outcome == "created"


def test_a_rule_goes_live_only_after_a_trial():
    rule = make_rule()

    with pytest.raises(InvalidTransition):
        switch_on(rule_id=rule.pk, expected_version=1, scope=staff_scope())


def test_a_live_rule_sets_a_write_aside():
    live(make_rule())

    result = write("Project Falcon ships in May.")

    assert (result.outcome, result.verdict.reasons) == ("quarantined", ("staff_rule",))


def test_a_live_rule_refuses_a_write():
    live(make_rule(action=RuleAction.REFUSE))

    with pytest.raises(CategoryNotAllowed):
        write("Project Falcon ships in May.")

    assert not Memory.objects.exists()


def test_a_live_rule_masks_what_it_matches():
    live(make_rule(action=RuleAction.REDACT))

    result = write("Project Falcon ships in May.")

    assert result.memory.content.text == "Project <RULE_FALCON> ships in May."


def test_a_preference_goes_to_the_slot_of_its_rule():
    live(make_rule(r"prefers replies in", RuleAction.PREFERENCE, slot="reply_language"))

    result = write("Prefers replies in Hindi.", importance=0.3)

    assert (result.memory.content.attribute, result.memory.row.importance) == ("reply_language", 0.7)


def test_a_later_preference_takes_the_place_of_the_first():
    live(make_rule(r"prefers replies in", RuleAction.PREFERENCE, slot="reply_language"))
    scope = make_agent_scope()
    first = write("Prefers replies in Hindi.", scope)

    second = write("Prefers replies in Tamil.", scope)

    assert second.superseded == (first.memory.row.pk,)


def test_priority_raises_the_importance_and_never_lowers_it():
    live(make_rule("deadline", RuleAction.PRIORITY))
    scope = make_agent_scope()

    assert write("The deadline is in May.", scope, importance=0.2).memory.row.importance == 0.9
    assert write("Another deadline is in June.", scope, importance=1.0).memory.row.importance == 1.0


def test_forgetting_the_previous_retires_what_the_pattern_matches():
    live(make_rule(r"^parked on level", RuleAction.FORGET_PREVIOUS))
    scope = make_agent_scope()
    first = write("Parked on level two of the garage.", scope)
    other = write("Likes green tea in the morning.", scope)

    second = write("Parked on level five, near the lift.", scope)

    assert second.superseded == (first.memory.row.pk,)
    with everything_open():
        assert Memory.objects.get(pk=other.memory.row.pk).status == "active"


def test_a_rule_never_lets_a_lower_trust_retire_a_higher_one():
    live(make_rule(r"^parked on level", RuleAction.FORGET_PREVIOUS))
    scope = make_agent_scope()
    first = make_memory("Parked on level two of the garage.", trust=Trust.VERIFIED, subject="S1")

    second = write("Parked on level five, near the lift.", scope, trust=Trust.INFERRED, subject="S1")

    assert second.superseded == ()
    with everything_open():
        assert Memory.objects.get(pk=first.row.pk).status == "active"


def test_hits_are_counted():
    rule = live(make_rule())
    scope = make_agent_scope()
    write("Project Falcon ships in May.", scope)
    write("Falcon is late.", scope)
    write("The shop opens at nine.", scope)

    assert get_rule(rule_id=rule.pk, scope=staff_scope()).hits == 2


def test_a_rule_of_another_namespace_does_nothing():
    make_namespace("billing")
    live(make_rule(namespace="billing"))

    assert write("Project Falcon ships in May.").outcome == "created"


def test_a_trial_counts_what_it_would_have_met_and_changes_nothing():
    make_memory("Project Falcon ships in May.", trust=Trust.STATED)
    make_memory("The shop opens at nine.")
    make_quarantined_write(text="Falcon is to be paid at once.")
    rule = make_rule()

    trial = try_rule(rule_id=rule.pk, scope=staff_scope())

    assert (trial.tried_on, trial.matched) == (3, 2)
    assert Rule.objects.get().live_version is None


def test_a_trial_is_an_entry_with_counts_and_no_text():
    make_memory("Project Falcon ships in May.")
    rule = make_rule()

    try_rule(rule_id=rule.pk, scope=staff_scope())

    entry = AuditEntry.objects.get(action="pattern.changed", reason="tried")
    assert (entry.facts["tried_on"], entry.facts["matched"]) == (1, 1)


def test_an_edit_leaves_what_is_live_in_force():
    rule = live(make_rule())

    edit_rule(rule_id=rule.pk, pattern="heron", action=RuleAction.REFUSE, scope=staff_scope())

    assert [r.pattern for r in live_rules(make_namespace().pk)] == ["falcon"]


def test_an_edited_rule_needs_a_trial_of_its_own():
    rule = live(make_rule())
    edit_rule(rule_id=rule.pk, pattern="heron", action=RuleAction.REFUSE, scope=staff_scope())

    with pytest.raises(InvalidTransition):
        switch_on(rule_id=rule.pk, expected_version=2, scope=staff_scope())


def test_who_read_an_older_version_does_not_switch_the_newer_one_on():
    rule = make_rule()
    edit_rule(rule_id=rule.pk, pattern="heron", action=RuleAction.REFUSE, scope=staff_scope())
    try_rule(rule_id=rule.pk, scope=staff_scope())

    with pytest.raises(InvalidTransition):
        switch_on(rule_id=rule.pk, expected_version=1, scope=staff_scope())


def test_a_rule_that_is_switched_off_does_nothing_and_stays():
    rule = live(make_rule())

    switch_off(rule_id=rule.pk, scope=staff_scope())

    assert write("Project Falcon ships in May.").outcome == "created"
    assert [row.pk for row in list_rules(scope=staff_scope())] == [rule.pk]


def test_switching_renews_the_version_of_the_policy():
    before = make_namespace().policy_version

    live(make_rule())

    assert Namespace.objects.get(name="default").policy_version == before + 1


def test_the_first_storing_rule_in_order_decides():
    live(make_rule("deadline", RuleAction.PRIORITY, name="first"))
    second = live(make_rule("deadline", RuleAction.PREFERENCE, name="second", slot="deadline"))
    move_up(rule_id=second.pk, scope=staff_scope())

    result = write("The deadline is in May.", importance=0.1)

    assert (result.memory.content.attribute, result.memory.row.importance) == ("deadline", 0.7)


@pytest.mark.parametrize("pattern", ["zora.quill" + "@example.com", "(", "a*"])
def test_a_pattern_that_holds_a_person_or_does_not_compile_is_refused(pattern):
    with pytest.raises(InvalidField):
        make_rule(pattern)

    assert not Rule.objects.exists()


def test_two_rules_do_not_share_a_name():
    make_rule()

    with pytest.raises(InvalidField):
        make_rule("heron")


def test_an_agent_writes_no_rules():
    with pytest.raises(ScopeMissing):
        create_rule(name="x", namespace=None, pattern="x", action=RuleAction.REFUSE, scope=make_scope())


def test_a_rule_for_a_namespace_that_is_not_there_is_refused():
    with pytest.raises(NotFound):
        make_rule(namespace="nowhere")


def test_a_released_draft_follows_the_rule_that_says_how_it_is_stored():
    live(make_rule("deadline", RuleAction.PRIORITY, name="deadlines"))
    live(make_rule("falcon", RuleAction.QUARANTINE))
    waiting = write("The deadline of Falcon is in May.", importance=0.2).quarantined

    released = release_write(
        write_id=waiting.pk, revision=waiting.revision, reason_code="acceptable_content", scope=staff_scope()
    )

    assert released.row.importance == 0.9


@pytest.mark.parametrize(
    "pattern",
    [
        r"ilse\.winter@example\.com", r"(?i)ilse[.]winter@example[.]com", "GB82 ?WEST ?1234 ?5698 ?7654 ?32",
        r"4111[ -]?1111[ -]?1111[ -]?1111", r"4111\x201111\x201111\x201111",
    ],
)  # fmt: skip
def test_a_pattern_that_spells_out_an_identifier_is_refused_however_it_is_escaped(pattern):
    with pytest.raises(InvalidField) as refusal:
        make_rule(pattern)

    assert refusal.value.facts["pointer"] == "/pattern"


@pytest.mark.parametrize("name", ["4111111111111111", "GB82WEST12345698765432"])
def test_a_name_is_no_place_for_an_identifier_either(name):
    with pytest.raises(InvalidField) as refusal:
        make_rule(name=name)

    assert refusal.value.facts["pointer"] == "/name"


def test_a_trial_leaves_out_what_was_altered():
    make_memory("The falcon sleeps.", subject="S1")
    altered = make_memory("The falcon is awake.", subject="S2").row
    draft = make_quarantined_write("A falcon in the yard.")
    with transaction.atomic():
        isolation.open_everything()
        MemoryVersion.objects.filter(memory_id=altered.pk).update(number=7)
        QuarantinedWrite.objects.filter(pk=draft.pk).update(ciphertext=b"altered")
        isolation.close()

    assert try_rule(rule_id=make_rule().pk, scope=staff_scope()).tried_on == 1
