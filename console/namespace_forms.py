"""Forms of namespaces: the usual parts of a policy as fields, the whole of it as a document, and the reason."""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from typing import Any

from django import forms

from console.policy_words import ACTIONS, PERSONAL_TYPES, SENSITIVE
from vault.errors import InvalidField
from vault.lifecycle.namespaces.changing import MAX_CHARACTERS
from vault.lifecycle.namespaces.document import MAX_CHARACTERS as MAX_DOCUMENT_CHARACTERS
from vault.lifecycle.namespaces.document import PolicyDocument
from vault.screening.policy import ANY_TYPE, ScreeningPolicy
from vault.types import Category
from vault.writing.upkeep_policy import MAX_CAP, MAX_DAYS

SHIPPED = ScreeningPolicy()
PII = "pii_"
SECRET = "secret"  # noqa: S105 - the name of a category
# Where the fields of the usual parts stand in the document.
PATHS: Mapping[str, tuple[str, ...]] = {
    SECRET: ("screening", "actions", "secret", ANY_TYPE),
    "sensitive": ("screening", "allowed_sensitive"),
    "languages": ("screening", "languages"),
    "cap": ("upkeep", "cap"),
    "grace_days": ("upkeep", "grace_days"),
    "consolidation": ("upkeep", "consolidation"),
    "worth_check": ("worth_check",),
}
# The field that shows a refusal at this pointer; others show it over the form, with the pointer.
PLACES: Mapping[str, str] = {
    "/purpose": "purpose",
    "/reason": "reason",
    "/name": "name",
    "/screening/allowed_sensitive": "sensitive",
    "/screening/languages": "languages",
    "/upkeep/cap": "cap",
    "/upkeep/grace_days": "grace_days",
}


class RefusableForm(forms.Form):
    """A form beside whose fields the vault's own refusals are shown."""

    def refuse(self, error: InvalidField) -> None:
        pointer = str(error.facts.get("pointer", "/"))
        own = next((name for start, name in PLACES.items() if pointer.startswith(start)), "")
        if own in self.fields:
            self.add_error(own, error.detail)
            return
        where = "" if pointer == "/" else f" ({pointer})"
        self.add_error("document" if "document" in self.fields else None, error.detail + where)


def purpose_field() -> forms.CharField:
    return forms.CharField(
        label="Purpose",
        required=False,
        max_length=MAX_CHARACTERS,
        help_text="What the memories are for. It is the ground on which sensitive categories may be allowed.",
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )


def reason_field() -> forms.CharField:
    return forms.CharField(
        label="Reason",
        max_length=MAX_CHARACTERS,
        help_text="Stands in the history, in clear: name no person.",
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )


def version_field() -> forms.IntegerField:
    return forms.IntegerField(min_value=1, widget=forms.HiddenInput)


class UsualForm(RefusableForm):
    """The parts that are changed most; what the document says beside them stays."""

    expected_version = version_field()
    purpose = purpose_field()
    sensitive = forms.MultipleChoiceField(
        label="Sensitive categories that the purpose covers",
        required=False,
        choices=list(SENSITIVE.items()),
        widget=forms.CheckboxSelectMultiple,
        help_text="These are kept under a label. The others are set aside for review.",
    )
    languages = forms.CharField(
        label="Languages",
        max_length=200,
        help_text="Codes of two letters, with commas between: en, de. Each needs an installed model.",
        widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false"}),
    )
    cap = forms.IntegerField(
        label="Most memories of one subject", required=False, min_value=1, max_value=MAX_CAP,
        help_text="Empty: no limit.",
    )  # fmt: skip
    grace_days = forms.IntegerField(
        label="Days that content is kept after its end", min_value=0, max_value=MAX_DAYS
    )
    consolidation = forms.BooleanField(label="A job puts small memories together", required=False)
    worth_check = forms.BooleanField(label="Refuse what is not worth keeping", required=False)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for kind, label in PERSONAL_TYPES.items():
            shipped = ACTIONS[SHIPPED.action_for(Category.PII, kind)].lower()
            self.fields[PII + kind] = _action_field(label, f"As shipped: {shipped}", ACTIONS)
        shipped = ACTIONS[SHIPPED.action_for(Category.SECRET, ANY_TYPE)].lower()
        allowed = {code: words for code, words in ACTIONS.items() if code != "allow"}
        self.fields[SECRET] = _action_field("Credentials", f"As shipped: {shipped}", allowed)

    def clean_sensitive(self) -> list[str]:
        return sorted(self.cleaned_data["sensitive"])

    def clean_languages(self) -> list[str]:
        words = [word.strip().lower() for word in self.cleaned_data["languages"].split(",")]
        return [word for word in words if word]

    @property
    def actions(self) -> list[forms.BoundField]:
        """The fields that say what happens to each type."""
        return [self[SECRET], *(self[PII + kind] for kind in PERSONAL_TYPES)]

    @property
    def rest(self) -> list[forms.BoundField]:
        names = ("languages", "cap", "grace_days", "consolidation", "worth_check")
        return [self[name] for name in names]


