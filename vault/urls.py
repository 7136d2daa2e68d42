"""Every address of the vault."""

from __future__ import annotations

from django.urls import include, path
from django.views.generic import RedirectView

from vault import health

urlpatterns = [
    path("", RedirectView.as_view(url="/console/", permanent=False)),
    path("livez", health.livez),
    path("readyz", health.readyz),
    path("metrics", health.metrics),
    path("api/v1/", include("vault.api.urls")),
    path("console/", include("console.urls")),
    path("privacy/", include("console.privacy.urls")),
    path("accounts/", include("console.account_urls")),
]
