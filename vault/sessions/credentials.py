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


_AND = r"(?:and|but|und|aber|et|mais|y|pero|e|ma|और|aur)"
# Where a speaker goes on to something of their own: what stands before it is another matter.
_OWN_CLAUSE = re.compile(
    rf"(?i)(?:\s*[,;:–—-]+\s*(?:{_AND}\s+)?|\s+{_AND}\s+)(?=(?:here (?:is|are) )?"
    r"(?:my|our|mein|meine|unser|unsere|mon|ma|mes|notre|nos|mi|mis|nuestr[oa]s?|mio|mia|meu|minha|mer[aie]|मेर[ाीे])\s)"
)
_OPENED = (
    r"(?:alarm|door|gate|entry|entrance|access|safe|lock|garage|key ?box|security|unlock|keypad|alarme|porte|entrée"
    r"|portail|coffre|immeuble|alarma|puerta|entrada|portal|caja fuerte|garaje)"
)
# What opens a door is a credential, though it is only a number that no form betrays.
_OPENS = re.compile(
    rf"(?i)\b(?:{_OPENED}[ -]?(?:system )?(?:code|pin|combination)"
    rf"|(?:combination|code|digicode|código|clave) (?:of|for|to|de|du|del|d['’])[\w '’-]{{0,24}}?{_OPENED}"
    r"|(?:alarm|tür|tor|tresor|zugangs|schließfach|schloss|garagen)-?codes?)\b.{0,40}\d{3}"
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
    kept = (_apart(sentence) for sentence in sentences_of(turn.lasting_text))
    return "\n".join(sentence for sentence in kept if sentence)


def opens_something(sentence: str) -> bool:
    """Whether a sentence tells the number that opens a door, an alarm or a safe."""
    return _OPENS.search(sentence) is not None


def _apart(sentence: str) -> str:
    """A sentence without the credential's clause and all behind it; empty where the rest speaks of it too.

    Only what the speaker set apart by a clause about something of their own: "the depot opens with ..." has no parts.
    """
    if not _is_beside(sentence):
        return sentence
    parts = [sentence[: cut.start()] for cut in _OWN_CLAUSE.finditer(sentence) if cut.start()]
    apart = [part for part in parts if not _is_beside(part)]
    return f"{apart[-1].strip()}." if apart else ""


def _is_beside(sentence: str) -> bool:
    return PLACEHOLDER in sentence or _SPEAKS_OF_ACCESS.search(sentence) is not None