def usual_of(read: PolicyDocument) -> dict[str, Any]:
    """The values of the usual parts as they are in force; "" for an action that is as shipped."""
    named = read.screening.actions
    chosen = {PII + kind: named.get((Category.PII, kind), "") for kind in PERSONAL_TYPES}
    return {
        **chosen,
        SECRET: named.get((Category.SECRET, ANY_TYPE), ""),
        "sensitive": sorted(read.screening.allowed_sensitive),
        "languages": list(read.screening.languages),
        "cap": read.upkeep.cap,
        "grace_days": read.upkeep.grace_days,
        "consolidation": read.upkeep.consolidation,
        "worth_check": read.worth_check,
    }


def with_usual(policy: Mapping[str, Any], read: PolicyDocument, given: Mapping[str, Any]) -> dict[str, Any]:
    """The document with what a valid form changes in the place of what it said there. Pure.

    What the form leaves as it is in force is not written down, so that sending a form back changes nothing.
    """
    document = deepcopy(dict(policy))
    for name, value in usual_of(read).items():
        if given[name] != value:
            _put(document, _path(name), given[name])
    return document


def _path(name: str) -> tuple[str, ...]:
    if name.startswith(PII):
        return ("screening", "actions", "pii", name.removeprefix(PII))
    return PATHS[name]


def _put(document: dict[str, Any], path: tuple[str, ...], value: Any) -> None:
    """Set one part, or take it out for nothing; sections that say nothing more go with it."""
    name, *rest = path
    if not rest:
        document[name] = value
        if value in ("", None):
            document.pop(name)
        return
    section = document.setdefault(name, {})
    _put(section, tuple(rest), value)
    if not section:
        document.pop(name)


def _action_field(label: str, empty: str, actions: Mapping[str, str]) -> forms.ChoiceField:
    return forms.ChoiceField(label=label, required=False, choices=[("", empty), *actions.items()])


class DocumentForm(RefusableForm):
    """The whole policy as JSON."""

    expected_version = version_field()
    purpose = purpose_field()
    document = forms.CharField(
        label="Policy",
        max_length=MAX_DOCUMENT_CHARACTERS,
        help_text="JSON. A section or a name that the vault does not know is refused.",
        widget=forms.Textarea(attrs={"rows": 24, "spellcheck": "false", "class": "mono"}),
    )


class ApplyForm(RefusableForm):
    """What was previewed, and why."""

    expected_version = version_field()
    purpose = forms.CharField(required=False, max_length=MAX_CHARACTERS, widget=forms.HiddenInput)
    document = forms.CharField(max_length=MAX_DOCUMENT_CHARACTERS, widget=forms.HiddenInput)
    reason = reason_field()


class SealForm(RefusableForm):
    reason = reason_field()


class NewNamespaceForm(RefusableForm):
    name = forms.SlugField(
        label="Name",
        max_length=64,
        help_text="Agents name it in every call: letters, digits, hyphens, underscores.",
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    purpose = purpose_field()
    sealed = forms.BooleanField(
        label="Sealed",
        required=False,
        help_text=(
            "No vector stands outside the ciphertext; searches read everything and take longer. There is no way back."
        ),
    )
    reason = reason_field()
