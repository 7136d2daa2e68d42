from __future__ import annotations

import numpy as np
import pytest

from vault.evaluation.protected_vectors import compare, subject_of


def unit(*shape: int) -> np.ndarray:
    rows = np.random.default_rng(3).normal(size=shape).astype(np.float32)
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def test_a_subject_that_is_opened_whole_gives_the_same_ten():
    figures = compare(unit(300, 64), unit(20, 64), sizes=[100])

    assert figures["by_size"]["100"] == {"opened": 100, "synthetic": 0, "same_top_10": 1.0}


def test_what_is_not_opened_cannot_be_found():
    # Random directions have no nearest: noise as long as the vector must lose some of the exact ten.
    figures = compare(unit(4000, 16), unit(40, 16), sizes=[4000])

    assert figures["by_size"]["4000"]["opened"] == 160
    assert 0.0 <= figures["by_size"]["4000"]["same_top_10"] < 1.0


@pytest.mark.parametrize(("size", "synthetic"), [(40, 0), (100, 50)])
def test_a_size_beyond_the_texts_is_filled_with_mixtures_and_says_so(size, synthetic):
    vectors = subject_of(unit(50, 8), size, np.random.default_rng(1))

    assert len(vectors) == size
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1.0, atol=1e-5)
    assert compare(unit(50, 8), unit(3, 8), sizes=[size])["by_size"][str(size)]["synthetic"] == synthetic
