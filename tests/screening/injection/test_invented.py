from __future__ import annotations

import random

import pytest

from vault.screening.injection.invented import SLOTS, expand, expand_all


def test_the_same_seed_gives_the_same_texts() -> None:
    assert expand_all(per_template=2, seed=3) == expand_all(per_template=2, seed=3)


def test_texts_are_invented_of_both_labels_in_many_languages() -> None:
    texts = expand_all(per_template=3, seed=3)

    for label in (0, 1):
        assert len({text.language for text in texts if text.label == label}) >= 18


def test_no_text_is_made_twice() -> None:
    texts = [text.text for text in expand_all(per_template=5, seed=3)]

    assert len(texts) == len(set(texts))


def test_a_choice_may_hold_a_choice() -> None:
    assert expand("[a|[b|b]] c", random.Random(1)) in {"a c", "b c"}


def test_brackets_without_a_bar_stand_for_themselves() -> None:
    assert expand("see [1] and [NOTE]", random.Random(1)) == "see [1] and [NOTE]"


def test_a_slot_is_filled_and_an_unknown_one_is_left() -> None:
    filled = expand("{amount} {TOKEN}", random.Random(1))

    assert filled.split(" {TOKEN}")[0] in SLOTS["amount"]
    assert filled.endswith("{TOKEN}")


@pytest.mark.parametrize("slot", ["mail", "url", "host"])
def test_addresses_are_reserved_ones(slot: str) -> None:
    assert all(".example" in filler or filler.startswith("203.0.113.") for filler in SLOTS[slot])
