"""The WSGI application; a web worker is ready when its models are."""

from __future__ import annotations

import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "vault.settings")
application = get_wsgi_application()

from vault import warm  # noqa: E402 - needs the settings

warm.load_models()
