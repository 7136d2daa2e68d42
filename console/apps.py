from __future__ import annotations

from django.apps import AppConfig


class ConsoleConfig(AppConfig):
    name = "console"
    verbose_name = "Memory Vault console"

    def ready(self) -> None:
        from console import sign_in_log  # noqa: PLC0415 - its receivers need the models

        sign_in_log.connect()
