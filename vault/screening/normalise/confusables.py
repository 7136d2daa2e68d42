"""Letters of other scripts that look Latin, folded where a word mixes scripts."""

from __future__ import annotations

import re

_LOOK_ALIKES = (
    # Cyrillic
    ("авеѕіјкмнорстухґԁһԛѡԝҽӏѵүʟ", "abesijkmhopctyxgdhqwwelvyl"),
    ("АВЕЅІЈКМНОРСТУХԌԀҺԚԜҮ", "ABESIJKMHOPCTYXGDHQWY"),
    ("пгзб", "nr3b"),
    # Greek
    ("αβεηικνορτυχωγςϲϳ", "abenikvoptuxwyccj"),
    ("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧϹ", "ABEZHIKMNOPTYXC"),
    # Armenian, Cherokee, Latin letters that only look like the plain ones
    ("օսոհցյզաե", "ounhgjqwt"),
    ("ᎪᏴᏟᎠᎬᎻᎥᎫᏦᏞᎷᏢᎡᏚᎢᏙᏔᎩᏃ", "ABCDEHiJKLMPRSTVWYZ"),
    ("ɑɡıɩȷʀʙɢɴʜɪʏᴀᴄᴅᴇꜰᴊᴋᴍᴏᴘꞯꜱᴛᴜᴠᴡᴢ", "agiijrbgnhiyacdefjkmopqstuvwz"),
    ("øđħłŧ", "odhlt"),
)
CONFUSABLE = {
    ord(odd): plain for odds, plains in _LOOK_ALIKES for odd, plain in zip(odds, plains, strict=True)
}
# Small capitals and the like are Latin already: a word of nothing else is folded all the same.
_LATIN_FORMS = re.compile("[ɑɡɩʀʙɢɴʜɪʏᴀᴄᴅᴇꜰᴊᴋᴍᴏᴘꞯꜱᴛᴜᴠᴡᴢ]{2}")
_WORD = re.compile(r"\w+")
_LATIN = re.compile("[a-zA-Z]")
# Latin letters with a stroke are honest spelling in their own languages.
_HONEST = frozenset(map(ord, "øđħłŧı"))
# A unit or a symbol mixes scripts too ("μm"); a word of four letters does not.
MIN_WORD_LETTERS = 4


def fold_confusables(text: str) -> tuple[str, int]:
    """Fold look-alike letters, one for one; also says how many mixed words of four letters there were."""
    if text.isascii():
        return text, 0
    latin = len(_LATIN.findall(text))
    mostly_latin = 2 * latin > sum(map(str.isalpha, text))
    mixed_words = 0

    def fold(match: re.Match[str]) -> str:
        nonlocal mixed_words
        word = match.group()
        if word.isascii():
            return word
        odd = [ord(each) for each in word if ord(each) in CONFUSABLE]
        if not odd or not _should_fold(word, len(odd), mostly_latin):
            return word
        if len(word) >= MIN_WORD_LETTERS and any(each not in _HONEST for each in odd):
            mixed_words += 1
        return word.translate(CONFUSABLE)

    return _WORD.sub(fold, text), mixed_words


def _should_fold(word: str, odd: int, mostly_latin: bool) -> bool:
    if _LATIN.search(word) or _LATIN_FORMS.search(word):
        return True
    # A lone look-alike word stands for a Latin one only among Latin words.
    return mostly_latin and odd == sum(map(str.isalpha, word))
