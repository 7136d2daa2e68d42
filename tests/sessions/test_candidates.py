"""Choosing from a part of a long session is as good as choosing from all of its turns."""

from __future__ import annotations

import random

import pytest
from django.db import transaction
from django.utils import timezone

from tests.factories import make_scope
from vault.models import Session, Turn, isolation
from vault.sessions.candidates import COLUMNS, FEW_TURNS, candidates
from vault.sessions.fit import TurnNumbers, choose, units_of
from vault.sessions.start import start_session

pytestmark = pytest.mark.django_db

TURNS = FEW_TURNS + 120
SMALLEST_TURN, LARGEST_TURN = 5, 60


@pytest.fixture
def session():
    """A long session, of numbers alone: nothing here opens a turn."""
    row = start_session(subject="S1", namespace="default", scope=make_scope()).row
    chance = random.Random(7)
    rows = [_row(row, number, chance) for number in range(1, TURNS + 1)]
    with transaction.atomic():
        isolation.open_everything()
        Turn.objects.bulk_create(rows)
        Session.objects.filter(pk=row.pk).update(turn_count=TURNS)
        row.refresh_from_db()
        yield row


def _row(session, number, chance):
    is_call, is_answer = number % 10 == 4, number % 10 == 5
    role = "system" if number == 1 else chance.choice(["user", "assistant"])
    role = "assistant" if is_call else "tool" if is_answer else role
    return Turn(
        session=session, subject_id=session.subject_id, namespace_id=session.namespace_id, number=number, role=role,
        trust="stated", importance=round(chance.random(), 2), tokens=chance.randint(SMALLEST_TURN, LARGEST_TURN),
        calls=int(is_call),
        unit=number - 1 if is_answer else None, fingerprint=b"", ciphertext=b"", created_at=timezone.now(),
    )  # fmt: skip


@pytest.mark.parametrize("budget", [200, 1000, 4000, 100_000])
def test_a_window_of_a_long_session_is_as_full_as_from_all_its_turns(session, budget):
    everything = Turn.objects.filter(session=session).order_by("number").values_list(*COLUMNS)
    all_units, _ = units_of(TurnNumbers(*row) for row in everything)
    units, incomplete = units_of(candidates(session, max_tokens=budget))

    best, found = choose(all_units, budget=budget), choose(units, budget=budget)

    # Only which short turn fills the last gap may differ.
    assert best.tokens - found.tokens < LARGEST_TURN
    assert len(set(best.numbers) ^ set(found.numbers)) <= 0.1 * len(best.numbers)
    assert incomplete == 0


def test_a_small_window_looks_at_a_part_of_the_turns(session):
    assert len(candidates(session, max_tokens=200)) < TURNS / 2
