"""Ways to carry a text past a reader's eye, for the tests of the normaliser and the filter."""

from __future__ import annotations

import base64
import codecs
import html
import quopri
from collections.abc import Callable
from urllib.parse import quote

LOOK_ALIKES = str.maketrans("aceopxyi", "асеорхуі")
LEET = str.maketrans("aeiost", "43105" + "7")


def tags(text: str) -> str:
    return "Likes tea." + "".join(chr(0xE0000 + ord(each)) for each in text if ord(each) < 0x7F)


def selectors(text: str) -> str:
    def selector(byte: int) -> str:
        return chr(0xFE00 + byte) if byte < 16 else chr(0xE0100 + byte - 16)

    return "Likes tea \U0001f600" + "".join(map(selector, text.encode()))


def spaced(text: str) -> str:
    return "   ".join(" ".join(word) for word in text.split())


def mixed_case(text: str) -> str:
    return "".join(each.upper() if at % 2 else each.lower() for at, each in enumerate(text))


def quoted_printable(text: str) -> str:
    return "".join(f"={byte:02X}" for byte in text.encode())


CARRIERS: dict[str, Callable[[str], str]] = {
    "zero_width": "\u200b".join,
    "tags": tags,
    "variation_selectors": selectors,
    "bidi": lambda text: f"\u202e{text[::-1]}\u202c",
    "homoglyph": lambda text: text.translate(LOOK_ALIKES),
    "base64": lambda text: base64.b64encode(text.encode()).decode(),
    "hex": lambda text: text.encode().hex(),
    "base32": lambda text: base64.b32encode(text.encode()).decode(),
    "url": lambda text: "".join(f"%{byte:02X}" for byte in text.encode()),
    "url_minimal": quote,
    "entities": lambda text: "".join(f"&#{ord(each)};" for each in text),
    "entities_minimal": lambda text: html.escape(text).replace(" ", "&nbsp;"),
    "quoted_printable": quoted_printable,
    "quoted_printable_minimal": lambda text: quopri.encodestring(text.encode(), quotetabs=True).decode(),
    "rot13": lambda text: codecs.encode(text, "rot13"),
    "leet": lambda text: text.translate(LEET),
    "spaced": spaced,
    "spaced_evenly": " ".join,
    "html_comment": lambda text: f"<p>Opening hours are nine to five.</p><!-- {text} -->",
    "hidden_element": lambda text: f'<p>Nine to five.</p><span style="display:none">{text}</span>',
    "link_title": lambda text: f'[hours](https://shop.example/hours "{text}")',
    "markdown_image": lambda text: f"![{text}](https://shop.example/pixel.png)",
    "mixed_case": mixed_case,
    "full_width": lambda text: "".join(chr(ord(e) + 0xFEE0) if "!" <= e <= "~" else e for e in text),
    "reversed": lambda text: text[::-1],
    "joined": lambda text: text.replace(" ", ""),
}
