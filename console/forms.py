"""Forms of the console. What they take is codes, ids and filters; free text goes in at two places only: the
look-up of a subject and the evidence of a request, both by POST.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import forms

from audit.actions import Action, Outcome
from vault.models import ApprovalStatus, ErasureStatus, ExportStatus, Role
from vault.types import Status

EVIDENCE_CHARACTERS = 2000
REFERENCE_CHARACTERS = 256
LAST_PAGE = 1_000_000


def choices(codes: Mapping[str, str], empty: str) -> list[tuple[str, str]]:
    return [("", empty), *codes.items()]


class ReasonForm(forms.Form):
    """A reason code out of a closed list; there is no default, so that somebody has to choose."""

    reason = forms.ChoiceField(label="Reason")

    def __init__(self, *args: Any, codes: Mapping[str, str], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["reason"]
        if isinstance(field, forms.ChoiceField):
            field.choices = choices(codes, "Choose a reason…")


class ChangeForm(ReasonForm):
    """A change of a memory names the version that was read."""

    expected_version = forms.IntegerField(min_value=1, widget=forms.HiddenInput)


class SeenForm(forms.Form):
    """What a preview showed, signed."""

    seen = forms.CharField(widget=forms.HiddenInput)


class VersionForm(forms.Form):
    expected_version = forms.IntegerField(min_value=1, widget=forms.HiddenInput)


def page_field() -> forms.IntegerField:
    """A page of a list. Behind the last of these no database counts rows any more."""
    return forms.IntegerField(required=False, min_value=1, max_value=LAST_PAGE)


class PageForm(forms.Form):
    page = page_field()


class BudgetForm(forms.Form):
    """The tokens of a window to draw."""

    DEFAULT = 2000
    budget = forms.IntegerField(required=False, min_value=16, max_value=1_000_000, initial=DEFAULT)


class RollBackForm(ChangeForm):
    version = forms.IntegerField(min_value=1, widget=forms.HiddenInput)


class SubjectLookupForm(forms.Form):
    external_id = forms.CharField(
        label="Subject",
        max_length=REFERENCE_CHARACTERS,
        strip=False,
        help_text="The id that the calling application uses. Exact, and case-sensitive.",
        widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false", "data-find": ""}),
    )


class MemoryLookupForm(forms.Form):
    memory = forms.UUIDField(
        label="Memory id",
        widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false", "data-find": ""}),
    )


class ErasureForm(ReasonForm):
    evidence = forms.CharField(
        label="Evidence",
        required=False,
        max_length=EVIDENCE_CHARACTERS,
        help_text="How the request reached you. Sealed under the subject's key, and erased with it.",
        widget=forms.Textarea(attrs={"rows": 3}),
    )
    with_visits = forms.BooleanField(required=False)


class SubjectPageForm(forms.Form):
    status = forms.ChoiceField(required=False, choices=[(status.value, status.value) for status in Status])
    page = page_field()


class ErasureFilterForm(forms.Form):
    status = forms.ChoiceField(required=False, choices=ErasureStatus.choices)


class ApprovalFilterForm(forms.Form):
    status = forms.ChoiceField(required=False, choices=ApprovalStatus.choices)


class ExportFilterForm(forms.Form):
    status = forms.ChoiceField(required=False, choices=ExportStatus.choices)


class AuditFilterForm(forms.Form):
    action = forms.ChoiceField(
        required=False, choices=[("", "Any"), *((action.value, action.value) for action in Action)]
    )
    outcome = forms.ChoiceField(
        required=False, choices=[("", "Any"), *((outcome.value, outcome.value) for outcome in Outcome)]
    )
    actor = forms.CharField(
        required=False,
        max_length=80,
        widget=forms.TextInput(attrs={"placeholder": "staff:3", "data-find": ""}),
    )
    target = forms.CharField(label="Target id", required=False, max_length=64)
    since = forms.DateField(label="From", required=False, widget=forms.DateInput(attrs={"type": "date"}))
    until = forms.DateField(label="Until", required=False, widget=forms.DateInput(attrs={"type": "date"}))
    before = forms.IntegerField(required=False, min_value=1, widget=forms.HiddenInput)


class InviteForm(forms.Form):
    email = forms.EmailField(label="E-mail", widget=forms.EmailInput(attrs={"autocomplete": "off"}))
    role = forms.ChoiceField(label="Role", choices=Role.choices)
