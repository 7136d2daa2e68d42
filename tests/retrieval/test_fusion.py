import math
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest

from vault.retrieval.fusion import Candidate, Mode, rank, topic_weights
from vault.retrieval.query import analyse
from vault.retrieval.score import Ranking, Weights

NOW = datetime(2026, 11, 1, tzinfo=UTC)
SIMILARITY = Weights(1.0, 0.0, 0.0)
TEXT = "The invoice was rejected because the purchase order was missing."


def direction(*, cosine: float) -> np.ndarray:
    """A vector of length one with this cosine to QUERY."""
    vector = np.zeros(384, dtype=np.float32)
    vector[0], vector[1] = cosine, math.sqrt(1 - cosine**2)
    return vector


QUERY = direction(cosine=1.0)


def memory(id: str, *, cosine: float | None = 0.3, **fields) -> Candidate[str]:
    vector = None if cosine is None else direction(cosine=cosine)
    made = Candidate(id=id, text=TEXT, when=NOW, importance=0.5, vector=vector)
    return replace(made, **fields)


def order(*memories: Candidate[str], query: str = "why rejected", speakers=(), weights=SIMILARITY, **options):
    hints = analyse(query, speakers=speakers)
    ranking = Ranking(weights)
    return [
        each.id for each in rank(memories, hints=hints, vector=QUERY, as_of=NOW, ranking=ranking, **options)
    ]


def test_nothing_ranks_to_nothing():
    assert order() == []


def test_the_nearer_in_meaning_comes_first():
    assert order(memory("far", cosine=0.1), memory("near", cosine=0.6)) == ["near", "far"]


def test_the_one_with_the_words_comes_first():
    assert order(memory("without"), memory("with", keyword=8.0)) == ["with", "without"]


def test_an_exact_identifier_comes_before_a_closer_meaning():
    exact = memory("exact", cosine=0.2, held=frozenset({"x:8841"}))

    assert order(memory("close", cosine=0.7), exact, query="what of invoice 8841") == ["exact", "close"]


def similarity_of_others(*texts: str, query: str) -> list[float]:
    """Of memories of these texts beside one that holds 5530, in a store of thirteen."""
    asked = memory("asked", cosine=0.3, text="Order 5530 was sent back.", held=frozenset({"x:5530"}))
    others = [memory(f"other-{number}", cosine=0.6, text=text) for number, text in enumerate(texts)]
    rest = [memory(f"rest-{number}", cosine=0.05) for number in range(12 - len(texts))]
    ranked = rank(
        [asked, *others, *rest], hints=analyse(query, speakers=()), vector=QUERY, as_of=NOW,
        ranking=Ranking(SIMILARITY),
    )  # fmt: skip
    found = {each.id: each.parts.similarity for each in ranked}
    assert found["asked"] > 0.95
    return [found[f"other-{number}"] for number in range(len(texts))]


def test_another_identifier_is_not_near_where_the_one_that_is_asked_for_is_there():
    other, second = similarity_of_others(
        "Order 5512 arrived late.", "Order 5513 was paid.", query="what happened with 5530?"
    )

    assert max(other, second) <= 0.25


def test_what_names_no_identifier_keeps_its_similarity_beside_one_that_is_asked_for():
    assert similarity_of_others("The order was paid.", query="what happened with 5530?")[0] > 0.9


def test_a_year_is_no_exact_identifier():
    dated = memory("dated", cosine=0.2, held=frozenset({"x:2026"}))

    assert order(memory("close", cosine=0.7), dated, query="what changed in 2026") == ["close", "dated"]


def test_what_the_named_person_said_comes_first():
    said = memory("tim", speaker="Tim"), memory("mira", speaker="Mira")

    assert order(*said, query="What did Mira say?", speakers=["Tim", "Mira"]) == ["mira", "tim"]


def test_an_answer_ranks_above_the_question_before_it():
    assert order(memory("asked", text=TEXT[:-1] + "?"), memory("said")) == ["said", "asked"]


def test_the_turn_after_a_matching_one_is_lifted():
    turns = memory("a", keyword=9.0, following="b"), memory("b", previous="a"), memory("c")

    assert order(*turns) == ["a", "b", "c"]


