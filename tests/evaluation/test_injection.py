from __future__ import annotations

from typing import Any

import pytest

from vault.evaluation.injection import is_caught, tally
from vault.types import Action, Category, Finding, Verdict


def row(text: str, label: int, **changes: Any) -> dict[str, Any]:
    return {"text": text, "label": label, "kind": "direct", "source": "ours", "lang": "en", **changes}


def verdict(category: Category) -> Verdict:
    found = Finding(category, "x", 0, 1, 1.0, Action.QUARANTINE)
    return Verdict(Action.QUARANTINE, (found,))


def by_word(text: str) -> tuple[Verdict, float]:
    return verdict(Category.INJECTION) if "bad" in text else Verdict(Action.ALLOW), 2.0


def test_recall_and_false_positives_are_counted_apart() -> None:
    found = tally([row("bad", 1), row("good", 1), row("bad", 0), row("good", 0)], by_word)

    assert (found["recall"], found["false_positive_rate"], found["precision"]) == (0.5, 0.5, 0.5)
    assert (found["positives"], found["negatives"]) == (2, 2)


def test_weak_labels_are_left_out_of_the_headline() -> None:
    found = tally([row("good", 1, weak=1), row("bad", 1)], by_word)

    assert found["recall"] == 1.0
    assert found["weak"]["recall"] == 0.0


def test_unseen_authors_are_a_slice_of_their_own() -> None:
    found = tally([row("bad", 1, ood=1, source="new"), row("good", 1)], by_word)

    assert found["ood"]["recall"] == 1.0
    assert found["ood"]["of"] == 1


def test_kinds_sources_and_languages_are_reported() -> None:
    found = tally([row("bad", 1, kind="obfuscated", source="s", lang="fr")], by_word)

    assert found["recall_by_kind"] == {"obfuscated": 1.0}
    assert found["recall_by_source"] == {"s": 1.0}
    assert found["recall_by_language"]["fr"]["of"] == 1


def test_benign_sources_are_grouped_by_their_family() -> None:
    found = tally([row("good", 0, source="docs:a"), row("bad", 0, source="docs:b")], by_word)

    assert found["false_positive_rate_by_source"]["docs"]["share"] == 0.5


def test_times_are_reported() -> None:
    assert tally([row("good", 0)], by_word)["ms_median"] == 2.0


@pytest.mark.parametrize(
    ("action", "caught"),
    [(Action.ALLOW, False), (Action.REDACT, False), (Action.QUARANTINE, True), (Action.REFUSE, True)],
)
def test_set_aside_or_refused_counts_as_caught(action: Action, caught: bool) -> None:
    assert is_caught(Verdict(action)) is caught


def test_what_others_set_aside_is_no_catch_of_the_injection_filter() -> None:
    found = tally([row("ill", 0), row("ill", 1)], lambda text: (verdict(Category.SENSITIVE), 1.0))

    assert (found["false_positive_rate"], found["injection_alone"]["false_positive_rate"]) == (1.0, 0.0)
    assert (found["recall"], found["injection_alone"]["recall"]) == (1.0, 0.0)
