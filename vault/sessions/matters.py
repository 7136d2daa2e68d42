"""Which sentences of a turn say something by themselves, and which are one matter. Pure but for the embedding."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from vault.retrieval.turns import OpenedTurn
from vault.sessions.credentials import opens_something
from vault.sessions.leaning import is_only_a_time, leans_alone
from vault.sessions.roles import Role
from vault.sessions.speech_acts import addresses, is_about_the_assistant, is_courtesy, is_receipt
from vault.sessions.wording import UNSPACED
from vault.writing.worth import Worth, judge_worth
from vault.writing.worth.cues import is_question

MIN_WORDS, MIN_UNSPACED_CHARACTERS = 4, 6
# In a turn this short a sentence that says little goes with its neighbour; of a longer one, each stands by itself.
SHORT_CHARACTERS = 160
MAX_STATEMENT_CHARACTERS = 400
# How clearly a sentence has to be worth keeping to begin a matter of its own.
CLEARLY = 0.03


def matters(said: Sequence[str], turn: OpenedTurn) -> Iterator[tuple[str, Worth]]:
    """What of these sentences is worth keeping, each matter by itself: one may have to wait, or be refused."""
    together = sum(map(len, said)) <= SHORT_CHARACTERS
    for run in _runs(said, turn):
        for text in _by_matter(run, turn) if together else run:
            worth = _worth(text, turn)
            if worth is not None:
                yield text, worth


def _runs(said: Sequence[str], turn: OpenedTurn) -> list[list[str]]:
    """The sentences that tell something, between those that only greet, ask or promise."""
    heard = _is_assistant(turn) and any(is_receipt(sentence) for sentence in said)
    runs: list[list[str]] = [[]]
    for sentence in said:
        if _tells(sentence, turn, heard=heard):
            runs[-1].append(sentence)
        else:
            runs.append([])
    return runs


def _by_matter(run: Sequence[str], turn: OpenedTurn) -> list[str]:
    """A sentence worth keeping by itself begins a matter; others go on with the one before, or open the first."""
    pieces: list[list[str]] = []
    has_matter = False
    for sentence in run:
        worth = _worth(sentence, turn) if len(run) > 1 else None
        is_matter = worth is not None and worth.margin >= CLEARLY
        if pieces and not (is_matter and has_matter):
            pieces[-1].append(sentence)
        else:
            pieces.append([sentence])
        has_matter = has_matter or is_matter
    return [_joined(piece) for piece in pieces]


def _worth(text: str, turn: OpenedTurn) -> Worth | None:
    """What a text is, where that is worth keeping; None for what is not, and what nobody understands tomorrow."""
    if not _says_something(text) or opens_something(text):
        return None
    worth = judge_worth(text, origin=_origin_of(turn))
    return worth if worth.is_worth_keeping else None


def _origin_of(turn: OpenedTurn) -> str:
    return {Role.USER: "user", Role.TOOL: "tool"}.get(Role(turn.row.role), "agent")


def _tells(sentence: str, turn: OpenedTurn, *, heard: bool) -> bool:
    """Whether a sentence tells anything, rather than being a question, politeness, or the assistant's own doing."""
    if is_question(sentence) or is_courtesy(sentence):
        return False
    if not _is_assistant(turn):
        return True
    if is_receipt(sentence) or (heard and addresses(sentence)):
        # It repeats what the user said, and the user's own turn says it better.
        return False
    return not is_about_the_assistant(sentence)


def _is_assistant(turn: OpenedTurn) -> bool:
    """Whether nobody in particular speaks: what a person with a name does or promises is about that person."""
    return turn.row.role == Role.ASSISTANT and not turn.speaker


def _joined(sentences: Sequence[str]) -> str:
    return ("" if any(UNSPACED.search(s) for s in sentences) else " ").join(sentences)


def _says_something(text: str) -> bool:
    if not text or len(text) > MAX_STATEMENT_CHARACTERS:
        return False
    if UNSPACED.search(text):
        return len(text) >= MIN_UNSPACED_CHARACTERS
    return len(text.split()) >= MIN_WORDS and not (
        text.isascii() and (leans_alone(text) or is_only_a_time(text))
    )
