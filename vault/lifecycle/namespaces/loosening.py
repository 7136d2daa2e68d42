"""Whether a change of policy lets through more than before. Pure.

Each code is the pointer of what is looser. What is compared is what the two documents do, not how they say it: an
action that is named and one that is taken from the default are the same. Not counted, since they let nothing in and
keep nothing longer: caps, consolidation, ranking, ages, and whether a write is worth keeping.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product
from typing import Any

from vault.errors import InvalidField
from vault.lifecycle.namespaces.document import (
    ASSERTED_SESSIONS,
    SCREENING,
    UPKEEP,
    PolicyDocument,
    read_document,
)
from vault.screening.policy import (
    ANY_TYPE,
    DEFAULT_ACTIONS,
    DEFAULT_THRESHOLDS,
    GOVERNED,
    SENSITIVE_CATEGORIES,
    ScreeningPolicy,
)
from vault.types import Action, Category, Kind
from vault.writing.upkeep_policy import CLASS_KEY, UpkeepPolicy

STRICTNESS = {Action.ALLOW: 0, Action.REDACT: 1, Action.QUARANTINE: 2, Action.REFUSE: 3}
UNREADABLE = "/"


def loosens(before: Mapping[str, Any], after: Mapping[str, Any]) -> tuple[str, ...]:
    """The pointers of what `after` lets through that `before` did not; empty when it is as strict or stricter.

    `after` is valid, else InvalidField. A `before` that cannot be read lets nothing through, since every write under it
    fails: then anything is looser.
    """
    new = read_document(after)
    try:
        old = read_document(before)
    except InvalidField:
        return (UNREADABLE,)
    parts = (_screening(old.screening, new.screening), _upkeep(old, new), _sessions(old, new))
    return tuple(sorted({code for part in parts for code in part}))


def _screening(old: ScreeningPolicy, new: ScreeningPolicy) -> Iterator[str]:
    for category, kind in sorted(_governed_types(old, new)):
        if STRICTNESS[new.action_for(category, kind)] < STRICTNESS[old.action_for(category, kind)]:
            is_listed = category is Category.SENSITIVE and kind in new.allowed_sensitive
            place = "allowed_sensitive" if is_listed else f"actions/{category.value}"
            yield f"/{SCREENING}/{place}/{kind}"
    for kind in {ANY_TYPE, *DEFAULT_THRESHOLDS, *old.thresholds, *new.thresholds}:
        if new.threshold_for(kind) > old.threshold_for(kind):
            yield f"/{SCREENING}/thresholds/{kind}"
    for kind, words in old.context.items():
        # Without its word beside it, a weak number does not count as the type any more.
        if not set(words) <= set(new.context.get(kind, ())):
            yield f"/{SCREENING}/context/{kind}"
    # One language less is one whose names nobody finds; one more is one whose texts do not wait for review.
    if set(old.languages) != set(new.languages):
        yield f"/{SCREENING}/languages"


def _governed_types(*policies: ScreeningPolicy) -> set[tuple[Category, str]]:
    """Every type that a policy or the default names, and `*` for all that nobody names."""
    named = {key for policy in policies for key in policy.actions}
    sensitive = {(Category.SENSITIVE, kind) for kind in SENSITIVE_CATEGORIES}
    return {*named, *DEFAULT_ACTIONS, *sensitive, *((category, ANY_TYPE) for category in GOVERNED)}


def _upkeep(old: PolicyDocument, new: PolicyDocument) -> Iterator[str]:
    if new.upkeep.grace_days > old.upkeep.grace_days:
        yield f"/{UPKEEP}/grace_days"
    if any(_lives_longer(old.upkeep, new.upkeep, *example) for example in _examples(old.upkeep, new.upkeep)):
        yield f"/{UPKEEP}/lives"


def _sessions(old: PolicyDocument, new: PolicyDocument) -> Iterator[str]:
    """An agent that may name any subject again reaches more than one that needs a signature for each."""
    if old.asserted_sessions and not new.asserted_sessions:
        yield f"/{ASSERTED_SESSIONS}"


def _examples(*policies: UpkeepPolicy) -> Iterator[tuple[Kind, str, str | None]]:
    """One statement of every sort that the lives can tell apart.

    An attribute starts with just those prefixes that the longest of them starts with, so the prefixes themselves stand
    for all attributes.
    """
    lives = [life for policy in policies for life in policy.lives]
    prefixes = {"", *(life.attribute_prefix for life in lives if life.attribute_prefix is not None)}
    classes = {None, *(life.class_name for life in lives)}
    yield from product(Kind, prefixes, classes)


def _lives_longer(
    old: UpkeepPolicy, new: UpkeepPolicy, kind: Kind, attribute: str, class_name: str | None
) -> bool:
    metadata = {} if class_name is None else {CLASS_KEY: class_name}
    before = old.life_of(kind=kind, attribute=attribute, metadata=metadata)
    after = new.life_of(kind=kind, attribute=attribute, metadata=metadata)
    if before is None or after is None:
        return before is not None
    return after.days > before.days or (after.extend_on_use and not before.extend_on_use)
