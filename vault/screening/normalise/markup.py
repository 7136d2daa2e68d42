"""What markup holds but does not show: comments, hidden elements, attributes, link titles."""

from __future__ import annotations

import re

import re2

# re2 because an unclosed comment or tag, repeated, makes a backtracking matcher quadratic.
_COMMENT = re2.compile(r"(?s)<!--?(.*?)(?:--\s*>|$)|<!\s+--?(.*?)(?:--\s*>|$)|/\*(.*?)\*/")
_MARKDOWN_COMMENT = re2.compile(r"(?m)^\[[^\]\n]*\]:\s*(?:<>|#)\s*[(\"']([^\n]*)[)\"']\s*$")
_TAG = re2.compile(r"(?s)<(/?)([a-zA-Z][a-zA-Z0-9:-]*)((?:\s[^<>]*)?)>")
_ATTRIBUTE = re2.compile(
    r"""(?is)\b(?:title|alt|content|placeholder|summary|label|value|aria-[a-z]+|data-[a-z-]+)\s*=\s*"""
    r"""(?:"([^"]*)"|'([^']*)')"""
)
_HIDING = re2.compile(
    r"(?i)display\s*:\s*none|visibility\s*:\s*hidden|font-size\s*:\s*[01](?:px|pt|em|rem)?\s*(?:[;\"']|$)"
    r"|opacity\s*:\s*0(?:\.0+)?\s*(?:[;\"']|$)|(?:^|[\s;\"'])color\s*:\s*(?:#fff(?:fff)?\b|white|transparent)"
    r"|(?:left|top|text-indent)\s*:\s*-\d{3,}|(?:height|width)\s*:\s*0(?:px)?\s*(?:[;\"']|$)"
    r"|\shidden(?:[\s=]|$)|aria-hidden\s*=\s*[\"']?true|type\s*=\s*[\"']?hidden"
)
_LINK_TITLE = re2.compile(r"\]\(\s*<?[^\s()<>]*>?\s+(?:\"([^\"\n]*)\"|'([^'\n]*)'|\(([^()\n]*)\))\s*\)")
_REFERENCE = re2.compile(r"(?m)^\s*\[[^\]\n]+\]:\s*\S+\s+[\"'(]([^\n]*)[\"')]\s*$")
_IMAGE = re2.compile(r"!\[([^\]\n]*)\]\(([^()\n]*)\)")

MIN_ATTRIBUTE_WORDS = 3


def comments(text: str) -> str:
    """Comments of HTML, CSS and markdown, one on a line."""
    if "<!" not in text and "/*" not in text and "]:" not in text:
        return ""
    found = [_first(match) for match in _COMMENT.finditer(text)]
    found += [_first(match) for match in _MARKDOWN_COMMENT.finditer(text)]
    return "\n".join(each for each in found if each)


def hidden_elements(text: str) -> str:
    """Text of elements that a style or an attribute keeps from view."""
    if "<" not in text:
        return ""
    found: list[str] = []
    open_since, element, depth = -1, "", 0
    for match in _TAG.finditer(text):
        closing, name, attributes = match.group(1), match.group(2).lower(), match.group(3)
        if open_since < 0:
            if not closing and _HIDING.search(attributes):
                open_since, element, depth = match.end(), name, 1
        elif name == element:
            depth += -1 if closing else 1
            if depth == 0:
                found.append(text[open_since : match.start()])
                open_since = -1
    if open_since >= 0:  # never closed: a browser hides the rest
        found.append(text[open_since:])
    return "\n".join(strip_tags(each).strip() for each in found)


def titles(text: str) -> str:
    """Titles of links and images, and attribute values that are sentences."""
    found: list[str] = []
    if "](" in text:
        found += [_first(match) for match in _LINK_TITLE.finditer(text)]
        found += [match.group(1) for match in _IMAGE.finditer(text)]
    if "]:" in text:
        found += [_first(match) for match in _REFERENCE.finditer(text)]
    if "=" in text and "<" in text:
        attributes = (
            _first(match) for tag in _TAG.finditer(text) for match in _ATTRIBUTE.finditer(tag.group(3))
        )
        found += [each for each in attributes if len(each.split()) >= MIN_ATTRIBUTE_WORDS]
    return "\n".join(each for each in found if each)


def strip_tags(text: str) -> str:
    """The text without its tags, so that a tag inside a word does not split it."""
    return str(_TAG.sub("", text)) if "<" in text else text


def _first(match: re.Match[str]) -> str:
    return next((group.strip() for group in match.groups() if group), "")
