"""What of a model's answer stands in the turns that it names. Pure.

A statement is taken only when its names and numbers stand in its turn, and most of its words do: what the model added,
or was told to add, is nobody's statement.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from vault.retrieval.turns import OpenedTurn
from vault.sessions.wording import form_of, is_content, names_in, stem_of, words_of

MAX_STATEMENTS = 40
MAX_STATEMENT_CHARACTERS = 400
# The share of a statement's content words that its turn has to hold.
GROUNDED_SHARE = 0.6
_NUMBER = re.compile(r"\d[\d.,:]*")


@dataclass(frozen=True, slots=True)
class Statement:
    """One statement of the model about one turn, grounded in it; `label` is its own word for what it is."""

    turn: OpenedTurn = field(repr=False)
    text: str = field(repr=False)
    label: str


def grounded(answer: Mapping[str, Any], turns: Sequence[OpenedTurn]) -> Iterator[Statement]:
    """The statements of an answer `{"statements": [{"turn", "label", "text"}]}` that can be stood behind."""
    by_number = {turn.row.number: turn for turn in turns}
    given = answer.get("statements")
    for entry in given[:MAX_STATEMENTS] if isinstance(given, list) else ():
        if not isinstance(entry, dict):
            continue
        turn, text = by_number.get(_number_of(entry.get("turn"))), entry.get("text")
        if turn is None or not isinstance(text, str) or not 0 < len(text) <= MAX_STATEMENT_CHARACTERS:
            continue
        if is_grounded(text, turn.lasting_text, speaker=turn.speaker):
            yield Statement(turn, text.strip(), str(entry.get("label", "")))


def is_grounded(text: str, said: str, *, speaker: str = "") -> bool:
    """Whether names, numbers and most content words of a text stand in what was said."""
    source = f"{speaker} {said} the user"
    if not set(_NUMBER.findall(text)) <= set(_NUMBER.findall(source)):
        return False
    known = {stem_of(form_of(word)) for word in words_of(source)}
    names = {form_of(word) for name, sure in names_in(text) if sure for word in name.split()}
    if any(stem_of(name) not in known for name in names):
        return False
    content = [stem_of(form_of(word)) for word in words_of(text) if is_content(word)]
    return bool(content) and sum(word in known for word in content) >= GROUNDED_SHARE * len(content)


def _number_of(value: object) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) else -1
