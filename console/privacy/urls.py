"""Addresses of the public pages."""

from __future__ import annotations

from django.urls import path

from console.privacy import views

app_name = "privacy"

urlpatterns = [
    path("", views.ask_page, name="ask"),
    path("link/<str:token>/", views.link_page, name="link"),
    path("confirmation/", views.confirmation_page, name="confirmation"),
    path("confirmed/", views.confirmed, name="confirmed"),
    path("status/", views.status_page, name="status"),
    path("certificate/", views.certificate, name="certificate"),
    path("export/", views.export, name="export"),
]
