"""Putting small memories together and taking them apart, in a real browser."""

from __future__ import annotations

import pytest

from tests.factories import ago, make_memory
from tests.lifecycle.upkeep.stored import row_of
from vault.lifecycle.upkeep import registers
from vault.models import Memory
from vault.types import Status

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

TEXTS = ("Ilse's pool locker number is 4417", "Ilse swims on Tuesdays at the pool")


@pytest.fixture
def pool(monkeypatch) -> list[Memory]:
    monkeypatch.setattr(registers, "SOME", 2)
    return [make_memory(text, subject="S1", embedded=True, created_at=ago(days=300)).row for text in TEXTS]


@pytest.mark.parametrize("script", [True, False])
def test_what_is_put_together_is_taken_apart_again_with_and_without_scripts(script, visit, pool):
    visitor = visit(java_script_enabled=script)
    visitor.sign_in("reviewer")
    visitor.go("/console/upkeep/")
    visitor.page.locator("section[aria-labelledby=crowds] a").first.click()
    visitor.press("Put these together")
    assert visitor.sees("1 memory made out of several")
    assert row_of(pool[0].pk).status == Status.ARCHIVED

    visitor.page.locator("section[aria-labelledby=together] a").first.click()
    visitor.page.locator("#undo_reason").select_option("correction")
    visitor.press("Take it apart")

    assert visitor.sees("2 memories active again")
    assert {row_of(row.pk).status for row in pool} == {Status.ACTIVE}
