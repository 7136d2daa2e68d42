"""Forms of rollbacks, conflicts and trust. A source's reference may be personal: it is only ever posted."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from django import forms

from console import words
from console.forms import ChangeForm, ReasonForm, choices
from vault.errors import InvalidField
from vault.lifecycle.rolling_back.criteria import Criteria
from vault.models import Agent, Namespace
from vault.types import SourceType, Trust

SOURCE_CHARACTERS = 512
DIGEST_HEX = 64


def _moment() -> forms.DateTimeInput:
    return forms.DateTimeInput(attrs={"type": "datetime-local", "step": "1"}, format="%Y-%m-%dT%H:%M:%S")


class RollbackForm(forms.Form):
    """What to undo; `criteria` stands among the cleaned values."""

    agent = forms.ChoiceField(required=False)
    source_type = forms.ChoiceField(
        label="Source",
        required=False,
        choices=[("", "Any"), *((each.value, each.value) for each in SourceType)],
    )
    source_ref = forms.CharField(
        label="Source reference",
        required=False,
        strip=False,
        max_length=SOURCE_CHARACTERS,
        help_text="Exactly as it was written. It is compared and kept nowhere.",
        widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false"}),
    )
    session = forms.UUIDField(
        label="Session id",
        required=False,
        widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false"}),
    )
    namespace = forms.ChoiceField(required=False)
    since = forms.DateTimeField(label="From (UTC)", widget=_moment())
    until = forms.DateTimeField(label="Until (UTC)", widget=_moment())
    reason = forms.ChoiceField(choices=choices(words.ROLLBACK_REASONS, "Choose a reason…"))

    def __init__(
        self, *args: Any, agents: Sequence[Agent], namespaces: Sequence[Namespace], **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        _offer(self.fields["agent"], [(str(agent.pk), agent.name) for agent in agents])
        _offer(self.fields["namespace"], [(str(each.pk), each.name) for each in namespaces])

    def clean(self) -> dict[str, Any]:
        given = super().clean() or {}
        if self.errors:
            return given
        try:
            given["criteria"] = Criteria(
                since=given["since"],
                until=given["until"],
                agent_id=UUID(given["agent"]) if given["agent"] else None,
                source_type=SourceType(given["source_type"]) if given["source_type"] else None,
                source_ref=given["source_ref"],
                session_id=given["session"],
                namespace_id=int(given["namespace"]) if given["namespace"] else None,
            )
        except InvalidField as error:
            self.add_error(None, error.detail)
        return given


def _offer(field: forms.Field, named: list[tuple[str, str]]) -> None:
    if isinstance(field, forms.ChoiceField):
        field.choices = [("", "Any"), *named]


class DigestForm(forms.Form):
    """The list that was looked at, by its hash."""

    digest = forms.RegexField(rf"^[0-9a-f]{{{DIGEST_HEX}}}$")


class ConflictForm(ReasonForm):
    """A decision between two statements names the versions that were read."""

    decision = forms.ChoiceField(choices=[(code, code) for code in words.CONFLICT_DECISIONS])
    standing_version = forms.IntegerField(min_value=1, widget=forms.HiddenInput)
    challenger_version = forms.IntegerField(min_value=1, widget=forms.HiddenInput)


class TrustForm(ChangeForm):
    trust = forms.ChoiceField(choices=[(level.value, level.value.capitalize()) for level in Trust])
