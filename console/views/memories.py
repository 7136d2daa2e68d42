"""One memory: as it stands, every version and what it changed, going back, forgetting and restoring."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from console import words
from console.access import Ability, scope_of, staff_page
from console.diffs import SideBySide, side_by_side
from console.forms import ChangeForm, MemoryLookupForm, RollBackForm
from console.highlight import cut, number_findings
from console.rollback_forms import TrustForm
from vault.lifecycle.conflicts import conflicts_of
from vault.lifecycle.forget import forget_memory, restore_memory
from vault.lifecycle.promotion import promote_trust
from vault.lifecycle.versions import VersionView, list_versions, roll_back
from vault.retrieval.read import get_memory
from vault.screening.normalise import reveal
from vault.types import Status, Trust
from vault.writing.cap import EVICTED

PAGE = "console:memory"


@staff_page(Ability.MEMORY_READ)
def lookup_page(request: HttpRequest) -> HttpResponse:
    return render(request, "console/memories.html", {"form": MemoryLookupForm()})


@staff_page(Ability.MEMORY_READ, method="POST")
def look_up(request: HttpRequest) -> HttpResponse:
    form = MemoryLookupForm(request.POST)
    if form.is_valid():
        return redirect(PAGE, memory_id=form.cleaned_data["memory"])
    return render(request, "console/memories.html", {"form": form}, status=400)


@staff_page(Ability.MEMORY_READ)
def memory_page(request: HttpRequest, memory_id: UUID) -> HttpResponse:
    """The memory and its history; `?view=sides` puts each version beside the one before it."""
    scope = scope_of(request)
    memory = get_memory(memory_id=memory_id, scope=scope)
    versions = list_versions(memory_id=memory_id, scope=scope)
    text = number_findings(f for f in memory.content.findings if f.pointer == "/text")
    context = {
        "memory": memory,
        "row": memory.row,
        "stretches": cut(memory.content.text, text),
        "marks": text,
        "metadata": [
            (reveal(str(key)), reveal(str(value))) for key, value in memory.content.metadata.items()
        ],
        "versions": [_shown(version) for version in reversed(versions)],
        "sides": request.GET.get("view") == "sides",
        "was_evicted": memory.row.status == Status.ARCHIVED
        and versions[-1].opened.row.reason_code == EVICTED,
        "is_forgotten": memory.row.status == Status.FORGOTTEN,
        "can_roll_back": memory.row.status == Status.ACTIVE,
        "form": ChangeForm(codes=words.CHANGE_REASONS, auto_id="change_%s"),
        "reasons": words.CHANGE_REASONS.items(),
        "levels": [level.value for level in Trust if level.value != memory.row.trust],
        "trust_reasons": words.TRUST_REASONS.items(),
        "conflicts": conflicts_of(memory_id=memory_id, scope=scope),
    }
    return render(request, "console/memory.html", context)


@staff_page(Ability.MEMORY_CHANGE, method="POST", back=PAGE)
def go_back(request: HttpRequest, memory_id: UUID) -> HttpResponse:
    form = RollBackForm(request.POST, codes=words.CHANGE_REASONS)
    if not form.is_valid():
        messages.error(request, "Choose a reason for going back.")
        return redirect(PAGE, memory_id=memory_id)
    roll_back(memory_id=memory_id, scope=scope_of(request), **form.cleaned_data)
    messages.success(request, f"The memory has the content of version {form.cleaned_data['version']} again.")
    return redirect(PAGE, memory_id=memory_id)


@staff_page(Ability.MEMORY_CHANGE, method="POST", back=PAGE)
def forget(request: HttpRequest, memory_id: UUID) -> HttpResponse:
    form = ChangeForm(request.POST, codes=words.CHANGE_REASONS)
    if not form.is_valid():
        messages.error(request, "Choose a reason for forgetting it.")
        return redirect(PAGE, memory_id=memory_id)
    forget_memory(memory_id=memory_id, scope=scope_of(request), **form.cleaned_data)
    messages.success(request, "Forgotten: no agent finds it until it is restored.")
    return redirect(PAGE, memory_id=memory_id)


@staff_page(Ability.MEMORY_CHANGE, method="POST", back=PAGE)
def restore(request: HttpRequest, memory_id: UUID) -> HttpResponse:
    form = ChangeForm(request.POST, codes=words.CHANGE_REASONS)
    if not form.is_valid():
        messages.error(request, "Choose a reason for restoring it.")
        return redirect(PAGE, memory_id=memory_id)
    restore_memory(memory_id=memory_id, scope=scope_of(request), **form.cleaned_data)
    messages.success(request, "Restored.")
    return redirect(PAGE, memory_id=memory_id)


@staff_page(Ability.MEMORY_CHANGE, method="POST", back=PAGE)
def promote(request: HttpRequest, memory_id: UUID) -> HttpResponse:
    form = TrustForm(request.POST, codes=words.TRUST_REASONS)
    if not form.is_valid():
        messages.error(request, "Choose a trust and a reason for it.")
        return redirect(PAGE, memory_id=memory_id)
    given = form.cleaned_data
    promote_trust(
        memory_id=memory_id,
        trust=Trust(given["trust"]),
        expected_version=given["expected_version"],
        reason=given["reason"],
        scope=scope_of(request),
    )
    messages.success(request, f"The memory is {given['trust']} from now on.")
    return redirect(PAGE, memory_id=memory_id)


def _shown(version: VersionView) -> dict[str, object]:
    sides: SideBySide = side_by_side(version.changes)
    return {
        "row": version.opened.row,
        "changes": [(piece.change, reveal(piece.text)) for piece in version.changes],
        "sides": sides,
        "source_ref": reveal(version.opened.content.source_ref),
        "labels": [(name, reveal(str(old)), reveal(str(new))) for name, (old, new) in version.labels.items()],
        "text_changed": any(piece.change != "same" for piece in version.changes),
    }
