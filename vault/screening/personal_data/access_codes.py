"""Codes that open something in a house: gates, doors, alarms, safes. An agent needs them; they are labelled."""

# ruff: noqa: E501 - a pattern is read in one piece

from __future__ import annotations

from collections.abc import Iterator

from vault.screening.credentials.one_time_codes import OPENED
from vault.screening.credentials.scan import Hit, Scanned

TYPE = "ACCESS_CODE"
SCORE = 0.8

_CODE = r"(?:access\s|entry\s|security\s)?(?:code|combination|kombination|zahlenkombination|c[óo]digo|combinaison|codice|keycode)"
_VALUE = r"[\"'“(#*]{0,2}(\d{1,2}(?:[- ]\d{1,2}){2,3}|[A-Da-d]?\d{3,8}[A-Da-d]?)\b"
_IS = r"(?:\s(?:for|to|at|of|on|in|für|zu|zum|zur|vom|von|de|du|pour|para|del|la|der|die|das)\s[^\n.:;]{1,50}?)?\s{0,2}(?:\b(?:is(?:\snow|\sstill)?|was|are|ist|lautet|est|es)\b|[:=#-])?\s{0,2}"
_FORMS = (
    rf"(?i)\b(?:{OPENED})s?['’]?s?[\s-]{{0,2}}{_CODE}{_IS}{_VALUE}",
    rf"(?i)\b(?:{OPENED})\b[^\n.]{{0,24}}?\b{_CODE}{_IS}{_VALUE}",
    rf"(?i)\b{_CODE}\s(?:for|to|of|on|at|für|zum|zur|vom|du|de|del|de\sla|para)\s[^\n.:;]{{0,24}}?\b(?:{OPENED})\b[^\n.\d]{{0,30}}?{_VALUE}",
    rf"(?i)\b(?:{OPENED})\b[^\n.\d]{{0,20}}?\b(?:opens?|unlocks?|disarms?|öffnet|geht\sauf|s['’]ouvre|se\sabre)\b[^\n.\d]{{0,12}}?\b(?:with|by|mit|avec|con)\s{_VALUE}",
    rf"(?i)\b(?:use|enter|type|press|dial|with)\s(?:code\s)?{_VALUE}[#*]?\s(?:to|for|at)\s[^\n.\d]{{0,24}}?\b(?:{OPENED})\b",
    # Alarmcode 4711, Türcode: 4711
    rf"(?i)\b(?:alarm|tür|haustür|tor|garagen|tresor|safe|schlüsselbox|eingangs)-?(?:code|kombination){_IS}{_VALUE}",
)


# One look for all of them: most texts tell of nothing that a code opens.
_NEAR = rf"(?i)\b(?:{OPENED}|garagen|eingangs)"


def find_access_codes(scanned: Scanned) -> Iterator[Hit]:
    if not any(c.isdigit() for c in scanned.text) or next(scanned.matches(_NEAR), None) is None:
        return
    for pattern in _FORMS:
        for start, end, _ in scanned.matches(pattern, group=1):
            yield Hit(TYPE, start, end, SCORE, "access-code")
