"""What templates need beyond Django's own: words for codes, short ids, names for actors."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any, cast

from django import template
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString

from audit.models import AuditEntry
from console.policy_words import as_text, loosened_in_words
from console.words import ACTS, phrase
from vault.models import Agent, StaffUser
from vault.screening.normalise import reveal

register = template.Library()
ID_TAIL = 6


@register.filter
def words(code: object) -> str:
    """The words for a code."""
    return phrase(str(code))


@register.filter
def as_json(document: dict[str, Any]) -> str:
    """A policy as people write it."""
    return as_text(document)


@register.filter
def loosened(pointer: str) -> str:
    """The words for what a policy lets through more than before."""
    return loosened_in_words(pointer)


@register.filter
def act(kind: object) -> str:
    """The words for a kind of act that needs two people."""
    return ACTS.get(str(kind)) or phrase(str(kind))


@register.filter
def short(identifier: object) -> str:
    """The end of an id, which is the part that differs between rows of one time."""
    return "…" + str(identifier)[-ID_TAIL:]


@register.filter
def address(email: str) -> SafeString:
    """An e-mail address that may break after its "@"; any other name as it is."""
    local, at, domain = email.partition("@")
    return format_html("{}@<wbr>{}" if at else "{}", local, domain)


@register.filter
def instant(moment: str | None) -> str:
    """A time of a signed document, for people; empty for none."""
    return f"{datetime.fromisoformat(moment).astimezone(UTC):%Y-%m-%d %H:%M:%S} UTC" if moment else ""


@register.filter
def is_overdue(moment: datetime | None) -> bool:
    return moment is not None and moment < timezone.now()


@register.simple_tag(takes_context=True)
def author(context: template.Context, name: str) -> str:
    """People's name for "staff:3" or "agent:<id>"; looked up once per page."""
    known: dict[str, str] = cast(Any, context.render_context).setdefault("author_names", {})
    if name not in known:
        known[name] = _named(name)
    return known[name]


def _named(name: str) -> str:
    kind, _, identifier = name.partition(":")
    try:
        if kind == "staff":
            return StaffUser.objects.get(pk=identifier).email
        if kind in ("agent", "subject_token"):
            return Agent.objects.get(pk=identifier).name
    except (StaffUser.DoesNotExist, Agent.DoesNotExist, ValueError, TypeError):
        return name
    return name


@register.simple_tag(takes_context=True)
def query_with(context: template.Context, **changes: Any) -> str:
    """The page's own query string with some values changed; None and "" take a value out."""
    query = context["request"].GET.copy()
    for key, value in changes.items():
        query.pop(key, None)
        if value not in (None, ""):
            query[key] = str(value)
    return "?" + query.urlencode() if query else "."


@register.simple_tag(takes_context=True)
def agent_name(context: template.Context, agent_id: object) -> str:
    """The name of an agent, or its id when there is no such agent any more."""
    return author(context, f"agent:{agent_id}") if agent_id else ""


@register.filter
def revealed(text: str) -> str:
    """The text with what is invisible said out loud."""
    return reveal(text)


@register.simple_tag(takes_context=True)
def audit_actor(context: template.Context, entry: AuditEntry) -> str:
    """Who acted, by name where the console knows one."""
    return author(context, f"{entry.actor_kind}:{entry.actor_id}".rstrip(":"))
