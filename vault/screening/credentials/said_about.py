"""What people say *about* a password, so that "the password is sunshine" can be told from "the password is wrong".

English, German, French and Spanish: adjectives and participles by their endings, and lists of those that have none
of their own. When in doubt a word says something about the password: it is passed.
"""

from __future__ import annotations

import re

from vault.screening.credentials.values import STAND_INS

_ADJECTIVE_LIST = """
required optional mandatory necessary needed important vital essential crucial critical key wrong right correct
incorrect valid invalid true false real fake bad worse worst good better best great fine ok okay perfect strong
stronger weak weaker long longer short shorter simple simpler easy easier hard harder tough difficult complex safe
safer secure secured insecure unsafe secret private public personal confidential sensitive known unknown lost gone
missing stolen old older new newer fresh stale recent current former previous latest last first next final same
different similar identical unique common shared blank empty null default random temporary permanent initial generic
standard strict loose visible invisible hidden plain plaintext clear readable unreadable numeric alphanumeric
alphabetic ascii lowercase uppercase obvious trivial memorable ready due set kept held sent sold told given taken
taped written shown forgotten broken chosen stuck bound dead alive active inactive live back down up off on out in
over under there here inside outside below above elsewhere somewhere nowhere everywhere enough useless pointless
local global remote manual automatic dynamic static single double half full whole partial complete incomplete legal
illegal free paid hers his mine yours ours theirs it this that these those not never always still yet now then today
tomorrow yesterday soon later again once twice too very just only also what which who whose why how when where
nothing everything something anything none all any some more most less least enclosed attached included excluded
annoying boring funny silly stupid dumb weird strange odd clever smart cool nice awesome terrible awful horrible
ugly crap garbage rubbish trash nonsense overkill trouble history toast case a an the
"""
# Nouns that a heading or a form puts after "Password:", and what a form asks for.
_FORM_LIST = """
reset change changes settings setting help tips tip rules rule policy policies login logon signin sign-in security
protection manager managers strength length recovery management field fields form forms page pages input text number
object array date email e-mail hint hints question questions name names basics guide faq support update updates
expiry rotation storage hash hashes hashing bcrypt argon scrypt plain yes no see ask use via check enter type choose
pick contact tbc pending notes note problem problems issue issues error errors failure warning alert success failed
access account accounts prompt prompts box screen screens dialog button combination pair pairs protocol
authentication authorization ldap sso oauth kerberos keychain vault bitwarden keepass lastpass onepassword dashlane
post-it sticky paper
"""
_INFINITIVE_LIST = """
continue proceed log login enter access comply expire unlock begin start regain get gain keep protect avoid prevent
be do make finish complete sign connect try retry match meet work stop join use see view open recover restore prove
verify confirm help reset reconnect download install become remain
"""
_GERMAN_LIST = """
falsch richtig korrekt inkorrekt gültig ungültig sicher unsicher stark schwach lang kurz zu einfach komplex
kompliziert neu alt gleich anders geheim privat öffentlich bekannt unbekannt leer weg da dort hier hin fort fällig
nötig notwendig wichtig pflicht erforderlich optional sichtbar unsichtbar gut schlecht besser okay fertig drin dabei
lesbar kaputt tot aktiv inaktiv das der die ein eine kein keine nicht nie noch immer jetzt nun heute morgen gestern
bald wieder sehr nur auch schon so sein ihr mein dein unser meins deins seins ihres was wo wer wie hinweise hilfe
ändern zurücksetzen vergessen eingeben verloren abgelaufen bekommen angekommen wahr egal schwer leicht klar zurück
oben unten
"""
_FRENCH_LIST = """
faux fausse vrai vraie bon bonne mauvais mauvaise correct correcte incorrect incorrecte fort forte faible long
longue court courte sûr sûre simple complexe nouveau nouvelle ancien ancienne vieux vieille secret secrète privé
vide perdu perdue connu connue inconnu inconnue obligatoire requis requise nécessaire facultatif optionnel trop très
pas plus bien toujours encore ici là même différent différente unique clair prêt prête expiré oublié inscrit écrit
mis mise dit mien sien le la un une ce cela ça aide réinitialiser oublie modifier
"""
_SPANISH_LIST = """
incorrecta correcta incorrecto correcto errónea falsa buena mala fuerte débil larga corta segura insegura simple
sencilla compleja fácil difícil nueva vieja antigua secreta privada vacía conocida desconocida obligatoria necesaria
requerida opcional muy no ya más igual misma distinta diferente única válida inválida lista clara aquí allí ahora
esta esa eso la el una un mía tuya suya cambiar restablecer ayuda olvidada caducada escrita puesta
"""
WORDS = frozenset(
    {
        *_ADJECTIVE_LIST.split(),
        *_FORM_LIST.split(),
        *_GERMAN_LIST.split(),
        *_FRENCH_LIST.split(),
        *_SPANISH_LIST.split(),
        *STAND_INS,
    }
)
INFINITIVES = frozenset(_INFINITIVE_LIST.split())
_ENDINGS = re.compile(
    r"(?:(?:[^aeiou]|[ai])ed|[a-z]{3}ing|able|ible|less|ful|[a-z]{2}ous|sive|tive|ively|"  # en
    r"lich|haft|isch|bar|sam|los|[a-zäöü]{3}ig|"  # de
    r"ée?s?|eux|euse|ifs?|ive|"  # fr
    r"[ai]d[oa]s?|os[oa]s?)$"  # es
)
_GERMAN_PARTICIPLE = re.compile(
    r"^(?:(?:ab|an|auf|aus|bei|ein|frei|mit|nach|um|unter|vor|weg|weiter|zu|zurück|über|hinter|fest)?ge[a-zäöüß]{2,}(?:t|en)|"
    r"(?:be|ver|er|zer|ent|hinter|über)[a-zäöüß]{3,}(?:t|en))$"
)

# Words that hold sentences together: none of them stands in a passphrase that somebody drew by lot.
_CONNECTING_LIST = """
a an the this that these those it its i we you he she they my your his her our their me us him them is are was were
be been being am do does did has have had having can could will would shall should may might must not no and or but
nor so if then else than as at by for from in into of off on onto out over to under up with without within about
after before between because since until while when where which who whom whose what why how there here now today
always never only also just very too more most much many some any every all each both few own same such per via
using
"""
CONNECTING = frozenset(_CONNECTING_LIST.split())


def is_said_about(word: str) -> bool:
    """Whether the word, after "the password is", says how or where it is rather than what."""
    lowered = word.lower()
    return (
        lowered in WORDS
        or bool(_ENDINGS.search(lowered))
        or (word[:1].islower() and bool(_GERMAN_PARTICIPLE.match(lowered)))
    )
