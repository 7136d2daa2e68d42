"""What every page of the console shows around its content: the pages that the role may open."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest
from django.urls import reverse

from console.access import Ability, abilities_of, has_second_factor
from vault.models import StaffUser


@dataclass(frozen=True, slots=True)
class NavigationItem:
    label: str
    url: str
    current: bool


@dataclass(frozen=True, slots=True)
class NavigationGroup:
    title: str
    items: tuple[NavigationItem, ...]


NAVIGATION: tuple[tuple[str, tuple[tuple[str, str, Ability], ...]], ...] = (
    (
        "Decide",
        (
            ("Review queue", "console:queue", Ability.QUEUE_READ),
            ("Conflicts", "console:conflicts", Ability.MEMORY_READ),
            ("Approvals", "console:approvals", Ability.APPROVAL_READ),
        ),
    ),
    (
        "Look up",
        (
            ("Memories", "console:memories", Ability.MEMORY_READ),
            ("Subjects", "console:subjects", Ability.SUBJECT_READ),
        ),
    ),
    (
        "Subjects' rights",
        (
            ("Requests", "console:subject_requests", Ability.REQUEST_READ),
            ("Erasure", "console:erasures", Ability.ERASURE_READ),
            ("Exports", "console:exports", Ability.EXPORT_READ),
        ),
    ),
    (
        "Keep in order",
        (
            ("Rollbacks", "console:rollbacks", Ability.ROLLBACK_READ),
            ("Upkeep", "console:upkeep", Ability.MEMORY_READ),
            ("Rules", "console:rules", Ability.RULE_READ),
            ("Namespaces", "console:namespaces", Ability.NAMESPACE_READ),
            ("Simulator", "console:simulator", Ability.POLICY_READ),
        ),
    ),
    (
        "Oversee",
        (
            ("Audit log", "console:audit", Ability.AUDIT_READ),
            ("Agents & grants", "console:agents", Ability.AGENT_READ),
            ("Operations", "console:operations", Ability.OPERATION_READ),
            ("Staff", "console:staff", Ability.STAFF_CHANGE),
        ),
    ),
)


def console_context(request: HttpRequest) -> dict[str, Any]:
    """`navigation` and `can`, for signed-in staff with a second factor; nothing for anybody else."""
    staff = getattr(request, "user", None)
    if not isinstance(staff, StaffUser) or not has_second_factor(staff):
        return {"navigation": (), "can": frozenset()}
    abilities = abilities_of(staff)
    return {
        "navigation": tuple(_groups(abilities, request.path)),
        "can": frozenset(ability.name.lower() for ability in abilities),
        "role_label": staff.get_role_display(),
    }


def _groups(abilities: frozenset[Ability], path: str) -> list[NavigationGroup]:
    """The groups in which the role may open a page at all."""
    groups = [NavigationGroup(title, tuple(_items(pages, abilities, path))) for title, pages in NAVIGATION]
    return [group for group in groups if group.items]


def _items(
    pages: tuple[tuple[str, str, Ability], ...], abilities: frozenset[Ability], path: str
) -> Iterator[NavigationItem]:
    for label, name, ability in pages:
        if ability in abilities:
            url = reverse(name)
            yield NavigationItem(label, url, path.startswith(url))


def first_page(staff: StaffUser) -> str:
    """The name of the first page that the role may open."""
    abilities = abilities_of(staff)
    return next(name for _, pages in NAVIGATION for _, name, ability in pages if ability in abilities)
