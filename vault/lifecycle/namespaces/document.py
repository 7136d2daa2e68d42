"""A namespace's whole policy as a document: its sections, each read by the module that it belongs to. Pure but for
the screening of its free words.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from django.conf import settings

from vault.errors import InvalidField
from vault.lifecycle.clear_text import refuse_personal
from vault.lifecycle.namespaces.explaining import explained
from vault.lifecycle.namespaces.known_types import known_types
from vault.lifecycle.namespaces.shape import given
from vault.nearest import did_you_mean
from vault.retrieval.freshness import Ages, old_after
from vault.retrieval.kind_policy import KindPolicy, kind_policies
from vault.screening.policy import ScreeningPolicy
from vault.types import Category, Kind
from vault.writing.upkeep_policy import UpkeepPolicy

SCREENING, UPKEEP, RETRIEVAL, FRESHNESS, WORTH_CHECK, ASSERTED_SESSIONS = (
    "screening", "upkeep", "retrieval", "freshness", "worth_check", "asserted_sessions",
)  # fmt: skip
SECTIONS = (SCREENING, UPKEEP, RETRIEVAL, FRESHNESS, WORTH_CHECK, ASSERTED_SESSIONS)
MAX_CHARACTERS = 32_768
MAX_WORD_CHARACTERS = 64
# Each life is compared with each: a document must not make its own comparison slow.
MAX_LIVES = 50
MAX_WORDS = 150
SCREENING_SECONDS = 10.0
TOO_LONG = f"The document is too long: it has up to {MAX_CHARACTERS:,} characters."


@dataclass(frozen=True, slots=True)
class PolicyDocument:
    """What a policy says, read."""

    screening: ScreeningPolicy
    upkeep: UpkeepPolicy
    retrieval: Mapping[Kind, KindPolicy]
    ages: Ages
    worth_check: bool
    asserted_sessions: bool


def parse_document(text: str) -> Mapping[str, Any]:
    """A document out of its JSON. Raises InvalidField at the root: not JSON, and where; not an object; a name given
    twice in one object.
    """
    if len(text) > MAX_CHARACTERS:
        raise InvalidField(TOO_LONG, pointer="/")
    try:
        value = json.loads(text, object_pairs_hook=_without_repetition, parse_constant=_no_number)
    except json.JSONDecodeError as error:
        # The parser's words are fixed; they repeat nothing of the text.
        where = f"line {error.lineno}, column {error.colno}"
        raise InvalidField(f"This is not JSON: {error.msg} at {where}.", pointer="/") from None
    except ValueError:
        raise InvalidField("A number of the document has too many digits.", pointer="/") from None
    except RecursionError:
        raise InvalidField("The document is nested too deeply.", pointer="/") from None
    if not isinstance(value, Mapping):
        raise InvalidField(f"A policy is an object of sections; {given(value)}.", pointer="/")
    return value


def read_document(policy: Mapping[str, Any]) -> PolicyDocument:
    """Read every section by its own module; raises InvalidField naming the first part that is wrong or unknown."""
    try:
        return _read(policy)
    except InvalidField as error:
        raise explained(error, policy) from None


def _read(policy: Mapping[str, Any]) -> PolicyDocument:
    for name in policy:
        if name not in SECTIONS:
            raise InvalidField(pointer=f"/{name}")
    worth_check = _flag(policy, WORTH_CHECK, default=True)
    asserted_sessions = _flag(policy, ASSERTED_SESSIONS, default=False)
    with _within(UPKEEP):
        upkeep = UpkeepPolicy.from_json(policy.get(UPKEEP, {}))
    return PolicyDocument(
        screening=_screening(policy.get(SCREENING, {})),
        upkeep=upkeep,
        retrieval=kind_policies(policy),
        ages=old_after(policy),
        worth_check=worth_check,
        asserted_sessions=asserted_sessions,
    )


def check_document(policy: Mapping[str, Any]) -> PolicyDocument:
    """All that a document has to be before it is kept: valid, of a size, and without personal data in its words."""
    read = read_document(policy)
    if len(json.dumps(policy)) > MAX_CHARACTERS:
        raise InvalidField(TOO_LONG, pointer="/")
    if len(read.upkeep.lives) > MAX_LIVES:
        raise InvalidField(f"A policy has up to {MAX_LIVES} lives.", pointer=f"/{UPKEEP}/lives")
    _check_types(read.screening)
    _check_languages(read.screening)
    words = dict(_free_words(read))
    if len(words) > MAX_WORDS:
        raise InvalidField(f"A policy has up to {MAX_WORDS} words of its own.", pointer="/")
    for pointer, word in words.items():
        if len(word) > MAX_WORD_CHARACTERS or not word.isprintable():
            raise InvalidField(f"A word has up to {MAX_WORD_CHARACTERS} characters.", pointer=pointer)
    refuse_personal(words, budget_seconds=SCREENING_SECONDS)
    return read


def _flag(policy: Mapping[str, Any], name: str, *, default: bool) -> bool:
    value = policy.get(name, default)
    if not isinstance(value, bool):
        raise InvalidField(pointer=f"/{name}")
    return value


def _screening(value: object) -> ScreeningPolicy:
    if not isinstance(value, Mapping) or "version" in value:
        # The version is the namespace's own.
        raise InvalidField(pointer=f"/{SCREENING}" + ("/version" if isinstance(value, Mapping) else ""))
    with _within(SCREENING):
        return ScreeningPolicy.from_json(value)


def _check_types(screening: ScreeningPolicy) -> None:
    """A type that no detector finds would do nothing, and whoever named it would believe that it did."""
    for category, kind in screening.actions:
        _check_type(kind, category, f"actions/{category.value}")
    for part, kinds in (("thresholds", screening.thresholds), ("context", screening.context)):
        for kind in kinds:
            _check_type(kind, Category.PII, part)


def _check_type(kind: str, category: Category, part: str) -> None:
    known = known_types(category)
    if kind not in known:
        detail = f"There is no such type.{did_you_mean(kind, known)} There are: {', '.join(known)}."
        raise InvalidField(detail, pointer=f"/{SCREENING}/{part}/{kind}")


def _check_languages(screening: ScreeningPolicy) -> None:
    """A language without a model of names would set every write of the namespace aside."""
    for number, language in enumerate(screening.languages):
        if language not in settings.SCREENING_MODELS:
            known = ", ".join(sorted(settings.SCREENING_MODELS))
            raise InvalidField(
                f"No model of names is configured for this language; there is: {known}.",
                pointer=f"/{SCREENING}/languages/{number}",
            )


def _free_words(read: PolicyDocument) -> Iterator[tuple[str, str]]:
    for kind, words in read.screening.context.items():
        for number, word in enumerate(words):
            yield f"/{SCREENING}/context/{kind}/{number}", word
    for number, life in enumerate(read.upkeep.lives):
        if life.attribute_prefix is not None:
            yield f"/{UPKEEP}/lives/{number}/match/attribute_prefix", life.attribute_prefix
        if life.class_name is not None:
            yield f"/{UPKEEP}/lives/{number}/match/class", life.class_name
    for number, language in enumerate(read.screening.languages):
        yield f"/{SCREENING}/languages/{number}", language


@contextmanager
def _within(section: str) -> Iterator[None]:
    """Refusals of a section's own module, with pointers into the whole document."""
    try:
        yield
    except InvalidField as error:
        pointer = f"/{section}{error.facts.get('pointer', '')}".rstrip("/")
        raise InvalidField(error.detail, pointer=pointer) from None


def _without_repetition(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise InvalidField("A name is given twice in one object; nobody could say which counts.", pointer="/")
    return found


def _no_number(_: str) -> float:
    raise InvalidField("NaN and Infinity are no numbers of JSON.", pointer="/")
