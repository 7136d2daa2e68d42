"""People by how they are addressed or spoken of, titles, ages, and names of organisations by their form."""

# ruff: noqa: E501 - a pattern is read in one piece

from __future__ import annotations

import re
from collections.abc import Iterator

from vault.screening.credentials.scan import Hit, Scanned
from vault.screening.personal_data.words import CAPITAL, FULL_NAME, NAME_WORD

_HONORIFIC = (
    r"(?:Mr|Mrs|Ms|Miss|Mx|Dr|Prof|Professor|Sir|Madam|Rev|Capt|Sgt|Lt|Mme|Mlle|Herr|Frau|Señora?|Sra?|Sig|Sig\.ra|Dott|"
    r"Mevr|Dhr|Hr|Fru|Doña|Don|MR|MRS|MS|DR)\.?"
)
_KIN = (
    r"(?:mother|father|mom|mum|dad|brother|sister|son|daughter|wife|husband|partner|fianc[ée]+|girlfriend|boyfriend|kid|"
    r"child|baby|uncle|aunt|cousin|nephew|niece|grand(?:mother|father|ma|pa|son|daughter)|friend|boss|manager|colleague|"
    r"coworker|co-worker|neighbou?r|assistant|doctor|dentist|teacher|tutor|coach|lawyer|accountant|landlord|roommate|"
    r"flatmate|client|customer|patient|applicant|employee|director|president|founder|ceo|author|singer|songwriter|"
    r"actor|actress|driver|nurse|senator|minister|judge|officer|agent|contact|user)"
)
_SAID = (
    r"(?:said|says|told|asked|asks|thinks|believes|prefers|likes|loves|hates|wants|needs|lives|lived|works|worked|moved|"
    r"went|visited|called|emailed|wrote|writes|mentioned|enjoys|plays|studies|studied|graduated|married|joined|left|"
    r"retired|was born|grew up|turned|speaks|owns|drives|began|started|had given|will be|would like|can't|couldn't)"
)
_FORMS: tuple[tuple[str, str, str, float], ...] = (
    ("TITLE", "honorific", rf"\b({_HONORIFIC})[ ]{CAPITAL}", 0.7),
    ("PERSON", "after-honorific", rf"\b{_HONORIFIC}[ ]({FULL_NAME})", 0.85),
    (
        "PERSON",
        "kin-or-role",
        rf"(?i:\b(?:my|your|his|her|our|their|the|a|an)\s(?:[a-z]+\s)?{_KIN},?)\s({FULL_NAME})",
        0.75,
    ),
    (
        "PERSON",
        "addressed",
        rf"(?m)(?:^|[.!?:]\s|\"\s?)({NAME_WORD}),\s(?i:can|could|would|will|please|do|did|are|is|have|thank|let|what|when|where|why|how|you|i)\b",
        0.7,
    ),
    (
        "PERSON",
        "greeted",
        rf"(?i:\b(?:dear|hello|hi|hey|thanks|thank you|regards|sincerely|cheers|yours|signed|best|love)),?\s({FULL_NAME})",
        0.65,
    ),
    (
        "PERSON",
        "introduced",
        rf"(?:\bI['’]?m|\bI am|(?i:\bthis is|\bnamed|\bcalled|\bname of|\bknown as|\bmeet|\bcalls me|\bspeak (?:to|with)|\bspoke (?:to|with)|\bon behalf of|\bborn to|\bmarried to|\bwritten by|\bsigned by|\bfeatur(?:es|ing)|\bstarring|\bauthor of|\bbelongs to|\bowned by))\s({FULL_NAME})",
        0.65,
    ),
    (
        "PERSON",
        "name-field",
        rf"(?i:\b(?:full |first |last |sur|given |customer |patient |user|contact )?name)\s?[:=?]\s{{0,8}}({FULL_NAME})",
        0.8,
    ),
    (
        "PERSON",
        "speaks-or-acts",
        rf"(?m)(?:^|[.!?]\s)({NAME_WORD}(?:[ ](?:{NAME_WORD}|\p{{Lu}}\.)){{0,2}})\s{_SAID}\b",
        0.65,
    ),
    (
        "PERSON",
        "possessive",
        rf"\b({NAME_WORD}(?:[ ](?:{NAME_WORD}|\p{{Lu}}\.)){{0,2}})['’]s\s(?i:address|phone|number|email|e-mail|card|account|passport|birthday|wife|husband|mother|father|sister|brother|son|daughter|favou?rite|ssn|name|house|car|job|boss|salary)\b",
        0.75,
    ),
    (
        "AGE",
        "age",
        r"(?i)\b(?:aged?|age is|age:|age of|turn(?:s|ed|ing)?|i['’]?m|i am|s?he['’]?s|s?he is|s?he was|they are)\s(?:just\s)?(\d{1,3})(?:[ -]?(?:years?[ -]old|y/?o|yrs?(?: old)?)\b)?(?:[.,;!?](?:\s|$)|\s?$|\s(?:and|on|this|next|last|in|years?|when|now)\b)",
        0.6,
    ),
    ("AGE", "age", r"(?i)\b(\d{1,3})[ -](?:years?[ -]old|yrs?[ -]old|y/o|yo)\b", 0.75),
    (
        "ORGANIZATION",
        "company-form",
        rf"\b((?:{CAPITAL}[ ](?:(?:and|&|of)[ ])?){{1,4}}(?:Ltd|Limited|Inc|Incorporated|LLC|LLP|GmbH|AG|Corp|Corporation|Company|Co|PLC|plc|Group|Holdings|Technologies|Software|Systems|Consulting|Partners|Associates|Agency|Foundation|University|Institute|Bank|Hospital|Labs|Studios|Industries|Services|Solutions|Sons|SA|NV|BV|AB|Oy|SpA|SARL)\b\.?)",
        0.7,
    ),
    ("ORGANIZATION", "firm-of-names", rf"\b({NAME_WORD},\s{NAME_WORD}\sand\s{NAME_WORD})\b", 0.5),
    (
        "ORGANIZATION",
        "employer",
        rf"(?i:\b(?:works?|worked|working|employed|job|intern(?:ed|s)?|interview|position|consultant|engineer)\s(?:at|for|with|by)\s)((?:{CAPITAL}[ ]?){{1,4}})",
        0.6,
    ),
    (
        "DATE_TIME",
        "date",
        r"\b((?:19|20)\d\d[-/.](?:0?[1-9]|1[0-2])[-/.](?:0?[1-9]|[12]\d|3[01])(?:[T ]\d{1,2}:\d{2}(?::\d{2})?)?)\b",
        0.7,
    ),
    (
        "DATE_TIME",
        "date",
        r"\b((?:0?[1-9]|[12]\d|3[01])[-/.](?:0?[1-9]|[12]\d|3[01])[-/.](?:19|20)?\d\d(?:[ ]\d{1,2}:\d{2}(?::\d{2})?)?)\b",
        0.6,
    ),
    (
        "DATE_TIME",
        "year",
        r"(?i)\b(?:in|since|from|until|till|by|during|before|after|of|year)\s((?:19|20)\d\d)\b",
        0.6,
    ),
)
_NOT_NAMES = """
the a an this that these those it its i we you he she they my your his her our their there here what when where who
why how if in on at to for from with by as and or but no not yes please thanks thank hello hi dear monday tuesday
wednesday thursday friday saturday sunday january february march april may june july august september october
november december all any some every each both few many most other such only just also then so very is are was were be
do does did has have had can could will would should may might must let see use run add set get make note update check
new old first last next good best sorry ok okay sure well now today tomorrow yesterday english french german spanish
italian dutch russian chinese japanese american british european api json sql http url python java docker linux
windows github google team support sales customer service user users agent admin system
"""
_STOP = frozenset(_NOT_NAMES.split())
MAX_AGE = 120
_WORD = re.compile(r"[^\s]+")


def find_people(scanned: Scanned) -> Iterator[Hit]:
    for kind, name, pattern, score in _FORMS:
        for start, end, _ in scanned.matches(pattern, group=1):
            hit = _fit(scanned.text, Hit(kind, start, end, score, name))
            if hit is not None:
                yield hit


def _fit(text: str, hit: Hit) -> Hit | None:
    value = text[hit.start : hit.end]
    if hit.type == "AGE":
        return hit if int(value) <= MAX_AGE else None
    if hit.type not in ("PERSON", "ORGANIZATION"):
        return hit
    kept = value.rstrip(" .-'’") if hit.type == "PERSON" else value.rstrip(" ")
    words = _WORD.findall(kept)
    if (
        not words
        or words[0].lower().rstrip(".,'’s") in _STOP
        or words[0].lower() in _STOP
        or (hit.type == "PERSON" and kept.isupper() and len(words) == 1)
    ):
        return None
    return Hit(hit.type, hit.start, hit.start + len(kept), hit.score, hit.detector)
