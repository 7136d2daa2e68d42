"""One-time codes, only where the words around say that they are: a bare number is just a number."""

# ruff: noqa: E501 - a pattern is read in one piece

from __future__ import annotations

import re
from collections.abc import Iterator

from vault.screening.credentials.scan import Hit, Scanned

TYPE = "ONE_TIME_CODE"

_VALUE = r"\(?((?:[A-Za-z]{1,3}-)?\d{3}[- ]\d{3,4}|(?:[A-Za-z]{1,3}-)?\d{4,8})\)?"
_END = r"(?:$|[^\w%-]|-\D)"
_PURPOSE = (
    r"verif\w*|security|confirm\w*|auth\w*|log-?\s?in|sign[- ]?(?:in|up)|one[- ]time|single[- ]use|activat\w*|2fa|mfa|"
    r"two[- ](?:factor|step)|2-step|sms|otp|safekey|registration|temporary|reset|recovery|access|identification|"
    r"check|payment|transaction|device|pairing|validation|passwordless"
)
_CODE = r"(?:codes?|otp|pin|passcode|password|passwort|number|token)"
_NOT_A_LOGIN = re.compile(
    r"(?i)\b(?:zip|postal|post|area|country|dial(?:ling)?|error|status|exit|promo\w*|discount|coupon|voucher|"
    r"gift|booking|reservation|product|item|tracking|reference|ref|order|invoice|bar|qr|source|tax|sort|swift|"
    r"iban|bank|currency|color|colour|dress|class|course|building|unit|department|purchase|referral|invite|"
    r"icd|hs|naics|sku|part|model|airport|hex|response|http|return|version|git|commit|ticket|case|project)\W{0,3}"
    r"(?:\w+\W)?codes?\b"
)
# What a code of a house opens; it is used every day and sent to nobody's telephone.
OPENED = (
    r"gates?|doors?|alarms?|safe|garage|(?:bike|door|smart|the)\slock|lock-?box|key-?box|key\ssafe|parcel\sbox|drop\sbox|mail-?box|letter\s?box|lockers?|keypad|padlock|"
    r"entrance|entry|building|lobby|shed|barn|elevator|lift|intercom|gatehouse|strongbox|vault\sroom|"
    r"t[üo]r|haustür|garagentor|tresor|alarmanlage|schlüsselbox|schlüsselkasten|portail|porte|alarme|coffre(?:-fort)?|digicode|"
    r"puerta|alarma|port[óo]n|caja\sfuerte|garaje"
)
# "Keep it safe" is said of any code.
_OPENS = re.compile(
    rf"(?i)\b(?!safe\b)(?:{OPENED})\b|\b(?:the|our|my|wall|office)\ssafe\b|\bsafe\s(?:code|combination)\b"
)
_SENT = re.compile(
    r"(?i)verif|one-?time|otp|2fa|mfa|confirm|log-?\s?in|sign|authent|text message|sms|expire|share"
)
_MACHINE = re.compile(
    r"(?i)\b(?:shows?|displays?|reports?|flashes|zeigt|affiche|muestra)\W{1,3}(?:\w+\W)?codes?\b"
)
_ZH = r"验证码|驗證碼|校验码|校驗碼|动态码|動態碼|动态密码|動態密碼|确认码|確認碼|认证码|認證碼|短信码|随机码|激活码"
_JA_KO = r"認証コード|確認コード|認証番号|確認番号|セキュリティコード|ワンタイムパスワード|인증\s?번호|인증\s?코드|확인\s?코드"
_OTHER = (
    r"verificatiecode|verificatie-code|sms-code|inlogcode|bevestigingscode|beveiligingscode|toegangscode|"
    r"best[äa]tigungs-?code|verifizierungs-?code|sicherheits-?code|einmal-?(?:code|passwort|kennwort)|freischalt-?code|anmelde-?code|m?tan|"
    r"code de (?:v[ée]rification|s[ée]curit[ée]|confirmation|validation|connexion)|"
    r"c[óo]digo (?:de )?(?:verificaci[óo]n|verifica[çc][ãa]o|seguridad|seguran[çc]a|confirmaci[óo]n|confirma[çc][ãa]o|acceso|acesso|activaci[óo]n)|"
    r"codice (?:di )?(?:verifica|sicurezza|conferma|accesso|otp)|"
    r"(?:verifierings|säkerhets|engångs|bekräftelse)kod|(?:bekreftelses|engangs|sikkerheds|bekræftelses)kode|"
    r"vahvistuskoodi|kod (?:weryfikacyjny|dostępu|potwierdzający|bezpieczeństwa)|ověřovací kód|"
    r"(?:doğrulama|onay|güvenlik) kodu\w*|код (?:подтверждения|доступа|безопасности|активации)|проверочный код|"
    r"(?:kode|code) (?:verifikasi|otp|keamanan)|mã (?:xác nhận|xác minh|xác thực|otp)|κωδικός επαλήθευσης|"
    r"קוד (?:האימות|אימות)|رمز (?:التحقق|التأكيد|الدخول)|सत्यापन कोड|ओटीपी|รหัส(?:ยืนยัน| OTP)|รหัส"
)

