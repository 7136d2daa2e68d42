"""What a window is arranged from, read off an index, is what would be arranged from all turns of the session."""

from __future__ import annotations

import random

import pytest
from django.db import transaction
from django.utils import timezone

from tests.factories import make_scope
from vault.models import Session, Turn, isolation
from vault.sessions.arrange import arrange
from vault.sessions.candidates import COLUMNS, candidates, incomplete_turns
from vault.sessions.fit import TurnNumbers, units_of, within_reach
from vault.sessions.start import start_session

pytestmark = pytest.mark.django_db

TURNS = 600
BUDGETS = [300, 1000, 4000, 100_000]
# Few values, so that many turns weigh the same, as they do.
WEIGHTS = [0.3, 0.35, 0.4, 0.8, 0.9]


@pytest.fixture
def session():
    """A session that is open to the test's transaction; turns are put in as numbers alone, nothing opens them."""
    row = start_session(subject="S1", namespace="default", scope=make_scope()).row
    with transaction.atomic():
        isolation.open_everything()
        yield row


def fill(session: Session, seed: int, turns: int = TURNS) -> random.Random:
    """Turns of every kind: said again, calls with some, all or none of their answers, which come much later or not."""
    chance = random.Random(seed)
    rows: list[Turn] = []
    waiting: list[Turn] = []
    for number in range(1, turns + 1):
        called = chance.choice(waiting) if waiting and chance.random() < 0.5 else None
        row = _row(session, number, called, chance)
        if row.calls:
            waiting.append(row)
        if called:
            called.answered += 1
            waiting = [call for call in waiting if call.answered < call.calls]
        rows.append(row)
    Turn.objects.bulk_create(rows)
    Session.objects.filter(pk=session.pk).update(turn_count=turns)
    session.refresh_from_db()
    return chance


def _row(session: Session, number: int, called: Turn | None, chance: random.Random) -> Turn:
    calls = 0 if called or chance.random() < 0.85 else chance.choice([1, 1, 1, 2, 5])
    says = "tool" if called else "assistant" if calls else chance.choice(["user", "assistant"])
    is_huge = chance.random() < 0.02
    is_system = number == 1 or (says == "user" and chance.random() < 0.005)
    return Turn(
        session=session, subject_id=session.subject_id, namespace_id=session.namespace_id, number=number,
        role="system" if is_system else says, trust="stated", importance=chance.choice(WEIGHTS),
        tokens=chance.randint(500, 3000) if is_huge and not is_system else chance.randint(5, 40), calls=calls,
        unit=called.number if called else None,
        repeated=not called and not calls and not is_system and chance.random() < 0.1,
        fingerprint=b"", ciphertext=b"", created_at=timezone.now(),
    )  # fmt: skip


def all_of(session: Session):
    rows = Turn.objects.filter(session=session).order_by("number").values_list(*COLUMNS)
    return units_of(TurnNumbers(*row) for row in rows)


@pytest.mark.parametrize("seed", range(25))
def test_the_turns_that_are_read_give_the_same_window_as_all_of_them(session, seed):
    fill(session, seed)
    units, _ = all_of(session)

    for budget in BUDGETS:
        read = candidates(session, max_tokens=budget)
        assert within_reach(read, budget=budget) == within_reach(units, budget=budget)
        if budget > BUDGETS[0]:
            one, other = (
                arrange(units=some, points=[], memories=[], max_tokens=budget, needs_summary=True)
                for some in (read, units)
            )
            assert one.chosen == other.chosen


@pytest.mark.parametrize("seed", range(5))
def test_incomplete_turns_are_counted_wherever_they_stand(session, seed):
    fill(session, seed)

    assert incomplete_turns(session) == all_of(session)[1]


def test_a_small_window_reads_a_part_of_the_turns(session):
    fill(session, 7)

    assert len(candidates(session, max_tokens=300)) < TURNS / 2


def test_turns_that_fit_into_no_window_do_not_keep_the_others_out(session):
    fill(session, 7)
    Turn.objects.filter(session=session, importance=0.9).exclude(role="system").update(tokens=5000)
    units, _ = all_of(session)

    read = candidates(session, max_tokens=1000)

    assert within_reach(read, budget=1000) == within_reach(units, budget=1000)


def test_a_session_of_no_turns_has_no_candidates(session):
    assert candidates(session, max_tokens=1000) == []
