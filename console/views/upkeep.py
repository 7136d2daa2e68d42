"""Upkeep: what nobody uses, what gave way to a cap, and what is or could be put together."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from console import words
from console.access import Ability, scope_of, staff_page
from console.forms import ChangeForm, PageForm, SeenForm, VersionForm
from vault.errors import InvalidTransition
from vault.language_model import may_ask
from vault.lifecycle.upkeep.caps import bring_back_evicted, evicted_memories, pin_memory
from vault.lifecycle.upkeep.consolidation import consolidate_now, undo_consolidation
from vault.lifecycle.upkeep.preview import preview
from vault.lifecycle.upkeep.registers import crowded_subjects, standing_consolidations
from vault.lifecycle.upkeep.rewording import Reworded
from vault.lifecycle.upkeep.seen import read_seen, sign_seen
from vault.lifecycle.upkeep.unused import PAGE as UNUSED_PAGE
from vault.lifecycle.upkeep.unused import unused_memories
from vault.types import ModelUse

PAGE = "console:upkeep"
MEMORY = "console:memory"


@staff_page(Ability.MEMORY_READ)
def register_page(request: HttpRequest) -> HttpResponse:
    scope = scope_of(request)
    form = PageForm(request.GET)
    page = (form.cleaned_data["page"] if form.is_valid() else None) or 1
    unused = unused_memories(scope=scope, page=page)
    context = {
        "unused": unused,
        "page": page,
        "next_page": page + 1 if page * UNUSED_PAGE < unused.total else None,
        "evicted": evicted_memories(scope=scope),
        "consolidated": standing_consolidations(scope=scope),
        "crowds": crowded_subjects(scope=scope),
        "reasons": words.CHANGE_REASONS.items(),
    }
    return render(request, "console/upkeep.html", context)


@staff_page(Ability.MEMORY_READ)
def preview_page(request: HttpRequest, subject_id: UUID) -> HttpResponse:
    """What would be put together of one subject's memories, in full; nothing is changed by looking."""
    return _preview(request, subject_id, in_models_words=False)


@staff_page(Ability.MEMORY_CHANGE, method="POST")
def reworded_page(request: HttpRequest, subject_id: UUID) -> HttpResponse:
    """The same in a language model's words; by POST, for the memories leave the vault."""
    return _preview(request, subject_id, in_models_words=True)


def _preview(request: HttpRequest, subject_id: UUID, *, in_models_words: bool) -> HttpResponse:
    shown: Sequence[Reworded] = ()
    try:
        shown = preview(subject_id=subject_id, in_models_words=in_models_words, scope=scope_of(request))
        blocked = ""
    except InvalidTransition as refusal:
        blocked = refusal.detail
    context = {
        "blocked": blocked,
        "subject_id": subject_id,
        "previews": [(one, words.MODEL_FALLBACKS.get(one.fallback, "")) for one in shown],
        "before": sum(len(one.proposal.parents) for one in shown),
        "seen": sign_seen(subject_id, shown),
        "in_models_words": in_models_words,
        "may_reword": may_ask(ModelUse.CONSOLIDATION),
    }
    return render(request, "console/upkeep_subject.html", context)


@staff_page(Ability.MEMORY_CHANGE, method="POST")
def consolidate(request: HttpRequest, subject_id: UUID) -> HttpResponse:
    form = SeenForm(request.POST)
    if not form.is_valid():
        messages.error(request, "Look at what would be put together first.")
        return redirect("console:consolidation", subject_id=subject_id)
    seen = read_seen(form.cleaned_data["seen"], subject_id=subject_id)
    done = consolidate_now(subject_id=subject_id, seen=seen, scope=scope_of(request))
    if done.made:
        messages.success(request, f"Put together: {_memories(len(done.made))} made out of several.")
    if done.left:
        messages.warning(request, f"Left as they are: {done.left}, for screening or a later change.")
    if not done.made and not done.left:
        messages.info(request, "There was nothing to put together.")
    return redirect(PAGE)


@staff_page(Ability.MEMORY_CHANGE, method="POST", back=MEMORY)
def pin(request: HttpRequest, memory_id: UUID) -> HttpResponse:
    return _set_pin(request, memory_id, pinned=True)


@staff_page(Ability.MEMORY_CHANGE, method="POST", back=MEMORY)
def unpin(request: HttpRequest, memory_id: UUID) -> HttpResponse:
    return _set_pin(request, memory_id, pinned=False)


def _set_pin(request: HttpRequest, memory_id: UUID, *, pinned: bool) -> HttpResponse:
    form = VersionForm(request.POST)
    if not form.is_valid():
        messages.error(request, "Open the memory again before you pin it.")
        return redirect(MEMORY, memory_id=memory_id)
    pin_memory(memory_id=memory_id, pinned=pinned, scope=scope_of(request), **form.cleaned_data)
    messages.success(request, "Pinned: no cap archives it." if pinned else "No longer pinned.")
    return redirect(MEMORY, memory_id=memory_id)


@staff_page(Ability.MEMORY_CHANGE, method="POST", back=MEMORY)
def bring_back(request: HttpRequest, memory_id: UUID) -> HttpResponse:
    form = ChangeForm(request.POST, codes=words.CHANGE_REASONS)
    if not form.is_valid():
        messages.error(request, "Choose a reason for bringing it back.")
        return redirect(MEMORY, memory_id=memory_id)
    bring_back_evicted(memory_id=memory_id, scope=scope_of(request), **form.cleaned_data)
    messages.success(request, "Active again.")
    return redirect(MEMORY, memory_id=memory_id)


@staff_page(Ability.MEMORY_CHANGE, method="POST", back=MEMORY)
def undo(request: HttpRequest, memory_id: UUID) -> HttpResponse:
    form = ChangeForm(request.POST, codes=words.CHANGE_REASONS)
    if not form.is_valid():
        messages.error(request, "Choose a reason for taking it apart.")
        return redirect(MEMORY, memory_id=memory_id)
    back = undo_consolidation(memory_id=memory_id, scope=scope_of(request), **form.cleaned_data)
    messages.success(request, f"Taken apart: {_memories(back)} active again.")
    return redirect(PAGE)


def _memories(number: int) -> str:
    return f"{number} memory" if number == 1 else f"{number} memories"
