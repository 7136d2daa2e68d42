"""Reads `vocabulary.txt`: sections of words, one section a use."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.resources import files


def _sections() -> Mapping[str, tuple[str, ...]]:
    found: dict[str, list[str]] = {}
    name = ""
    for line in files(__package__).joinpath("vocabulary.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            name = line.strip("[]")
            found[name] = []
        elif line and not line.startswith("#"):
            found[name].append(line)
    return {section: tuple(lines) for section, lines in found.items()}


_SECTIONS = _sections()


def entries(section: str) -> tuple[str, ...]:
    """The lines of a section; raises KeyError where there is none."""
    return _SECTIONS[section]


def words(section: str) -> frozenset[str]:
    """All words of a section, as they are written there."""
    return frozenset(" ".join(entries(section)).split())
