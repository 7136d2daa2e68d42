"""Addresses of the staff's own accounts: allauth's for passwords and second factors, ours for the way in."""

from __future__ import annotations

from allauth.account import views
from django.urls import include, path

from console.views import welcome

urlpatterns = [
    path("login/", views.login, name="account_login"),
    path("logout/", views.logout, name="account_logout"),
    path("inactive/", views.account_inactive, name="account_inactive"),
    path("signup/", views.signup, name="account_signup"),
    path("reauthenticate/", views.reauthenticate, name="account_reauthenticate"),
    path("password/change/", views.password_change, name="account_change_password"),
    path("welcome/", welcome.set_password, name="staff_welcome_password"),
    path("welcome/<str:token>/", welcome.open_link, name="staff_welcome"),
    path("2fa/", include("allauth.mfa.urls")),
]
