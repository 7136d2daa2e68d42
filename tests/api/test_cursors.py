"""Cursors are opaque, and open only where they were made."""

from __future__ import annotations

import pytest

from vault.api.cursors import Place, page_address, read_cursor, write_cursor
from vault.errors import InvalidField

BOUND = {"caller": "agent:1", "subject": "S1", "kind": "fact"}
PLACE = Place(True, ("2026-09-02T08:30:00+00:00", "0199"))


def test_a_cursor_opens_where_it_was_made():
    assert read_cursor(write_cursor(PLACE, bound_to=BOUND), bound_to=BOUND) == PLACE


def test_the_whole_address_of_a_page_opens_like_its_cursor():
    address = page_address("https://vault.example/memories", {"subject": "S1"}, PLACE, bound_to=BOUND)

    assert address is not None
    assert read_cursor(address, bound_to=BOUND) == PLACE


@pytest.mark.parametrize("other", [{"caller": "agent:2"}, {"subject": "S2"}, {"kind": "event"}])
def test_a_cursor_of_another_caller_subject_or_filter_does_not_open(other):
    cursor = write_cursor(PLACE, bound_to=BOUND)

    with pytest.raises(InvalidField):
        read_cursor(cursor, bound_to={**BOUND, **other})


@pytest.mark.parametrize("position", [0, 5, -1])
def test_an_edited_cursor_does_not_open(position):
    cursor = list(write_cursor(PLACE, bound_to=BOUND))
    cursor[position] = "A" if cursor[position] != "A" else "B"

    with pytest.raises(InvalidField):
        read_cursor("".join(cursor), bound_to=BOUND)


@pytest.mark.parametrize("given", ["", "x", "::", "https://vault.example/memories?subject=S1"])
def test_what_is_no_cursor_does_not_open(given):
    with pytest.raises(InvalidField):
        read_cursor(given, bound_to=BOUND)


def test_a_cursor_does_not_show_the_subject():
    assert "S1" not in write_cursor(PLACE, bound_to=BOUND)


def test_there_is_no_address_without_a_place():
    assert page_address("https://vault.example/memories", {}, None, bound_to=BOUND) is None
