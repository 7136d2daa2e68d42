"""Names that the model misses because of their case, by the words with which people introduce themselves."""

from __future__ import annotations

import re
from collections.abc import Iterator

from vault.screening.credentials.scan import Hit, Scanned

_CUE = (
    r"(?:my (?:full |first |last |given )?name is|my name[’']?s|i am called|they call me|call me|"
    r"name:|je m[’']appelle|ich hei(?:ß|ss)e|mein name ist|me llamo|mi nombre es|mi chiamo|meu nome é|"
    r"me chamo|mijn naam is|jag heter|jeg hedder|jeg heter|nazywam się|benim adım|меня зовут)"
)
_WORD = r"[\p{L}][\p{L}'’.-]{1,30}"
_INTRODUCED = rf"(?i){_CUE}\s+({_WORD}(?:[ \t]+{_WORD}){{0,3}})"

# What follows the cue in sentences that are not introductions, and what ends a name in lower case.
_NOT_NAMES = """
a an the and or but required missing wrong not on in at of to for from with by as is was are were be
been i you he she it we they my your his her its our their this that these those who which what when
where why how also actually still already just very so too only now here there misspelled spelled
misspelt incorrect correct listed shown displayed hidden private unknown mandatory optional needed
used taken known mentioned written printed included different long short common rare unique same
changed updated removed added live lives living work works working have has had am im can could
would will do does did not please call want wants need needs like likes prefer prefers always never
often sometimes because since if then und y et e og och en je ich yo io eu jag from based born years
old aged
"""
_NOT_A_NAME = frozenset(_NOT_NAMES.split())


# A piece of each cue, to be looked for before the pattern is tried.
_HINTS = (
    "name",
    "call",
    "nombre",
    "nome",
    "naam",
    "heiß",
    "heiss",
    "llamo",
    "appelle",
    "heter",
    "hedder",
    "chamo",
)
_MORE_HINTS = ("chiamo", "nazywam", "adım", "зовут")


def find_introduced(scanned: Scanned) -> Iterator[Hit]:
    if not any(hint in scanned.lowered for hint in (*_HINTS, *_MORE_HINTS)):
        return
    for start, end, _ in scanned.matches(_INTRODUCED, group=1):
        words = [(m.start(), m.end(), m.group()) for m in re.finditer(r"\S+", scanned.text[start:end])]
        kept = 0
        for _, stop, word in words:
            if word.lower().rstrip(".") in _NOT_A_NAME:
                break
            kept = stop
            if word.endswith(".") and len(word) > 3:
                break
        value = scanned.text[start : start + kept].rstrip(".-'’ ")
        if len(value) >= 2:
            yield Hit("PERSON", start, start + len(value), 0.8, "self-introduction")
