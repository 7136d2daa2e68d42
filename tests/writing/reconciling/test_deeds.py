"""What was done once and what holds: a deed may break a rule or a habit, and never takes its place."""

from __future__ import annotations

import pytest

from tests.writing.reconciling.test_relation import relation
from vault.writing.reconciling.opinion import Choice, weighed
from vault.writing.reconciling.relation import Relation


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("I am vegan.", "I ordered the steak."),
        ("Is vegetarian.", "Ordered the steak."),
        ("Never call before noon.", "Called at nine."),
        ("Never call before noon.", "She was called at nine."),
        ("Doesn't eat meat.", "Ate meat at the party."),
        ("Never send SMS.", "Sent an SMS at noon."),
        ("Never leave parcels with the neighbour.", "Left the parcel with the neighbour."),
        ("Never sell to minors.", "Sold beer to a minor."),
        ("No calls.", "Joined the call about the boiler."),
        ("Prefers window seats.", "Booked an aisle seat."),
        ("Wants to pay by invoice.", "Paid by card for the last order."),
        ("Deliveries on Mondays only.", "Delivery came on Tuesday."),
        ("Doesn't work on Fridays.", "Worked last Friday."),
        ("The delivery address is Gate 4.", "Delivered once to Gate 9."),
        ("The fee is 12 euros.", "Paid a fee of 14 euros."),
        ("Her shoe size is 38.", "Ordered shoes in size 39."),
        ("Her manager is Clara Nyberg.", "Her manager was Jonas Feld."),
    ],
)
def test_a_deed_leaves_the_choice_to_a_person(old: str, new: str) -> None:
    assert relation(old, new) is Relation.UNCLEAR


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("I am vegan.", "I ordered the steak for my husband."),
        ("Is vegetarian.", "Has ordered the steak for her son."),
        ("Is vegetarian.", "Bought chicken for the dog."),
        ("Her shoe size is 38.", "Ordered shoes in size 39 for her daughter."),
        ("Prefers window seats.", "I booked an aisle seat for Marek."),
        ("Ist Vegetarierin.", "Hat das Steak für ihren Mann bestellt."),
        ("Is vegetarian.", "Asked whether the soup contains chicken stock."),
    ],
)
def test_what_was_for_somebody_else_concerns_nobody_here(old: str, new: str) -> None:
    assert relation(old, new) is Relation.APART


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Lives in Nantes.", "Has moved to Rennes."),
        ("Works at Ferro.", "Quit last week."),
        ("Has no dog.", "Bought a dog."),
        ("Single.", "Married in June."),
        ("Is vegetarian.", "Eats meat again."),
        ("Takes the white tablets daily.", "Stopped the white tablets."),
        ("The monthly fee is 12 euros.", "The monthly fee was raised to 14 euros."),
        ("No marketing mail.", "Agreed to marketing mail."),
        ("Vera hasn't signed the lease.", "Vera signed the lease on Monday."),
        ("Order 71 is on its way.", "Order 71 was delivered."),
        ("Order 71 is in transit.", "Order 71 arrived this morning."),
        ("Das Paket ist unterwegs.", "Das Paket wurde zugestellt."),
        ("Prefers e-mail.", "Prefers phone calls to e-mail now."),
        ("Prefers phone.", "Would rather have letters than phone calls."),
        ("Prefers e-mail.", "Wants text messages instead of e-mail."),
    ],
)
def test_a_step_ends_what_was_so(old: str, new: str) -> None:
    assert relation(old, new) is Relation.REPLACES


def test_what_was_not_wanted_and_is_subscribed_to_is_put_before_a_person() -> None:
    assert relation("Does not want newsletters.", "Subscribed to the newsletter.") is Relation.UNCLEAR


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Prefers e-mail.", "Prefers e-mail to phone calls."),
        ("Order 71 is on its way.", "Order 72 was delivered."),
        ("Does not want newsletters.", "Asked how the newsletter is made."),
    ],
)
def test_what_goes_with_it_leaves_it(old: str, new: str) -> None:
    assert relation(old, new) is Relation.APART


def test_a_habit_and_one_case_of_it_are_not_merged() -> None:
    assert relation("Orders the steak on Fridays.", "Ordered the steak on Friday.") is not Relation.SAME


def test_no_second_opinion_lets_a_deed_end_a_rule() -> None:
    old, new = "Never call before noon.", "Called at nine."

    assert weighed(Relation.UNCLEAR, Choice.SUPERSEDE, old=old, new=new) is Relation.UNCLEAR
