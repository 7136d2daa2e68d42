from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.drafts import make_agent_scope, make_draft
from vault.types import Kind
from vault.writing.changeable import changes_by_itself
from vault.writing.pipeline import write_memory

CHANGE = (
    "The credit limit of the account is 5,000 EUR.",
    "The API rate limit is 100 requests a minute.",
    "The monthly fee is 12 euros.",
    "The standing desk costs $420.",
    "Her shipping address is 12 Elm Street, Springfield.",
    "Lives in Lisbon with two cats.",
    "The order 4711 is in transit.",
    "Invoice INV-2026/12 is overdue.",
    "The status of the claim is pending.",
    "The blue lamp is out of stock.",
    "The account balance is 230.50.",
    "Opening hours: Monday to Friday.",
    "The shop opens at 9 and closes at 18.",
    "Production runs PostgreSQL 18.1.",
    "Their contact number is in the file. The subscription is active.",
)
STAY = (
    "Prefers replies in Hindi.",
    "She addressed the audience without notes.",
    "Address complaints within a day.",
    "Values a good work-life balance.",
    "Invests in stock options now and then.",
    "Her version of the story differs.",
    "She is open to feedback.",
    "Prefers open offices to closed ones.",
    "Status symbols mean nothing to her.",
    "Born in 1980 in Porto.",
    "The price of honesty is high.",
    "The price was 40 euros in 2019.",
    "The order was shipped yesterday.",
    "Limits screen time for the children.",
    "At no cost to the team, Dana reviews drafts.",
    "Runs every morning before work.",
    "Is allergic to peanuts.",
)


@pytest.mark.parametrize("text", CHANGE)
def test_a_fact_that_changes_while_nobody_writes_is_known(text):
    assert changes_by_itself(text, kind=Kind.FACT)


@pytest.mark.parametrize("text", STAY)
def test_a_fact_that_only_looks_like_one_is_left_alone(text):
    assert not changes_by_itself(text, kind=Kind.FACT)


@pytest.mark.parametrize("kind", [Kind.EVENT, Kind.LESSON])
def test_what_happened_and_what_was_learnt_do_not_change(kind):
    assert not changes_by_itself("The credit limit is 5,000 EUR.", kind=kind)


def test_the_name_of_the_attribute_is_enough():
    assert changes_by_itself("Gold tier, five thousand.", kind=Kind.FACT, attribute="billing.credit_limit")
    assert not changes_by_itself("Gold tier.", kind=Kind.FACT, attribute="tier")


@given(st.text(max_size=300), st.sampled_from(Kind), st.text(max_size=40))
def test_any_text_gets_an_answer(text, kind, attribute):
    assert changes_by_itself(text, kind=kind, attribute=attribute) in (True, False)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(("said", "stored"), [(None, True), (False, False), (True, True)])
def test_the_writers_word_goes_before_the_look_of_the_statement(said, stored):
    draft = make_draft("The credit limit is 5,000 EUR.", "S1", volatile=said)

    assert write_memory(draft=draft, scope=make_agent_scope()).memory.row.volatile is stored


@pytest.mark.django_db(transaction=True)
def test_a_fact_that_stays_is_not_marked():
    written = write_memory(draft=make_draft("Prefers replies in Hindi.", "S1"), scope=make_agent_scope())

    assert not written.memory.row.volatile
