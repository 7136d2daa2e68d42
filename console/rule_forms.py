"""Forms of staff's rules: a name, a pattern, and what happens to a text that it matches."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms

from console.words import RULE_ACTIONS
from vault.errors import InvalidField
from vault.screening.rules import MAX_PATTERN_CHARACTERS


class RuleForm(forms.Form):
    """What a version of a rule says."""

    pattern = forms.CharField(
        label="Pattern",
        max_length=MAX_PATTERN_CHARACTERS,
        strip=False,
        help_text=(
            "RE2 syntax, in letters of either case, read over the text as the detectors read it. Describe a form; "
            "never a person."
        ),
        widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false", "class": "mono"}),
    )
    action = forms.ChoiceField(label="What happens", choices=[("", "Choose…"), *RULE_ACTIONS.items()])
    slot = forms.SlugField(
        label="Slot",
        max_length=64,
        required=False,
        help_text="Only for a preference: the attribute that it fills, such as reply_language.",
        widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false"}),
    )

    def refuse(self, error: InvalidField) -> None:
        """Show a refusal of the vault beside the field that it names."""
        name = str(error.facts.get("pointer", "")).lstrip("/")
        self.add_error(name if name in self.fields else None, error.detail)


class SwitchForm(forms.Form):
    """The version that was looked at."""

    version = forms.IntegerField(min_value=1, widget=forms.HiddenInput)


class NewRuleForm(RuleForm):
    """A new rule also has a name and a place."""

    name = forms.SlugField(
        label="Name",
        max_length=48,
        help_text="Stands in findings and in the log: letters, digits, dashes. Not a person's name.",
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    namespace = forms.ChoiceField(label="Namespace", required=False)
    field_order = ("name", "namespace", "pattern", "action", "slot")

    def __init__(self, *args: Any, namespaces: Sequence[str], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["namespace"]
        if isinstance(field, forms.ChoiceField):
            field.choices = [("", "All namespaces"), *((name, name) for name in namespaces)]
