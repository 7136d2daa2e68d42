"""The rail: the pages of a role, in groups, and who is signed in."""

from __future__ import annotations

import re

import pytest

from console.context import NAVIGATION
from console.templatetags.console_tags import address

pytestmark = pytest.mark.django_db


def test_it_offers_what_the_role_may_open_and_nothing_else(officer):
    text = officer.get("/console/namespaces/").content.decode()
    rail = text[: text.index('class="rail-foot"')]

    assert "Review queue" in rail
    assert "Agents &amp; grants" not in rail
    assert "Staff" not in rail


def test_a_group_of_which_a_role_may_open_nothing_is_left_out(administrator):
    text = administrator.get("/console/namespaces/").content.decode()

    assert "Oversee" in text
    assert "Look up" not in text


def test_the_page_that_is_open_is_marked_as_such_alone(officer):
    text = officer.get("/console/namespaces/").content.decode()

    assert re.findall(r'aria-current="page">([^<]+)', text) == ["Namespaces"]


def test_no_page_stands_in_two_groups():
    names = [name for _, pages in NAVIGATION for _, name, _ in pages]

    assert len(names) == len(set(names))


def test_who_is_signed_in_is_said_whole_and_breaks_after_the_at_sign(officer):
    text = officer.get("/console/namespaces/").content.decode()
    email = officer.staff.email

    assert f'title="{email}">{email.replace("@", "@<wbr>")}</span>' in text


def test_an_address_is_text_and_never_markup():
    assert address("<b>@example.com") == "&lt;b&gt;@<wbr>example.com"


def test_what_is_no_address_stays_as_it_is():
    assert address("system:jobs") == "system:jobs"
