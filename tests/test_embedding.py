from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from vault.embedding import DIMENSIONS, EmbeddingFailed, embed, unit


def test_each_text_becomes_a_row_of_length_one() -> None:
    vectors = embed(["The parcel arrives on Monday.", "She grows tomatoes."])

    assert vectors.shape == (2, DIMENSIONS)
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1.0, atol=1e-5)


def test_no_text_gives_no_row() -> None:
    assert embed([]).shape == (0, DIMENSIONS)


def test_texts_of_like_meaning_lie_closer() -> None:
    cat, kitten, invoice = embed(["a cat sleeps", "a kitten is asleep", "the invoice was paid"])

    assert cat @ kitten > cat @ invoice + 0.2


def test_a_vector_does_not_depend_on_its_neighbours() -> None:
    alone = embed(["The gate code is on the fridge."])[0]
    among = embed(["short", "The gate code is on the fridge.", "a much longer text " * 60])[1]

    assert np.array_equal(alone, among)


def test_text_beyond_the_limit_does_not_count() -> None:
    words = "harbour " * 400

    assert np.array_equal(embed([words])[0], embed([words + "completely different ending"])[0])


def test_threads_get_the_same_vector() -> None:
    with ThreadPoolExecutor(4) as pool:
        vectors = list(pool.map(lambda _: embed(["Tea at four."])[0], range(8)))

    assert all(np.array_equal(vectors[0], each) for each in vectors)


@pytest.mark.parametrize("value", [0.0, float("nan"), float("inf")])
def test_a_vector_that_cannot_be_scaled_is_refused(value: float) -> None:
    with pytest.raises(EmbeddingFailed):
        unit(np.full(DIMENSIONS, value, dtype=np.float32))