# A few words that each begin like a name, or the one word that there is: no sentence.
_NAME = r"[A-Z][\w.&'-]{1,24}(?: [A-Z0-9][\w.&'-]{0,24}){0,3}"
_FORMS: tuple[tuple[str, bool], ...] = (
    # 482901 is your Acme verification code
    (
        rf"(?i){_VALUE}\s(?:is|ist|est|es|è|é)\s(?:your|the|je|uw|votre|ton|tu|su|ihr|dein|il tuo|seu)\b[^\n]{{0,60}}?{_CODE}\b",
        False,
    ),
    # verification code is 482901 / OTP: 482901 / one-time code to sign in: 482901
    (rf"(?i)\b(?:{_PURPOSE})[\w'’ -]{{0,24}}?\b{_CODE}\b[^\d\n]{{0,40}}?{_VALUE}{_END}", True),
    (
        rf"(?i)\b(?:otp|one-?time ?(?:pass)?(?:code|word)|passcode|verif\w{{0,8}}code|auth\w{{0,10}}code)\b[^\d\n]{{0,24}}?{_VALUE}{_END}",
        True,
    ),
    # your Acme code is 482901
    (
        rf"(?i)\byour\b[^\n.:]{{0,40}}?\bcode\b(?:\sfor\s[^\n:]{{1,40}}?)?\s?(?:is|:|=)\s?:?\s?{_VALUE}{_END}",
        True,
    ),
    # use 482901 as your code, enter code 482901 to sign in
    (
        rf"(?i)\b(?:use|enter|type|input|with)\s(?:the\s|this\s|your\s)?(?:[\w-]{{1,20}}\s)?(?:code\s?|otp\s?|pin\s?)?:?\s?{_VALUE}\s(?:as|to|for|on)\b[^\n]{{0,60}}?(?:code|log\s?in|sign|verif|confirm|authent|account|password|device|registr|access)",
        False,
    ),
    (rf"(?i)(?:^|[^\p{{L}}])(?:{_OTHER})[^\d\n]{{0,40}}?{_VALUE}{_END}", False),
    (rf"(?i){_VALUE}[^\d\n]{{1,24}}?(?:{_OTHER})", False),
    (rf"(?:{_ZH}|{_JA_KO})[^\d\n]{{0,20}}?{_VALUE}", False),
    (rf"{_VALUE}\s?[^\d\n]{{0,12}}?(?:{_ZH}|{_JA_KO})", False),
    # Acme code: 482901. Do not share it.
    (
        rf"(?i)\bcode\b\)?\s?(?:is|:|=|-)?\s?{_VALUE}\b[^\n]{{0,80}}?(?:do(?:n['’]t| not) share|never share|don['’]t forward|expires? in|valid (?:for|until)|minutes)",
        True,
    ),
    (
        rf"(?i)(?:do(?:n['’]t| not) share|never share)[^\n]{{0,60}}?\bcode\b\)?\s?(?:is|:|=|-)?\s?{_VALUE}\b",
        True,
    ),
    # 482901 (Acme Verification Code)
    (rf"(?i){_VALUE}\s?[(\[][^\n)\]]{{0,40}}?\b(?:{_PURPOSE})[^\n)\]]{{0,20}}?{_CODE}[)\]]", False),
    # Acme code 482-901. You can also tap on this link to verify your phone
    (
        rf"(?i)\bcode:?\s{_VALUE}\b[^\n]{{0,60}}?(?:tap|click|link|enter it|verify|log ?in|sign ?in|confirm)",
        True,
    ),
    (
        r"(?i)\byour\b[^\n.:]{0,40}?\bcode\sis:?\s((?:\d[A-Z0-9]{5,9}|[A-Z]{1,4}\d[A-Z0-9]{3,8}))\b",
        True,
    ),
    # Nothing but a name and a code
    (rf"^\W{{0,2}}{_NAME}\W{{0,2}}\s(?i:code|pin):?\s{_VALUE}\W{{0,2}}$", True),
    # The code that came by text message is 448201
    (
        rf"(?i)\bcode\b[^\n.\d]{{0,30}}?\b(?:text(?:ed)?|text message|sms|e-?mail(?:ed)?|message|whatsapp|authenticator|phone)\b[^\n.\d]{{0,20}}?(?:\bis\b|\bwas\b|:|=)\s?{_VALUE}{_END}",
        True,
    ),
)
_ONE_SPARE = re.compile(r"[A-Za-z0-9]{3,10}(?:-[A-Za-z0-9]{3,10}){0,3}")
_SPARE_CODE = r"[A-Za-z]{0,9}\d[A-Za-z0-9]{2,9}(?:-[A-Za-z0-9]{3,10}){0,3}|[A-Za-z0-9]{3,10}-[A-Za-z]{0,9}\d[A-Za-z0-9]{0,9}(?:-[A-Za-z0-9]{3,10}){0,2}"
# 2FA backup codes: 8H3K-22LM, 9PQR-77XC
_SPARE = (
    rf"(?i)\b(?:(?:2fa|mfa|otp|totp|two[- ](?:factor|step))\s(?:backup\s|recovery\s|emergency\s|spare\s)?|backup\s|recovery\s|scratch\s|"
    rf"wiederherstellungs-?|backup-?|notfall-?|codes?\sde\s(?:secours|récupération|recuperación|respaldo)|c[óo]digos?\sde\s(?:recuperaci[óo]n|respaldo))(?:codes?|keys?)?"
    rf"[^\n.:;\d]{{0,30}}?(?:\bare\b|\bis\b|\bsind\b|\blauten\b|[:=])\s{{0,4}}((?:{_SPARE_CODE})(?:[\s,;/]{{1,4}}(?:and\s|und\s)?(?:{_SPARE_CODE})){{0,20}})(?:$|[^\w-])"
)
AROUND = 24
_HINTS = (
    "backup",
    "recovery",
    "code",
    "otp",
    "pin",
    "password",
    "passwort",
    "kod",
    "tan",
    "código",
    "codigo",
    "codice",
    "token",
    "mã",
)
_HINT_SCRIPTS = re.compile(r"[\u0370-\u1fff\u3040-\u9fff\uac00-\ud7af]")


