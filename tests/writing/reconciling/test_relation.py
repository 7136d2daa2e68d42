"""What two statements are to each other. The similarity is high on purpose: the words must decide."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vault.writing.reconciling.relation import TOPIC_SIMILARITY, Relation, relate
from vault.writing.reconciling.restating import restates
from vault.writing.reconciling.statement import read

NEAR = 0.9


def relation(old: str, new: str, similarity: float = NEAR) -> Relation:
    return relate(read(old), read(new), similarity)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("The kiosk shuts at 6 pm.", "Kiosk closing time: 18:00"),
        ("The tank holds 0.75 l.", "The tank holds 750 ml."),
        ("Fee of €1,250.00 paid on 2 March.", "Fee of EUR 1250 paid on March 2."),
        ("Filter change every six months.", "The filter is changed twice a year."),
        ("The keys lie with the porter.", "The porter has the keys."),
        ("Prefers window seats on trains.", "On trains she prefers a window seat."),
        ("No more than three guests at once.", "Max 3 guests."),
        ("Don't phone before 9 am.", "Only ring from 9 am on."),
        ("Nobody but Ines may approve refunds.", "Only Ines approves refunds."),
        ("Her boss is Clara Nyberg.", "Clara Nyberg is her manager."),
        ("Lives in Malmö.", "lives in Malmo"),
        ("He's vegetarian.", "He is a vegetarian"),
        ("La sesión es a las seis de la tarde.", "Hora de la sesión: 18:00."),
        ("Das Paket wiegt ein halbes Kilo.", "Gewicht des Pakets: 500 g."),
    ],
)
def test_the_same_in_other_words_is_the_same(old: str, new: str) -> None:
    assert relation(old, new) is Relation.SAME


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Class 4C meets in room 118.", "Class 4C meets in room 181."),
        ("The ramp is 2.4 m wide.", "The ramp is 2.1 m wide."),
        ("Her shoe size is 38.", "Her shoe size is 39."),
        ("The next council meeting is on 4 May.", "The next council meeting is on 11 May."),
        ("Mill Lane Foods charges 3.10 EUR a jar.", "Mill Lane Foods put the jar up to 3.45 EUR."),
        ("The monthly fee is 12 euros.", "From January the monthly fee goes up to 14 euros."),
        ("Takes the white tablets daily", "No longer takes the white tablets"),
        ("Prefers visits before noon", "Prefers no visits before noon"),
        ("Adores spicy food", "Cannot stand spicy food any more"),
        ("Is not a member of the choir.", "Joined the choir as a member."),
        ("Doesn't have a car.", "Bought a used car last week."),
        ("Ticket 4402 is open.", "Ticket 4402 was closed this morning."),
        ("Our tutor is Jonas Feld.", "Our tutor is Wen Castellan."),
        ("Works with the Lectern reader.", "Switched from Lectern to Vocalis."),
        ("Lives in Nantes.", "Moved to Rennes in June."),
        ("The beta programme is enabled.", "The beta programme is disabled."),
        ("Wears glasses only for reading.", "Wears glasses all day."),
        ("Speaks to us in French.", "Wants to speak to us in Dutch."),
        ("My favourite colour is green.", "My favourite colour is dark blue."),
        ("His favourite dish is lentil stew.", "His favourite dish is fish pie with peas."),
    ],
)
def test_what_no_longer_holds_is_replaced(old: str, new: str) -> None:
    assert relation(old, new) is Relation.REPLACES


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Likes tea.", "Likes coffee."),
        ("Drinks tea at breakfast.", "Drinks an espresso after lunch."),
        ("The Bath shop gets bread on Mondays.", "The Exeter shop gets bread on Thursdays."),
        ("Sister's favourite colour is purple", "Brother's favourite colour is purple"),
        ("Locker code at the gym is 4417", "Locker code at work is 4471"),
        ("Order 66120 was delivered on 8 May.", "Order 66121 was delivered on 8 May."),
        ("Invoice INV-3307 is unpaid.", "Invoice INV-3370 is unpaid."),
        ("The 2029 audit found no faults.", "The 2030 audit found no faults."),
        ("Her brother Marek lives in Brno.", "Her brother Mirek lives in Brno."),
        ("Julian sees the dentist on Tuesday.", "Juliane sees the dentist on Tuesday."),
        ("Paid 200 EUR on 1 June.", "Paid 200 EUR on 1 July."),
        ("Meter reading on 1 March: 44,107 kWh.", "Meter reading on 1 April: 44,170 kWh."),
        ("Plays tennis on Saturdays.", "Cancelled tennis last Saturday because of rain."),
        ("Truck 8 carries 18 pallets.", "Truck 8 had its tyres changed."),
        ("Speaks French with us.", "Her mother speaks only German."),
        ("Kam am 3. Mai zu spät.", "Kam am 13. Mai zu spät."),
        ("Camille sings in the choir.", "Camille changed from alto to soprano."),
        ("The lift in building C is stuck.", "The lift in building D was repaired."),
        ("Ordered 40 boxes.", "In addition ordered 15 boxes."),
        ("👍", "👎"),
        ("The depot opens at 7:00 on weekdays.", "The depot ships with Nordfreight."),
        ("The depot opens at 7:00.", "The depot ships daily."),
        ("The pharmacy opens at 8:00.", "The pharmacy delivers to the door."),
        ("The lab opens at 8:00.", "The lab ships samples with dry ice."),
        ("The delivery address is Gate 4.", "The delivery address is for small parcels only."),
        ("The delivery address is Gate 4, dock 2.", "The delivery address is Gate 4."),
        ("My hobbies are chess and sailing.", "My hobbies are cooking."),
        ("The meeting is on Monday.", "The meeting is in room 4."),
    ],
)
def test_statements_of_two_matters_both_stand(old: str, new: str) -> None:
    assert relation(old, new) is Relation.APART


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("The lamp is green.", "The lamp is red."),
        (
            "Our delivery address is Gate 4, Harbour Road 18, and trucks must call ahead.",
            "The delivery address is Gate 9, Mill Lane 2.",
        ),
        ("The budget is 400 euros.", "The budget is approved by Ines."),
        ("Enabled for the beta programme.", "Disabled for the beta programme."),
        ("She can swim.", "She can't swim in cold water."),
        ("She eats eggs if they are cooked.", "She doesn't eat eggs if they are raw."),
    ],
)
def test_in_doubt_a_person_is_asked(old: str, new: str) -> None:
    assert relation(old, new) is Relation.UNCLEAR


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Reach her at <EMAIL_ADDRESS> please.", "Please reach her at <EMAIL_ADDRESS>."),
        ("Ana helps Bo.", "Bo helps Ana."),
        ("Takes it before meals.", "Takes it after meals."),
        ("Likes tea.", "Likes green tea."),
        ("The blue folder holds the contracts.", "The green folder holds the contracts."),
        ("大阪の倉庫です。", "神戸の倉庫です。"),
    ],
)
def test_near_words_are_not_merged(old: str, new: str) -> None:
    assert relation(old, new) is not Relation.SAME


TURNED = [
    ("My mother's doctor is in Bremen.", "My doctor's mother is in Bremen."),
    ("I lend books to my sister every month.", "My sister lends books to me every month."),
    ("The client owes the supplier a refund.", "The supplier owes the client a refund."),
    (
        "The tenant pays the heating, the landlord the water.",
        "The landlord pays the heating, the tenant the water.",
    ),
    ("He is allowed to call me.", "I am allowed to call him."),
    ("The dog bit the neighbour's child.", "The neighbour's child bit the dog."),
    ("Our team always tests before it deploys.", "Our team always deploys before it tests."),
    ("The valve closes when the pump starts.", "The pump starts when the valve closes."),
    ("All parcels except fragile ones go by van.", "All fragile parcels go by van."),
    ("I can always reach Pia by phone.", "Pia can always reach me by phone."),
    ("Das Paket geht von mir an Anna.", "Das Paket geht an mich von Anna."),
    ("Nimm die Tropfen vor dem Schlafen.", "Nimm die Tropfen nach dem Schlafen."),
    ("Je prends toujours le train avant midi.", "Je prends toujours le train après midi."),
    ("The lamp in the hall is always on at night.", "The lamp in the hall is always off at night."),
    ("I prefer the window seat on short flights.", "I prefer the window seat on long flights."),
]


@pytest.mark.parametrize(("old", "new"), [*TURNED, *((new, old) for old, new in TURNED)])
def test_the_same_words_about_who_does_it_to_whom_are_another_statement(old: str, new: str) -> None:
    assert relation(old, new) is not Relation.SAME
    assert not restates(new, [old])


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("On trains she prefers a window seat.", "Prefers a window seat on trains."),
        ("When the pump starts, the valve closes.", "The valve closes when the pump starts."),
        ("Likes neither meat nor fish.", "Likes neither fish nor meat."),
        ("Public holidays: warehouse closed.", "The warehouse is closed on public holidays."),
    ],
)
def test_a_phrase_that_moved_says_the_same(old: str, new: str) -> None:
    assert relation(old, new) is Relation.SAME


def test_a_question_contradicts_nothing() -> None:
    assert relation("Works in Leeds.", "Does she no longer work in Leeds?") is Relation.APART


def test_without_a_common_topic_nothing_is_compared() -> None:
    assert relation("The fee is 12 euros.", "The fee is 14 euros.", TOPIC_SIMILARITY - 0.01) is Relation.APART


def test_of_a_document_only_the_beginning_is_read_and_nothing_is_decided() -> None:
    page = "The fee is 12 euros. " * 40

    assert relation(page, page.replace("12", "14")) not in (Relation.SAME, Relation.REPLACES)


SENTENCES = st.lists(
    st.sampled_from("she likes no tea Ana 14 monday room 2.5 kg not the moved to Oslo".split()),  # noqa: SIM905
    min_size=1,
    max_size=9,
).map(" ".join)
SIMILARITIES = st.floats(-1, 1)


@given(SENTENCES, SENTENCES, SIMILARITIES)
def test_the_same_pair_is_judged_the_same_way_twice(old: str, new: str, similarity: float) -> None:
    assert relation(old, new, similarity) is relation(old, new, similarity)


@given(SENTENCES)
def test_a_statement_is_the_same_as_itself(text: str) -> None:
    assert relation(text, f" {text.upper()}. ") is Relation.SAME or any(c.isupper() for c in text)


@given(SENTENCES, st.integers(0, 999), st.integers(0, 999), SIMILARITIES)
def test_another_number_is_never_merged(text: str, one: int, other: int, similarity: float) -> None:
    if one != other:
        assert relation(f"{text} {one} m", f"{text} {other} m", similarity) is not Relation.SAME


@given(SENTENCES, SIMILARITIES)
def test_a_denial_is_never_merged(text: str, similarity: float) -> None:
    assert relation(text, f"not {text}", similarity) is not Relation.SAME


@given(st.text(max_size=120), st.text(max_size=120), SIMILARITIES)
def test_any_two_texts_can_be_compared(old: str, new: str, similarity: float) -> None:
    assert relation(old, new, similarity) in Relation
