"""What undoing some versions does to a memory, decided over its history alone."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from uuid import UUID

from hypothesis import given
from hypothesis import strategies as st

from vault.lifecycle.rolling_back.plan import (
    Change,
    History,
    Step,
    in_order,
    plan_derived,
    plan_matching,
    plan_revival,
    undone_from,
)
from vault.types import Status

START = datetime(2031, 5, 4, tzinfo=UTC)
ACTIVE, FORGOTTEN, SUPERSEDED = Status.ACTIVE, Status.FORGOTTEN, Status.SUPERSEDED


def history(*versions: str, memory: int = 1, **fields: object) -> History:
    """Versions as words: X is to be undone, o somebody else's, s settled; a second letter is the status."""
    letters = {"f": FORGOTTEN, "p": SUPERSEDED, "a": Status.ARCHIVED, "e": Status.EXPIRED}
    steps = tuple(
        Step(
            number=number,
            status=letters.get(word[1:], ACTIVE),
            written_at=START + timedelta(minutes=number),
            matches=word[0] in "XS",
            settled=word[0] in "sS",
        )
        for number, word in enumerate(versions, start=1)
    )
    return History(UUID(int=memory), UUID(int=99), 1, steps[-1].status, steps, **fields)  # type: ignore[arg-type]


def planned(*versions: str) -> list[tuple[str, int]]:
    return [(change.kind.value, change.to_version) for change in plan_matching(history(*versions))]


def test_what_was_created_is_forgotten() -> None:
    assert planned("X") == [("forget", 0)]


def test_what_was_created_and_changed_by_the_same_is_forgotten() -> None:
    assert planned("X", "X", "X") == [("forget", 0)]


def test_what_was_changed_goes_back_to_the_version_before() -> None:
    assert planned("o", "o", "X") == [("restore", 2)]


def test_of_several_changes_the_first_counts() -> None:
    assert planned("o", "X", "X") == [("restore", 1)]


def test_what_nobody_asked_to_undo_is_left_alone() -> None:
    assert planned("o", "o") == []


def test_a_later_write_of_somebody_else_is_put_before_a_person() -> None:
    (conflict,) = plan_matching(history("X", "o"))

    assert (conflict.kind, conflict.to_version, conflict.standing) == ("conflict", 0, 2)


def test_what_came_after_somebody_elses_write_goes_back_to_that() -> None:
    assert planned("o", "X", "o", "X") == [("restore", 3), ("conflict", 1)]


def test_a_move_of_the_status_by_somebody_else_is_no_later_write() -> None:
    assert planned("o", "X", "of") == [("restore", 1)]


def test_a_status_that_somebody_else_gave_stays() -> None:
    (change,) = plan_matching(history("o", "X", "of"))

    assert change.to_status == "forgotten"


def test_a_status_that_is_to_be_undone_goes_back() -> None:
    (change,) = plan_matching(history("o", "Xf"))

    assert (change.to_version, change.to_status) == (1, "active")


def test_what_is_forgotten_already_is_not_forgotten_again() -> None:
    assert planned("X", "of") == []


def test_giving_way_to_another_memory_is_not_undone_by_itself() -> None:
    assert planned("o", "Xp") == []


def test_running_out_is_not_undone() -> None:
    assert planned("o", "Xe") == []


def test_what_an_earlier_rollback_dealt_with_is_left_alone() -> None:
    assert planned("o", "S", "s") == []


def test_a_change_after_an_earlier_rollback_is_undone_alone() -> None:
    assert planned("o", "S", "s", "X") == [("restore", 3)]


def test_what_was_derived_from_an_undone_memory_is_hidden() -> None:
    child = history("o", derived_from=(UUID(int=7),))

    change = plan_derived(child, {UUID(int=7): START})

    assert change is not None
    assert change.kind == "stale"


def test_what_was_derived_before_the_undone_version_stays() -> None:
    child = history("o", derived_from=(UUID(int=7),))

    assert plan_derived(child, {UUID(int=7): START + timedelta(hours=1)}) is None


def test_a_derived_memory_that_somebody_rewrote_is_put_before_a_person() -> None:
    child = history("o", "o", derived_from=(UUID(int=7),))

    change = plan_derived(child, {UUID(int=7): START})

    assert change is not None
    assert (change.kind, change.standing) == ("conflict", 2)


def test_what_gave_way_to_a_hidden_memory_comes_back() -> None:
    old = history("o", "op", superseded_by=UUID(int=7))

    change = plan_revival(old, {UUID(int=7): None})

    assert change is not None
    assert (change.kind, change.to_status) == ("revive", "active")


def test_what_gave_way_twice_over_comes_back_only_when_both_are_hidden() -> None:
    old = history("o", "op", superseded_by=UUID(int=7))

    assert plan_revival(old, {UUID(int=7): UUID(int=8)}) is None
    assert plan_revival(old, {UUID(int=7): UUID(int=8), UUID(int=8): None}) is not None


def test_a_circle_of_successors_ends() -> None:
    old = history("o", "op", superseded_by=UUID(int=7))

    assert plan_revival(old, {UUID(int=7): UUID(int=8), UUID(int=8): UUID(int=7)}) is None


def test_the_order_does_not_depend_on_how_the_rows_were_found() -> None:
    one = plan_matching(history("X", memory=1)) + plan_matching(history("o", "X", memory=2))

    assert in_order(one) == in_order(reversed(one))
    assert [change.kind.value for change in in_order(one)] == ["restore", "forget"]


# A busy machine is slow, not wrong.
WORDS = st.lists(st.sampled_from(["X", "o", "s", "S", "Xf", "of", "op", "Xp", "oe"]), min_size=1, max_size=8)


@given(WORDS)
def test_nothing_is_planned_without_a_version_to_undo(words: list[str]) -> None:
    plan = plan_matching(history(*words))

    assert not plan or any(word.startswith("X") for word in words)


@given(WORDS)
def test_no_write_of_somebody_else_is_lost_without_a_person(words: list[str]) -> None:
    found = history(*words)
    before = [None, *found.steps]
    others = [
        step.number
        for last, step in zip(before, found.steps, strict=False)
        if not (step.matches or step.settled) and (last is None or last.status is step.status)
    ]

    for change in plan_matching(found):
        if change.kind in ("restore", "forget"):
            assert not [number for number in others if number > change.to_version], change


@given(WORDS)
def test_doing_what_was_planned_leaves_nothing_to_plan(words: list[str]) -> None:
    found = history(*words)
    plan = plan_matching(found)

    assert plan_matching(settle(found, plan)) == ()


def settle(found: History, plan: tuple[Change, ...]) -> History:
    """The history as a rollback leaves it behind."""
    steps, status = list(found.steps), found.status
    for change in plan:
        steps = [
            Step(s.number, s.status, s.written_at, s.matches, s.settled or s.number > change.to_version)
            for s in steps
        ]
        if change.kind != "conflict":
            status = FORGOTTEN if change.kind == "forget" else Status(change.to_status)
            steps.append(Step(steps[-1].number + 1, status, START + timedelta(hours=1), settled=True))
    return History(found.memory_id, found.subject_id, 1, status, tuple(steps))


@given(WORDS)
def test_undoing_begins_with_the_first_version_that_is_undone(words: list[str]) -> None:
    found = history(*words)

    assert undone_from(found) is not None or plan_matching(found) == ()
