import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vault.crypto.vectors import MAX_DIMENSIONS, checked, noised, rotation, turned

SEED, OTHER_SEED = b"s" * 32, b"t" * 32


def unit(dimensions, seed=0):
    vector = np.random.default_rng(seed).standard_normal(dimensions).astype(np.float32)
    return vector / np.linalg.norm(vector)


@settings(max_examples=20)
@given(dimensions=st.integers(1, 40), seed=st.binary(min_size=32, max_size=32))
def test_a_rotation_is_orthogonal(dimensions, seed):
    matrix = rotation(seed, dimensions)

    assert np.allclose(matrix @ matrix.T, np.eye(dimensions), atol=1e-5)


def test_a_rotation_is_the_same_each_time():
    assert np.array_equal(rotation(SEED, 32), rotation(SEED, 32))


def test_a_rotation_never_changes_between_releases():
    """Vectors at rest were turned by it: these figures may not change with any library."""
    expected = [[-0.26391, -0.81821, 0.51078], [-0.66643, -0.22814, -0.70980], [0.69729, -0.52772, -0.48507]]

    assert np.allclose(rotation(SEED, 3), expected, atol=1e-5)


def test_two_seeds_give_unrelated_rotations():
    alike = np.sum(rotation(SEED, 64) * rotation(OTHER_SEED, 64)) / 64

    assert abs(alike) < 0.2


def test_rotations_have_no_preferred_direction():
    first_entries = [rotation(bytes([n]) * 32, 4)[0, 0] for n in range(200)]

    # Uniform over the orthogonal group: mean 0, variance 1/dimensions.
    assert abs(np.mean(first_entries)) < 0.12
    assert abs(np.var(first_entries) - 0.25) < 0.08


def test_turning_keeps_the_nearness_of_two_vectors():
    matrix = rotation(SEED, 384)
    one, two = unit(384, 1), unit(384, 2)

    assert turned(one, matrix) @ turned(two, matrix) == pytest.approx(one @ two, abs=1e-5)


def test_the_noise_is_about_as_long_as_asked_for():
    vector = unit(384)

    added = [np.linalg.norm(noised(vector, 1.0) - vector) for _ in range(50)]

    assert np.mean(added) == pytest.approx(1.0, abs=0.05)


def test_the_noise_follows_the_length_of_the_vector():
    vector = 5 * unit(384)

    assert np.linalg.norm(noised(vector, 0.5) - vector) == pytest.approx(2.5, abs=0.5)


def test_the_noise_is_fresh_each_time():
    assert not np.array_equal(noised(unit(8), 1.0), noised(unit(8), 1.0))


def test_without_noise_nothing_changes():
    assert np.array_equal(noised(unit(7), 0.0), unit(7))


@pytest.mark.parametrize("noise", [-0.1, float("nan")])
def test_noise_that_is_no_ratio_is_refused(noise):
    with pytest.raises(ValueError, match="noise"):
        noised(unit(8), noise)


@pytest.mark.parametrize("bad", [[[1.0]], [float("nan"), 1.0], [float("inf")]])
def test_a_broken_vector_is_refused(bad):
    with pytest.raises(ValueError, match="finite"):
        checked(np.array(bad, dtype=np.float32))


@pytest.mark.parametrize("dimensions", [0, MAX_DIMENSIONS + 1])
def test_a_rotation_of_no_sensible_size_is_refused(dimensions):
    with pytest.raises(ValueError, match="dimensions"):
        rotation(SEED, dimensions)
