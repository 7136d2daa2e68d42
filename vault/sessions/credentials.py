"""What of a turn with a credential may be carried on: nothing that stood beside it. Pure.

The credential is a placeholder since the turn was screened. What stands around it says whose it is and what it opens,
and a part of a passphrase may stand there too. So a summary, a draft and a question that is filled in take none of it;
the turn itself stays in the window.
"""

from __future__ import annotations

import re

from vault.retrieval.turns import OpenedTurn
from vault.screening.credentials.labels import KEY_WORDS, PASSWORD_WORDS
from vault.sessions.sentences import sentences_of
from vault.sessions.withheld import WITHHELD
from vault.types import Category

PLACEHOLDER = "<"
# How people speak of getting in, besides the names of credentials.
_ACCESS = (
    "log in", "logs in", "login", "logged in", "log on", "logon", "sign in", "sign-in", "user name", "username",
    "admin", "account", "anmeldung", "anmelden", "benutzername", "benutzer", "zugang", "zugangsdaten", "konto",
    "identifiant", "connexion", "compte", "accès", "usuario", "cuenta", "acceso", "iniciar sesión",
)  # fmt: skip
_SPEAKS_OF_ACCESS = re.compile(
    "(?i)" + "|".join(re.escape(word) for word in (*PASSWORD_WORDS, *KEY_WORDS, *_ACCESS))
)


def has_credential(turn: OpenedTurn) -> bool:
    return any(finding.category is Category.SECRET for finding in turn.content.findings)


def carried_text(turn: OpenedTurn) -> str:
    """What may outlive the turn, without the sentences that hold a placeholder or speak of getting in.

    Only in a turn that had a credential: elsewhere a masked name, and talk of passwords, are like anything else.
    """
    if turn.lasting_text == WITHHELD:
        return ""
    if not has_credential(turn):
        return turn.lasting_text
    return "\n".join(sentence for sentence in sentences_of(turn.lasting_text) if not _is_beside(sentence))


def _is_beside(sentence: str) -> bool:
    return PLACEHOLDER in sentence or _SPEAKS_OF_ACCESS.search(sentence) is not None
