"""One question as several searches: each kind with its own number and mode, as request and policy have it. Pure.

Context blocks and windows are gathered this way; what the searches find is looked at together and merged by score
(`search.find_together`).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from vault.retrieval.fusion import Mode
from vault.retrieval.kind_policy import WINDOW_DEFAULTS, KindPolicy, kind_policies
from vault.retrieval.scope import GrantedNamespace
from vault.retrieval.search import Hit, SearchQuery
from vault.types import Kind


def block_searches(
    query: SearchQuery, *, per_kind: Mapping[Kind, int] | None, places: Sequence[GrantedNamespace]
) -> list[SearchQuery]:
    """The searches of a context block over these namespaces; at least one, if only one that finds nothing.

    With `per_kind` each kind that it names is a search, and no other. Without it, a kind that the policy of a namespace
    gives a number or a mode is a search in that namespace, and all else is searched together.
    """
    kinds = [kind for kind in Kind if query.kinds is None or kind in query.kinds]
    said = {place.name: kind_policies(place.policy) for place in places}
    if per_kind is not None:
        searches = [
            replace(query, kinds=(kind,), k=per_kind[kind], mode=mode, namespaces=names)
            for kind in kinds
            if per_kind.get(kind, 0) > 0
            for mode, names in _by_mode(query, kind, said)
        ]
    else:
        searches = [*_apart(query, kinds, said), *_together(query, kinds, said)]
    return searches or [replace(query, kinds=())]


def window_searches(query: SearchQuery, *, place: GrantedNamespace, most: int) -> list[SearchQuery]:
    """The searches of a window: every kind has its own, with at most `most` results."""
    searches = []
    for kind, policy in kind_policies(place.policy).items():
        usual = WINDOW_DEFAULTS[kind]
        k = usual.k if policy.k is None else policy.k
        if k:
            days = policy.half_life_days or usual.half_life_days
            searches.append(
                replace(query, kinds=(kind,), k=min(k, most), mode=policy.mode, half_life_days=days)
            )
    return searches or [replace(query, kinds=())]


def within(hits: Iterable[Hit], *, k: int | None, per_kind: Mapping[Kind, int] | None) -> list[Hit]:
    """The best of merged hits: at most so many of each kind, or `k` of all where a request says so."""
    if per_kind is None:
        return list(hits)[:k]
    taken = Counter[str]()
    kept = []
    for hit in hits:
        kind = Kind(hit.memory.row.kind)
        if taken[kind] < per_kind.get(kind, 0):
            taken[kind] += 1
            kept.append(hit)
    return kept


Said = Mapping[str, Mapping[Kind, KindPolicy]]


def _by_mode(query: SearchQuery, kind: Kind, said: Said) -> list[tuple[Mode | None, tuple[str, ...]]]:
    """The namespaces that look for a kind in the same way; one group where the request says how."""
    groups: dict[Mode | None, list[str]] = defaultdict(list)
    for name, policies in said.items():
        groups[query.mode or policies[kind].mode].append(name)
    return [(mode, tuple(names)) for mode, names in groups.items()]


def _apart(query: SearchQuery, kinds: Sequence[Kind], said: Said) -> list[SearchQuery]:
    own = [(name, kind, policies[kind]) for name, policies in said.items() for kind in kinds]
    return [
        replace(
            query,
            namespaces=(name,),
            kinds=(kind,),
            k=_fewer(policy.k, query.k),
            mode=query.mode or policy.mode,
        )
        for name, kind, policy in own
        if policy.looks_apart and policy.k != 0
    ]


def _together(query: SearchQuery, kinds: Sequence[Kind], said: Said) -> list[SearchQuery]:
    """One search for the namespaces whose policies leave the same kinds open."""
    groups: dict[tuple[Kind, ...], list[str]] = defaultdict(list)
    for name, policies in said.items():
        groups[tuple(kind for kind in kinds if not policies[kind].looks_apart)].append(name)
    return [
        replace(query, namespaces=tuple(names), kinds=rest if len(rest) < len(Kind) else query.kinds)
        for rest, names in groups.items()
        if rest
    ]


def _fewer(of_policy: int | None, asked: int | None) -> int | None:
    given = [k for k in (of_policy, asked) if k is not None]
    return min(given, default=None)
