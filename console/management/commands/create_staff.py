"""Add a member of staff and print the one-time link that lets them in."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from audit.log import Actor
from console.staff import create_staff, renew_access
from vault.errors import InvalidField
from vault.models import Role, StaffUser


class Command(BaseCommand):
    help = "Add a member of staff and print a one-time sign-in link."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--email", required=True)
        parser.add_argument("--role", required=True, choices=Role.values)
        parser.add_argument("--renew", action="store_true", help="replace the access of an existing member")
        parser.add_argument("--json", action="store_true", dest="as_json")

    def handle(self, *, email: str, role: str, renew: bool, as_json: bool, **_: Any) -> None:
        actor = Actor("system", "create_staff")
        known = StaffUser.objects.filter(email=email.strip().lower(), role=role).first() if renew else None
        try:
            if known:
                invitation = renew_access(staff_id=known.pk, actor=actor)
            else:
                invitation = create_staff(email=email, role=role, actor=actor)
        except InvalidField as error:
            raise CommandError(error.detail) from None
        if as_json:
            self.stdout.write(json.dumps({"id": invitation.staff.pk, "role": role, "link": invitation.link}))
        else:
            self.stdout.write(f"One-time sign-in link: {invitation.link}")
