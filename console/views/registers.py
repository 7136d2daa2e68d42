"""Agents with their grants."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from console.access import Ability, scope_of, staff_page
from vault.lifecycle.registers import list_agents, resume_grant, suspend_grant


@staff_page(Ability.AGENT_READ)
def agents_page(request: HttpRequest) -> HttpResponse:
    return render(request, "console/agents.html", {"agents": list_agents(scope=scope_of(request))})


@staff_page(Ability.AGENT_CHANGE, method="POST")
def suspend(request: HttpRequest, grant_id: int) -> HttpResponse:
    suspend_grant(grant_id=grant_id, scope=scope_of(request))
    messages.success(request, "The grant is suspended from the agent's next call on.")
    return redirect("console:agents")


@staff_page(Ability.AGENT_CHANGE, method="POST", confirm=True)
def resume(request: HttpRequest, grant_id: int) -> HttpResponse:
    resume_grant(grant_id=grant_id, scope=scope_of(request))
    messages.success(request, "The grant holds again.")
    return redirect("console:agents")
