"""What callers may send of sessions: the shapes of bodies and query strings."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from vault.api.fields import MAX_TEXT_CHARACTERS, Choice, Flag, Slug, Subject, Text
from vault.api.metadata import Metadata
from vault.api.validation import Strict
from vault.crypto.assertion import MAX_CHARACTERS as MAX_ASSERTION_CHARACTERS
from vault.sessions.roles import Role

MAX_TURNS = 50
MAX_CALLS = 20
MAX_CALL_ID_CHARACTERS = 100
MAX_CONCLUSION_CHARACTERS = 2_000
MAX_SPEAKER_CHARACTERS = 80
MIN_WINDOW_TOKENS, MAX_WINDOW_TOKENS, DEFAULT_WINDOW_TOKENS = 16, 1_000_000, 8_000
MAX_VISITOR_CHARACTERS = 256


class Assertion(Text):
    """What the calling application signed about its subject; taken from a body only, never from an address."""

    def __init__(self) -> None:
        super().__init__(
            max_length=MAX_ASSERTION_CHARACTERS,
            required=False,
            help_text="A compact JWS by a registered key of the calling application, used once.",
        )


class SessionIn(Strict):
    """For whom a session is: a subject that is signed for or named, a visitor by the value of its cookie, or somebody
    new when nothing is given. An assertion goes before a visitor, and links nothing.
    """

    assertion = Assertion()
    subject = Subject(required=False)
    visitor = Text(max_length=MAX_VISITOR_CHARACTERS, required=False)
    namespace = Slug(required=False)


class ToolCallIn(Strict):
    id = Text(max_length=MAX_CALL_ID_CHARACTERS)
    name = Slug()
    arguments = Metadata(required=False)


class TurnIn(Strict):
    """One message. A tool's turn names the call that it answers; only its conclusion outlives the session."""

    role = Choice(Role)
    text = Text(visible=False, max_length=MAX_TEXT_CHARACTERS, default="")
    tool_calls = serializers.ListField(child=ToolCallIn(), max_length=MAX_CALLS, required=False)
    tool_call = Text(max_length=MAX_CALL_ID_CHARACTERS, required=False)
    conclusion = Text(visible=False, max_length=MAX_CONCLUSION_CHARACTERS, default="")
    speaker = Text(max_length=MAX_SPEAKER_CHARACTERS, required=False)
    outside = Flag(
        default=True, help_text="Whether a tool's answer is content from outside, which is never believed."
    )

    default_error_messages = {
        "calls": "Only a turn of the assistant calls tools, each call by an id of its own.",
        "answers": "A turn of a tool, and no other, names the call that it answers.",
        "concludes": "Only a tool's answer has a conclusion.",
        "empty": "Must hold something to see.",
    }

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        calls = attrs.get("tool_calls", [])
        ids = [call["id"] for call in calls]
        if calls and (attrs["role"] is not Role.ASSISTANT or len(set(ids)) != len(ids)):
            self.fail("calls")
        if (attrs["role"] is Role.TOOL) != ("tool_call" in attrs):
            self.fail("answers")
        if attrs["conclusion"] and attrs["role"] is not Role.TOOL:
            self.fail("concludes")
        if not attrs["text"].strip() and not calls and attrs["role"] is not Role.TOOL:
            self.fail("empty")
        return attrs


class TurnsIn(Strict):
    """Turns to add, in their order: all or none."""

    turns = serializers.ListField(child=TurnIn(), min_length=1, max_length=MAX_TURNS)


class EndIn(Strict):
    extract = Flag(default=True, help_text="Whether to draft what should outlast the session.")


class WindowQuery(Strict):
    """How much fits."""

    max_tokens = serializers.IntegerField(
        min_value=MIN_WINDOW_TOKENS, max_value=MAX_WINDOW_TOKENS, default=DEFAULT_WINDOW_TOKENS
    )


class WindowIn(WindowQuery):
    """How much fits, and what to look for anew: words of a person, which an address must not hold."""

    query = Text(max_length=MAX_TEXT_CHARACTERS)


class TurnsQuery(Strict):
    """Which turns: those behind `after`, at most `limit`."""

    after = serializers.IntegerField(min_value=0, max_value=2**31 - 1, default=0)
    limit = serializers.IntegerField(min_value=1, max_value=100, default=50)


class LinkIn(Strict):
    """A visitor by the value of its cookie, and the subject that it turned out to be, named or signed for."""

    visitor = Text(max_length=MAX_VISITOR_CHARACTERS)
    subject = Subject(required=False)
    assertion = Assertion()
