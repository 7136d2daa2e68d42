"""A namespace's policy in words: what happens to what, for people who decide about it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from vault.errors import InvalidField
from vault.lifecycle.namespaces.document import RETRIEVAL, read_document
from vault.screening.policy import ANY_TYPE, SENSITIVE_CATEGORIES, ScreeningPolicy
from vault.types import Category, Kind
from vault.writing.upkeep_policy import Life, UpkeepPolicy

ACTIONS: Mapping[str, str] = {
    "allow": "Kept, under a label",
    "redact": "Masked",
    "quarantine": "Set aside for review",
    "refuse": "The write is refused",
}
# The types that a page shows one by one; every other can be named in the document.
PERSONAL_TYPES: Mapping[str, str] = {
    "EMAIL_ADDRESS": "E-mail address",
    "PHONE_NUMBER": "Phone number",
    "IBAN_CODE": "Bank account (IBAN)",
    "ACCOUNT_NUMBER": "Account number",
    "NATIONAL_ID": "National identity number",
    "TAX_ID": "Tax number",
    "PATIENT_ID": "Patient number",
    "INSURANCE_ID": "Insurance number",
    "EMPLOYEE_ID": "Employee number",
    "VEHICLE_REGISTRATION": "Vehicle registration",
    "ACCESS_CODE": "Code of a door, gate, alarm or safe",
    "PERSON": "Name of a person",
    "LOCATION": "Place",
    "ORGANIZATION": "Organisation",
    "DATE_TIME": "Date or time",
    "AGE": "Age",
    "URL": "Address of a page",
    "IP_ADDRESS": "IP address",
    ANY_TYPE: "All other types",
}
SENSITIVE: Mapping[str, str] = {
    "health": "Health",
    "religion": "Religion or belief",
    "politics": "Political opinion",
    "union": "Trade union membership",
    "sex_life_or_orientation": "Sex life or orientation",
    "ethnicity": "Ethnic origin",
    "biometrics_genetics": "Biometric or genetic data",
    "criminal_record": "Criminal record",
    "children": "Children",
}
KINDS: Mapping[Kind, str] = {Kind.FACT: "Facts", Kind.EVENT: "Events", Kind.LESSON: "Lessons"}
RANKING_PARTS: Mapping[str, str] = {"k": "at most", "half_life_days": "half-life in days"}
LOOSENED: Mapping[str, str] = {
    "/screening/thresholds/": "Found only at a higher score",
    "/screening/context/": "A word beside which a weak number counted is gone",
    "/screening/languages": "Other languages: whose names are found, and whose texts wait for review",
    "/upkeep/grace_days": "Content is kept longer after its end",
    "/upkeep/lives": "Something is kept longer",
    "/asserted_sessions": "Agents name the subject of a session themselves",
}
CREDENTIALS = "Credentials"
PERSONAL, SPECIAL, READING, KEEPING, FINDING, AGES, SESSIONS = (
    "Personal data", "Sensitive categories", "How it is read", "How long it is kept", "How it is found",
    "When it is called old", "Sessions",
)  # fmt: skip
# What stands for a line that only the other document has: a type, a threshold or a word that one does not name.
UNNAMED, NONE = "Not named", "None"


@dataclass(frozen=True, slots=True)
class Line:
    """One thing that a policy decides. `is_own` tells that it is not as shipped."""

    group: str
    label: str
    value: str
    is_own: bool = False


@dataclass(frozen=True, slots=True)
class Difference:
    """One line before and after a change."""

    group: str
    label: str
    before: str
    after: str


def groups(policy: Mapping[str, Any]) -> dict[str, list[Line]]:
    """The lines of a policy under their headings, in the order of the page. Raises InvalidField."""
    shipped = {(line.group, line.label): line.value for line in _lines({})}
    found: dict[str, list[Line]] = {}
    for line in _lines(policy):
        is_own = shipped.get((line.group, line.label)) != line.value
        found.setdefault(line.group, []).append(Line(line.group, line.label, line.value, is_own))
    return found


def differences(
    before: Mapping[str, Any], after: Mapping[str, Any], *, purposes: tuple[str, str] = ("", "")
) -> list[Difference]:
    """The lines that a change changes; of a policy that cannot be read none, whose text has to do."""
    try:
        old, new = _by_label(before), _by_label(after)
    except InvalidField:
        old, new = {}, {}
    was, becomes = purposes
    purpose = ("Purpose", "Purpose")
    old, new = {purpose: was or NONE, **old}, {purpose: becomes or NONE, **new}
    return [
        Difference(*key, old.get(key, UNNAMED), new.get(key, UNNAMED))
        for key in [*new, *(key for key in old if key not in new)]
        if old.get(key) != new.get(key)
    ]


def loosened_in_words(pointer: str) -> str:
    """What stands at a pointer that `loosens` gave."""
    _, _, *path = (*pointer.split("/"), "", "")
    kind = next((part for part in reversed(path) if part), "")
    if pointer.startswith("/screening/actions/pii/"):
        return f"{PERSONAL}: {PERSONAL_TYPES.get(kind, kind)}"
    if pointer.startswith("/screening/actions/secret/"):
        return CREDENTIALS if kind == ANY_TYPE else f"{CREDENTIALS}: {kind}"
    if pointer.startswith(("/screening/actions/sensitive/", "/screening/allowed_sensitive/")):
        return f"{SPECIAL}: {SENSITIVE.get(kind, 'all that are not named')}"
    start = next((start for start in LOOSENED if pointer.startswith(start)), "")
    return LOOSENED.get(start, "What stood before could not be read")


def as_text(policy: Mapping[str, Any]) -> str:
    """The document as people write it."""
    return json.dumps(policy, indent=2, sort_keys=True, ensure_ascii=False)


def _by_label(policy: Mapping[str, Any]) -> dict[tuple[str, str], str]:
    return {(line.group, line.label): line.value for line in _lines(policy)}


def _lines(policy: Mapping[str, Any]) -> Iterator[Line]:
    read = read_document(policy)
    yield from _personal(read.screening)
    yield from _sensitive(read.screening)
    yield from _reading(read.screening)
    yield from _keeping(read.upkeep, worth_check=read.worth_check)
    for kind, label in KINDS.items():
        yield Line(FINDING, label, _ranking(policy.get(RETRIEVAL, {}).get(kind.value, {})))
    for kind, days in read.ages.items():
        yield Line(AGES, KINDS[kind], "never" if days is None else f"after {_days(days)}")
    who = "The calling application, by a signature" if read.asserted_sessions else "The agent"
    yield Line(SESSIONS, "Who says whom a session is for", who)


def _personal(screening: ScreeningPolicy) -> Iterator[Line]:
    named = {kind: kind for category, kind in sorted(screening.actions) if category is Category.PII}
    for kind, label in {**named, **PERSONAL_TYPES}.items():
        yield Line(PERSONAL, label, ACTIONS[screening.action_for(Category.PII, kind)])
    secrets = {kind: f"{CREDENTIALS}: {kind}" for category, kind in sorted(screening.actions)
               if category is Category.SECRET}  # fmt: skip
    for kind, label in {**secrets, ANY_TYPE: CREDENTIALS}.items():
        yield Line(PERSONAL, label, ACTIONS[screening.action_for(Category.SECRET, kind)])


def _sensitive(screening: ScreeningPolicy) -> Iterator[Line]:
    for category in SENSITIVE_CATEGORIES:
        action = screening.action_for(Category.SENSITIVE, category)
        yield Line(SPECIAL, SENSITIVE[category], ACTIONS[action])


def _reading(screening: ScreeningPolicy) -> Iterator[Line]:
    yield Line(READING, "Languages", ", ".join(screening.languages))
    for kind, score in sorted(screening.thresholds.items()):
        yield Line(READING, f"Sure enough: {PERSONAL_TYPES.get(kind, kind)}", f"from a score of {score:g}")
    for kind, words in sorted(screening.context.items()):
        yield Line(READING, f"Words that stand beside: {PERSONAL_TYPES.get(kind, kind)}", ", ".join(words))


def _keeping(upkeep: UpkeepPolicy, *, worth_check: bool) -> Iterator[Line]:
    lives = "; ".join(_life(life) for life in upkeep.lives)
    yield Line(KEEPING, "Lives", lives or "Kept until somebody forgets it")
    yield Line(KEEPING, "Most memories of one subject", str(upkeep.cap) if upkeep.cap else "No limit")
    yield Line(KEEPING, "Content kept after its end", _days(upkeep.grace_days))
    yield Line(KEEPING, "Listed as unused", f"after {_days(upkeep.unused_days)}")
    yield Line(
        KEEPING, "Small memories put together", "By a job" if upkeep.consolidation else "Only by staff"
    )
    yield Line(KEEPING, "What is not worth keeping", "Refused" if worth_check else "Taken all the same")


def _life(life: Life) -> str:
    names = [
        KINDS[life.kind].lower() if life.kind else "",
        f"slot {life.attribute_prefix}…" if life.attribute_prefix else "",
        f"class {life.class_name}" if life.class_name else "",
    ]
    what = ", ".join(name for name in names if name) or "everything"
    since = "the last use" if life.extend_on_use else "the write"
    return f"{what}: {_days(life.days)} from {since}"


def _days(number: int) -> str:
    return f"{number} day" if number == 1 else f"{number} days"


def _ranking(given: Mapping[str, Any]) -> str:
    """What the document itself says of a kind: the rest is as shipped, and may differ by where it is searched."""
    parts = [f"{RANKING_PARTS.get(name, name)} {_value(value)}" for name, value in sorted(given.items())]
    return "; ".join(parts) or "As shipped"


def _value(value: Any) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {_value(part)}" for name, part in sorted(value.items()))
    return f"{value:g}" if isinstance(value, int | float) else str(value)
