"""Forms of the review desk: codes, ids and filters. Free text goes in as a note alone, by POST, and is sealed."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, time, timedelta
from typing import Any
from urllib.parse import urlencode
from uuid import UUID

from django import forms
from django.core.exceptions import ValidationError
from django.http import QueryDict
from django.utils import timezone

from console import words
from console.forms import ReasonForm, choices
from vault.lifecycle.reviewing.bulk import MAX_BULK, Choice
from vault.lifecycle.reviewing.notes import MAX_CHARACTERS
from vault.lifecycle.reviewing.queue import Assigned, QueueFilter, QueuePlace
from vault.lifecycle.reviewing.saved_filters import KEPT, NAME_CHARACTERS
from vault.models import LONGEST_ALLOWANCE
from vault.types import QuarantineStatus

ID_PART = r"^[0-9a-fA-F-]{4,36}$"
PLAIN = {"autocomplete": "off", "spellcheck": "false"}


class QueueFilterForm(forms.Form):
    """What the address says of the list. A part that is not valid is left out, and the page still opens."""

    status = forms.ChoiceField(
        required=False, choices=[(status.value, status.value.capitalize()) for status in QuarantineStatus]
    )
    reason = forms.CharField(required=False, max_length=64)
    namespace = forms.SlugField(required=False, max_length=64)
    agent = forms.UUIDField(required=False)
    subject = forms.UUIDField(required=False)
    detector = forms.CharField(required=False, max_length=128)
    id = forms.RegexField(ID_PART, required=False)
    assigned = forms.ChoiceField(required=False, choices=[(each.value, each.value) for each in Assigned])
    overdue = forms.BooleanField(required=False)
    after_due = forms.DateTimeField(required=False)
    after_id = forms.UUIDField(required=False)

    @property
    def given(self) -> dict[str, Any]:
        """The parts that are valid and not empty."""
        self.is_valid()
        return {name: value for name, value in self.cleaned_data.items() if value}

    @property
    def wanted(self) -> QueueFilter:
        given = self.given
        return QueueFilter(
            status=QuarantineStatus(given.get("status", QuarantineStatus.PENDING)),
            reason=given.get("reason"),
            namespace=given.get("namespace"),
            agent_id=given.get("agent"),
            subject_id=given.get("subject"),
            detector=given.get("detector"),
            id_part=given.get("id"),
            assigned=Assigned(given["assigned"]) if "assigned" in given else None,
            overdue_at=timezone.now() if given.get("overdue") else None,
        )

    @property
    def place(self) -> QueuePlace | None:
        given = self.given
        if "after_due" not in given or "after_id" not in given:
            return None
        return QueuePlace(given["after_due"], given["after_id"])

    @property
    def query(self) -> str:
        """The filters as they stand in an address, with "?", without the place in the list; empty for none."""
        parts = {name: _plain(value) for name, value in self.given.items() if not name.startswith("after_")}
        return f"?{urlencode(parts)}" if parts else ""

    @property
    def kept(self) -> dict[str, str]:
        """What of the filters may be saved."""
        return {name: _plain(value) for name, value in self.given.items() if name in KEPT}


def _plain(value: object) -> str:
    return "on" if value is True else str(value)


class DecisionForm(ReasonForm):
    """A decision names the revision that was read: a draft that changed meanwhile is not decided."""

    revision = forms.IntegerField(min_value=1, widget=forms.HiddenInput)


class ReleaseForm(DecisionForm):
    """How a draft is let in; the pattern of one is allowed until a day, that day included."""

    AS_IS, REDACTED, ALLOW = "as_is", "redacted", "allow"
    variant = forms.ChoiceField(
        required=False, choices=[(AS_IS, "As it is"), (REDACTED, "Redacted"), (ALLOW, "Allow the pattern")]
    )
    until = forms.DateField(required=False)

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if cleaned.get("variant") == self.ALLOW and not cleaned.get("until"):
            self.add_error("until", "Choose the last day on which the pattern is allowed.")
        return cleaned

    @property
    def allow_until(self) -> datetime | None:
        if self.cleaned_data.get("variant") != self.ALLOW:
            return None
        return datetime.combine(self.cleaned_data["until"], time(23, 59, 59), tzinfo=UTC)


class RejectForm(DecisionForm):
    suspend = forms.BooleanField(required=False)


class RevealForm(forms.Form):
    """Why the text is to be seen, and in which view."""

    purpose = forms.ChoiceField(label="Purpose", choices=choices(words.REVEAL_PURPOSES, "Choose a purpose…"))
    view = forms.ChoiceField(
        required=False, choices=[("original", "Original"), ("normalised", "As the detectors saw it")]
    )


class NoteForm(forms.Form):
    text = forms.CharField(
        label="Note for colleagues",
        max_length=MAX_CHARACTERS,
        widget=forms.Textarea(attrs={"rows": 2, **PLAIN}),
        help_text="Sealed under the subject's key, and gone with the draft.",
    )


class SaveFilterForm(forms.Form):
    name = forms.CharField(
        label="Name",
        max_length=NAME_CHARACTERS,
        widget=forms.TextInput(attrs=PLAIN),
        help_text="What the view shows. No names of people.",
    )


class BulkForm(forms.Form):
    """What was marked in the list, and the one reason for all of it; which reason counts, the button says."""

    verb = forms.ChoiceField(choices=[("release", "Release"), ("reject", "Reject")])
    release_reason = forms.ChoiceField(
        required=False, choices=choices(words.RELEASE_REASONS, "Choose a reason…")
    )
    reject_reason = forms.ChoiceField(
        required=False, choices=choices(words.REJECT_REASONS, "Choose a reason…")
    )

    def __init__(self, data: QueryDict) -> None:
        super().__init__(data)
        self.marks = data.getlist("write")

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        try:
            cleaned["choices"] = [_choice(mark) for mark in self.marks]
        except ValueError:
            raise ValidationError("What was marked is not a write of this list.") from None
        if not 0 < len(cleaned["choices"]) <= MAX_BULK:
            raise ValidationError(f"Mark between one and {MAX_BULK} writes.")
        cleaned["reason"] = cleaned.get(f"{cleaned.get('verb', '')}_reason")
        if not cleaned["reason"]:
            raise ValidationError("Choose one reason for all of them.")
        return cleaned


def _choice(mark: str) -> Choice:
    """A mark is an id and the revision that was listed, "<id>:<revision>"."""
    write_id, _, revision = mark.partition(":")
    return Choice(UUID(write_id), int(revision))


def decision_forms() -> Mapping[str, forms.Form]:
    """Empty forms for the page of one write."""
    return {
        "release_form": ReleaseForm(codes=words.RELEASE_REASONS, auto_id="release_%s"),
        "reject_form": RejectForm(codes=words.REJECT_REASONS, auto_id="reject_%s"),
        "note_form": NoteForm(auto_id="note_%s"),
    }


def last_day() -> str:
    """The last day until which a pattern can be allowed, for the date field."""
    return f"{timezone.now() + LONGEST_ALLOWANCE - timedelta(days=1):%Y-%m-%d}"
