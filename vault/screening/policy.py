"""What a namespace does about each kind of finding: frozen, validated, and read from JSON.

The default keeps what an agent needs to be useful (names, places, dates, addresses of pages) under a
label, masks what identifies a person directly, sets sensitive categories aside and refuses credentials.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from vault.errors import InvalidField
from vault.screening.rule import StaffRule
from vault.types import Action, Category

ANY_TYPE = "*"
GOVERNED = (Category.SECRET, Category.PII, Category.SENSITIVE)

SENSITIVE_CATEGORIES = (
    "health",
    "religion",
    "politics",
    "union",
    "sex_life_or_orientation",
    "ethnicity",
    "biometrics_genetics",
    "criminal_record",
    "children",
)

# Types that say something of a person without naming one uniquely, or that agents must be able to use.
LABELLED_TYPES = frozenset(
    {
        "PERSON",
        "LOCATION",
        "ORGANIZATION",
        "DATE_TIME",
        "URL",
        # An agent that takes in a delivery needs the code of the gate.
        "ACCESS_CODE",
        "NRP",
        "AGE",
        "TITLE",
        "IP_ADDRESS",
        "MAC_ADDRESS",
        "UUID",
        "UK_POSTCODE",
        "CA_POSTAL_CODE",
        "DE_PLZ",
        # Numbers of companies and of practices stand in public registers.
        "AU_ABN",
        "AU_ACN",
        "SG_UEN",
        "KR_BRN",
        "SE_ORGANISATIONSNUMMER",
        "DE_HANDELSREGISTER",
        "DE_VAT_ID",
        "IT_VAT_CODE",
        "IN_GSTIN",
        "ZA_COMPANY_REGISTRATION",
        "ZA_VAT_NUMBER",
        "DE_BSNR",
        "US_NPI",
        "ABA_ROUTING_NUMBER",
    }
)

DEFAULT_ACTIONS: Mapping[tuple[Category, str], Action] = MappingProxyType(
    {
        (Category.SECRET, ANY_TYPE): Action.REFUSE,
        (Category.PII, ANY_TYPE): Action.REDACT,
        **{(Category.PII, kind): Action.ALLOW for kind in sorted(LABELLED_TYPES)},
        (Category.SENSITIVE, ANY_TYPE): Action.QUARANTINE,
    }
)
# Below these a finding is not reported. One threshold for all types cannot work: a stock recogniser
# gives a real phone number 0.4 and a file name taken for a page 0.5.
DEFAULT_THRESHOLDS: Mapping[str, float] = MappingProxyType({ANY_TYPE: 0.5})

# A number that merely passes somebody's check digit is labelled: masking it could destroy an order number.
ACT_FROM_SCORE = 0.6


@dataclass(frozen=True, slots=True)
class ScreeningPolicy:
    """One version of the rules of one namespace.

    `actions` and `thresholds` override the defaults; the type `*` stands for the whole category.
    `allowed_sensitive` are the categories that the namespace's purpose covers: they are labelled only.
    `context` adds words beside which a weak number counts as the type they stand for.
    `languages` are those that the detectors are configured for.
    """

    version: int = 1
    actions: Mapping[tuple[Category, str], Action] = field(default_factory=dict)
    thresholds: Mapping[str, float] = field(default_factory=dict)
    allowed_sensitive: frozenset[str] = frozenset()
    context: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    languages: tuple[str, ...] = ("en",)
    # The live rules of the namespace, in order; they stand in rows of their own and not in the JSON.
    rules: tuple[StaffRule, ...] = ()

    def action_for(self, category: Category, kind: str, *, score: float = 1.0) -> Action:
        """The namespace's action, else the default; what nobody named is set aside.

        Personal data that is only possible (see ACT_FROM_SCORE) is labelled, whatever its type.
        """
        if category is Category.PII and score < ACT_FROM_SCORE:
            return Action.ALLOW
        if category is Category.SENSITIVE and kind in self.allowed_sensitive:
            return Action.ALLOW
        for table in (self.actions, DEFAULT_ACTIONS):
            for key in ((category, kind), (category, ANY_TYPE)):
                if key in table:
                    return table[key]
        return Action.QUARANTINE

    def threshold_for(self, kind: str) -> float:
        for table in (self.thresholds, DEFAULT_THRESHOLDS):
            for key in (kind, ANY_TYPE):
                if key in table:
                    return table[key]
        return DEFAULT_THRESHOLDS[ANY_TYPE]

    def to_json(self) -> dict[str, Any]:
        actions: dict[str, dict[str, str]] = {}
        for (category, kind), action in sorted(self.actions.items()):
            actions.setdefault(category.value, {})[kind] = action.value
        return {
            "version": self.version,
            "actions": actions,
            "thresholds": dict(self.thresholds),
            "allowed_sensitive": sorted(self.allowed_sensitive),
            "context": {kind: list(words) for kind, words in self.context.items()},
            "languages": list(self.languages),
        }

    @staticmethod
    def from_json(value: Mapping[str, Any]) -> ScreeningPolicy:
        """Read a namespace's overrides; raises InvalidField naming the first part that is wrong."""
        known = {"version", "actions", "thresholds", "allowed_sensitive", "context", "languages"}
        for name in value:
            if name not in known:
                raise InvalidField(pointer=f"/{name}")
        return ScreeningPolicy(
            version=_version(value.get("version", 1)),
            actions=_actions(value.get("actions", {})),
            thresholds=_thresholds(value.get("thresholds", {})),
            allowed_sensitive=_sensitive(value.get("allowed_sensitive", [])),
            context={k: _words(w, f"/context/{k}") for k, w in _object(value.get("context", {}), "/context")},
            languages=_words(value.get("languages", ["en"]), "/languages"),
        )


