"""What is wrong with a policy, in words: the field, what it may be, what sort of thing was given; no value. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from vault.errors import InvalidField
from vault.lifecycle.namespaces.shape import Choice, Every, Flag, Named, Number, Optional, Parts, Word
from vault.retrieval.freshness import MAX_DAYS as MAX_AGE_DAYS
from vault.retrieval.fusion import Mode
from vault.retrieval.kind_policy import BROKEN, MAX_HALF_LIFE_DAYS, MAX_K
from vault.retrieval.score import Decay
from vault.screening.policy import GOVERNED, SENSITIVE_CATEGORIES
from vault.types import Action, Category, Kind
from vault.writing.upkeep_policy import MAX_CAP, MAX_DAYS

# Details that say no more than that something is wrong.
MUTE = frozenset({InvalidField.detail, BROKEN})
# What a policy may not do with a category, though it is an action.
IMPOSSIBLE = {Category.SECRET: Action.ALLOW, Category.SENSITIVE: Action.REDACT}
ACTIONS = {
    category.value: Named(Choice(tuple(a.value for a in Action if a is not IMPOSSIBLE.get(category))))
    for category in GOVERNED
}
SCREENING = Parts(
    {
        "actions": Parts(ACTIONS),
        "thresholds": Named(Number(0, 1)),
        "allowed_sensitive": Every(Choice(SENSITIVE_CATEGORIES)),
        "context": Named(Every(Word())),
        "languages": Every(Word()),
    }
)
LIFE = Parts(
    {
        "match": Parts(
            {
                "kind": Optional(Choice(tuple(Kind))),
                "attribute_prefix": Optional(Word()),
                "class": Optional(Word()),
            }
        ),
        "days": Number(1, MAX_DAYS, is_whole=True),
        "extend_on_use": Flag(),
    },
    needed=frozenset({"days"}),
)
UPKEEP = Parts(
    {
        "lives": Every(LIFE),
        "cap": Optional(Number(1, MAX_CAP, is_whole=True)),
        "grace_days": Number(0, MAX_DAYS, is_whole=True),
        "unused_days": Number(1, MAX_DAYS, is_whole=True),
        "consolidation": Flag(),
    }
)
RANKING = Parts(
    {
        "k": Optional(Number(0, MAX_K, is_whole=True)),
        "mode": Optional(Choice(tuple(Mode))),
        "weights": Optional(Parts({name: Number(0) for name in ("similarity", "recency", "importance")})),
        "half_life_days": Optional(Number(0, MAX_HALF_LIFE_DAYS, above=True)),
        "decay": Optional(Choice(tuple(Decay))),
    }
)
AGES = Parts({kind.value: Optional(Number(1, MAX_AGE_DAYS, is_whole=True)) for kind in Kind})
POLICY = Parts(
    {
        "screening": SCREENING,
        "upkeep": UPKEEP,
        "retrieval": Parts({kind.value: RANKING for kind in Kind}),
        "freshness": Parts({"old_after_days": AGES}),
        "worth_check": Flag(),
        "asserted_sessions": Flag(),
    }
)


def explained(error: InvalidField, policy: Mapping[str, Any]) -> InvalidField:
    """The same refusal, said more exactly: at its own place or within it. As it was where there is nothing to add."""
    pointer = str(error.facts.get("pointer", "")).rstrip("/")
    for place, detail in POLICY.faults(policy, ""):
        if place == pointer or place.startswith(f"{pointer}/"):
            own = place == pointer and error.detail not in MUTE
            return InvalidField(error.detail if own else detail, pointer=place or "/")
    if pointer.endswith("/weights"):
        return InvalidField("At least one weight is above zero.", pointer=pointer)
    return error
