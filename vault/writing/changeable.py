"""Which facts change while nobody writes: limits, prices, addresses, statuses, stock, balances, hours, versions.

A memory of one is marked `volatile` unless its writer said otherwise, so that the block tells the model to ask the
live system. Only facts in the present are marked: what happened stays as it was, and a lesson is a rule. English words,
and names of attributes; a wrong mark costs one look at the live system, so the rules lean towards the clear cases.
"""

from __future__ import annotations

import re

from vault.types import Kind, MemoryDraft

_IS = r"(?:is|are|now|remains?|stands? at|equals|=|:)"
_AMOUNT = r"(?:[€$£¥₹]\s?\d|\d[\d,.]*\s?(?:[€$£¥₹%]|usd|eur|gbp|inr|jpy|chf|dollars?|euros?|pounds?|rupees?|cents?)\b)"
_STATE = (
    r"(?:open|closed|pending|paid|unpaid|overdue|due|active|inactive|suspended|blocked|cancell?ed|shipped|delivered|"
    r"delayed|processing|approved|rejected|in transit|on hold|in progress|resolved|unresolved|available|unavailable|"
    r"expired|out of (?:stock|order))"
)
_THING = (
    r"(?:order|ticket|case|invoice|account|subscription|shipment|parcel|package|delivery|payment|refund|claim|"
    r"application|request|contract|licen[cs]e|booking|reservation|card|item|product|service|server)"
)
_PATTERNS = (
    # limits and prices: the word, then what it is now
    rf"\b(?:limit|quota|allowance|ceiling|cap|threshold)s?\b[^.!?]{{0,40}}?\s*{_IS}\s*[^.!?]{{0,12}}?\d",
    rf"\b(?:price|cost|fee|rate|tariff|fare|rent|salary|premium|charge|discount)s?\b[^.!?]{{0,40}}?\s*{_IS}\s*[^.!?]{{0,12}}?\d",
    rf"\b(?:costs?|charges?|earns?|pays?|sells? for)\b[^.!?]{{0,16}}?{_AMOUNT}",
    # where somebody is and how they are reached
    r"\b(?:home|postal|mailing|shipping|delivery|billing|office|street|e-?mail|current|new|registered)\s+address\b",
    rf"\baddress\s*{_IS}",
    r"\b(?:lives|resides|lives now|is based|is living)\s+(?:now\s+)?(?:at|in|on)\b",
    rf"\b(?:phone|telephone|mobile|contact) number\s*{_IS}",
    # how it stands with a thing
    rf"\bstatus\b[^.!?]{{0,30}}?\s*{_IS}",
    rf"\b{_THING}\b(?:\s+(?:#|no\.?\s*|number\s+)?[\w/-]*\d[\w/-]*)?\s+(?:{_IS})\s+"
    rf"(?:currently |still |now |not )?{_STATE}\b",
    # stock, balances, hours
    r"\b(?:in|out of) stock\b(?!\s+(?:options?|markets?|exchange|trading|photos?))",
    r"\b(?:stock|inventory)(?: level)?s?\s*(?:is|are|=|:)",
    rf"\b(?:\w+ )?balances?\b[^.!?]{{0,30}}?\s*{_IS}\s*[^.!?]{{0,12}}?\d",
    r"\b(?:opening|business|office|working|visiting) hours\b",
    r"\b(?:opens?|closes?|is open|are open)\b[^.!?]{0,20}?\b(?:at|from|until|till)\s+\d",
    # versions
    r"\b(?:runs?|uses?|is on|are on|upgraded to|installed|version\s*(?:is|:|=)|current version)\b"
    r"[^.!?]{0,40}?\bv?\d+\.\d+",
)
_CHANGES = re.compile("|".join(_PATTERNS), re.IGNORECASE)
# Of the past, of somebody's wish, or of nobody: the words of the patterns then say nothing that a system could tell.
_NOT_NOW = re.compile(
    r"\b(?:was|were|had been|used to|last (?:year|month|week)|in (?:19|20)\d\d|yesterday|formerly|previously)\b",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"(?<=[.!?;])\s+(?=\S)")
_CHANGING_SLOTS = (
    "limit quota allowance price cost fee rate tariff rent salary address city residence phone email "
    "status state stock inventory balance hours version location employer"
)
_ATTRIBUTE_WORDS = frozenset(_CHANGING_SLOTS.split())
_WORD = re.compile(r"[a-z]+")


def is_volatile(draft: MemoryDraft) -> bool:
    """The word of the writer, and without one what the statement looks like."""
    if draft.volatile is not None:
        return draft.volatile
    return changes_by_itself(draft.text, kind=draft.kind, attribute=draft.attribute)


def changes_by_itself(text: str, *, kind: Kind, attribute: str = "") -> bool:
    """Whether a statement tells of something that a live system may know better by now. Pure."""
    if kind is not Kind.FACT:
        return False
    if _ATTRIBUTE_WORDS & set(_WORD.findall(attribute.casefold())):
        return True
    return any(
        _CHANGES.search(sentence) and not _NOT_NOW.search(sentence) for sentence in _SENTENCE.split(text)
    )
