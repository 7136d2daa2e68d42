"""What the public pages take."""

from __future__ import annotations

from django import forms

from vault.crypto.assertion import MAX_CHARACTERS as ASSERTION_CHARACTERS
from vault.lifecycle.subject_rights.addresses import MAX_CHARACTERS as ADDRESS_CHARACTERS
from vault.lifecycle.subject_rights.wording import MAX_CHARACTERS as TEXT_CHARACTERS
from vault.models import RequestKind

NUMBER_CHARACTERS = 60
KINDS = {
    RequestKind.ACCESS: "See what is kept about me",
    RequestKind.CORRECTION: "Have something corrected",
    RequestKind.RESTRICTION: "Have its use restricted",
    RequestKind.ERASURE: "Have it erased",
}


def kind_field() -> forms.ChoiceField:
    choices = [(kind.value, label) for kind, label in KINDS.items()]
    return forms.ChoiceField(label="What do you ask for?", choices=choices, widget=forms.RadioSelect)


class AskForm(forms.Form):
    kind = kind_field()
    email = forms.EmailField(
        label="Your e-mail address",
        max_length=ADDRESS_CHARACTERS,
        help_text="The one that the service knows you by. It is not kept with this form.",
        widget=forms.EmailInput(attrs={"autocomplete": "email"}),
    )


class NumberForm(forms.Form):
    number = forms.CharField(
        label="Number of the request",
        max_length=NUMBER_CHARACTERS,
        help_text="As it was shown to you. Blanks, hyphens and small letters do not matter.",
        widget=forms.TextInput(
            attrs={"autocomplete": "off", "spellcheck": "false", "autocapitalize": "characters"}
        ),
    )


class AssertionForm(forms.Form):
    assertion = forms.CharField(
        label="Confirmation",
        max_length=ASSERTION_CHARACTERS,
        help_text="The application shows it to you when you are signed in there. It works for a few minutes, once.",
        widget=forms.Textarea(attrs={"rows": 4, "autocomplete": "off", "spellcheck": "false"}),
    )


class ProofForm(forms.Form):
    """What is left to say once who you are is proved: the kind, unless the link has it, and what is wrong."""

    text = forms.CharField(
        required=False,
        max_length=TEXT_CHARACTERS,
        widget=forms.Textarea(attrs={"rows": 6}),
    )

    def __init__(self, data: object = None, *, kind: RequestKind | None) -> None:
        super().__init__(data)  # type: ignore[arg-type]
        text = self.fields["text"]
        text.required = kind is RequestKind.CORRECTION
        text.label = "What is wrong, and what is right?" if text.required else "Anything we should know?"
        text.help_text = "Only staff who work on your request read it. No passwords or keys, please."
        if kind is None:
            self.fields["kind"] = kind_field()
            self.order_fields(["kind", "text"])
