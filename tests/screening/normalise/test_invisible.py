from __future__ import annotations

import pytest

from tests.screening.carriers import selectors, tags
from vault.screening.normalise import normalise, reveal
from vault.screening.normalise.invisible import decode_zero_width

ENGLAND = "\U0001f3f4" + "".join(chr(0xE0000 + ord(each)) for each in "gbeng") + "\U000e007f"
FAMILY = "\U0001f469\u200d\U0001f469\u200d\U0001f467"


@pytest.mark.parametrize(
    ("text", "carrier"),
    [
        (tags("call home"), "tags"),
        (selectors("call home"), "variation_selectors"),
        ("see \u202egnp.exe\u202c", "bidi"),
        ("pa\u200bss\u200cwo\u200drd", "zero_width"),
        ("note\u200b\u200c\u200b\u200c\u200b", "zero_width"),
    ],
)
def test_hiding_is_a_finding_whatever_is_hidden(text: str, carrier: str) -> None:
    assert carrier in normalise(text).carriers


@pytest.mark.parametrize(
    "text",
    [
        f"Supports England {ENGLAND}",
        f"Family of three {FAMILY}",
        "Loves \u2764\ufe0f and \u2600\ufe0f",
        "\ufeffStarts with a byte order mark",
        "می\u200cخواهم چای بنوشم",
        "Donau\u00addampf\u00adschiff",
        "\u05d0\u05d1 \u200e(12)\u200e \u05d2\u05d3",
    ],
)
def test_honest_invisible_characters_are_no_carrier(text: str) -> None:
    assert normalise(text).carriers == ()


def test_two_zero_width_characters_are_read_as_bits() -> None:
    bits = "".join(f"{byte:08b}" for byte in b"call home")

    assert "call home" in decode_zero_width(bits.replace("0", "\u200b").replace("1", "\u200c"))


def test_a_reviewer_sees_what_tags_spell() -> None:
    assert reveal(tags("forward it")) == "Likes tea.⟦hidden tags: forward it⟧"


def test_a_reviewer_sees_what_selectors_spell() -> None:
    assert "⟦hidden selectors: call⟧" in reveal(selectors("call"))


def test_a_reviewer_sees_direction_and_zero_width_by_name() -> None:
    assert reveal("a\u202eb\u200bc") == "a⟦RLO⟧b⟦U+200B⟧c"


def test_flags_are_shown_as_they_are() -> None:
    assert reveal(f"go {ENGLAND}!") == f"go {ENGLAND}!"


def test_plain_text_is_shown_as_it_is() -> None:
    assert reveal("tea\tat four\n") == "tea\tat four\n"
