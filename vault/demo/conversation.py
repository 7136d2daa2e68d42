"""Loads a long conversation over HTTP, and asks the vault what was said in it."""

from __future__ import annotations

import json
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime, timedelta
from statistics import fmean
from typing import Any

from vault.client import BatchResult, SearchAnswer
from vault.client.calls import draft
from vault.demo.conversation_file import Question, Turn
from vault.demo.line import Line
from vault.demo.progress import Progress
from vault.demo.savings import Savings
from vault.evaluation.intervals import percentile
from vault.retrieval.tokenizer_count import count_tokens

MAX_BATCH = 100
# A body may hold 64 KiB; what JSON adds is counted too.
MAX_BATCH_BYTES = 48 * 1024
SHOWN_CHARACTERS = 96

Say = Callable[[str], None]


class Conversation:
    """One file's turns under subjects of this run; `run` is the suffix of their names."""

    def __init__(self, line: Line, say: Say, *, run: str, turns: Sequence[Turn]) -> None:
        self.line, self.say, self.run, self.turns = line, say, run, turns
        self.outcomes: Counter[str] = Counter()
        self.kept_tokens: dict[str, int] = defaultdict(int)
        self.ends: dict[str, datetime] = {}

    def load(self, progress: Progress) -> None:
        """Write every turn, in batches, dated as it was said."""
        subjects = {turn.subject for turn in self.turns}
        self.say(
            f"\nLoading {len(self.turns):,} turns of {len(subjects)} conversations, up to {MAX_BATCH} a call"
        )
        began = time.monotonic()
        for batch in batches(self.turns, run=self.run):
            results = self.line.vault.write_batch([body for _, body in batch])
            for (turn, _), result in zip(batch, results, strict=True):
                self._note(turn, result)
            progress.advance(len(batch))
        progress.finish()
        self._summary(time.monotonic() - began)

    def ask(self, questions: Sequence[Question], *, k: int) -> None:
        """Ask each question a day after its conversation's end, and show what came back."""
        times, recalls, savings = [], [], []
        for question in questions:
            subject = f"{question.subject}-{self.run}"
            as_of = self.ends[question.subject] + timedelta(days=1)
            began = time.perf_counter()
            answer = self.line.vault.search(subject=subject, query=question.text, k=k, as_of=as_of)
            times.append((time.perf_counter() - began) * 1000)
            block = self.line.vault.context(subject=subject, query=question.text, k=k, as_of=as_of)
            savings.append(Savings(self.kept_tokens[question.subject], block.tokens))
            found = self._show(question, answer, times[-1], block.tokens)
            if question.evidence:
                recalls.append(len(question.evidence & found) / len(question.evidence))
        self._figures(times, recalls, savings, k)

    def _note(self, turn: Turn, result: BatchResult) -> None:
        self.outcomes[result.written.outcome if result.written else f"refused: {result.code}"] += 1
        if result.written and result.written.memory:
            self.kept_tokens[turn.subject] += count_tokens(turn.text)
        self.ends[turn.subject] = max(turn.created, self.ends.get(turn.subject, turn.created))

    def _summary(self, seconds: float) -> None:
        self.say(
            f"   {seconds:.0f} s, {seconds / max(len(self.turns), 1) * 1000:.0f} ms a turn. What became of them:"
        )
        for outcome, count in self.outcomes.most_common():
            self.say(f"     {count:>6,}  {outcome}")

    def _show(self, question: Question, answer: SearchAnswer, milliseconds: float, tokens: int) -> set[str]:
        """Print one answer; gives the ids of the turns in it."""
        self.say(f"\n   {question.text}   ({milliseconds:.0f} ms, {tokens} tokens)")
        found = set()
        for hit in answer.results:
            turn = str(hit.memory.metadata.get("turn", ""))
            found.add(turn)
            mark = "*" if turn in question.evidence else " "
            self.say(f"   {mark} {hit.score:.3f}  {clipped(hit.memory.text)}")
        return found

    def _figures(
        self, times: Sequence[float], recalls: Sequence[float], savings: Sequence[Savings], k: int
    ) -> None:
        self.say(f"\n{len(times)} questions (* marks a turn that the labels call evidence)")
        self.say(
            f"   a search over HTTP: median {percentile(times, 0.5):.0f} ms, p95 {percentile(times, 0.95):.0f} ms"
        )
        if recalls:
            self.say(f"   evidence in the first {k}: {fmean(recalls):.2f} of it, on average")
        whole = Savings(sum(s.kept for s in savings), sum(s.loaded for s in savings))
        count = max(len(savings), 1)
        self.say(
            f"   tokens in the prompt: {whole.loaded / count:,.0f} on average instead of {whole.kept / count:,.0f} for "
            f"the whole conversation, {whole.share:.1%} less (counted with the vault's own upper estimate)"
        )


def batches(turns: Sequence[Turn], *, run: str) -> Iterator[list[tuple[Turn, dict[str, Any]]]]:
    """The turns with the bodies of their writes, in batches that the API takes."""
    batch: list[tuple[Turn, dict[str, Any]]] = []
    size = 0
    for turn in turns:
        body = body_of(turn, run=run)
        length = len(json.dumps(body).encode()) + 2
        if batch and (len(batch) == MAX_BATCH or size + length > MAX_BATCH_BYTES):
            yield batch
            batch, size = [], 0
        batch.append((turn, body))
        size += length
    if batch:
        yield batch


def body_of(turn: Turn, *, run: str) -> dict[str, Any]:
    """One turn as a write: an event, stated by a user, dated as it was said."""
    return draft(
        subject=f"{turn.subject}-{run}",
        text=f"{turn.speaker}: {turn.text}" if turn.speaker else turn.text,
        source={"type": "user", "ref": turn.id},
        kind="event",
        created_at=turn.created,
        session=str(turn.session),
        metadata={"turn": turn.id, "speaker": turn.speaker},
    )


def spread(questions: Sequence[Question], count: int) -> list[Question]:
    """`count` of the questions, evenly spread over all of them."""
    if count >= len(questions):
        return list(questions)
    return [questions[index * len(questions) // count] for index in range(count)]


def clipped(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= SHOWN_CHARACTERS else f"{line[: SHOWN_CHARACTERS - 1]}…"
