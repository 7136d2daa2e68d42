"""Ways to reach or to pay a person: e-mail, telephone, IBAN, addresses of pages and of machines."""

# ruff: noqa: E501 - a pattern is read in one piece

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterator

import phonenumbers
from phonenumbers import Leniency, PhoneNumberMatcher
from stdnum import iban

from vault.screening.credentials.scan import Hit, Scanned
from vault.screening.personal_data.context import has_context

_EMAIL = r"[A-Za-z0-9](?:[A-Za-z0-9._%+'-]{0,62}[A-Za-z0-9_+-])?@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z]{2,24}"
_EMAIL_ANY_SCRIPT = (
    r"[\p{L}\p{N}](?:[\p{L}\p{N}._%+-]{0,62})@(?:[\p{L}\p{N}][\p{L}\p{N}-]{0,61}\.)+[\p{L}]{2,24}"
)
_IBAN = r"(?i)\b[A-Z]{2}\d{2}(?:[ -]?[A-Z0-9]{2,4}){2,8}(?:[ -]?[A-Z0-9]{1,3})?\b"
_URL = r"(?i)\b(?:https?|ftp)://[^\s<>\"'）」】]+|\bwww\.[a-z0-9-]+(?:\.[a-z0-9-]+)+[^\s<>\"']*"
_IP4 = r"\b(?:\d{1,3}\.){3}\d{1,3}\b"
_IP6 = r"(?i)[0-9a-f]{0,4}(?::[0-9a-f]{0,4}){2,7}(?:(?:\d{1,3}\.){3}\d{1,3})?"
_MAC = r"(?i)\b(?:[0-9a-f]{2}:){5}[0-9a-f]{2}\b|\b(?:[0-9a-f]{2}-){5}[0-9a-f]{2}\b|\b(?:[0-9a-f]{4}\.){2}[0-9a-f]{4}\b"

_PHONE_WORD_LIST = """
phone telephone tel tel. cell cellphone mobile call calling answering office extension sms whatsapp signal fax ring reach contact
téléphone portable rappelle appelle appeler joindre telefon handy mobil anrufen rufnummer teléfono
móvil llamar llame telefone celular ligar cellulare telefono chiamare telefoon mobiel bellen
telefonu cep telefonum numaram telefonnummer puhelin puhelinnumero телефон звоните мобильный 电话 手机
電話 携帯 전화 휴대폰 연락처 هاتف الجوال טלפון נייד फोन मोबाइल โทร
"""
PHONE_WORDS = tuple(_PHONE_WORD_LIST.split())
# Right before a number, with or without "no." or "#", these say that it names a thing.
_THING = re.compile(
    r"(?i)\b(?:(?:spare )?parts?|articles?|items?|sku|serials?|models?|orders?|tickets?|invoices?|ref(?:erence)?|cases?|batch|lot|"
    r"(?:ersatz)?teile?|artikel|auftrag|bestellung|rechnung|modell|charge|vorgang|"
    r"(?:teile|artikel|auftrags|bestell|rechnungs|serien|vorgangs)nummer|pi[eè]ces?|commande|facture|r[eé]f[eé]rence|"
    r"piezas?|art[ií]culo|pedido|factura|referencia|pezzo|articolo|ordine|fattura)"
    r"(?:[ ]?(?:no|nr|num|number|nummer|id|code|n°|№)\.?)?[ ]?[#:]?[ ]?$"
)
_BEFORE = 30
# Where a number in national form is looked up when it does not say its country.
REGIONS = ("US", "GB", "FR", "DE", "IN", "ES", "IT", "BR", "AU", "TR", "PH", "IL", "NL", "SE", "JP")
_FEW_DIGITS = 7
# A number that is called one or says its country; in the form of one; digits that only could be one, which are not masked.
SURE, LIKELY, LABELLED = 0.9, 0.65, 0.5
NATIONAL_TYPES = (
    ("PH_MOBILE_NUMBER", "PH", ("639", "09")),
    ("TR_PHONE_NUMBER", "TR", ("90", "05", "02", "03", "04", "5")),
)


def find_contacts(scanned: Scanned, *, label: str = "") -> Iterator[Hit]:
    if "@" in scanned.text:
        yield from _emails(scanned)
    if "://" in scanned.text or "www." in scanned.lowered:
        for start, end, _ in scanned.matches(_URL):
            trimmed = scanned.text[start:end].rstrip(".,;:!?)]}'\"")
            yield Hit("URL", start, start + len(trimmed), 0.6, "url")
    if sum(c.isdigit() for c in scanned.text) >= _FEW_DIGITS - 3:
        yield from _ibans(scanned)
        yield from _machines(scanned)
        yield from find_phones(scanned, label=label)
    elif "::" in scanned.text:
        yield from _machines(scanned)


def _emails(scanned: Scanned) -> Iterator[Hit]:
    for start, end, _ in scanned.matches(_EMAIL):
        yield Hit("EMAIL_ADDRESS", start, end, 1.0, "email")


def _ibans(scanned: Scanned) -> Iterator[Hit]:
    for start, end, _ in scanned.matches(_IBAN):
        stop = _iban_end(scanned.text, start, end)
        if stop:
            yield Hit("IBAN_CODE", start, stop, 1.0, "iban-mod97")


