"""What all endpoints share: the rate limit, a known query string, and nothing that describes itself."""

from __future__ import annotations

from typing import Any, ClassVar

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from rest_framework.exceptions import Throttled
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from audit.actions import Action, Outcome
from vault.api import rate_limit, refusal_trail
from vault.api.authentication import Caller, scope_of
from vault.api.validation import Strict, read_query
from vault.retrieval.scope import Scope


class Endpoint(APIView):
    """A view behind a credential. `parameters` are those of its GET; other methods take none."""

    metadata_class = None
    parameters: ClassVar[type[Strict]] = Strict
    allowance: rate_limit.Allowance | None = None

    def check_throttles(self, request: Request) -> None:
        """Count the call against its credential; raises Throttled, recorded."""
        if not isinstance(request.user, Caller):
            return
        self.allowance = rate_limit.take(request.user.id)
        if self.allowance.is_refused:
            scope = scope_of(request)
            refusal_trail.append(
                Action.RATE_LIMITED, actor=scope.actor, outcome=Outcome.REFUSED,
                request_id=scope.request_id, reason="rate_limited",
            )  # fmt: skip
            raise Throttled(wait=self.allowance.wait_seconds)

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        shape = self.parameters if request.method == "GET" else Strict
        self.query = read_query(shape, request)

    def finalize_response(
        self, request: Request | HttpRequest, response: HttpResponseBase, *args: Any, **kwargs: Any
    ) -> Response:
        finished: Response = super().finalize_response(request, response, *args, **kwargs)  # type: ignore[arg-type]
        if self.allowance is not None:
            for name, value in self.allowance.headers().items():
                finished[name] = value
        return finished

    @property
    def scope(self) -> Scope:
        return scope_of(self.request)
