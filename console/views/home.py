from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from console.access import staff_of, staff_page
from console.context import first_page


@staff_page(None)
def home(request: HttpRequest) -> HttpResponse:
    """The first page that the role may open."""
    return redirect(first_page(staff_of(request)))
