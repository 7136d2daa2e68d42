"""Whether somebody was spoken of whom a pronoun may mean; where nobody was, it is the memories' subject. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from vault.sessions.tongue import is_little, spread, tongue_of
from vault.sessions.wording import TOKEN, bare, form_of, names_in, word_list, words_of

PERSON_NOUN = re.compile(
    r"(?i)\b(?:grand(?:ma|pa|mother|father|son|daughter)|mother|father|mum|mom|dad|sister|brother|wife|husband|son|daughter"
    r"|aunt|uncle|cousin|child|kid|boy|girl|man|woman|baby|neighbou?r|doctor|dentist|nurse|teacher|driver|boss|manager"
    r"|customer|client|tenant|patient|colleague|friend|person|people|owner|cleaner|caretaker|trainer|therapist|guest|visitor"
    r"|secretary|receptionist|technician|engineer|agent|assistant|student|pupil|landlord|supplier|plumber|accountant|lawyer|dog|cat"
    r"|frau|herr|mutter|vater|schwester|bruder|tochter|sohn|mann|tante|onkel|kind|freund|freundin|chef|chefin|arzt|ärztin|kollege|kollegin"
    r"|madame|monsieur|mère|père|sœur|frère|fille|fils|mari|femme|tante|oncle|enfant|ami|amie|médecin|voisin|voisine|collègue"
    r"|señora?|madre|padre|hermana|hermano|hija|hijo|marido|mujer|tía|tío|niñ[oa]|amig[oa]|médic[oa]|vecin[oa]|jef[ea])s?\b"
)
_ENGLISH = frozenset({"she", "he", "him", "his", "her", "hers"})
_MASCULINE = "der den dem des das ein einen einem mein meinen meinem unser unseren unserem dieser diesen"
_FEMININE = "die der eine einer meine meiner unsere unserer diese dieser keine"
# Where things have a gender, a pronoun of a person may mean a thing of that gender, which its article shows.
_ARTICLES: dict[str, frozenset[str]] = {
    **dict.fromkeys(("er", "ihn", "ihm", "sein", "seine"), frozenset(_MASCULINE.split())),
    **dict.fromkeys(("sie", "ihr", "ihre", "ihren"), frozenset(_FEMININE.split())),
    "il": frozenset({"le", "un", "du", "au", "mon", "notre", "ce", "cet", "l"}),
    "elle": frozenset({"la", "une", "ma", "notre", "cette", "l"}),
    "él": frozenset({"el", "un", "del", "al", "mi", "este", "nuestro"}),
    "ella": frozenset({"la", "una", "mi", "esta", "nuestra"}),
}
# How somebody who speaks of themselves begins a sentence, with a capital that names nobody.
_SPEAKING = frozenset(
    """
    i i'm i've i'll we ich wir je j'ai j'y j nous on voy he quiero tengo puedo estoy soy necesito hemos vamos creo
    """.split()  # noqa: SIM905 - a list of words reads better than one of strings
)
_MONTHS_AND_DAYS = re.compile(
    r"(?i)(?:mon|tues|wednes|thurs|fri|satur|sun)days?|january|february|march|april|may|june|july|august|september|october"
    r"|november|december"
)


def is_of_a_person(word: str) -> bool:
    """Whether a pronoun, folded, is one of a person in a language of which more is known than its pronouns."""
    return word in _ENGLISH or word in _ARTICLES


def may_mean(word: str, said: Iterable[str]) -> bool:
    """Whether a pronoun of a person can mean somebody, or a thing of its gender, of whom these texts speak."""
    return any(_is_spoken_of(word, text) for text in said)


def _is_spoken_of(word: str, text: str) -> bool:
    forms = {form_of(each) for each in words_of(spread(text).replace("l'", "l ").replace("l’", "l "))}
    if not forms.isdisjoint(_ARTICLES.get(word, ())) or not forms.isdisjoint(_ENGLISH):
        return True
    plain = text
    for name, _ in names_in(text):
        # "Brother HL-L2350DW" is no brother.
        plain = plain.replace(name, " ") if any(c.isdigit() for c in name) else plain
    return PERSON_NOUN.search(plain) is not None or any(_may_be_a_person(name) for name in _names(text))


def _names(text: str) -> Iterator[str]:
    """Capitals, and in German, where every noun has one, only those that open a sentence."""
    is_german = tongue_of(text) == "de"
    for name, is_sure in names_in(text):
        if not is_german or not is_sure:
            yield name


def _may_be_a_person(name: str) -> bool:
    """A name that holds a code is a thing's: "Brother HL-L2350DW"."""
    words = [bare(found.group()) for found in TOKEN.finditer(name)]
    return not any(c.isdigit() for c in name) and any(
        not is_little(form_of(word))
        and form_of(word) not in _SPEAKING
        and form_of(word) not in word_list("light")
        and form_of(word) not in word_list("talk")
        and not _MONTHS_AND_DAYS.fullmatch(word)
        for word in words
    )
