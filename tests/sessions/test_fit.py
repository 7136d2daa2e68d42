"""Which turns a window shows."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vault.errors import InvalidField
from vault.sessions.fit import TurnNumbers, choose, units_of

# A busy machine must not decide.


def turns(*rows):
    return [TurnNumbers(*row) for row in rows]


def chosen(rows, budget):
    units, incomplete = units_of(rows)
    return choose(units, budget=budget, incomplete=incomplete)


TOOL_TALK = turns(
    (1, "system", 1.0, 10),
    (2, "user", 0.3, 10),
    (3, "assistant", 0.3, 10, 1),
    (4, "tool", 0.3, 10, 0, 3),
    (5, "user", 0.3, 10),
)


def test_everything_is_shown_in_order_where_it_fits():
    assert chosen(TOOL_TALK, 50).numbers == (1, 2, 3, 4, 5)


@pytest.mark.parametrize("budget", range(20, 50))
def test_a_call_and_its_answer_stand_or_fall_together(budget):
    numbers = set(chosen(TOOL_TALK, budget).numbers)

    assert (3 in numbers) == (4 in numbers)


@pytest.mark.parametrize("budget", [20, 30, 49])
def test_the_systems_instructions_and_the_newest_user_turn_are_always_there(budget):
    assert {1, 5} <= set(chosen(TOOL_TALK, budget).numbers)


@pytest.mark.parametrize("budget", [1, 10, 19])
def test_a_budget_that_does_not_hold_them_is_refused(budget):
    with pytest.raises(InvalidField):
        chosen(TOOL_TALK, budget)


def test_a_call_that_waits_for_an_answer_is_left_out():
    found = chosen(turns((1, "user", 0.3, 10), (2, "assistant", 0.3, 10, 2), (3, "tool", 0.3, 10, 0, 2)), 100)

    assert (found.numbers, found.incomplete) == ((1,), 2)


def test_an_answer_whose_call_was_erased_is_left_out():
    found = chosen(turns((1, "user", 0.3, 10), (3, "tool", 0.3, 10, 0, 2)), 100)

    assert (found.numbers, found.incomplete) == ((1,), 1)


def test_what_was_said_again_later_is_shown_once():
    rows = turns((1, "user", 0.3, 10, 0, None, True), (2, "assistant", 0.3, 10), (3, "user", 0.3, 10))

    assert chosen(rows, 100).numbers == (2, 3)


def test_recent_turns_go_before_important_ones():
    old = [TurnNumbers(1, "user", 0.9, 10)]
    recent = [TurnNumbers(n, "assistant", 0.1, 10) for n in range(2, 10)]

    assert 1 not in chosen([*old, *recent, TurnNumbers(10, "user", 0.1, 10)], 80).numbers


def test_of_older_turns_the_more_important_stay():
    old = [TurnNumbers(n, "user", 0.9 if n == 3 else 0.2, 10) for n in range(1, 11)]
    recent = [TurnNumbers(n, "user", 0.1, 10) for n in range(11, 19)]

    numbers = chosen([*old, *recent], 90).numbers

    assert [n for n in numbers if n <= 10] == [3]


ROLES = st.sampled_from(["system", "user", "assistant"])
ROWS = st.lists(
    st.tuples(ROLES, st.sampled_from([0.1, 0.5, 0.9]), st.integers(1, 30), st.booleans()), max_size=40
)


@given(ROWS, st.integers(1, 600))
def test_a_window_is_never_over_its_budget_and_always_in_order(rows, budget):
    numbered = [
        TurnNumbers(n, role, weight, cost, 0, None, again)
        for n, (role, weight, cost, again) in enumerate(rows, 1)
    ]
    units, _ = units_of(numbered)
    try:
        found = choose(units, budget=budget)
    except InvalidField:
        return

    costs = {row.number: row.tokens for row in numbered}
    assert found.tokens == sum(costs[n] for n in found.numbers) <= budget
    assert list(found.numbers) == sorted(set(found.numbers))
    assert not set(found.numbers) & set(found.left_out)
