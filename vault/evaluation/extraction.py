"""End-of-run extraction against labelled observations: recall and precision by the nearness of embeddings.

An observation is found when a draft of its conversation lies near enough to it; a draft is right when an observation
does. What people noted is no complete list, so precision is a lower bound.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np

from vault.embedding import embed
from vault.evaluation.intervals import Count
from vault.evaluation.retrieval import Item, read_observations
from vault.models import Turn
from vault.retrieval.records import Content
from vault.retrieval.turns import OpenedTurn
from vault.sessions.extraction import draft_lasting
from vault.sessions.roles import Role

NEAR_ENOUGH = 0.6


def extraction_figures(folder: Path, turns: Sequence[Item]) -> dict[str, Any]:
    """Each session of a conversation ends by itself, as in life."""
    observed: dict[str, list[str]] = {}
    for item in read_observations(folder):
        observed.setdefault(item.subject, []).append(item.text)
    recall, precision, drafts = Count(), Count(), 0
    for subject, some in groupby(turns, key=lambda item: item.subject):
        texts = _drafts(list(some))
        drafts += len(texts)
        _compare(texts, observed.get(subject, []), recall, precision)
    return {
        "near_enough": NEAR_ENOUGH,
        "drafts": drafts,
        "recall": recall.share,
        "precision": precision.share,
    }


def _drafts(items: Sequence[Item]) -> list[str]:
    found = []
    for _, some in groupby(items, key=lambda item: item.session):
        found += [draft.text for draft in draft_lasting(_turns(list(some)))]
    return found


def _turns(items: Sequence[Item]) -> list[OpenedTurn]:
    """The turns of one session as they would be opened; the first who speaks in it is the user."""
    return [
        OpenedTurn(
            Turn(
                number=number,
                role=Role.USER if item.speaker == items[0].speaker else Role.ASSISTANT,
                trust="stated",
            ),
            Content(item.text, metadata={"speaker": item.speaker}),
        )
        for number, item in enumerate(items, 1)
    ]


def _compare(drafts: Sequence[str], observed: Sequence[str], recall: Count, precision: Count) -> None:
    if not drafts or not observed:
        return
    near = embed(observed) @ embed(drafts).T
    for best in np.max(near, axis=1):
        recall.add(bool(best >= NEAR_ENOUGH))
    for best in np.max(near, axis=0):
        precision.add(bool(best >= NEAR_ENOUGH))
