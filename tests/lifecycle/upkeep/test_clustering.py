from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from vault.lifecycle.upkeep import clustering
from vault.lifecycle.upkeep.clustering import MAX_CHARACTERS, MAX_PARTS, MIN_PARTS, Part


def cluster(parts: list[Part]) -> tuple[tuple[int, ...], ...]:
    return clustering.cluster(parts, same_matter=0.5)


def part(angle: float, *, characters: int = 40, apart: object = None) -> Part:
    return Part(np.array([np.cos(angle), np.sin(angle)], dtype=np.float32), characters, apart)


def test_what_is_alike_is_one_group_and_what_is_not_is_in_none():
    assert cluster([part(0.0), part(0.1), part(3.0)]) == ((0, 1),)


def test_two_matters_are_two_groups():
    assert cluster([part(0.0), part(3.0), part(0.1), part(3.1)]) == ((0, 2), (1, 3))


def test_a_chain_of_neighbours_is_not_one_matter():
    groups = cluster([part(0.9 * step) for step in range(4)])

    assert all(len(group) < 4 for group in groups)


def test_what_must_not_be_mixed_is_not():
    assert cluster([part(0.0, apart="fact"), part(0.0, apart="event")]) == ()


def test_a_part_kept_from_one_of_a_group_is_kept_from_the_whole():
    groups = cluster([part(0.0, apart=1), part(0.0, apart=1), part(0.0, apart=2)])

    assert groups == ((0, 1),)


def test_a_group_stays_small_enough_to_be_embedded_whole():
    assert cluster([part(0.0, characters=400), part(0.0, characters=400)]) == ()


def test_nothing_and_one_make_no_group():
    assert (cluster([]), cluster([part(0.0)])) == ((), ())


@given(
    st.lists(
        st.tuples(st.floats(0, 6.28), st.integers(1, 240), st.sampled_from("ab")), min_size=2, max_size=25
    )
)
def test_groups_share_no_part_and_keep_every_bound(drawn):
    parts = [part(angle, characters=size, apart=kind) for angle, size, kind in drawn]

    groups = cluster(parts)

    places = [place for group in groups for place in group]
    assert len(places) == len(set(places))
    for group in groups:
        assert MIN_PARTS <= len(group) <= MAX_PARTS
        assert sum(parts[place].characters for place in group) <= MAX_CHARACTERS
        assert len({parts[place].apart for place in group}) == 1
