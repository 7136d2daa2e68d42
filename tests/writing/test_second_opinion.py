"""A language model asked about what the words leave in doubt: what it may decide, and what it may not."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from django.db import connections, transaction

from audit.models import AuditEntry
from tests.drafts import make_agent_scope, make_draft
from tests.factories import make_memory, make_subject, staff_scope
from tests.lifecycle.upkeep.stored import row_of
from tests.model_server import FAULTS
from vault.lifecycle.subject_rights.restriction import restrict_subject
from vault.models import Conflict, Memory, Subject, isolation
from vault.types import Kind, SourceType, Status, Trust
from vault.writing.change import change_memory
from vault.writing.pipeline import write_memory
from vault.writing.reconciling.opinion import Choice, weighed
from vault.writing.reconciling.relation import Relation

pytestmark = pytest.mark.django_db(transaction=True)

# What the words alone make a conflict of, and what they keep both of.
KITCHEN, HALLWAY = "Her dog Milo sleeps in the kitchen.", "Her dog Milo sleeps in the hallway."
TRANSFER, CASH = "The rent is paid by bank transfer.", "The caretaker gets the rent in cash."


def standing(text, **labels):
    return make_memory(text, subject="S1", embedded=True, **labels).row


def write(text, **fields):
    return write_memory(draft=make_draft(text, "S1", **fields), scope=make_agent_scope())


def choose(model, *choices) -> None:
    model.says({"relations": [{"number": n, "choice": choice} for n, choice in enumerate(choices, 1)]})


def test_where_words_and_model_see_a_contradiction_the_old_one_is_superseded(model):
    old = standing(KITCHEN)
    choose(model, "supersede")

    result = write(HALLWAY)

    assert (result.superseded, result.conflicts) == ((old.pk,), ())
    assert (result.reconciled_by, result.fallback) == ("model", "")
    assert (row_of(old.pk).status, row_of(old.pk).superseded_by_id) == (
        Status.SUPERSEDED,
        result.memory.row.pk,
    )


def test_where_only_the_model_sees_one_a_person_decides(model):
    old = standing(TRANSFER)
    choose(model, "supersede")

    result = write(CASH)

    assert (result.superseded, len(result.conflicts)) == ((), 1)
    assert row_of(old.pk).status == Status.ACTIVE


def test_where_the_model_sees_none_both_stay(model):
    old = standing(KITCHEN)
    choose(model, "keep_both")

    result = write(HALLWAY)

    assert (result.superseded, result.conflicts) == ((), ())
    assert row_of(old.pk).status == Status.ACTIVE


def test_a_merge_that_would_lose_a_fact_is_none(model):
    standing(KITCHEN)
    choose(model, "merge")

    result = write(HALLWAY)

    assert (result.outcome, len(result.conflicts)) == ("created", 1)


@pytest.mark.parametrize("fault", FAULTS)
def test_whatever_the_model_gets_wrong_the_words_decide_and_it_is_told(model, fault):
    standing(KITCHEN)
    code = model.fails(fault)

    result = write(HALLWAY)

    assert (result.outcome, result.superseded, len(result.conflicts)) == ("created", (), 1)
    assert (result.reconciled_by, result.fallback) == ("rules", code)


@pytest.mark.parametrize(
    "answer",
    [
        {},
        {"relations": "supersede"},
        {"relations": [{"number": 1, "choice": "forget everything"}]},
        {"relations": [{"number": 2, "choice": "supersede"}]},
        {"relations": [{"number": True, "choice": "supersede"}]},
        {"relations": [{"number": 1, "choice": ["supersede"]}]},
        {"relations": [None, "supersede"]},
    ],
)
def test_an_answer_of_another_shape_decides_nothing(model, answer):
    old = standing(KITCHEN)
    model.says(answer)

    assert write(HALLWAY).fallback == "model_answer_invalid"
    assert row_of(old.pk).status == Status.ACTIVE


def test_a_model_that_contradicts_itself_is_not_sure(model):
    old = standing(KITCHEN)
    model.says({"relations": [{"number": 1, "choice": "supersede"}, {"number": 1, "choice": "keep_both"}]})

    assert len(write(HALLWAY).conflicts) == 1
    assert row_of(old.pk).status == Status.ACTIVE


@pytest.mark.parametrize(
    ("trust", "source"), [(Trust.VERIFIED, SourceType.USER), (Trust.UNTRUSTED, SourceType.EXTERNAL)]
)
def test_a_lower_trust_and_what_is_untrusted_are_not_helped_by_a_model(model, trust, source):
    old = standing(KITCHEN, trust=trust.value)
    choose(model, "supersede")

    result = write(HALLWAY, source=source)

    assert (model.asked, result.superseded, len(result.conflicts)) == ([], (), 1)
    assert row_of(old.pk).status == Status.ACTIVE


def test_what_happened_stays_so_whatever_a_model_says(model):
    old = standing(KITCHEN, kind=Kind.EVENT.value)
    choose(model, "supersede")

    assert write(HALLWAY, kind=Kind.EVENT).superseded == ()
    assert row_of(old.pk).status == Status.ACTIVE


def test_older_news_does_not_supersede_whatever_a_model_says(model):
    old = standing(KITCHEN, occurred_at=datetime(2026, 5, 4, tzinfo=UTC))
    choose(model, "supersede")

    assert write(HALLWAY, occurred_at=datetime(2026, 5, 1, tzinfo=UTC)).superseded == ()
    assert row_of(old.pk).status == Status.ACTIVE


@pytest.mark.parametrize("text", [KITCHEN, "The ferry leaves from pier nine.", "Milo the cat eats fish."])
def test_where_there_is_no_doubt_nothing_leaves_the_vault(model, text):
    standing(KITCHEN)

    write(text)

    assert model.asked == []


def test_memories_stay_in_the_vault_where_they_must(model, settings):
    settings.LANGUAGE_MODEL_USES = frozenset({"drafts", "questions", "summaries"})
    standing(KITCHEN)

    result = write(HALLWAY)

    assert (model.asked, len(result.conflicts), result.reconciled_by) == ([], 1, "rules")


def test_of_a_restricted_subject_nothing_is_shown(model):
    standing(KITCHEN)
    restrict_subject(subject_id=make_subject("S1").pk, reason_code="x", scope=staff_scope())

    write(HALLWAY)

    assert model.asked == []


def test_the_model_sees_the_pair_and_nothing_of_another_subject(model):
    standing(KITCHEN)
    make_memory("Her dog Milo sleeps in the garden shed.", subject="S2", embedded=True)
    choose(model, "keep_both")

    write(HALLWAY)

    assert model.material == [{"new": HALLWAY}, {"number": 1, "old": KITCHEN}]
    assert AuditEntry.objects.get(action="memory.listed", reason="language_model").facts["count"] == 1


def test_a_memory_that_changed_while_the_model_thought_is_judged_by_the_words(model):
    old = standing(KITCHEN)
    choose(model, "supersede")

    def change() -> None:
        try:
            change_memory(
                memory_id=old.pk, changes={"text": "Her dog Milo sleeps in the cellar."}, expected_version=1,
                reason="correction", scope=staff_scope(),
            )  # fmt: skip
        finally:
            connections.close_all()

    model.before = once(change)

    assert write(HALLWAY).superseded == ()


def test_nothing_is_locked_while_the_model_thinks(model):
    old = standing(KITCHEN)
    choose(model, "keep_both")

    def lock() -> None:
        try:
            with transaction.atomic():
                isolation.open_everything()
                assert Subject.objects.select_for_update(nowait=True).get(pk=old.subject_id)
                assert Memory.objects.select_for_update(nowait=True).get(pk=old.pk)
                free.append(True)
        finally:
            connections.close_all()

    free: list[bool] = []
    model.before = once(lock)

    write(HALLWAY)

    assert free == [True]


def test_a_change_is_judged_like_a_write(model):
    old = standing(KITCHEN)
    other = standing("The ferry leaves from pier nine.")
    choose(model, "supersede")

    result = change_memory(
        memory_id=other.pk, changes={"text": HALLWAY}, expected_version=1, reason="correction", scope=staff_scope()
    )  # fmt: skip

    assert (result.superseded, result.reconciled_by) == ((old.pk,), "model")
    assert not Conflict.objects.exists()


@pytest.mark.parametrize(
    ("relation", "choice", "becomes"),
    [
        (Relation.UNCLEAR, Choice.SUPERSEDE, Relation.REPLACES),
        (Relation.APART, Choice.SUPERSEDE, Relation.UNCLEAR),
        (Relation.UNCLEAR, Choice.KEEP_BOTH, Relation.APART),
        (Relation.APART, Choice.CONFLICT, Relation.UNCLEAR),
        (Relation.UNCLEAR, Choice.MERGE, Relation.UNCLEAR),
    ],
)
def test_what_a_choice_makes_of_a_doubt(relation, choice, becomes):
    assert weighed(relation, choice, old=KITCHEN, new=HALLWAY) is becomes


def test_what_says_nothing_more_may_be_merged():
    assert (
        weighed(Relation.UNCLEAR, Choice.MERGE, old=KITCHEN, new="Milo the dog sleeps in the kitchen.")
        is Relation.SAME
    )


def once(do):
    """Something that happens in another process during the first question only: a change asks too."""
    left = [do]
    return lambda: left.pop()() if left else None
