import json
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

import pytest

from vault.evaluation.data import DataMissing
from vault.evaluation.retrieval import (
    Answer,
    Item,
    Question,
    ask,
    evaluate_retrieval,
    figures,
    read_observations,
    read_questions,
    read_turns,
)
from vault.retrieval.score import Weights

LATE = datetime(2026, 3, 2, 9, tzinfo=UTC)


def item(
    id: str, *, speaker: str = "Mira", subject: str = "c1", answers: Sequence[str] | None = None
) -> Item:
    return Item(id, subject, speaker, f"text of {id}", LATE, "1", frozenset(answers or [id]))


def question(
    *evidence: str, category: int = 4, about: Sequence[str] = ("Mira",), subject: str = "c1"
) -> Question:
    return Question(
        subject, "Which?", category, f"category {category}", frozenset(about), frozenset(evidence)
    )


class FixedRanker:
    """Answers every question with the items in the order they were loaded."""

    def load(self, items: Sequence[Item]) -> None:
        self.items = list(items)
        self.asked: list[tuple[str, datetime, Weights]] = []

    def rank(self, subject: str, query: str, *, k: int, as_of: datetime, weights: Weights) -> list[str]:
        self.asked.append((query, as_of, weights))
        return [each.id for each in self.items if each.subject == subject][:k]


class LeakyRanker(FixedRanker):
    def rank(self, subject: str, query: str, *, k: int, as_of: datetime, weights: Weights) -> list[str]:
        return [each.id for each in self.items][:k]


@pytest.fixture
def data_dir(tmp_path):
    folder = tmp_path / "retrieval"
    folder.mkdir()
    turn = {
        "subject": "c1",
        "speaker": "Mira",
        "text": "I sail.",
        "created": "2026-03-02T09:00:00",
        "session": 1,
    }
    turns = [turn | {"id": "t1"}, turn | {"id": "t2"}, turn | {"id": "t3", "session": 2}]
    asked = {
        "subject": "c1",
        "question": "What does Mira do?",
        "category": 4,
        "category_name": "single_hop",
        "about": ["Mira"],
        "evidence_ids": ["t2"],
        "answer": "Sailing",
        "qid": "q1",
    }
    for name, rows in {
        "memories": turns,
        "observations": [turn | {"id": "o1", "source_ids": ["t1", "t2"]}],
        "questions": [asked],
    }.items():
        (folder / f"{name}.jsonl").write_text("\n".join(json.dumps(row) for row in rows))
    return tmp_path


def test_recall_is_the_share_of_evidence_among_the_first():
    answer = Answer(question("a", "z"), tuple(item(name) for name in "xyza"))

    assert (answer.recall(3), answer.recall(4)) == (0.5, 1.0)


def test_an_observation_answers_for_the_turns_it_was_made_of():
    assert Answer(question("a", "b"), (item("o", answers=["a", "b"]),)).recall(5) == 1.0


def test_the_reciprocal_rank_is_that_of_the_first_evidence():
    assert Answer(question("b"), (item("a"), item("b"))).reciprocal_rank() == 0.5
    assert Answer(question("z"), (item("a"),)).reciprocal_rank() == 0.0


def test_wrong_speakers_are_counted_among_the_first():
    found = item("a"), item("b", speaker="Tim"), item("c", speaker="Tim"), item("d")

    assert Answer(question("a"), found).wrong_speakers(4) == 0.5
    assert Answer(question("a"), ()).wrong_speakers(4) == 0.0


def test_category_five_is_reported_apart():
    right, wrong = Answer(question("a"), (item("a"),)), Answer(question("z", category=5), (item("a"),))
    report = figures([right, wrong])

    assert report["recall@5"] == 1.0
    assert report["adversarial"]["recall@5"] == 0.0
    assert list(report["by_category"]) == ["category 4"]


def test_a_question_without_evidence_is_left_out():
    assert figures([Answer(question(), (item("a"),))])["questions"] == 0


def test_wrong_speakers_count_only_where_one_person_is_asked_about():
    both = Answer(question("a", about=["Mira", "Tim"]), (item("a", speaker="Tim"),))

    assert figures([both])["wrong_speaker@10"] is None


def test_every_question_is_asked_a_day_after_its_conversation_ended():
    ranker = FixedRanker()
    ranker.load([item("a")])
    ask(ranker, [question("a")], ranker.items, weights=Weights())

    assert ranker.asked == [("Which?", LATE + timedelta(days=1), Weights())]


def test_an_item_of_another_subject_is_a_violation():
    ranker = LeakyRanker()
    ranker.load([item("a"), item("b", subject="c2")])

    assert ask(ranker, [question("a")], ranker.items, weights=Weights())[1] == 1


def test_the_report_holds_both_sets_and_both_scores(data_dir):
    report = evaluate_retrieval(data_dir, FixedRanker())

    assert report["turns"]["recall@5"] == report["observations"]["recall@10"] == 1.0
    assert report["similarity_only"]["turns"]["questions"] == 1
    assert report["isolation_violations"] == 0


def test_neighbours_are_linked_within_their_session_only(data_dir):
    first, second, other = read_turns(data_dir)

    assert (first.previous, first.following) == (None, "t2")
    assert (second.previous, second.following) == ("t1", None)
    assert (other.previous, other.following) == (None, None)


def test_times_without_offset_are_read_as_utc(data_dir):
    assert read_turns(data_dir)[0].created == LATE


def test_an_observation_stands_for_its_sources(data_dir):
    assert read_observations(data_dir)[0].answers == {"t1", "t2"}


def test_answers_and_question_ids_are_not_read(data_dir):
    assert "Sailing" not in repr(read_questions(data_dir))
    assert "q1" not in repr(read_questions(data_dir))


def test_a_folder_without_the_set_is_an_error(tmp_path):
    with pytest.raises(DataMissing):
        evaluate_retrieval(tmp_path, FixedRanker())