def test_a_neighbour_that_is_no_candidate_changes_nothing():
    alone = rank([memory("b", previous="gone")], hints=analyse("x"), vector=QUERY, as_of=NOW)
    apart = rank([memory("b")], hints=analyse("x"), vector=QUERY, as_of=NOW)

    assert alone == apart


def test_the_day_that_a_query_names_comes_first():
    days = (
        memory("may", when=datetime(2026, 5, 7, tzinfo=UTC)),
        memory("june", when=datetime(2026, 6, 7, tzinfo=UTC)),
    )

    assert order(*days, query="what happened on 7 May") == ["may", "june"]


def test_recency_decides_between_equals():
    old = memory("old", when=NOW - timedelta(days=90))

    assert order(old, memory("new"), weights=Weights()) == ["new", "old"]


def test_recency_does_not_lift_what_answers_nothing():
    old = memory("old", cosine=0.7, keyword=9.0, when=NOW - timedelta(days=400))

    assert order(memory("new", cosine=0.0), old, weights=Weights()) == ["old", "new"]


def test_a_future_date_does_not_outrank_an_answer():
    future = memory("future", cosine=0.0, when=NOW + timedelta(days=900))

    assert order(future, memory("answer", cosine=0.8, keyword=5.0), weights=Weights()) == ["answer", "future"]


def test_equal_scores_go_to_the_newer_and_then_by_id():
    older = memory("a", when=NOW - timedelta(days=1))

    assert order(memory("c"), older, memory("b")) == ["b", "c", "a"]


@pytest.mark.parametrize("broken", [np.zeros(384, np.float32), np.full(384, np.nan, np.float32), None])
def test_a_broken_vector_ranks_below_a_match_and_stays_findable(broken):
    mended = memory("broken", vector=broken)

    assert order(mended, memory("match", cosine=0.6)) == ["match", "broken"]


@pytest.mark.parametrize("broken", [np.zeros(384, np.float32), np.full(384, np.nan, np.float32), None])
def test_a_query_without_a_vector_falls_back_to_words(broken):
    hints = analyse("rejected")
    ranked = rank([memory("other"), memory("word", keyword=6.0)], hints=hints, vector=broken, as_of=NOW)

    assert [each.id for each in ranked] == ["word", "other"]
    assert all(math.isfinite(each.parts.score) for each in ranked)


def test_semantic_mode_does_not_look_at_words():
    assert order(memory("a", keyword=9.0), memory("b", cosine=0.4), mode=Mode.SEMANTIC) == ["b", "a"]


def test_keyword_mode_does_not_look_at_meaning():
    assert order(memory("a", cosine=0.9), memory("b", keyword=3.0), mode=Mode.KEYWORD) == ["b", "a"]


def test_the_parts_are_returned():
    (only,) = rank([memory("a", cosine=0.6, coverage=0.5)], hints=analyse("x"), vector=QUERY, as_of=NOW)

    assert only.semantic == pytest.approx(0.6)
    assert only.keyword == 0.5
    assert only.parts.recency == 1.0


def test_an_opposite_meaning_is_reported_as_none():
    (only,) = rank([memory("a", cosine=-0.6)], hints=analyse("x"), vector=QUERY, as_of=NOW)

    assert only.semantic == 0.0


def test_the_name_of_a_speaker_and_the_context_weigh_nothing_among_the_keywords():
    weights = topic_weights(analyse("invoices of Tim", speakers=["Tim"]))

    assert weights == {"s:invoic": 1.0, "s:tim": 0.0}


def test_no_memory_text_shows_in_a_repr():
    assert TEXT not in repr(memory("a"))


@pytest.mark.parametrize(("held", "is_similar"), [(frozenset(), False), (frozenset({"x:8841"}), True)])
def test_another_number_than_the_one_that_is_asked_for_is_no_answer(held, is_similar):
    (only,) = rank(
        [memory("a", cosine=0.5, coverage=0.2, held=held)],
        hints=analyse("why was invoice 8841 rejected"), vector=QUERY, as_of=NOW,
    )  # fmt: skip

    assert (only.parts.similarity > 0.5) == is_similar


def test_a_day_of_the_month_is_no_number_of_something():
    (asked,) = rank(
        [memory("a", cosine=0.5, coverage=0.2)],
        hints=analyse("what was given on the 18th"), vector=QUERY, as_of=NOW,
    )  # fmt: skip

    assert asked.parts.similarity > 0.5
