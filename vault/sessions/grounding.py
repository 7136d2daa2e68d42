"""What of a model's answer stands in the turns that it names. Pure.

A statement is taken only when it is a stretch of what was said: its words of content in their order, nothing added,
nothing left out between them, denied and asked as it was. So a model chooses and trims; what it made up, or was told to
make up, is nobody's statement.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from vault.language_model import as_line
from vault.retrieval.turns import OpenedTurn
from vault.sessions.credentials import carried_text
from vault.sessions.sentences import sentences_of
from vault.sessions.wording import form_of, is_content, names_in, stem_of, words_of
from vault.writing.reconciling.restating import denies_alike, quotes

MAX_STATEMENTS = 40
MAX_STATEMENT_CHARACTERS = 400
# The share of a statement's content words that its turn has to hold.
GROUNDED_SHARE = 0.6
# How a statement says whose words it is.
WHO = ("user", "assistant", "said")
_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")


@dataclass(frozen=True, slots=True)
class Statement:
    """One statement of the model about one turn, grounded in it; `label` is its own word for what it is."""

    turn: OpenedTurn = field(repr=False)
    text: str = field(repr=False)
    label: str


def line_of(turn: OpenedTurn) -> str:
    """A turn as a model gets it."""
    return as_line(turn=turn.row.number, role=turn.row.role, text=carried_text(turn))


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
        if says_no_more(text, carried_text(turn), speaker=turn.speaker):
            yield Statement(turn, " ".join(text.split()), str(entry.get("label", "")))


def says_no_more(text: str, said: str, *, speaker: str = "", share: float = GROUNDED_SHARE) -> bool:
    """Whether every sentence of a text is grounded in what was said, and denies only what is denied there."""
    sentences = sentences_of(text)
    return bool(sentences) and all(
        is_grounded(sentence, said, speaker=speaker, share=share)
        and denies_alike(sentence, sentences_of(said))
        and quotes(sentence, [said], beside=(*WHO, speaker))
        for sentence in sentences
    )


def is_grounded(text: str, said: str, *, speaker: str = "", share: float = GROUNDED_SHARE) -> bool:
    """Whether names, numbers and that share of the content words of a text stand in what was said."""
    source = f"{speaker} {said} the user"
    if not set(_NUMBER.findall(text)) <= set(_NUMBER.findall(source)):
        return False
    known = _stems(source)
    # A word that begins a sentence with its capital may be a name too.
    names = {form_of(word) for name, _ in names_in(text) for word in name.split()}
    if any(stem_of(name) not in known for name in names):
        return False
    content = [stem_of(form_of(word)) for word in words_of(text) if is_content(word)]
    return bool(content) and sum(word in known for word in content) >= share * len(content)


def _stems(text: str) -> set[str]:
    return {stem_of(form_of(word)) for word in words_of(text)}


def _number_of(value: object) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) else -1
