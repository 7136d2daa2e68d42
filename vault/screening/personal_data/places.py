"""Postal addresses and places by their structure, or by the words that lead to them.

The model knows cities of the news; it does not know that a number, a street and a flat are one address.
"""

# ruff: noqa: E501 - a pattern is read in one piece

from __future__ import annotations

from collections.abc import Iterator

from vault.screening.credentials.scan import Hit, Scanned
from vault.screening.personal_data.words import CAPITAL, LINK, PLACE_NAME

_NUMBER = r"\d{1,5}[A-Za-z]?"
_STREET = rf"(?:{_NUMBER}[ ,]{{1,2}}){{0,2}}(?:(?:{CAPITAL}|{LINK})[ ]){{0,4}}{CAPITAL}(?:[ ]{_NUMBER}\.?)?"
_NUMBERED = rf"(?:{_NUMBER}[ ,]{{1,2}}){{1,2}}(?:(?:{CAPITAL}|{LINK})[ ]){{0,4}}{CAPITAL}(?:[ ]{_NUMBER}\.?)?"
_STREET_NUMBER = rf"(?:(?:{CAPITAL}|{LINK})[ ]){{0,3}}{CAPITAL}[ ]{_NUMBER}\.?"
_GAP = r"[ ]?[,\n]?[ >?\n]{0,6}"
_UNIT = r"(?i:apt|apartment|suite|ste|unit|flat|floor|room|no)\.?[ ]?#?\d{1,5}"
_CITY = rf"{_GAP}{PLACE_NAME}"
_TAIL = rf"(?:{_CITY}){{0,2}}(?:{_GAP},?[ ]?[A-Z0-9]{{2,3}}\b)?(?:{_GAP}{PLACE_NAME}(?:[ ]\([A-Za-z]+\))?)?(?:[ ,\n]{{1,3}}\d{{4,6}}\b)?"

_STREET_WORD = (
    r"(?i:street|str|st|avenue|ave|road|rd|lane|ln|drive|dr|boulevard|blvd|court|ct|square|sq|place|pl|terrace|way|"
    r"highway|hwy|parkway|crescent|close|row|quay|turnpike|bridge|stra(?:ß|ss)e|weg|platz|gasse|allee|laan|straat|"
    r"gatan|gata|vej|gade|veien|gate|katu|tie|utca|rakpart|ulica|ulitsa|prospekt)\b\.?"
)
_STREET_START = (
    r"(?i:rue|avenue|boulevard|place|via|viale|piazza|corso|calle|avenida|plaza|paseo|carrer|rua|travessa|praça|"
    r"ul\.|ulica|aleja|strada|bulevardul|улица|ул\.|проспект)"
)
_LEADS_TO_ADDRESS = (
    r"(?i:(?:lives?|living|lived|reside[sd]?|residing|staying|located|based|offices?|meet(?:ing)? (?:me|us)?|is|are|be|"
    r"moved|moving|deliver(?:ed)?|sen[dt]|ship(?:ped)?|mail(?:ed)?|taxi|cab|come|coming|drive|go|going)\s(?:here\s)?(?:at|to|in|from)|"
    r"address(?:es)?(?:\sis|\sto|\sfrom|:|\sas)?|enter on|corner of|directions to|turn (?:left|right) (?:on|at|into)|following\?)[: ]\s{0,6}"
)
_LEADS_TO_PLACE = (
    r"(?i:\b(?:lives?|living|lived|born|based|located|situated|grew up|raised|reside[sd]?|residing|staying|stayed|settled|studied|"
    r"originally|comes?|coming|moved|moving|relocat(?:ed|ing)|flew|fly|flying|flies|travell?(?:ed|ing|s)?|went|drove|"
    r"driving|headed|heading|arriv(?:ed|es|ing)|return(?:ed|ing|s)?|trip|holiday|vacation|weekend|office|offices|branch|"
    r"hometown|home city|home town|city of|town of|village of|university of|mayor of|north of|south of|east of|west of|"
    r"headquartered|headquarters|hq)\s(?:here\s|back\s)?(?:in|at|to|from|near|around)?\s?)"
)

# name, pattern, group, score
_FORMS: tuple[tuple[str, str, int, float], ...] = (
    ("address-with-unit", rf"({_STREET}{_GAP}{_UNIT}{_TAIL})", 1, 0.8),
    (
        "address-led-to",
        rf"{_LEADS_TO_ADDRESS}((?:the corner of )?(?:{_NUMBERED}|{_STREET_NUMBER}){_TAIL}(?: and {PLACE_NAME})?)",
        1,
        0.75,
    ),
    ("address-led-to", rf"(?i:corner of )({_STREET} and {PLACE_NAME})", 1, 0.75),
    ("street", rf"\b((?:{_NUMBER}[ ,]{{1,2}}){{1,2}}(?:{CAPITAL}[ ]){{1,4}}{_STREET_WORD}{_TAIL})", 1, 0.8),
    (
        "street",
        rf"\b((?:{CAPITAL}[ ]){{0,2}}\p{{Lu}}\p{{L}}+(?:stra(?:ß|ss)e|str\.|weg|platz|gasse|laan|straat|gatan|vej|gade|veien|katu|tie|vägen)[ ]{_NUMBER}{_TAIL})",
        1,
        0.8,
    ),
    (
        "street",
        rf"(?:^|[\s(])((?:{_NUMBER}[ ,]{{1,2}}){{0,2}}{_STREET_START}[ ](?:(?:{CAPITAL}|{LINK})[ ]?){{1,4}}{_NUMBER}?{_TAIL})",
        1,
        0.7,
    ),
    ("post-box", rf"(?i)\b((?:{_NUMBER}[ ])?p\.?[ ]?o\.?[ ]?box[ ]\d{{1,6}})", 1, 0.8),
    (
        "military-mail",
        r"\b((?:(?:Unit|PSC|CMR)[ ]\d{1,5}[ ,\n]+Box[ ]\d{1,5}|US(?:S|NS|CGC|NV)?[ ]\p{Lu}[\p{L} ]{1,30}?)[ ,\n]+(?:APO|FPO|DPO)[ ,]+A[AEP][ ,]+\d{5}(?:-\d{4})?)",
        1,
        0.9,
    ),
    ("unit", rf"(?m)^\W{{0,6}}({_UNIT})\s*$", 1, 0.6),
    ("place-led-to", rf"{_LEADS_TO_PLACE}({PLACE_NAME})", 1, 0.6),
)
_MONTHS_AND_DAYS = frozenset(
    {
        "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday", "january", "february", "march",
        "april", "may", "june", "july", "august", "september", "october", "november", "december", "the", "i", "it", "my", "a",
    }
)  # fmt: skip


def find_places(scanned: Scanned) -> Iterator[Hit]:
    """Addresses and places; the end is trimmed to the last character that belongs to one."""
    has_digit = any(c.isdigit() for c in scanned.text)
    for name, pattern, group, score in _FORMS:
        if not has_digit and name not in ("place-led-to",):
            continue
        for start, end, _ in scanned.matches(pattern, group=group):
            value = scanned.text[start:end].rstrip(" \n,>?.")
            if value.lower().split()[0].rstrip(".,") not in _MONTHS_AND_DAYS if value else False:
                yield Hit("LOCATION", start, start + len(value), score, name)