def _object(value: object, pointer: str) -> list[tuple[str, Any]]:
    if not isinstance(value, Mapping):
        raise InvalidField(pointer=pointer)
    return [(str(name), part) for name, part in value.items()]


def _version(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise InvalidField(pointer="/version")
    return value


def _actions(value: object) -> dict[tuple[Category, str], Action]:
    table: dict[tuple[Category, str], Action] = {}
    for name, kinds in _object(value, "/actions"):
        if name not in {category.value for category in GOVERNED}:
            raise InvalidField(pointer=f"/actions/{name}")
        category = Category(name)
        for kind, action in _object(kinds, f"/actions/{name}"):
            table[category, kind] = _action(category, action, f"/actions/{name}/{kind}")
    return table


def _action(category: Category, value: object, pointer: str) -> Action:
    if not isinstance(value, str) or value not in {action.value for action in Action}:
        raise InvalidField(pointer=pointer)
    action = Action(value)
    # A credential in a memory is handed to every later prompt: no namespace may keep one in clear.
    if category is Category.SECRET and action is Action.ALLOW:
        raise InvalidField("A policy cannot allow credentials.", pointer=pointer)
    if category is Category.SENSITIVE and action is Action.REDACT:
        raise InvalidField("A sensitive statement has no span to mask.", pointer=pointer)
    return action


def _thresholds(value: object) -> dict[str, float]:
    table: dict[str, float] = {}
    for kind, score in _object(value, "/thresholds"):
        if isinstance(score, bool) or not isinstance(score, int | float) or not 0 <= score <= 1:
            raise InvalidField(pointer=f"/thresholds/{kind}")
        table[kind] = float(score)
    return table


def _sensitive(value: object) -> frozenset[str]:
    names = _words(value, "/allowed_sensitive")
    if not set(names) <= set(SENSITIVE_CATEGORIES):
        raise InvalidField(pointer="/allowed_sensitive")
    return frozenset(names)


def _words(value: object, pointer: str) -> tuple[str, ...]:
    if not isinstance(value, list | tuple) or not all(isinstance(word, str) and word for word in value):
        raise InvalidField(pointer=pointer)
    return tuple(value)


DEFAULT_POLICY = ScreeningPolicy()
