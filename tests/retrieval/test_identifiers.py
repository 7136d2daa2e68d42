"""What is about another order is no answer where the one that is asked for is stored."""

from __future__ import annotations

import pytest

from vault.retrieval.identifiers import names_another


@pytest.mark.parametrize(
    "text", ["Order 5512 was late.", "Orders 5512 and 61200 came.", "See INV-2026/5512."]
)
def test_a_text_on_another_number_names_another(text: str):
    assert names_another(text, {"x:5530"})


@pytest.mark.parametrize(
    "text",
    [
        "Order 5530 replaced 5512.",
        "The order was late.",
        "Owns a P200 pump.",
        "Moved in 2026.",
        "Came on 14 May.",
        "Paid 1200 EUR.",
        "Refunded €950.",
        "It cost 5,200.",
    ],
)
def test_a_text_that_holds_it_or_nothing_of_its_form_does_not(text: str):
    assert not names_another(text, {"x:5530"})


def test_the_form_of_a_code_is_in_its_letters():
    assert names_another("Pump p301 leaks.", {"x:p200"})
    assert not names_another("Invoice 8841 is open.", {"x:p200"})
