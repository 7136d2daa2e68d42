"""Words that show what a line is: a wish, a rule, a decision, a task. Pure; several languages.

A cue is a hint, never a verdict: it weighs a turn for the window and a sentence for a summary. English is covered
best; of other languages the commonest words are known. The patterns run on a linear-time engine.
"""

from __future__ import annotations

import re
from enum import StrEnum
from functools import lru_cache
from pathlib import Path
from typing import Any

import re2

_FILE = Path(__file__).with_name("cues.txt")
# Scripts without spaces between words.
_UNSPACED = re.compile("[\u3040-\u30ff\u3400-\u9fff]")

QUESTION = re.compile(r"[?？؟]\s*$")
NUMBER = re.compile(r"\d")
NAME = re.compile(r"(?<=[a-z,;] )[A-Z][\w-]+")


class Cue(StrEnum):
    PREFERENCE = "preference"
    CONSTRAINT = "constraint"
    DECISION = "decision"
    ACTION = "action"
    SOLVED = "solved"
    GREETING = "greeting"


def has(cue: Cue, text: str) -> bool:
    """Whether the text holds a word of this cue; a greeting only counts where the text begins with it."""
    return _patterns()[cue].search(text) is not None


def is_question(text: str) -> bool:
    return QUESTION.search(text) is not None


@lru_cache(maxsize=1)
def _patterns() -> dict[Cue, Any]:
    lines: dict[Cue, list[str]] = {}
    cue = Cue.PREFERENCE
    for line in _FILE.read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            cue = Cue(line.strip("[]"))
        elif line and not line.startswith("#"):
            lines.setdefault(cue, []).append(line)
    return {cue: _compiled(cue, some) for cue, some in lines.items()}


def _compiled(cue: Cue, patterns: list[str]) -> Any:
    if cue is Cue.GREETING:
        return re2.compile(rf"(?i)^\W*(?:{'|'.join(patterns)})(?:[^\pL\pM\pN]|$)")
    spaced = "|".join(p for p in patterns if not _UNSPACED.search(p))
    glued = [p for p in patterns if _UNSPACED.search(p)]
    return re2.compile("|".join([rf"(?i)(?:^|[^\pL\pM\pN])(?:{spaced})(?:[^\pL\pM\pN]|$)", *glued]))
