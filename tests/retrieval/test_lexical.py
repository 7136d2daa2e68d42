import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vault.retrieval.lexical import Postings, Statistics, bm25, coverage, inverse_document_frequency


def postings(*rows: tuple[int, int, float]) -> Postings:
    token, memory, frequency = zip(*rows, strict=True) if rows else ((), (), ())
    return Postings(np.array(token, np.int64), np.array(memory, np.int64), np.array(frequency, np.float64))


def ranked(rows: Postings, *, tokens: int = 2, lengths: tuple[float, ...] = (10, 10, 10), documents: int = 3):
    return bm25(
        rows,
        token_weights=np.ones(tokens),
        lengths=np.array(lengths, np.float64),
        statistics=Statistics(documents, 10.0),
    )


def covered(rows: Postings, *, tokens: int = 2, lengths: tuple[float, ...] = (10, 10, 10)):
    return coverage(
        rows,
        token_weights=np.ones(tokens),
        lengths=np.array(lengths, np.float64),
        statistics=Statistics(3, 10.0),
    )


def test_a_rare_token_counts_more_than_a_frequent_one():
    scores = ranked(postings((0, 0, 1), (0, 1, 1), (1, 2, 1)))

    assert scores[2] > scores[0] == scores[1]


def test_the_score_is_that_of_the_formula():
    idf = np.log1p((3 - 1 + 0.5) / (1 + 0.5))

    assert ranked(postings((0, 0, 2)))[0] == pytest.approx(idf * 2 * 2.2 / (2 + 1.2))


def test_a_memory_without_any_token_scores_zero():
    assert ranked(postings((0, 1, 1)))[0] == 0


def test_a_shorter_text_with_the_same_token_ranks_first():
    scores = ranked(postings((0, 0, 1), (0, 1, 1)), lengths=(5, 50, 10))

    assert scores[0] > scores[1]


def test_repetition_saturates():
    few, many = ranked(postings((0, 0, 2), (0, 1, 200)))[:2]

    assert few < many < 2 * few


def test_a_token_weight_scales_its_gain():
    rows = postings((0, 0, 1), (1, 1, 1))
    scores = bm25(
        rows, token_weights=np.array([2.0, 1.0]), lengths=np.full(2, 10.0), statistics=Statistics(3, 10)
    )

    assert scores[0] == pytest.approx(2 * scores[1])


def test_no_postings_are_no_scores():
    assert ranked(postings()).tolist() == [0, 0, 0]


def test_a_token_of_every_memory_never_counts_against_one():
    assert (inverse_document_frequency(np.array([3.0, 9.0]), documents=3) >= 0).all()


def test_a_memory_that_holds_the_whole_query_is_covered():
    assert covered(postings((0, 0, 1), (1, 0, 1)))[0] == pytest.approx(1)


def test_a_token_that_stands_nowhere_is_missed():
    assert covered(postings((0, 0, 1)))[0] < 0.5


def test_coverage_of_a_query_without_tokens_is_zero():
    assert covered(postings(), tokens=0).tolist() == [0, 0, 0]


@given(
    st.lists(st.tuples(st.integers(0, 4), st.integers(0, 5), st.integers(1, 50)), unique_by=lambda r: r[:2])
)
def test_coverage_stays_within_zero_and_one(rows):
    shares = covered(postings(*rows), tokens=5, lengths=(1, 2, 5, 10, 100, 1000))

    assert ((shares >= 0) & (shares <= 1)).all()
