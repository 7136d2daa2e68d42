"""What writing and searching cost at one client, and where a write's time goes. Figures, never a pass mark.

Everything is measured side by side in rounds, so that a machine which is busy for a while slows all of it alike
and the ratios still mean something.
"""

from __future__ import annotations

import os
import platform
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from vault.client import Vault
from vault.embedding import embed
from vault.evaluation.bench_server import served
from vault.evaluation.bench_subject import bench_scope, bench_token, draft, fill, statement
from vault.evaluation.intervals import percentile
from vault.evaluation.scratch import scratch_vault
from vault.retrieval.recall import build_context
from vault.retrieval.search import SearchQuery, search
from vault.screening import DEFAULT, DEFAULT_POLICY, screen, string_fields, warm_up
from vault.screening.detection import Screening
from vault.screening.engine import deadline_after
from vault.screening.normalise import normalise
from vault.screening.personal_data.entities import installed
from vault.types import MemoryDraft, SourceType, Trust
from vault.writing.pipeline import write_memory

SIZES = (100, 1_000, 5_000)
ROUNDS = 50
# Paid once a process: imports, first queries, plans.
WARM_UP_ROUNDS = 3
QUESTION = "why was invoice 8841 rejected"
# A figure is about what the work costs; running out of time would measure something else.
BUDGET_SECONDS = 60.0
RATIOS = (
    ("write", "screening"),
    ("write", "embedding"),
    ("screening", "tok2vec and ner"),
    ("write over HTTP", "write"),
    ("search over HTTP, 100 memories", "search, 100 memories"),
    ("search, 1,000 memories", "search, 100 memories"),
    ("search, 5,000 memories", "search, 100 memories"),
)

Times = dict[str, list[float]]
Operation = Callable[[int], object]


def bench(*, rounds: int = ROUNDS, sizes: Sequence[int] = SIZES) -> dict[str, Any]:
    """Measure in a scratch vault that is gone afterwards; HTTP goes to a web process of its own."""
    times: Times = defaultdict(list)
    with scratch_vault():
        warm_up()
        fill_seconds = {str(size): _timed_fill(size) for size in sizes}
        with served() as url, Vault(url, bench_token(), timeout_seconds=BUDGET_SECONDS) as client:
            operations = {**_services(sizes), **_parts(), **_over_http(client, sizes)}
            for number in range(WARM_UP_ROUNDS + rounds):
                _round(operations, number, times if number >= WARM_UP_ROUNDS else defaultdict(list))
    return _report(times, rounds, fill_seconds)


def _round(operations: Mapping[str, Operation], number: int, times: Times) -> None:
    for name, operation in operations.items():
        began = time.perf_counter()
        operation(number)
        times[name].append((time.perf_counter() - began) * 1000)
    with _laps(times) as lap:
        _screen_in_parts(draft("parts", statement(number, "part")), lap)


def _services(sizes: Sequence[int]) -> dict[str, Operation]:
    scope = bench_scope()
    small = _subject(sizes[0])

    def searching(size: int) -> Operation:
        return lambda _: search(query=SearchQuery(_subject(size), QUESTION), scope=scope)

    return {
        "write": lambda number: write_memory(draft=draft(small, statement(number, "service")), scope=scope),
        **{f"search, {size:,} memories": searching(size) for size in sizes},
        f"context block, {sizes[0]:,} memories": lambda _: build_context(
            query=SearchQuery(small, QUESTION), scope=scope
        ),
    }


def _parts() -> dict[str, Operation]:
    """The parts of a write that can stand alone, and spaCy's own time for a text to measure the screening by."""
    as_shipped = installed()
    return {
        "screening": lambda number: screen(
            draft("alone", statement(number, "alone")), trust=Trust.STATED, budget_seconds=BUDGET_SECONDS
        ),
        "embedding": lambda number: embed([statement(number, "vector")]),
        "tok2vec and ner": lambda number: as_shipped(statement(number, "entities")),
    }


def _over_http(client: Vault, sizes: Sequence[int]) -> dict[str, Operation]:
    small = _subject(sizes[0])
    return {
        "write over HTTP": lambda number: client.write(
            subject=small, text=statement(number, "http"), source="user"
        ),
        f"search over HTTP, {sizes[0]:,} memories": lambda _: client.search(subject=small, query=QUESTION),
    }


@contextmanager
def _laps(times: Times) -> Iterator[Callable[[str], None]]:
    """Gives a function that notes the time since it was last called."""
    last = time.perf_counter()

    def lap(name: str) -> None:
        nonlocal last
        now = time.perf_counter()
        times[name].append((now - last) * 1000)
        last = time.perf_counter()

    yield lap


def _screen_in_parts(sample: MemoryDraft, lap: Callable[[str], None]) -> None:
    """One screening, detector after detector, as the engine runs them; what they share is made first."""
    screening = Screening(
        fields=string_fields(sample),
        trust=Trust.STATED,
        source_type=SourceType.USER,
        policy=DEFAULT_POLICY,
        deadline=deadline_after(BUDGET_SECONDS),
        embed=embed,
        normalise=normalise,
    )
    lap("screening: reading the fields")
    _ = screening.normalised
    lap("screening: normalising")
    embed([sample.text])
    lap("embedding, for storing")
    for name, detector in DEFAULT.named():
        detector(screening)
        lap(f"screening: {name.replace('_', ' ')}")


def _subject(size: int) -> str:
    return f"bench-{size}"


def _timed_fill(size: int) -> float:
    began = time.perf_counter()
    fill(_subject(size), size)
    return round(time.perf_counter() - began, 1)


def _report(times: Times, rounds: int, fill_seconds: Mapping[str, float]) -> dict[str, Any]:
    figures = {
        name: {"median_ms": _rounded(percentile(values, 0.5)), "p95_ms": _rounded(percentile(values, 0.95))}
        for name, values in times.items()
    }
    medians = {name: percentile(values, 0.5) for name, values in times.items()}
    ratios = {
        f"{one} / {other}": round(above / below, 2)
        for one, other in RATIOS
        if (above := medians.get(one)) and (below := medians.get(other))
    }
    return {
        "rounds": rounds,
        "figures": figures,
        "ratios": ratios,
        "seconds_to_fill": dict(fill_seconds),
        "machine": {
            "cores": os.cpu_count(),
            "load_1_min": round(os.getloadavg()[0], 1),
            "python": platform.python_version(),
        },
    }


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 2)
