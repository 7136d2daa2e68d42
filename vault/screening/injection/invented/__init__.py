"""Training texts of our own: templates of orders and of notes, expanded with a seeded choice.

They are invented for this repository, so that the model may ship under its licence, and varied so that
it learns what an order does rather than how one author writes it.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.resources import files

_SLOT = re.compile(r"\{([a-z0-9]+)\}")


@dataclass(frozen=True, slots=True)
class InventedText:
    """One expanded template. `template` names where it comes from: texts of one template belong together."""

    text: str
    label: int
    template: str
    language: str


def expand_all(*, per_template: int, seed: int) -> list[InventedText]:
    """Up to `per_template` different texts of every template, the same for the same seed."""
    chooser = random.Random(seed)  # noqa: S311 - a reproducible choice, no secret
    found: dict[str, InventedText] = {}
    for label, language, template, line in _templates():
        for _ in range(per_template):
            text = expand(line, chooser)
            found.setdefault(text, InventedText(text, label, template, language))
    return list(found.values())


def compose(texts: Sequence[InventedText], *, count: int, seed: int) -> list[InventedText]:
    """Longer texts: `count` of notes one after another, and as many with an order somewhere among them."""
    chooser = random.Random(seed)  # noqa: S311 - a reproducible choice, no secret
    notes = [each for each in texts if not each.label and each.language == "en"]
    orders = [each for each in texts if each.label and each.language == "en"]
    made = []
    for number in range(2 * count):
        parts = [each.text for each in chooser.sample(notes, chooser.randint(3, 9))]
        label = number % 2
        if label:
            parts.insert(chooser.randint(0, len(parts)), chooser.choice(orders).text)
        joined = chooser.choice((" ", "\n", "\n\n", " ")).join(parts)
        made.append(InventedText(joined, label, f"composed:{number}", "en"))
    return made


def expand(line: str, chooser: random.Random) -> str:
    """Choose one of each [a|b] and fill each {slot}; brackets without a bar stand for themselves."""
    chosen, _ = _choose(line, 0, chooser)
    for _ in range(2):  # a filler may hold a slot
        chosen = _SLOT.sub(lambda match: _fill(match, chooser), chosen)
    return re.sub(r" {2,}", " ", chosen).replace(" .", ".").replace(" ,", ",").strip()


def _choose(line: str, at: int, chooser: random.Random) -> tuple[str, int]:
    """Read until the closing bracket or the end; return the choice and the position after it."""
    options = [""]
    while at < len(line):
        character = line[at]
        at += 1
        if character == "[":
            inner, at = _choose(line, at, chooser)
            options[-1] += inner
        elif character == "]":
            text = chooser.choice(options) if len(options) > 1 else f"[{options[0]}]"
            return text, at
        elif character == "|":
            options.append("")
        else:
            options[-1] += character
    return "|".join(options), at


def _fill(match: re.Match[str], chooser: random.Random) -> str:
    fillers = SLOTS.get(match.group(1))
    return chooser.choice(fillers) if fillers else match.group()


def _lines(name: str) -> Iterator[str]:
    for line in files(__package__).joinpath(name).read_text(encoding="utf-8").splitlines():
        if line.strip() and not line.startswith("# "):
            yield line


def _templates() -> Iterator[tuple[int, str, str, str]]:
    for name, label in (("attacks.txt", 1), ("benign.txt", 0)):
        for number, line in enumerate(_lines(name)):
            if not line.startswith("## "):
                yield label, "en", f"{name}:{number}", line
    label, language = 0, ""
    for number, line in enumerate(_lines("languages.txt")):
        if line.startswith("## "):
            kind, language = line[3:].split()
            label = int(kind == "attack")
        else:
            yield label, language, f"languages.txt:{number}", line


SLOTS: dict[str, list[str]] = {
    line.split(":", 1)[0]: line.split(":", 1)[1].strip().split("|") for line in _lines("slots.txt")
}
