"""Who may call: staff, agents and their tokens, and the grants that bind an agent to a namespace."""

from __future__ import annotations

from typing import ClassVar

from django.contrib.auth.models import AbstractUser, BaseUserManager
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q

from vault.models.identifiers import new_id
from vault.types import Trust


class Role(models.TextChoices):
    REVIEWER = "reviewer", "Reviewer"
    PRIVACY_OFFICER = "privacy_officer", "Privacy officer"
    AUDITOR = "auditor", "Auditor"
    ADMINISTRATOR = "administrator", "Administrator"


class StaffManager(BaseUserManager["StaffUser"]):
    use_in_migrations = True

    def create_user(self, email: str, password: str | None = None, *, role: str) -> StaffUser:
        """A member of staff; without a password only a one-time link lets them in."""
        user = self.model(email=self.normalize_email(email).lower(), role=role)
        user.set_password(password)
        user.save(using=self._db)
        return user


class StaffUser(AbstractUser):
    """A person of the compliance staff. Staff are not subjects."""

    username = None  # type: ignore[assignment]
    first_name = None  # type: ignore[assignment]
    last_name = None  # type: ignore[assignment]
    email = models.EmailField(unique=True)
    role = models.CharField(max_length=20, choices=Role.choices)

    USERNAME_FIELD = "email"
    REQUIRED_FIELDS: ClassVar[list[str]] = []
    objects: ClassVar[StaffManager] = StaffManager()  # type: ignore[assignment]

    class Meta:
        constraints = [
            models.CheckConstraint(
                name="staff_role_is_known", condition=Q(role__in=[role.value for role in Role])
            )
        ]

    def __str__(self) -> str:
        return f"staff {self.pk}"


class SignInLink(models.Model):
    """A one-time link that lets a new member of staff set a password; only its hash is kept."""

    staff = models.ForeignKey(StaffUser, on_delete=models.CASCADE, related_name="sign_in_links")
    token_hash = models.BinaryField(max_length=32, unique=True)
    expires_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"sign-in link {self.pk}"


class Namespace(models.Model):
    """A named purpose; memories, grants and policy belong to one."""

    name = models.SlugField(max_length=64, unique=True)
    purpose = models.CharField(max_length=200, blank=True)
    sealed = models.BooleanField(
        default=False, help_text="No vector outside the ciphertext; exact search only."
    )
    policy = models.JSONField(default=dict, blank=True, help_text="Overrides of the default policy.")
    policy_version = models.PositiveIntegerField(default=1)
    created_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return self.name


class Agent(models.Model):
    """A program that calls."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    name = models.SlugField(max_length=64, unique=True)
    suspended_at = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return f"agent {self.pk}"


class AgentToken(models.Model):
    """An agent's credential: shown once, only a hash kept."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    agent = models.ForeignKey(Agent, on_delete=models.CASCADE, related_name="tokens")
    token_hash = models.BinaryField(max_length=32, unique=True)
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return f"agent token {self.pk}"


class Grant(models.Model):
    """An agent's right on a namespace: scopes, and the most trust that it can give."""

    agent = models.ForeignKey(Agent, on_delete=models.CASCADE, related_name="grants")
    namespace = models.ForeignKey(Namespace, on_delete=models.CASCADE, related_name="grants")
    scopes = ArrayField(models.CharField(max_length=32))
    max_trust = models.CharField(max_length=12, choices=[(level.value, level.value) for level in Trust])
    suspended_at = models.DateTimeField(null=True, blank=True)
    expires_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["agent", "namespace"], name="one_grant_per_agent_and_namespace"),
        ]

    def __str__(self) -> str:
        return f"grant {self.pk}"


class SubjectToken(models.Model):
    """A short-lived token bound to one subject, never wider than the agent that issued it."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    agent = models.ForeignKey(Agent, on_delete=models.CASCADE, related_name="subject_tokens")
    subject_id = models.UUIDField(db_index=True)
    token_hash = models.BinaryField(max_length=32, unique=True)
    scopes = ArrayField(models.CharField(max_length=32))
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField()
    revoked_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return f"subject token {self.pk}"