def _iban_end(text: str, start: int, end: int) -> int:
    """The longest valid account number that begins here; a word may follow it without a sign between."""
    stop = end
    while stop - start >= 15:
        if text[stop - 1].isalnum() and iban.is_valid(text[start:stop]):
            return stop
        cut = max(text.rfind(" ", start, stop), text.rfind("-", start, stop))
        if cut < 0:
            return 0
        stop = cut
    return 0


def _machines(scanned: Scanned) -> Iterator[Hit]:
    for start, end, _ in scanned.matches(_IP4):
        if _is_ip(scanned.text[start:end]):
            yield Hit("IP_ADDRESS", start, end, 0.6, "ip")
    if scanned.text.count(":") >= 2:
        for start, end, _ in scanned.matches(_IP6):
            is_inside = (
                scanned.text[max(start - 1, 0) : start].isalnum() or scanned.text[end : end + 1].isalnum()
            )
            if not is_inside and _is_ip(scanned.text[start:end]):
                yield Hit("IP_ADDRESS", start, end, 0.6, "ip")
    for start, end, _ in scanned.matches(_MAC):
        if len(set(re.sub(r"\W", "", scanned.text[start:end]).lower())) > 1:
            yield Hit("MAC_ADDRESS", start, end, 0.6, "mac")


def _is_ip(value: str) -> bool:
    try:
        ipaddress.ip_address(value)
    except ValueError:
        return False
    return value != "::" or True


_UUID = re.compile(r"(?i)\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b")
_UUID_CHARACTERS = 36
# "RMA-2024-118273", "AB/118273": one code, whatever its digits alone look like.
_PREFIX = re.compile(r"(?:^|[^\w.])([A-Za-z]\w{0,15})[-_/]$")
_DECIMAL = re.compile(r"^\d+\.\d+$")
_PHONE_LIKE = r"\+?\(?\d[\d\s().\-/\x{2010}-\x{2015}]{5,24}\d(?:\s?(?:x|ext\.?)\s?\d{1,6})?"


def find_phones(scanned: Scanned, *, label: str = "") -> Iterator[Hit]:
    for start, end, _ in scanned.matches(_PHONE_LIKE):
        if _is_inside_a_code(scanned.text, start, end):
            continue
        candidate = scanned.text[start:end]
        near = has_context(scanned.lowered, start, end, PHONE_WORDS, label)
        span = _phone(candidate, near=near, alone=len(candidate) >= 0.8 * len(scanned.text.strip()))
        if span is not None:
            first, last, score = span
            if score < SURE and _THING.search(scanned.text[max(start - _BEFORE, 0) : start]):
                score = LABELLED
            yield Hit("PHONE_NUMBER", start + first, start + last, score, "phone")
            for kind in _national_types(candidate[first:last]):
                yield Hit(kind, start + first, start + last, score, "phone")


def _is_inside_a_code(text: str, start: int, end: int) -> bool:
    """Digits with Latin letters right beside them, as in a hash, after letters and a dash, or within a UUID are a part of something else."""
    prefix = _PREFIX.search(text, max(start - _UUID_CHARACTERS, 0), start)
    if prefix and text[start] not in "+(" and prefix[1].lower() not in PHONE_WORDS:
        return True
    around = text[max(start - _UUID_CHARACTERS, 0) : end + _UUID_CHARACTERS]
    if any(text[start:end] in uuid for uuid in _UUID.findall(around)):
        return True
    before, after = text[start - 1 : start], text[end : end + 1]
    is_joined = before.isascii() and before.isalpha() and text[start] not in "+("
    return is_joined or (after.isascii() and after.isalpha())


def _national_types(value: str) -> Iterator[str]:
    """Types that name the country of a telephone number, where its form leaves no doubt of it."""
    digits = re.sub(r"\D", "", value)
    for kind, region, starts in NATIONAL_TYPES:
        if digits.startswith(starts):
            try:
                parsed = phonenumbers.parse(value, region)
            except phonenumbers.NumberParseException:
                continue
            if phonenumbers.is_valid_number_for_region(parsed, region):
                yield kind


def _phone(candidate: str, *, near: bool, alone: bool) -> tuple[int, int, float] | None:
    digits = sum(c.isdigit() for c in candidate)
    if not _FEW_DIGITS <= digits <= 21 or _DECIMAL.match(candidate):
        return None
    is_plain = candidate.strip().isdigit()
    match = _widest(candidate, Leniency.VALID)
    if match is None and near and not is_plain:
        match = _widest(candidate, Leniency.POSSIBLE)
    if match is None:
        return None
    if candidate[match[0] :].startswith("+") or near:
        return *match, SURE
    if is_plain and not alone:
        return None
    return *match, LIKELY if not is_plain else LABELLED


def _widest(candidate: str, leniency: int) -> tuple[int, int] | None:
    """The reading that takes in the most digits: what is a whole number in one country is the end of one in another."""
    best, most = None, _FEW_DIGITS - 1
    wanted = sum(c.isdigit() for c in candidate)
    for region in (None,) if candidate.lstrip().startswith("+") else REGIONS:
        for match in PhoneNumberMatcher(candidate, region, leniency=leniency, max_tries=4):
            digits = sum(c.isdigit() for c in candidate[match.start : match.end])
            if digits > most:
                best, most = (match.start, match.end), digits
        if most >= wanted:
            break
    return best


__all__ = ["find_contacts", "find_phones", "phonenumbers"]
