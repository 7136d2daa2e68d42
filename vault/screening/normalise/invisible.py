"""Characters that show nothing: which they are, what they spell, and when they are there to hide.

Tag characters and variation selectors can each carry a whole text that a model reads and a person does
not see. Some uses are honest: flags, emoji joined into one picture, joiners in scripts that need them.
"""

from __future__ import annotations

import re
import unicodedata

TAG_BASE = 0xE0000
FLAG_START, TAG_END = "\U0001f3f4", "\U000e007f"
BIDI_NAMES = {
    "\u200e": "LRM", "\u200f": "RLM", "\u061c": "ALM", "\u202a": "LRE", "\u202b": "RLE", "\u202c": "PDF",
    "\u202d": "LRO", "\u202e": "RLO", "\u2066": "LRI", "\u2067": "RLI", "\u2068": "FSI", "\u2069": "PDI",
}  # fmt: skip
# Not of category Cf, yet drawn as nothing: fillers, the grapheme joiner, Khmer inherent vowels.
BLANKS = "\u115f\u1160\u3164\uffa0\u034f\u17b4\u17b5\u2800"
ZERO_WIDTH = "\u200b\u200c\u200d\u2060\u2061\u2062\u2063\u2064\ufeff\u180e"

TAGS = re.compile("[\U000e0000-\U000e007f]+")
FLAG = re.compile(FLAG_START + "[\U000e0030-\U000e0039\U000e0061-\U000e007a]{2,6}" + TAG_END)
SELECTORS = re.compile("[\ufe00-\ufe0f\U000e0100-\U000e01ef]+")
SELECTOR_IN_WORD = re.compile("[a-z][\ufe00-\ufe0f\U000e0100-\U000e01ef]+(?=[a-z])", re.IGNORECASE)
ZERO_WIDTH_RUN = re.compile(f"[{ZERO_WIDTH}]{{4,}}")
ZERO_WIDTH_IN_WORD = re.compile(f"[a-z][{ZERO_WIDTH}{BLANKS}]+(?=[a-z])", re.IGNORECASE)
OVERRIDE = re.compile("[\u202d\u202e]([^\u202a-\u202e\u2066-\u2069\n]*)")

# One stray joiner comes with copied web text; several inside words do not.
MIN_ZERO_WIDTH_IN_WORDS = 2
MIN_SELECTOR_RUN = 4
MIN_BIT_RUN = 32


def is_invisible(character: str) -> bool:
    """Whether it is drawn as nothing: format characters, tags, selectors, fillers, stray controls."""
    if character in "\t\n\r":
        return False
    if "\ufe00" <= character <= "\ufe0f" or "\U000e0000" <= character <= "\U000e0fff":
        return True
    return character in BLANKS or unicodedata.category(character) in ("Cf", "Cc")


def hidden_carriers(text: str) -> tuple[str, ...]:
    """Names of the ways in which the text hides something, whatever it hides."""
    found = {
        "tags": bool(TAGS.search(FLAG.sub("", text))),
        "variation_selectors": _selectors_hide(text),
        "bidi": "\u202e" in text or "\u202d" in text,
        "zero_width": bool(ZERO_WIDTH_RUN.search(text))
        or _at_least(ZERO_WIDTH_IN_WORD, text, MIN_ZERO_WIDTH_IN_WORDS),
    }
    return tuple(name for name, present in found.items() if present)


def _selectors_hide(text: str) -> bool:
    if any(len(run.group()) >= MIN_SELECTOR_RUN for run in SELECTORS.finditer(text)):
        return True
    return _at_least(SELECTOR_IN_WORD, text, MIN_ZERO_WIDTH_IN_WORDS)


def _at_least(pattern: re.Pattern[str], text: str, count: int) -> bool:
    return any(number >= count for number, _ in enumerate(pattern.finditer(text), start=1))


def decode_tags(text: str) -> str:
    """The ASCII that tag characters spell, flags left out; each run on its own line."""
    runs = TAGS.findall(FLAG.sub("", text))
    return "\n".join("".join(_tag_ascii(each) for each in run) for run in runs).strip()


def _tag_ascii(character: str) -> str:
    code = ord(character) - TAG_BASE
    return chr(code) if 0x20 <= code < 0x7F else ""


def decode_selectors(text: str) -> str:
    """The bytes that runs of variation selectors spell (selector 1 is byte 0), read as UTF-8."""
    runs = (run for run in SELECTORS.findall(text) if len(run) >= MIN_SELECTOR_RUN)
    return "\n".join(bytes(map(_selector_byte, run)).decode("utf-8", "replace") for run in runs)


def _selector_byte(character: str) -> int:
    code = ord(character)
    return code - 0xFE00 if code < 0xFE10 else code - 0xE0100 + 16


def decode_zero_width(text: str) -> str:
    """Runs of two zero-width characters read as bits, eight to a letter, in either polarity."""
    spelled = []
    for run in ZERO_WIDTH_RUN.findall(text):
        symbols = sorted(set(run))
        if len(symbols) == 2 and len(run) >= MIN_BIT_RUN:
            spelled += [_letters(["0" if each == zero else "1" for each in run]) for zero in symbols]
    return "\n".join(each for each in spelled if each)


def _letters(bits: list[str]) -> str:
    codes = [int("".join(bits[at : at + 8]), 2) for at in range(0, len(bits) - 7, 8)]
    return "".join(map(chr, codes)) if all(0x20 <= code < 0x7F for code in codes) else ""


def undo_overrides(text: str) -> str:
    """Text under a direction override, turned round as a reader sees it."""
    return OVERRIDE.sub(lambda match: match.group(1)[::-1], text) if "\u202e" in text else ""


def reveal(text: str) -> str:
    """The text for a reviewer: what is invisible is named between brackets, what it spells is read out."""
    out: list[str] = []
    at = 0
    for match in re.finditer(f"{FLAG.pattern}|{TAGS.pattern}|{SELECTORS.pattern}", text):
        out.append(_named(text[at : match.start()]))
        out.append(_read_out(match.group()))
        at = match.end()
    out.append(_named(text[at:]))
    return "".join(out)


def _read_out(run: str) -> str:
    if run.startswith(FLAG_START):
        return run
    if run[0] >= TAGS.pattern[1] and run[0] <= TAG_END:
        return f"⟦hidden tags: {decode_tags(run)}⟧"
    if len(run) >= MIN_SELECTOR_RUN:
        return f"⟦hidden selectors: {decode_selectors(run)}⟧"
    return run


def _named(text: str) -> str:
    if text.isascii() and text.isprintable():
        return text
    return "".join(_name(each) if is_invisible(each) else each for each in text)


def _name(character: str) -> str:
    known = BIDI_NAMES.get(character)
    return f"⟦{known}⟧" if known else f"⟦U+{ord(character):04X}⟧"
