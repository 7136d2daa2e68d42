"""Forms about subjects' requests, their contacts and corrections."""

from __future__ import annotations

from django import forms

from vault.lifecycle.subject_rights.addresses import MAX_CHARACTERS as ADDRESS_CHARACTERS
from vault.lifecycle.subject_rights.due import Urgency
from vault.models import RequestKind, RequestStatus

MEMORY_CHARACTERS = 8000


class RequestFilterForm(forms.Form):
    status = forms.ChoiceField(required=False, choices=RequestStatus.choices)
    kind = forms.ChoiceField(required=False, choices=RequestKind.choices)
    due = forms.ChoiceField(required=False, choices=[(each.value, each.value) for each in Urgency])


class ContactForm(forms.Form):
    email = forms.EmailField(
        label="E-mail address",
        max_length=ADDRESS_CHARACTERS,
        help_text="Whoever reads this mailbox can ask for everything and have it erased. Check that it is theirs.",
        widget=forms.EmailInput(attrs={"autocomplete": "off"}),
    )


class CorrectionForm(forms.Form):
    """A correction names the version that was read."""

    text = forms.CharField(
        label="The text as it should be",
        max_length=MEMORY_CHARACTERS,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 6}),
    )
    expected_version = forms.IntegerField(min_value=1, widget=forms.HiddenInput)