def find_one_time_codes(scanned: Scanned) -> Iterator[Hit]:
    text = scanned.text
    if not any(c.isdigit() for c in text):
        return
    if not (any(hint in scanned.lowered for hint in _HINTS) or _HINT_SCRIPTS.search(text)):
        return
    for pattern, may_be_another_code in _FORMS:
        for start, end, match in scanned.matches(pattern, group=1):
            around = text[max(scanned.offset(match.start()) - 24, 0) : end]
            if may_be_another_code and (_NOT_A_LOGIN.search(around) or _MACHINE.search(around)):
                continue
            if not _is_of_a_house(text, scanned.offset(match.start()), scanned.offset(match.end())):
                yield Hit(TYPE, start, end, 0.8, "one-time-code")
    yield from _spare_codes(scanned)


def _is_of_a_house(text: str, start: int, end: int) -> bool:
    around = text[max(start - AROUND, 0) : end + AROUND]
    return bool(_OPENS.search(around)) and not _SENT.search(around)


def _spare_codes(scanned: Scanned) -> Iterator[Hit]:
    """The list of codes that an account gives out for the day when the telephone is lost."""
    for start, end, _ in scanned.matches(_SPARE, group=1):
        for code in _ONE_SPARE.finditer(scanned.text[start:end]):
            if any(c.isdigit() for c in code.group()):
                yield Hit(TYPE, start + code.start(), start + code.end(), 0.85, "spare-code")
