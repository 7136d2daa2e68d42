from __future__ import annotations

import pytest

from vault.embedding import embed
from vault.screening.policy import SENSITIVE_CATEGORIES
from vault.screening.sensitive import find_sensitive, load_examples


def categories(text: str) -> set[str]:
    return {hit.category for hit in find_sensitive(text, embed=embed)}


@pytest.mark.parametrize(
    ("text", "category"),
    [
        ("Zora was diagnosed with arthritis last spring.", "health"),
        ("He converted to Judaism and keeps the Sabbath.", "religion"),
        ("She is an activist and was a candidate for the socialist party.", "politics"),
        ("Oriane is the shop steward at the depot.", "union"),
        ("He came out as gay to his team.", "sex_life_or_orientation"),
        ("Her family is of Romani descent.", "ethnicity"),
        ("His fingerprint is stored for the warehouse door.", "biometrics_genetics"),
        ("She mentioned that her fingerprint unlocks the warehouse.", "biometrics_genetics"),
        ("Anna unlocks the safe by fingerprint.", "biometrics_genetics"),
        ("The tenant's thumbprint was taken.", "biometrics_genetics"),
        ("The customer's fingerprint is on file with the police.", "biometrics_genetics"),
        ("Keeps the fingerprints of all drivers for the gate.", "biometrics_genetics"),
        ("He was convicted of burglary and is on parole.", "criminal_record"),
        ("Her daughter is six years old and starts kindergarten.", "children"),
        ("Sie ist seit März schwanger.", "health"),
        ("Il est délégué syndical.", "union"),
        ("彼女は糖尿病です。", "health"),
    ],
)
def test_what_a_line_says_of_a_person_is_found(text: str, category: str) -> None:
    assert category in categories(text)


@pytest.mark.parametrize(
    "text",
    [
        "Prefers dark mode and short answers.",
        "The union of both tables has duplicates.",
        "The printer needs a new drum.",
        "Church Street is closed on Monday.",
        "The strike price is forty.",
        "Child process 12 exited with an error.",
        "How does the immune system fight an infection?",
        "Likes tea better than coffee.",
        "Add this fingerprint to the list of ignored keys.",
        "The fingerprint of the release key must match the page.",
    ],
)
def test_the_same_words_of_other_things_pass(text: str) -> None:
    assert not categories(text)


def test_every_category_has_examples() -> None:
    assert set(load_examples(embed)) == {*SENSITIVE_CATEGORIES, "none"}


def test_without_the_embedding_only_marked_terms_decide() -> None:
    assert find_sensitive("She has epilepsy.", embed=None)
    assert not find_sensitive("The patient waited at the court.", embed=None)


def test_a_sentence_is_found_in_a_long_text() -> None:
    text = (
        "The meeting moved to Thursday. " * 12
        + "Zora was diagnosed with epilepsy in May. "
        + "Lunch is at noon. " * 8
    )

    (hit,) = [h for h in find_sensitive(text, embed=embed) if h.category == "health"]

    assert text[hit.start : hit.end].startswith("diagnos")


PAGE = "The page tells how the portal is used and what the buttons do. " * 6


def test_a_page_that_speaks_of_a_topic_and_of_nobody_passes() -> None:
    assert not categories(PAGE + "Browse the list of disabilities and allergies by name.")


def test_a_page_that_speaks_of_somebody_is_found() -> None:
    assert "health" in categories(PAGE + "My brother was diagnosed with epilepsy in May.")


def test_a_task_for_a_model_is_no_statement_about_a_person() -> None:
    task = "Imagine a small town by the sea with one school and a museum. " * 6

    assert not categories(task + "Teenage visitors get a badge. Write a poster for them.")


def test_a_memory_that_leaves_out_whom_it_is_about_is_found() -> None:
    assert "health" in categories("Off sick until the 4th after knee surgery.")


def test_a_text_without_any_term_is_never_embedded() -> None:
    def fail(texts: object) -> object:
        raise AssertionError("embedded")

    assert not find_sensitive("Prefers dark mode and short answers.", embed=fail)
