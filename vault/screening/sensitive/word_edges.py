"""Where a word ends, script by script: a term inside another word is another word.

Scripts without spaces give no edge to look at. Of those with spaces, some write small words onto the next one: a term
counts with those around it, and with nothing else.
"""

from __future__ import annotations

import re
import unicodedata

# Han, hiragana, Thai, Lao, Burmese and Khmer part no words. Katakana does, as it stands among the others.
_WRITTEN_TOGETHER = re.compile(
    r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u309f\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]"
)
_KATAKANA = re.compile(r"[\u30a0-\u30ff]")
# What may be written before and behind a word of these scripts without making it another one.
_AROUND = (
    (
        re.compile(r"[\u0590-\u05ff]"),
        re.compile(r"[והבלכמש]{0,3}"),
        re.compile(r"(?:ים|ות|ית|ה|ת|י|ו|ם|ן|ך|נו)?"),
    ),
    (
        re.compile(r"[\u0600-\u06ff]"),
        re.compile(r"[وف]?[بلك]?(?:ال|ل)?"),
        re.compile(r"(?:[ةهيكا]|ها|هم|نا|ين|ون|ات|ان|ته|تها|تي)?[\u064b-\u0652]*"),
    ),
    (
        re.compile(r"[\uac00-\ud7af]"),
        re.compile(""),
        re.compile(
            r"(?:은|는|이|가|을|를|의|에|에서|에게|도|로|으로|와|과|만|랑|이랑|들|들은|들이|까지|부터|처럼|보다|이나|"
            r"입니다|입니까|이다|이에요|예요|이야|이고|이며|이라|라고|이라고|이라서|였다|이었다|인|이세요|세요|"
            r"됐다|되다|된|되어|하다|한|했다|했어요|해요|중|중이다|중입니다)?"
        ),
    ),
)
_LONGEST_WORD = 40


def is_whole_word(text: str, start: int, end: int, *, is_stem: bool) -> bool:
    """Whether a term found at `start` to `end` is a word there; of a stem, only the beginning counts."""
    if not text[start:end].isascii():
        if _WRITTEN_TOGETHER.match(text[start]):
            return True
        for script, before, behind in _AROUND:
            if script.match(text[start]):
                left, right = _rest(text, start, end)
                return bool(before.fullmatch(left)) and (is_stem or bool(behind.fullmatch(right)))
        if _KATAKANA.match(text[start]):
            return not (_KATAKANA.match(text[start - 1 : start]) or _KATAKANA.match(text[end : end + 1]))
    inside_left = _goes_on(text[start - 1 : start]) and _goes_on(text[start])
    inside_right = not is_stem and _goes_on(text[end : end + 1]) and _goes_on(text[end - 1])
    return not (inside_left or inside_right)


def _goes_on(character: str) -> bool:
    """Letters, digits, and the marks that stand on letters: an Indian vowel sign belongs to its word."""
    return bool(character) and (character.isalnum() or unicodedata.category(character).startswith("M"))


def _rest(text: str, start: int, end: int) -> tuple[str, str]:
    """What of the word stands before and behind."""
    first, last = start, end
    while first > 0 and start - first < _LONGEST_WORD and _goes_on(text[first - 1]):
        first -= 1
    while last < len(text) and last - end < _LONGEST_WORD and _goes_on(text[last]):
        last += 1
    return text[first:start], text[end:last]
