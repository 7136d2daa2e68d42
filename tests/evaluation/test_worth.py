"""The worth task, and the judge behind it."""

from __future__ import annotations

import json

import pytest

from vault.evaluation.worth import evaluate
from vault.types import Kind
from vault.writing.worth import Reason, judge_worth, refused_as_write

KEEP = [
    "I'd rather be called in the afternoon, never before noon.",
    "The gate may only be opened by two people.",
    "We decided to stay with the old supplier until 2028.",
    "Every Monday the scanner in hall 2 loses its connection.",
]
DROP = [
    "Hi there, how are you today?",
    '{"id": 3, "rows": [], "took_ms": 4}',
    "I'm so tired today, honestly.",
    "Try again but shorter.",
]


@pytest.mark.parametrize("text", KEEP)
def test_what_will_matter_again_is_worth_keeping(text):
    assert judge_worth(text).is_worth_keeping


@pytest.mark.parametrize("text", DROP)
def test_what_is_of_the_moment_is_not(text):
    assert not judge_worth(text, origin="tool" if text.startswith("{") else "user").is_worth_keeping


def test_a_lesson_is_of_that_kind():
    worth = judge_worth("It turned out that the trick is to restart the router before the modem.")

    assert (worth.reason, worth.kind) == (Reason.LESSON, Kind.LESSON)


@pytest.mark.parametrize(
    "text",
    [*KEEP, "The boiler was serviced on 3 May.", "Notes for the staging box", "x", "Invoice 7000 was paid."],
)
def test_an_explicit_write_is_refused_only_for_what_is_plainly_none(text):
    assert refused_as_write(text, origin="user", vector=None) is None


def test_the_task_counts_keep_and_drop(tmp_path):
    (tmp_path / "worth").mkdir()
    rows = [
        {"id": str(n), "text": text, "origin": "user", "keep": keep, "reason": "r", "lang": "en"}
        for n, (text, keep) in enumerate([(KEEP[0], True), (DROP[0], False)])
    ]
    (tmp_path / "worth" / "worth.jsonl").write_text("\n".join(json.dumps(row) for row in rows))

    figures = evaluate(tmp_path)

    assert figures["accuracy"] == 1.0
    assert figures["confusion"] == {"keep": {"keep": 1}, "drop": {"drop": 1}}
