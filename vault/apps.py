from __future__ import annotations

from django.apps import AppConfig
from django.db.models.signals import post_migrate


class VaultConfig(AppConfig):
    name = "vault"
    verbose_name = "Memory Vault"

    def ready(self) -> None:
        from vault import checks  # noqa: F401, PLC0415 - registers the system checks
        from vault.database import grant_after_migration  # noqa: PLC0415 - needs the apps to be ready

        post_migrate.connect(grant_after_migration, sender=self, dispatch_uid="vault.grant_runtime_rights")
