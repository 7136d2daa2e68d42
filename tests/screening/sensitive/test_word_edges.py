"""A term inside another word is another word, in every script that shows where words end."""

from __future__ import annotations

import pytest

from vault.screening.credentials.scan import Scanned
from vault.screening.sensitive.lexicon import find_terms

OTHER_WORDS = [
    "हम सोमवार को ग्राहक से मिलेंगे।",
    "आगे का गेट खुला है",
    "वह हमें सिखाने आया",
    "सजावट का काम",
    "मैनेजर कल फोन करेंगे।",
    "암스테르담에 갑니다",
    "암호를 잊었다",
    "암막 커튼",
    "내비게이션",
    "게이트 앞",
    "오전과 오후",
    "회전과 이동",
    "מועדתי לישיבה",
    "ゲインを上げる",
    "The lesbos ferry leaves at nine.",
]
THE_WORD = [
    ("sex_life_or_orientation", "वह समलैंगिक है"),
    ("health", "उसे मधुमेह है"),
    ("health", "암에 걸렸다"),
    ("sex_life_or_orientation", "그는 게이입니다"),
    ("criminal_record", "전과가 있다"),
    ("religion", "הוא דתי"),
    ("health", "המחלה שלו"),
    ("health", "بالسرطان"),
    ("health", "والسكري"),
    ("religion", "هو مسلم"),
    ("sex_life_or_orientation", "彼はゲイです"),
    ("health", "糖尿病です"),
]


def categories(text: str) -> set[str]:
    return {term.category for term in find_terms(Scanned(text))}


@pytest.mark.parametrize("text", OTHER_WORDS)
def test_a_term_inside_another_word_is_none(text: str) -> None:
    assert categories(text) == set()


@pytest.mark.parametrize(("category", "text"), THE_WORD)
def test_a_term_with_the_small_words_written_onto_it_is_one(category: str, text: str) -> None:
    assert category in categories(text)
