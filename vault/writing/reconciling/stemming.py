"""A light stem: enough that the forms of a word meet, cheap enough to take for every neighbour of a write."""

from __future__ import annotations

from collections.abc import Mapping

_IRREGULAR_FORMS = (
    "be:is are was were been being am's|have:has had|do:does did done|go:goes went gone|pay:paid|sell:sold|"
    "give:gave given|hold:held|take:took taken|keep:kept|meet:met meeting meetings|say:said|tell:told|"
    "buy:bought|get:got gotten|send:sent|make:made|come:came|see:saw seen|speak:spoke spoken|ring:rang rung|"
    "drive:drove driven|choose:chose chosen|know:knew known|wear:wore worn|eat:ate eaten|drink:drank drunk|"
    "write:wrote written|run:ran|begin:began begun|break:broke broken|fly:flew flown|sleep:slept|spend:spent|"
    "teach:taught|lose:lost|lead:led|build:built|feel:felt|find:found|bring:brought|catch:caught|fall:fell fallen|"
    "forget:forgot forgotten|grow:grew grown|win:won|rise:rose risen|stand:stood|steal:stole stolen|throw:threw thrown|"
    "freeze:froze frozen|swim:swam swum|sing:sang sung|ride:rode ridden|sit:sat|child:children kids kid|"
    "withdraw:withdrew withdrawn|understand:understood|become:became|wife:wives|person:people|foot:feet|die:died dying|"
    "bill:bills|address:addresses|news:news|glass:glasses|bus:buses|gas:gas|this:this|status:status|always:always"
)
IRREGULAR: Mapping[str, str] = {
    form: base
    for entry in _IRREGULAR_FORMS.split("|")
    for base, forms in (entry.split(":"),)
    for form in forms.split()
}
_MIN_STEM = 3
_ARABIC_ARTICLE = "ال"


def stem(word: str) -> str:
    """The stem of a folded word; words of other scripts lose only what is glued before or after them."""
    word = word.removesuffix("'s").removesuffix("’s").rstrip("'’")
    if word in IRREGULAR:
        return _bare(IRREGULAR[word])
    if not word.isascii():
        bare = word.lstrip("وب") if len(word) > _MIN_STEM + 1 and word.startswith(("وال", "بال")) else word
        return bare.removeprefix(_ARABIC_ARTICLE) if len(bare) > _MIN_STEM + 1 else bare
    last = word[-1:]
    if last in "gd":
        for ending in ("ing", "ed"):
            if word.endswith(ending) and len(word) - len(ending) >= _MIN_STEM:
                return _bare(_undoubled(word[: -len(ending)]))
    elif last == "s" and len(word) > _MIN_STEM and not word.endswith(("ss", "us", "is")):
        for ending, instead in _PLURALS:
            if word.endswith(ending) and len(word) - len(ending) >= 2:
                return _bare(word[: -len(ending)] + instead)
        return _bare(word[:-1])
    return _bare(word)


_PLURALS = (("ies", "y"), ("sses", "ss"), ("ches", "ch"), ("shes", "sh"), ("xes", "x"))


def _undoubled(word: str) -> str:
    doubled = len(word) > _MIN_STEM and word[-1] == word[-2] and word[-1] not in "lsz"
    return word[:-1] if doubled else word


def _bare(word: str) -> str:
    return word[:-1] if len(word) > _MIN_STEM and word[-1] in "ey" else word
