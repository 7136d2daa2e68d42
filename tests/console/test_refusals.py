from __future__ import annotations

import pytest
from django.template.loader import render_to_string

from console.refusals import REFUSAL_STATUS, TITLES, refusal_of
from vault import errors


def test_every_status_has_a_title():
    assert set(REFUSAL_STATUS) == set(TITLES)


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (errors.NotFound(), 404),
        (errors.AlreadyDecided(), 409),
        (errors.InvalidTransition(), 409),
        (errors.SameApprover(), 403),
        (errors.SecretDetected(), 422),
        (errors.IntegrityFault(), 500),
    ],
)
def test_a_refusal_has_the_status_of_its_kind(error, status):
    assert refusal_of(error).status == status


@pytest.mark.parametrize("name", ["400", "403", "404", "429", "500", "403_csrf"])
def test_an_error_page_needs_nothing_to_be_rendered(name):
    page = render_to_string(f"{name}.html")

    assert "To the console" in page
    assert "<script" not in page
    assert "style=" not in page
