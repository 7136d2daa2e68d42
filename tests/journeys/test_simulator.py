"""The simulator in a real browser: the ranking moves with the sliders, and by its button without scripts."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from tests.factories import make_memory, make_subject
from vault.models import Role

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

OLD, NEW = "Mira prefers the green lamp in the hall.", "Mira asked for tea."


@pytest.fixture
def remembered() -> None:
    subject = make_subject("acct-7")
    make_memory(
        OLD, subject=subject, embedded=True, created_at=timezone.now() - timedelta(days=200), importance=0.4
    )
    make_memory(NEW, subject=subject, embedded=True, importance=0.9)


def first_row(visitor) -> str:
    return visitor.page.locator("#ranking tbody tr").first.inner_text()


def ask(visitor) -> None:
    visitor.go("/console/simulator/")
    visitor.page.locator("#id_external_id").fill("acct-7")
    visitor.page.locator("#id_query").fill("which lamp does Mira want green")


def test_the_ranking_follows_the_sliders(visit, remembered):
    visitor = visit()
    visitor.sign_in("auditor")
    ask(visitor)
    visitor.sees("green lamp in the hall")

    visitor.page.locator("#id_similarity").fill("0")

    visitor.page.locator("#ranking tbody tr").first.filter(has_text=NEW).wait_for()
    assert visitor.page.locator("output").first.inner_text() == "0"
    assert "acct-7" not in visitor.page.url


def test_the_button_ranks_without_scripts(visit, remembered):
    visitor = visit(java_script_enabled=False)
    visitor.sign_in("auditor")
    ask(visitor)

    visitor.press("Rank again")

    assert OLD in first_row(visitor)
    assert visitor.page.locator("#id_query").input_value() == "which lamp does Mira want green"


def test_on_a_telephone_the_parts_stand_before_the_ranking_and_no_choice_is_cut(visit):
    visitor = visit(viewport={"width": 390, "height": 800})
    visitor.sign_in(Role.ADMINISTRATOR)
    visitor.go("/console/simulator/")

    tops = [visitor.page.locator(place).bounding_box()["y"] for place in ("#parts", "#ranking-title")]
    assert tops == sorted(tops)
    assert visitor.page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    assert visitor.page.locator("#ranking .table-wrap").evaluate(
        "table => table.scrollWidth <= table.clientWidth"
    )
    assert max(map(len, visitor.page.locator("#id_decay option").all_inner_texts())) < 20
