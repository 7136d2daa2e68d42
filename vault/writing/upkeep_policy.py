"""How long a namespace keeps what it remembers, and how much: frozen, validated, and read from JSON.

The default keeps everything: no lives, no cap, no consolidation. What a namespace forgets by itself is its
operator's decision, and stands in its policy under `upkeep`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from vault.errors import InvalidField
from vault.retrieval.scope import GrantedNamespace
from vault.types import Kind

SECTION = "upkeep"
# The metadata key by which a writer names the class of a statement, such as "temporary".
CLASS_KEY = "class"
MAX_DAYS = 36_500
MAX_CAP = 1_000_000
DEFAULT_GRACE_DAYS = 30
DEFAULT_UNUSED_DAYS = 180
KNOWN = frozenset({"lives", "cap", "grace_days", "unused_days", "consolidation"})


@dataclass(frozen=True, slots=True)
class Life:
    """How long a statement of this description is kept; None matches any. Days; use moves the end if it says so."""

    days: int
    extend_on_use: bool = False
    kind: Kind | None = None
    attribute_prefix: str | None = None
    class_name: str | None = None

    def fits(self, *, kind: Kind, attribute: str, metadata: Mapping[str, Any]) -> bool:
        return (
            self.kind in (None, kind)
            and (self.attribute_prefix is None or attribute.startswith(self.attribute_prefix))
            and (self.class_name is None or metadata.get(CLASS_KEY) == self.class_name)
        )


@dataclass(frozen=True, slots=True)
class UpkeepPolicy:
    """The upkeep of one namespace. Of several lives that fit, the first counts; `cap` None means no limit."""

    lives: tuple[Life, ...] = ()
    cap: int | None = None
    grace_days: int = DEFAULT_GRACE_DAYS
    unused_days: int = DEFAULT_UNUSED_DAYS
    consolidation: bool = False

    def life_of(self, *, kind: Kind, attribute: str, metadata: Mapping[str, Any]) -> Life | None:
        """The life of a statement whose writer named no end; None: it is kept until somebody forgets it."""
        fitting = (
            life for life in self.lives if life.fits(kind=kind, attribute=attribute, metadata=metadata)
        )
        return next(fitting, None)

    @staticmethod
    def from_json(value: object) -> UpkeepPolicy:
        """Read a namespace's rules; raises InvalidField naming the first part that is wrong."""
        fields = _object(value, "")
        for name in fields:
            if name not in KNOWN:
                raise InvalidField(pointer=f"/{name}")
        lives = fields.get("lives", [])
        if not isinstance(lives, list):
            raise InvalidField(pointer="/lives")
        cap = fields.get("cap")
        return UpkeepPolicy(
            lives=tuple(_life(life, f"/lives/{number}") for number, life in enumerate(lives)),
            cap=None if cap is None else _whole(cap, "/cap", least=1, most=MAX_CAP),
            grace_days=_whole(
                fields.get("grace_days", DEFAULT_GRACE_DAYS), "/grace_days", least=0, most=MAX_DAYS
            ),
            unused_days=_whole(
                fields.get("unused_days", DEFAULT_UNUSED_DAYS), "/unused_days", least=1, most=MAX_DAYS
            ),
            consolidation=_flag(fields.get("consolidation", False), "/consolidation"),
        )


def upkeep_of(policy: Mapping[str, Any]) -> UpkeepPolicy:
    """The upkeep that a namespace's whole policy asks for. Raises InvalidField."""
    return UpkeepPolicy.from_json(policy.get(SECTION, {}))


def upkeep_in(namespace: GrantedNamespace) -> UpkeepPolicy:
    return upkeep_of(namespace.policy)


def _life(value: object, pointer: str) -> Life:
    fields = _object(value, pointer)
    for name in fields:
        if name not in ("match", "days", "extend_on_use"):
            raise InvalidField(pointer=f"{pointer}/{name}")
    match = _object(fields.get("match", {}), f"{pointer}/match")
    for name in match:
        if name not in ("kind", "attribute_prefix", "class"):
            raise InvalidField(pointer=f"{pointer}/match/{name}")
    return Life(
        days=_whole(fields.get("days"), f"{pointer}/days", least=1, most=MAX_DAYS),
        extend_on_use=_flag(fields.get("extend_on_use", False), f"{pointer}/extend_on_use"),
        kind=_kind(match.get("kind"), f"{pointer}/match/kind"),
        attribute_prefix=_word(match.get("attribute_prefix"), f"{pointer}/match/attribute_prefix"),
        class_name=_word(match.get("class"), f"{pointer}/match/class"),
    )


def _object(value: object, pointer: str) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise InvalidField(pointer=pointer or "/")
    return value


def _whole(value: object, pointer: str, *, least: int, most: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise InvalidField(pointer=pointer)
    return value


def _flag(value: object, pointer: str) -> bool:
    if not isinstance(value, bool):
        raise InvalidField(pointer=pointer)
    return value


def _kind(value: object, pointer: str) -> Kind | None:
    if value is None:
        return None
    if not isinstance(value, str) or value not in {kind.value for kind in Kind}:
        raise InvalidField(pointer=pointer)
    return Kind(value)


def _word(value: object, pointer: str) -> str | None:
    if value is None:
        return None
    if not isinstance(value, str) or not value:
        raise InvalidField(pointer=pointer)
    return value


# What the documentation shows; tested to be valid and to mean what it says.
EXAMPLE: Mapping[str, Any] = {
    "lives": [
        {"match": {"class": "session"}, "days": 30, "extend_on_use": False},
        {"match": {"class": "temporary"}, "days": 1, "extend_on_use": False},
        {"match": {"class": "preference"}, "days": 365, "extend_on_use": True},
        {"match": {"attribute_prefix": "preference_"}, "days": 365, "extend_on_use": True},
        {"match": {"class": "technical"}, "days": 90, "extend_on_use": True},
        {"match": {"attribute_prefix": "technical_"}, "days": 90, "extend_on_use": True},
    ],
    "cap": 5000,
}
