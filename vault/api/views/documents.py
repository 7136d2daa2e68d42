"""The OpenAPI document and the page to browse it; both without any outside host."""

from __future__ import annotations

from functools import cache
from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe
from drf_spectacular.generators import SchemaGenerator

SIDECAR = "drf_spectacular_sidecar/swagger-ui-dist"


@cache
def openapi_document() -> dict[str, Any]:
    """The contract as OpenAPI 3.1; made once, since the code cannot change while it runs."""
    document: dict[str, Any] = SchemaGenerator().get_schema(request=None, public=True)  # type: ignore[no-untyped-call]
    return document


@require_safe
def openapi(request: HttpRequest) -> JsonResponse:
    """The OpenAPI document."""
    return JsonResponse(openapi_document())


@require_safe
def docs(request: HttpRequest) -> HttpResponse:
    """A page to browse the API; its scripts are files of this server, as the content policy demands."""
    return render(request, "api/docs.html", {"sidecar": SIDECAR})
