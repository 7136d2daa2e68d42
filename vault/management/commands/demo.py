"""The worked example, or a conversation of your own, against the running vault."""

from __future__ import annotations

import secrets
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from vault.client import Unauthenticated, Unreachable, VaultProblem
from vault.demo.cast import demo_token
from vault.demo.conversation import Conversation, spread
from vault.demo.conversation_file import BadConversation, read_questions, read_turns
from vault.demo.finding import NoVault, find_vault, is_elsewhere, require_data
from vault.demo.line import Line
from vault.demo.progress import Progress
from vault.demo.supplier import DemoFailed, Supplier


class Command(BaseCommand):
    help = "Show what the vault does: the worked example, then a conversation if you name one."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--url", help="the running vault (default: the one of this home)")
        parser.add_argument(
            "--conversation", type=Path, metavar="FILE", help="turns as JSON lines, plain or gzipped"
        )
        parser.add_argument("--turns", type=int, metavar="N", help="load the first N turns only")
        parser.add_argument(
            "--questions", type=int, default=10, metavar="N", help="how many to ask (default 10)"
        )
        parser.add_argument("--k", type=int, default=5, help="memories per question (default 5)")

    def handle(
        self,
        *,
        url: str | None,
        conversation: Path | None,
        turns: int | None,
        questions: int,
        k: int,
        **_: Any,
    ) -> None:
        try:
            found = find_vault(url, home=settings.HOME, usual=settings.BASE_URL)
            require_data(settings.HOME)
        except NoVault as missing:
            raise CommandError(str(missing)) from None
        run = secrets.token_hex(3)
        try:
            with demo_token() as token:
                line = Line(found, token)
                Supplier(line, self._say, run=run).tell(settings.HOME.path / "certificates")
                if conversation is not None:
                    self._converse(line, conversation, run, turns, questions, k)
        except Unauthenticated:
            raise CommandError(is_elsewhere(found, settings.HOME)) from None
        except (DemoFailed, BadConversation, Unreachable, VaultProblem, OSError) as fault:
            raise CommandError(f"The demo stopped: {fault}") from None

    def _converse(self, line: Line, path: Path, run: str, turns: int | None, asked: int, k: int) -> None:
        told = read_turns(path)[:turns]
        loaded = {turn.id for turn in told}
        conversation = Conversation(line, self._say, run=run, turns=told)
        conversation.load(Progress(len(told), self._write, is_terminal=self.stdout.isatty()))
        subjects = {turn.subject for turn in told}
        # With fewer turns, a question about what was not told would only show that it was not.
        known = [q for q in read_questions(path) if q.subject in subjects and q.evidence <= loaded]
        if known:
            conversation.ask(spread(known, asked), k=k)

    def _say(self, line: str) -> None:
        self._write(f"{line}\n")

    def _write(self, text: str) -> None:
        self.stdout.write(text, ending="")
        self.stdout.flush()
