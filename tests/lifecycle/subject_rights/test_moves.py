from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vault.errors import InvalidTransition
from vault.lifecycle.subject_rights.following import OF_ERASURE, OF_EXPORT
from vault.lifecycle.subject_rights.moves import path
from vault.lifecycle.subject_rights.numbers import new_number, number_hash
from vault.models import REQUEST_NEXT, ErasureStatus, RequestStatus

STATES = st.sampled_from(list(RequestStatus))


@given(STATES, STATES)
def test_a_way_takes_only_steps_of_the_table(start, end):
    try:
        way = path(start, end)
    except InvalidTransition:
        return

    here = start
    for step in way:
        assert step in REQUEST_NEXT[here]
        here = step
    assert here == end


@pytest.mark.parametrize("over", [RequestStatus.DONE, RequestStatus.REFUSED])
def test_from_the_end_there_is_no_way(over):
    with pytest.raises(InvalidTransition):
        path(over, RequestStatus.VERIFIED)


def test_nothing_is_granted_that_was_not_proved():
    way = path(RequestStatus.RECEIVED, RequestStatus.DONE)

    assert way[0] is RequestStatus.VERIFIED


def test_what_is_being_carried_out_cannot_be_refused_any_more():
    with pytest.raises(InvalidTransition):
        path(RequestStatus.EXECUTING, RequestStatus.REFUSED)


def test_every_state_of_an_erasure_has_its_own():
    assert set(OF_ERASURE) == set(ErasureStatus)


def test_a_file_that_failed_or_was_refused_leaves_the_request_open():
    assert "failed" not in OF_EXPORT
    assert "refused" not in OF_EXPORT


def test_a_number_is_known_again_however_it_is_typed():
    number = new_number()
    misread = number.lower().replace("-", " ").replace("o", "0").replace("i", "1").replace("b", "8")

    assert number_hash(f"  {misread} ") == number_hash(number)


def test_numbers_are_long_and_never_the_same():
    numbers = {new_number() for _ in range(100)}

    assert len(numbers) == 100
    assert {len(number.replace("-", "")) for number in numbers} == {32}
