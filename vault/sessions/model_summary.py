"""A summary in a language model's words: what of its answer can be stood behind, and what must stay beside it.

A point counts only if it names lines that the model was given, its names, numbers and denials are theirs, and most of
its words. What has to be kept and that no point of the model says stays quoted: a model can shorten, it cannot drop.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from vault.language_model import NOT_CLEAN, UNGROUNDED, ModelFailed, as_line, ask_model
from vault.retrieval.turns import OpenedTurn
from vault.sessions.credentials import carried_text
from vault.sessions.extraction import can_be_drafted
from vault.sessions.grounding import is_grounded, says_no_more
from vault.sessions.sentences import MAX_SENTENCE_CHARACTERS
from vault.sessions.summarise import (
    MODEL,
    WEIGHT,
    Point,
    PointKind,
    exactness,
    strongest,
)
from vault.types import Trust

# A point that rests on more lines says too little of each.
MAX_CITED = 4
MAX_WRITTEN = 60
SHARE = 0.7
# A shorter sentence says a longer one, if it has a third of its words, and all of its names and numbers.
SHORTER_SHARE = 1 / 3
# One line of a model says what several sentences did.
WORTH_MORE = 0.2
TASK = (
    "Each line is a part of a conversation. Write the few points that must be carried on: decisions, wishes and rules "
    "of the user, action items, solved problems, open questions, lasting facts. Each is one short sentence that stands "
    "alone, with names and numbers exactly as said, nothing added or concluded, and the numbers of the lines that say "
    'it. JSON: {"points": [{"lines": [<number>], "kind": <one of: '
    + ", ".join(kind.value for kind in PointKind)
    + '>, "text": <sentence>}]}.'
)


@dataclass(frozen=True, slots=True)
class Line:
    """What a model may cite by its number: a turn, or a point of a summary below, with the turns it stands for."""

    turns: tuple[int, ...]
    role: str
    trust: Trust
    text: str = field(repr=False)
    speaker: str = field(default="", repr=False)
    session: str = ""


def lines_of_turns(turns: Sequence[OpenedTurn]) -> list[Line]:
    """The turns that a model may see: none that looked like an order to the assistant."""
    return [
        Line((turn.row.number,), turn.row.role, Trust(turn.row.trust), carried_text(turn), turn.speaker)
        for turn in turns
        if can_be_drafted(turn)
    ]


def lines_of_points(points: Sequence[Point]) -> list[Line]:
    """The points that a model may see: of what is untrusted nobody can tell here whether it looked like an order."""
    return [
        Line(point.turns, point.role, Trust(point.trust), point.text, session=point.session)
        for point in points
        if Trust(point.trust) is not Trust.UNTRUSTED
    ]


def write_points(
    lines: Sequence[Line], quoted: Sequence[Point], *, most: int, is_clean: Callable[[Point], bool]
) -> list[Point]:
    """The summary in the model's words, with what it left out quoted. Raises ModelFailed.

    A point that is not clean is dropped like one that is not grounded.
    """
    numbered = dict(enumerate(lines, 1))
    answer = ask_model(TASK, [_as_given(number, line) for number, line in numbered.items()])
    grounded = list(_grounded(answer, numbered))
    if not grounded:
        raise ModelFailed(UNGROUNDED)
    written = [point for point in grounded if is_clean(point)]
    if not written:
        raise ModelFailed(NOT_CLEAN)
    left_out = [point for point in quoted if _must_stay(point) and not _is_said(point, written)]
    return strongest([*written, *left_out], most=most)


def _as_given(number: int, line: Line) -> str:
    speaker = {"speaker": line.speaker} if line.speaker else {}
    return as_line(line=number, role=line.role, **speaker, text=line.text)


def _grounded(answer: Mapping[str, Any], lines: Mapping[int, Line]) -> Iterator[Point]:
    given = answer.get("points")
    for entry in given[:MAX_WRITTEN] if isinstance(given, list) else ():
        if isinstance(entry, dict) and (cited := _cited(entry.get("lines"), lines)):
            text, kind = entry.get("text"), entry.get("kind")
            known = isinstance(kind, str) and kind in set(PointKind)
            if known and isinstance(text, str) and _holds(text, cited):
                yield _point(" ".join(text.split()), PointKind(str(kind)), cited)


def _cited(numbers: object, lines: Mapping[int, Line]) -> list[Line]:
    """The lines that are named; none when one of them was not given, or when they are of two sessions."""
    if not isinstance(numbers, list) or not 0 < len(numbers) <= MAX_CITED:
        return []
    cited = [lines.get(number) for number in numbers if type(number) is int]
    found = [line for line in cited if line is not None]
    return found if len(found) == len(numbers) and len({line.session for line in found}) == 1 else []


def _holds(text: str, cited: Sequence[Line]) -> bool:
    said = "\n".join(line.text for line in cited)
    speaker = " ".join(line.speaker for line in cited)
    return len(text) <= MAX_SENTENCE_CHARACTERS and says_no_more(text, said, speaker=speaker, share=SHARE)


def _point(text: str, kind: PointKind, cited: Sequence[Line]) -> Point:
    least = min(cited, key=lambda line: line.trust.rank)
    first, *others = sorted({turn for line in cited for turn in line.turns})
    weight = round(WEIGHT[kind] + exactness(text) + WORTH_MORE, 3)
    return Point(
        first, least.role, kind.value, text, least.trust.value, weight, cited[0].session, tuple(others), MODEL
    )


def _must_stay(point: Point) -> bool:
    return point.kind != PointKind.FACT or exactness(point.text) > 0


def _is_said(point: Point, written: Sequence[Point]) -> bool:
    """Whether a point of the model rests on its turn, and holds its names, its numbers and enough of its words."""
    return any(
        other.session == point.session
        and set(point.turns) <= set(other.turns)
        and is_grounded(point.text, other.text, share=SHORTER_SHARE)
        for other in written
    )
