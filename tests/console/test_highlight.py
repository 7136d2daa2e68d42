from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from console.highlight import LETTERS, cut, number_findings, view_fields
from vault.types import Action, Category, Finding

FAMILY = "👩\u200d👩\u200d👧"


def finding(start: int, end: int, category: Category = Category.PII, pointer: str = "/text") -> Finding:
    return Finding(category, "THING", start, end, 0.9, Action.QUARANTINE, pointer=pointer)


def marked_text(text: str, *findings: Finding) -> list[str]:
    return [stretch.text for stretch in cut(text, number_findings(findings)) if stretch.marks]


def test_a_finding_after_an_emoji_marks_exactly_its_own_characters():
    text = "👍👍 mail ilse@mail.example now"
    start = text.index("ilse")

    assert marked_text(text, finding(start, start + len("ilse@mail.example"))) == ["ilse@mail.example"]


def test_a_finding_next_to_chinese_text_marks_exactly_its_own_characters():
    text = "电邮ilse@mail.example谢谢"

    assert marked_text(text, finding(2, 19)) == ["ilse@mail.example"]


def test_a_finding_over_a_joined_emoji_keeps_every_code_point():
    text = f"a {FAMILY} b"

    assert "".join(marked_text(text, finding(2, 2 + len(FAMILY)))).count("⟦U+200D⟧") == 2


def test_overlapping_findings_cut_the_text_at_every_border():
    stretches = cut("abcdef", number_findings([finding(0, 4), finding(2, 6)]))

    assert [(s.text, len(s.marks)) for s in stretches] == [("ab", 1), ("cd", 2), ("ef", 1)]


def test_the_mark_of_a_finding_stands_once_where_it_begins():
    stretches = cut("abcdef", number_findings([finding(0, 6), finding(2, 4)]))

    assert [mark.mark for s in stretches for mark in s.starts] == ["P1", "P2"]


def test_marks_are_counted_by_letter():
    marks = number_findings([finding(0, 1), finding(1, 2, Category.SECRET), finding(2, 3)])

    assert [m.mark for m in marks] == ["P1", "S1", "P2"]


def test_every_category_has_a_letter_of_its_own():
    assert set(LETTERS) == set(Category)
    assert len(set(LETTERS.values())) == len(Category)


def test_invisible_characters_are_said_out_loud():
    assert "".join(s.text for s in cut("pay\u200b now\u202e", ())) == "pay⟦U+200B⟧ now⟦RLO⟧"


def test_a_span_that_reaches_past_the_text_is_clipped():
    assert marked_text("abc", finding(1, 99)) == ["bc"]


def test_an_empty_span_marks_nothing():
    assert marked_text("abc", finding(2, 2)) == []


def test_a_finding_of_another_field_does_not_mark_the_text():
    views = view_fields({"/text": "abc", "/metadata/note": "def"}, [finding(0, 2, pointer="/metadata/note")])

    assert [bool(view.marks) for view in views] == [False, True]


def test_one_type_at_one_place_is_one_mark_with_the_word_of_each_detector():
    text = [
        Finding(Category.SECRET, "TOKEN", 0, 4, 0.7, Action.QUARANTINE, detector="entropy"),
        Finding(Category.SECRET, "TOKEN", 0, 4, 0.9, Action.REFUSE, detector="named"),
        Finding(Category.SECRET, "TOKEN", 0, 4, 0.9, Action.REFUSE, detector="named"),
    ]

    (mark,) = number_findings(text)

    assert [(said.detector, said.percent) for said in mark.said] == [("named", 90), ("entropy", 70)]


@pytest.mark.parametrize(
    "other",
    [
        {"start": 1},
        {"end": 5},
        {"type": "KEY"},
        {"category": Category.PII},
        {"pointer": "/metadata/note"},
    ],
)
def test_another_place_or_type_has_a_mark_of_its_own(other):
    first = Finding(Category.SECRET, "TOKEN", 0, 4, 0.7, Action.QUARANTINE)

    assert len(number_findings([first, replace(first, **other)])) == 2


@given(st.lists(st.tuples(st.integers(0, 2), st.integers(3, 4), st.sampled_from("ab"))))
def test_no_finding_is_lost_by_sharing_a_mark(places):
    findings = [
        Finding(Category.PII, "THING", start, end, 0.5, Action.ALLOW, detector=name)
        for start, end, name in places
    ]

    marked = number_findings(findings)

    assert sorted(map(repr, findings)) == sorted(repr(f) for m in marked for f in (m.finding, *m.others))


@given(
    st.text(alphabet="ab👍é中", max_size=30), st.lists(st.tuples(st.integers(-3, 40), st.integers(-3, 40)))
)
def test_no_character_is_lost_or_repeated(text, spans):
    marked = number_findings(finding(start, end) for start, end in spans)

    assert "".join(stretch.text for stretch in cut(text, marked)) == text
