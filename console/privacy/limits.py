"""How often one address may ask; counted under a keyed digest, so that no address is kept."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec
from uuid import UUID

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import render

from vault.api import rate_limit
from vault.api.authentication import address_of
from vault.keys import key_vault

P = ParamSpec("P")
View = Callable[Concatenate[HttpRequest, P], HttpResponseBase]


def limited(what: str, *, per_minute: int) -> Callable[[View[P]], View[P]]:
    """A page that takes so many POSTs a minute from one address; `what` names pages that count together."""

    def wrap(view: View[P]) -> View[P]:
        @wraps(view)
        def page(request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
            if request.method == "POST":
                caller = UUID(bytes=key_vault().token_hash(f"privacy:{what}:{address_of(request)}")[:16])
                allowance = rate_limit.take(caller, limit=per_minute)
                if allowance.is_refused:
                    wait = math.ceil(allowance.wait_seconds)
                    answer = render(request, "privacy/too_many.html", {"wait": wait}, status=429)
                    answer["Retry-After"] = str(wait)
                    return answer
            return view(request, *args, **kwargs)

        return page

    return wrap
