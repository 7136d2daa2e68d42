"""The evaluation of the job: the job itself, over a sealed store, and the same questions before and after."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta

import pytest
from django.db import transaction
from django.utils import timezone

from vault.evaluation.consolidation import measure
from vault.evaluation.consolidation_sealed import LiveRanker, _ending_now, _Loaded, _run, evaluate_job
from vault.evaluation.retrieval import Item, Question
from vault.evaluation.scratch import scratch_vault
from vault.models import Memory, isolation
from vault.retrieval.score import Weights

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.timeout(300)]

LONG_AGO = datetime(2024, 3, 2, tzinfo=UTC)
TEXTS = (
    "Mira swims at the pool on Tuesdays",
    "Mira swims at the pool on Thursdays",
    "The invoice of the printer was paid in May",
)


def item(number: int, text: str, *, subject: str = "c1") -> Item:
    created = LONG_AGO + timedelta(days=number)
    return Item(
        f"{subject}/{number}", subject, "Mira", text, created, "1", frozenset([f"{subject}-e{number}"])
    )


def items(subject: str = "c1") -> list[Item]:
    return [item(number, text, subject=subject) for number, text in enumerate(TEXTS)]


def question(text: str, *evidence: str, subject: str = "c1") -> Question:
    return Question(subject, text, 1, "plain", frozenset(), frozenset(evidence))


def subjects_of(found: Sequence[Item]) -> set[str]:
    return {each.subject for each in found}


@pytest.fixture
def ranker() -> Iterator[LiveRanker]:
    with scratch_vault():
        ranker = LiveRanker()
        ranker.load(_ending_now(items()))
        yield ranker


def test_a_conversation_ends_yesterday_and_its_days_stay_apart():
    moved = _ending_now([*items(), item(9, "Later", subject="c2")])

    ends = {
        subject: max(each.created for each in moved if each.subject == subject) for subject in ("c1", "c2")
    }
    assert all(timezone.now() - end < timedelta(days=1, minutes=5) for end in ends.values())
    assert moved[1].created - moved[0].created == timedelta(days=1)


def test_what_the_job_put_together_holds_the_evidence_of_all_its_parts(ranker):
    (subject_id,) = ranker.subjects()

    done = _run(subject_id, ranker)
    standing = ranker.standing(items())

    assert len(done.made) == 1
    whole = next(each for each in standing if "+" in each.id)
    assert whole.answers == {"c1-e0", "c1-e1"}
    assert "Tuesdays" in whole.text
    assert "Thursdays" in whole.text
    assert [each.id for each in standing if each is not whole] == ["c1/2"]


def test_after_the_job_a_search_names_the_whole_in_the_place_of_its_parts(ranker):
    (subject_id,) = ranker.subjects()
    _run(subject_id, ranker)
    standing = ranker.standing(items())

    found = _Loaded(ranker).rank("c1", "When does Mira swim?", k=5, as_of=timezone.now(), weights=Weights())

    assert set(found) <= {each.id for each in standing}
    assert found[0] == "c1/0+1"


def test_a_store_that_stands_is_not_loaded_again(ranker):
    _Loaded(ranker).load(items())

    with transaction.atomic():
        isolation.open_everything()
        assert Memory.objects.count() == len(TEXTS)


def test_the_figures_before_and_after_are_of_the_first_conversations_alone():
    asked = [
        question("When does Mira swim?", "c1-e0", "c1-e1"),
        question("What became of the invoice?", "c2-e2", subject="c2"),
    ]
    seen: list[set[str]] = []

    def counting(some: Sequence[Item], of: Sequence[Question], by: LiveRanker) -> dict[str, float]:
        seen.append(subjects_of(some))
        return dict(measure(some, of, by))

    report = evaluate_job([*items(), *items("c2")], asked, measure=counting, conversations=1)

    assert (report["conversations"], report["made"]) == (1, 1)
    assert seen == [{"c1"}, {"c1"}]
    assert report["before"]["recall@5"] == report["after"]["recall@5"] == 1.0
    assert report["after"]["tokens@5"] <= report["before"]["tokens@5"] + 5


def test_the_vault_that_is_configured_is_not_touched():
    evaluate_job(items(), [question("When does Mira swim?", "c1-e0")], measure=measure, conversations=1)

    with transaction.atomic():
        isolation.open_everything()
        assert not Memory.objects.exists()
