"""What is read from one statement: its subject, its tense, its names."""

from __future__ import annotations

import pytest

from vault.writing.reconciling.statement import MAX_PIECES, Sort, read


def subject(text: str) -> list[str]:
    return [token.word for token in read(text).subject]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("The Bath shop gets bread on Mondays.", ["bath", "shop"]),
        ("The intern, Jule, has a contract.", ["intern", "jule"]),
        ("Final headcount for the barn: 64.", ["final", "headcount", "barn"]),
        ("Order 7714 was paid by card.", ["order", "7714"]),
        ("Locker code at work is 4471.", ["locker", "code", "work"]),
        ("Prefers tea.", []),
        ("The form says that Mia is allergic.", []),
    ],
)
def test_the_subject_ends_where_something_is_said_of_it(text: str, words: list[str]) -> None:
    assert subject(text) == words


@pytest.mark.parametrize(
    ("text", "past"),
    [
        ("The order was delivered.", True),
        ("Complained about the noise.", True),
        ("The parcel weighs 2 kg.", False),
        ("Stavros has worked here since 2016.", False),
        ("田所さんは欠席しました。", True),
        ("Kavita ne 500 rupaye jama kiye.", True),
    ],
)
def test_what_was_done_is_told_from_what_holds(text: str, past: bool) -> None:
    assert read(text).past is past


@pytest.mark.parametrize(
    ("text", "denials"),
    [
        ("She doesn't eat meat.", 1),
        ("No calls, never.", 2),
        ("Er trinkt keinen Kaffee.", 1),
        ("Nunca bebe café.", 1),
        ("लता मांस नहीं खातीं।", 1),
        ("肉は食べません。", 1),
        ("Nobody but Ines may approve.", 0),
    ],
)
def test_denials_are_counted(text: str, denials: int) -> None:
    assert read(text).denials == denials


def test_names_lose_their_accents_and_nothing_else() -> None:
    assert read("Lives in Malmö with Zoë.").of(Sort.NAME) == {"malmo", "zoe"}


def test_a_text_in_capitals_has_no_names() -> None:
    assert not read("THE KIOSK SHUTS AT SIX").of(Sort.NAME)


def test_what_is_masked_is_known_as_such() -> None:
    assert read("Write to <EMAIL_ADDRESS>.").of(Sort.MASKED)


def test_a_long_text_is_known_not_to_be_read_to_its_end() -> None:
    assert not read("word " * (MAX_PIECES + 1)).whole


def test_a_stop_after_an_abbreviation_ends_no_sentence() -> None:
    assert read("Contact: Mr. P. Lindqvist. He is in Oslo.").sentences == 2
