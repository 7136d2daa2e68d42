"""The rail in a real browser: all its entries in sight, and no word of it cut in the middle."""

from __future__ import annotations

import pytest

from vault.models import Role

pytestmark = [
    pytest.mark.browser,
    pytest.mark.timeout(300),
    pytest.mark.django_db(transaction=True),
]

CUT = "rail => rail.scrollHeight > rail.clientHeight"


@pytest.mark.parametrize("role", [Role.PRIVACY_OFFICER, Role.ADMINISTRATOR])
def test_all_entries_of_a_role_are_in_sight_in_a_low_window(visit, role):
    visitor = visit(viewport={"width": 1280, "height": 800})
    visitor.sign_in(role)

    assert not visitor.page.locator(".nav-groups").evaluate(CUT)
    assert not visitor.page.locator(".rail").evaluate(CUT)


def test_in_a_very_low_window_the_list_scrolls_and_the_way_out_stays_in_sight(visit):
    visitor = visit(viewport={"width": 1280, "height": 480})
    visitor.sign_in(Role.PRIVACY_OFFICER)

    assert visitor.page.locator(".nav-groups").evaluate(CUT)
    assert visitor.page.get_by_role("button", name="Sign out").evaluate(
        "button => button.getBoundingClientRect().bottom <= window.innerHeight"
    )


@pytest.mark.parametrize("width", [768, 390])
def test_on_a_narrow_screen_nothing_is_wider_than_the_page(visit, width):
    visitor = visit(viewport={"width": width, "height": 800})
    visitor.sign_in(Role.PRIVACY_OFFICER)

    visitor.go("/console/namespaces/")

    assert visitor.page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
