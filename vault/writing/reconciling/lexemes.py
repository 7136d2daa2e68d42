"""The pieces of a text, before their meaning: words, digits, codes, signs, and where a clause ends."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from enum import StrEnum
from typing import NamedTuple

from vault.writing.reconciling.numerals import UNITS


class Piece(StrEnum):
    WORD = "word"
    DIGITS = "digits"
    CODE = "code"
    SIGN = "sign"
    SYMBOL = "symbol"
    MASKED = "masked"
    PARTICLE = "particle"  # hiragana: the grammar between the words of Japanese
    STOP = "stop"


class Lexeme(NamedTuple):
    """`text` is folded. `capital` says that it was written with one where a sentence does not ask for one."""

    piece: Piece
    text: str
    capital: bool = False


_CJK = "\u3005\u3400-\u4dbf\u4e00-\u9fff\u30a0-\u30ff"
# Marks that Indic and Arabic scripts write on letters are part of the word, though \w leaves them out.
_LETTER = (
    rf"(?:[^\W_{_CJK}\u3040-\u309f]|[\u0300-\u036f\u064b-\u065f\u0900-\u0903\u093a-\u094f\u0981-\u0dff])+"
)
_RUN = re.compile(
    rf"""
    (?P<masked><[A-Z_]+>)
  | (?P<run>{_LETTER}(?:[-_/.,:'’@+&]*{_LETTER})*)
  | (?P<cjk>[{_CJK}]+) | (?P<kana>[\u3040-\u309f]+)
  | (?P<sign>[€$£¥₹%°])
  | (?P<symbol>[\u2190-\u2bff\U0001f000-\U0001faff])
  | (?P<stop>[.!?;:,()\n।。、])
    """,
    re.VERBOSE,
)
_HAN_PARTS = re.compile(
    r"月曜日?|火曜日?|水曜日?|木曜日?|金曜日?|土曜日?|日曜日?|[月日時分円]|[\u30a0-\u30ff]+|[^\u30a0-\u30ff]+"
)
_PLAIN_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*$|\d{4}-\d\d-\d\d$")
_GLUED = re.compile(r"(\d+(?:[.,:]\d+)*)-?([^\W\d_]+)$")
_AFTER_DIGITS = frozenset({"st", "nd", "rd", "th", "am", "pm", "a.m", "p.m", "h", "uhr"}) | frozenset(UNITS)
_SENTENCE_ENDS = frozenset(".!?:\n।。")


def lexemes(text: str, *, limit: int) -> list[Lexeme]:
    """Cut the beginning of a text into at most `limit` pieces; forms and case are folded, no letter is lost."""
    found: list[Lexeme] = []
    starts = True
    for match in _RUN.finditer(unicodedata.normalize("NFKC", text)):
        written, group = match[0], str(match.lastgroup)
        if group == "run" and written.isalpha():
            found.append(Lexeme(Piece.WORD, written.casefold(), written[0].isupper() and not starts))
        elif group == "run":
            found.extend(_from_run(written, starts=starts))
        elif group == "cjk":
            found.extend(_from_cjk(written, after_digits=bool(found) and found[-1].piece is Piece.DIGITS))
        else:
            found.append(Lexeme(_PIECES[group], written.casefold()))
        if len(found) >= limit:
            return found[:limit]
        starts = group == "stop" and written in _SENTENCE_ENDS
    return found


_PIECES = {
    "masked": Piece.MASKED,
    "kana": Piece.PARTICLE,
    "sign": Piece.SIGN,
    "symbol": Piece.SYMBOL,
    "stop": Piece.STOP,
}


def _from_run(written: str, *, starts: bool) -> Iterator[Lexeme]:
    """A run without spaces: an address, a number with what is glued to it, a code, or words."""
    folded = written.casefold().replace("’", "'")
    if "@" in folded or "//" in folded:
        yield Lexeme(Piece.CODE, folded)
    elif not any(c.isdigit() for c in folded):
        yield from _words(written, starts=starts)
    elif _PLAIN_NUMBER.match(folded):
        yield Lexeme(Piece.DIGITS, folded)
    elif (glued := _GLUED.match(folded)) and glued[2] in _AFTER_DIGITS:
        yield Lexeme(Piece.DIGITS, glued[1])
        yield Lexeme(Piece.WORD, glued[2])
    elif "/" in folded or ", " in folded or re.match(r"\d{1,2}-\d{1,2}$", folded):
        for place, part in enumerate(re.split(r"[/\-]", written)):
            if place and "/" in written:
                yield Lexeme(Piece.WORD, "per")
            yield from _from_run(part, starts=False) if part else ()
    else:
        yield Lexeme(Piece.CODE, folded.removesuffix("'s"))


_PRONOUN_IS = frozenset({"he's", "she's", "it's", "that's", "there's", "who's", "what's", "here's"})


def _words(written: str, *, starts: bool) -> Iterator[Lexeme]:
    if written.casefold().endswith("-free"):
        yield Lexeme(Piece.WORD, written.casefold())  # "sugar-free" speaks of no sugar
        return
    parts = [part for part in re.split(r"[-_/.,:&+]+", written) if part]
    for place, part in enumerate(parts):
        folded = part.casefold().replace("’", "'")
        capital = part[0].isupper() and not (starts and place == 0)
        if folded.endswith("n't") and len(folded) > len("n't"):
            stem = {"won't": "will", "can't": "can", "shan't": "shall"}.get(folded, folded[:-3])
            yield Lexeme(Piece.WORD, stem)
            yield Lexeme(Piece.WORD, "not")
        elif folded in _PRONOUN_IS:
            yield Lexeme(Piece.WORD, folded[:-2], capital)
            yield Lexeme(Piece.WORD, "is")
        elif "'" in folded and not folded.endswith("'s"):
            for half in folded.split("'"):
                yield from [Lexeme(Piece.WORD, half, capital)] if half else ()
        else:
            yield Lexeme(Piece.WORD, folded, capital)


def _from_cjk(written: str, *, after_digits: bool) -> Iterator[Lexeme]:
    for part in _HAN_PARTS.findall(written):
        yield Lexeme(Piece.WORD, part)
