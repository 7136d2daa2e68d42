"""Where a statement's subject ends and what is said of it begins, found by common verbs and not by a parser."""

from __future__ import annotations

from collections.abc import Sequence

from vault.writing.reconciling.stemming import stem

AUXILIARIES = frozenset(
    (
        "is are was were be been isn aren wasn weren has have had hasn haven hadn does do did doesn don didn "
        "will would shall should can could may might must cannot won wouldn shouldn couldn mustn needn shan 's "
        "ist sind war waren hat haben wird werden möchte möchten kann können muss müssen soll darf "
        "wurde wurden est sont était a ont avait sera peut doit es son era está están ha han tiene puede debe fue "
        "ne hai hain tha thi है हैं था थी थे は が"
    ).split()
)
_VERBS = (
    "accept add agree allow answer appear apply approve arrange arrive ask assign attend avoid become begin believe belong "
    "book borrow bring build buy call cancel care carry change charge check choose clean close collect come commute complain "
    "complete confirm contain continue cook cost count cover cut deal decide decline deliver depart depend deploy descale "
    "dislike drink drive earn eat employ end enjoy ensure enter expect expense expire explain export fail feel fetch file find "
    "finish fit fix fly follow forget forward freeze get give go grow handle hate hear help hold hope import include increase "
    "insist install invite join keep know last lead learn leave let like listen live locate look lose love make manage mean "
    "measure meet merge mind miss mix move need offer open order own park pass pay pick plan play post prefer prepare print "
    "process produce promise provide publish put raise reach read receive recommend refill refuse register reject remain "
    "remember remind rent reopen repair replace reply report request require reserve reside resign respond return ride ring "
    "rotate run save say see sell send serve set share ship show shut sign sing sit sleep smoke speak spend stand start stay "
    "steal stock stop store study subscribe suffer suggest support switch take talk teach tell test think tolerate train "
    "travel treat try turn understand unload update use visit wait wake walk want warm wash watch wear weigh wish work write "
    "house dock land roast brew bake grow supply employ host attend enrol follow mentor coach lend donate collect celebrate volunteer"
).split()
VERBS = frozenset(stem(verb) for verb in _VERBS)

_REPORTING = frozenset(stem(verb) for verb in "say tell write note state explain confirm show".split())
_CLAUSE_OPENERS = frozenset("the a an he she it they we i you his her their my our".split())


def head_of(words: Sequence[str], *, begins_with_a_noun: bool) -> int | None:
    """The place of the first finite verb of a clause, 0 where it begins with one; None where none is found.

    `words` are folded; names, codes and values stand as empty strings.
    """
    for place, word in enumerate(words):
        if place == 0 and begins_with_a_noun:
            continue
        if word and _is_verb(word, first=place == 0):
            # "The form says that ...": what is reported has a subject of its own.
            return 0 if stem(word) in _REPORTING else place
    # A verb that the list lacks: the third person shows it, unless it is a plural.
    for place in range(2, len(words) - 1):
        word, after = words[place], words[place + 1]
        if len(word) > 4 and word.endswith("s") and not word.endswith("ss") and after in _CLAUSE_OPENERS:
            return place
    return None


def _is_verb(word: str, *, first: bool) -> bool:
    if word in AUXILIARIES:
        return True
    if word.endswith("ing"):
        return False
    return stem(word) in VERBS or (word.endswith("ed") and len(word) > 4 and not first)


def tells_of_the_past(words: Sequence[str]) -> bool:
    """Whether what is said, from the verb on, was done once, and so has no later value."""
    if any(word in _DONE or word.endswith(("ました", "った")) for word in words[-4:]):
        return True
    if not words or words[0] in _NOW:
        return False
    first = words[0]
    return first in _PAST_FORMS or (first.endswith("ed") and len(first) > 4)


_NOW = frozenset("has have is are ist sind hat haben est es".split())
_PAST_FORMS = frozenset(
    (
        "was were did had went paid sold left gave held took kept met said told bought got sent made came saw spoke rang "
        "drove chose knew wore ate drank wrote ran began broke flew slept spent taught lost led built felt found brought "
        "caught fell forgot grew won rose stood stole threw swam sang rode sat withdrew understood became "
        "war waren wurde wurden kam kamen ging gingen kaufte gab nahm rief fuhr schrieb fue fueron compró pagó llegó"
    ).split()
)
# The verb stands last in Hindi; these end what was done.
_DONE = frozenset("kiya kiye kiyi diya diye gaya gaye gayi liya liye किया किए दिया दिए गया गए गई लिया".split())
