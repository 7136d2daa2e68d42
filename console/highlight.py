"""Findings in a text, for the eye: which stretch carries which, and what is invisible said out loud. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from vault.screening.normalise import reveal
from vault.types import Category, Finding

# Letter and name, so that no meaning hangs on colour.
LETTERS: Mapping[Category, str] = {
    Category.SECRET: "S",
    Category.PII: "P",
    Category.SENSITIVE: "N",
    Category.INJECTION: "I",
    Category.CARRIER: "H",
    Category.RULE: "R",
    Category.FAILURE: "F",
}
NAMES: Mapping[Category, str] = {
    Category.SECRET: "Secret",
    Category.PII: "Personal data",
    Category.SENSITIVE: "Sensitive category",
    Category.INJECTION: "Looks like an instruction",
    Category.RULE: "Met by a rule of staff",
    Category.CARRIER: "Hidden characters",
    Category.FAILURE: "Screening did not finish",
}


@dataclass(frozen=True, slots=True)
class Said:
    """One detector's word on a finding: how sure it is, and what policy made of it."""

    percent: int
    action: str
    detector: str

    @classmethod
    def of(cls, finding: Finding) -> Said:
        return cls(round(finding.score * 100), finding.action.value, finding.detector)


@dataclass(frozen=True, slots=True)
class Marked:
    """One finding with the mark that stands for it on the page: a letter and a number, "P2".

    `others` are of the same type at the same place, by another detector or in another reading, the gravest first.
    """

    mark: str
    finding: Finding
    others: tuple[Finding, ...] = ()

    @property
    def name(self) -> str:
        return NAMES[self.finding.category]

    @property
    def category(self) -> str:
        return self.finding.category.value

    @property
    def said(self) -> tuple[Said, ...]:
        """What each detector said, once."""
        said = (Said.of(finding) for finding in (self.finding, *self.others))
        return tuple(dict.fromkeys(said))

    @property
    def covers_all(self) -> bool:
        """Whether it speaks of the field as a whole and points at no stretch of it."""
        return self.finding.end <= self.finding.start


@dataclass(frozen=True, slots=True)
class Stretch:
    """A piece of text under the same findings, none for plain text; `text` is as a reviewer must see it."""

    text: str
    marks: tuple[Marked, ...] = ()
    starts: tuple[Marked, ...] = ()

    @property
    def category(self) -> str:
        return self.marks[0].category if self.marks else ""

    @property
    def title(self) -> str:
        return "; ".join(f"{marked.mark} {marked.name}: {marked.finding.type}" for marked in self.marks)


@dataclass(frozen=True, slots=True)
class FieldView:
    """One string field of a draft, cut into stretches; `pointer` is its JSON pointer."""

    pointer: str
    stretches: tuple[Stretch, ...]
    marks: tuple[Marked, ...]


def number_findings(findings: Iterable[Finding]) -> tuple[Marked, ...]:
    """Give each finding its mark, counted per letter in the order of fields and places.

    Those of one type at one place are one to the eye, and share a mark.
    """
    counts: dict[str, int] = {}
    marked = []
    for first, *others in _by_place(findings):
        letter = LETTERS[first.category]
        counts[letter] = counts.get(letter, 0) + 1
        marked.append(Marked(f"{letter}{counts[letter]}", first, tuple(others)))
    return tuple(marked)


def _by_place(findings: Iterable[Finding]) -> list[list[Finding]]:
    """The findings in the order of the page, in groups of one type at one place, in each the gravest first."""
    groups: dict[tuple[object, ...], list[Finding]] = {}
    for finding in sorted(findings, key=lambda f: (f.pointer != "/text", f.pointer, f.start, f.end)):
        place = (finding.pointer, finding.start, finding.end, finding.category, finding.type)
        groups.setdefault(place, []).append(finding)
    return [sorted(group, key=lambda f: (f.action.rank, f.score), reverse=True) for group in groups.values()]


def cut(text: str, marked: Sequence[Marked]) -> tuple[Stretch, ...]:
    """Cut a text at the borders of its findings.

    Offsets count code points, as Python's do; what lies outside of the text is clipped to it.
    """
    spans = [(max(0, m.finding.start), min(len(text), m.finding.end), m) for m in marked]
    spans = [(start, end, m) for start, end, m in spans if start < end]
    borders = sorted({0, len(text), *(s for s, _, _ in spans), *(e for _, e, _ in spans)})
    stretches = []
    for start, end in pairwise(borders):
        over = tuple(m for s, e, m in spans if s <= start and end <= e)
        begun = tuple(m for s, _, m in spans if s == start)
        stretches.append(Stretch(reveal(text[start:end]), over, begun))
    return tuple(stretches)


def view_fields(fields: Mapping[str, str], findings: Iterable[Finding]) -> tuple[FieldView, ...]:
    """Every field with its findings marked; findings of fields that are not there stay with none."""
    marked = number_findings(findings)
    views = []
    for pointer, text in fields.items():
        own = tuple(m for m in marked if m.finding.pointer == pointer)
        views.append(FieldView(pointer, cut(text, own), own))
    return tuple(views)
