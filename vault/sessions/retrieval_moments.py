"""When memories are looked for: at the start, on a shift of topic, and on demand. Pure.

The topic is the mean of the user's recent turns. A turn far from it, or two in a row that are not near, begin a new
one; a turn that is near again takes the first doubt back, so that an aside does not search anew.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float32]

START, SHIFT, DEMAND, KEPT, NONE = "start", "topic_shift", "on_demand", "kept", "none"
# Cosines of MiniLM between a turn and the mean of those before it.
FAR, NOT_NEAR = 0.08, 0.22
DOUBTS = 2
# How much of the topic the newest turn makes up.
SHARE_OF_NEWEST = 0.4
# Shorter turns ("yes", "and then?") say too little for a vector to show a shift.
MIN_WORDS = 4


@dataclass(frozen=True, slots=True)
class Topic:
    """What is spoken of, and how many turns in a row did not fit it."""

    vector: Vector | None = field(default=None, repr=False)
    doubts: int = 0


def observe(topic: Topic, vector: Vector | None, *, words: int) -> tuple[Topic, bool]:
    """The topic after one more turn of the user, and whether it is a new one."""
    if vector is None or (words < MIN_WORDS and topic.vector is not None):
        return topic, False
    if topic.vector is None:
        return Topic(vector), False
    near = float(topic.vector @ vector)
    doubts = topic.doubts + 1 if near < NOT_NEAR else 0
    if near < FAR or doubts >= DOUBTS:
        return Topic(vector), True
    if doubts:
        return Topic(topic.vector, doubts), False
    mixed = (1 - SHARE_OF_NEWEST) * topic.vector + SHARE_OF_NEWEST * vector
    return Topic((mixed / max(float(np.linalg.norm(mixed)), 1e-9)).astype(np.float32)), False
