"""Findings: what the hazards of one fault become, as a person meets it."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from lanemap.emulator.api import Access, Hazard

#: A line: the file's path, and the number from 1.
Place = tuple[str, int]

OUT_OF_BOUNDS = "out-of-bounds"
_MOST_PLACES = 6  # that a sentence names


@dataclass(frozen=True)
class Finding:
    """One fault: the hazards of one cause that a single correction would mend.

    Attributes:
        hazards: In the order in which they were met.
    """

    hazards: tuple[Hazard, ...]

    @property
    def first(self) -> Hazard:
        """The hazard that was met first, which stands for the others."""
        return self.hazards[0]

    @property
    def kind(self) -> str:
        """Such as "out-of-bounds", which an address in another array than its argument's is too."""
        return OUT_OF_BOUNDS if self.first.facts.strayed else self.first.kind

    @property
    def cause(self) -> str:
        """The cause: what is missing or wrong."""
        return self.first.facts.cause or self.kind

    @property
    def met(self) -> int:
        """How often the fault was met."""
        return sum(hazard.count for hazard in self.hazards)

    def message(self, whole: bool = False) -> str:
        """Say where the fault is, what it is and how often it was met.

        Args:
            whole: Write instructions with their operands.
        """
        first = self.first
        parts = [_place_text(first.file, first.line, first.facts.places)]
        if first.instruction:
            parts.append(f"`{_instruction(first) if whole else first.opcode}`")
        parts.append(first.sentence if whole else first.brief)
        return "; ".join([": ".join(part for part in parts if part), *self._more()])

    def _more(self) -> Iterator[str]:
        """Say at which other lines it was met, and how often."""
        lines = sorted(self._lines(self.hazards) - self._lines((self.first,)))
        if lines:
            yield f"also at {lines_text(lines)}"
        if self.met > 1:
            yield f"met {self.met} times"

    def _lines(self, hazards: Sequence[Hazard]) -> set[int]:
        """Return the lines of both sides of hazards; not of those that follow from others."""
        own = [hazard for hazard in hazards if hazard.facts.cause == self.first.facts.cause]
        others = {hazard.facts.other.line for hazard in own if hazard.facts.other}
        return ({hazard.line for hazard in own} | others) - {0}

    def to_json(self) -> dict[str, Any]:
        """All of it as plain values; what is not known is null."""
        first, facts = self.first, self.first.facts
        return {
            "kind": self.kind,
            "cause": self.cause,
            "message": self.message(whole=True),
            "met": self.met,
            "hazards": len(self.hazards),
            "file": first.file or None,
            "line": first.line or None,
            "lines": sorted(self._lines(self.hazards)),
            "source": [list(place) for place in facts.places],
            "instruction": _instruction(first) or None,
            "space": facts.space or None,
            "array": facts.array or None,
            "byte": facts.byte,
            "cta": first.cta,
            "warp": first.wave,
            "lane": first.lane,
            "argument": facts.argument and asdict(facts.argument),
            "other": facts.other and _side_json(facts.other),
        }


def lines_text(lines: Sequence[int]) -> str:
    """`line 3`, `lines 3, 5 and 9`; after some only how many more there are."""
    named = [str(line) for line in lines[:_MOST_PLACES]]
    left = len(lines) - len(named)
    if left:
        return f"lines {', '.join(named)} and {left} more"
    if len(named) == 1:
        return f"line {named[0]}"
    return f"lines {', '.join(named[:-1])} and {named[-1]}"


def wrapped(text: str, width: int) -> str:
    """Return a text in lines of at most `width` columns; those after the first are indented.

    Words without a space, such as a path, stay whole.
    """
    return textwrap.fill(
        text, max(width, 40), subsequent_indent="  ", break_long_words=False, break_on_hyphens=False
    )


def _place_text(file: str, line: int, places: Sequence[Place]) -> str:
    """`kernel.ptx:17 (kernel.cu:40, in copy.h:9)`: the user's line, then the library's.

    The user's line is the innermost one in the file of the kernel, where all was inlined at last.
    """
    if not line:
        return file
    own = next((place for place in places if place[0] == places[-1][0]), None)
    shown = dict.fromkeys([own, *places[:1]] if own else [])
    named = [f"{path.rpartition('/')[2]}:{number}" for path, number in shown]
    return f"{file}:{line}" + (f" ({', in '.join(named)})" if named else "")


def _instruction(side: Hazard | Access) -> str:
    """Return the instruction without the source line that front ends write behind it."""
    return side.instruction.partition(" // ")[0]


def _side_json(side: Access) -> dict[str, Any]:
    return {
        "line": side.line or None,
        "source": [list(place) for place in side.places],
        "instruction": _instruction(side) or None,
        "did": side.did,
        "cta": side.cta,
        "warp": side.wave,
        "lane": side.lane,
        "argument": side.argument and asdict(side.argument),
    }


# -- which hazards are of one fault --------------------------------------------------------------
def findings_of(hazards: Sequence[Hazard]) -> tuple[Finding, ...]:
    """Return the faults behind hazards: out-of-bounds accesses first, then in the order met.

    Hazards are of one fault if they have the same cause and name the same source line, here or as
    their other side, or if one wait or barrier between two lines of the text would mend all. So are
    a race and the undefined bits that it left.
    """
    groups: dict[int, list[Hazard]] = {}
    for number, root in enumerate(_joined(hazards)):
        groups.setdefault(root, []).append(hazards[number])
    found = [Finding(tuple(sorted(group, key=_rank))) for group in groups.values()]
    return tuple(sorted(found, key=lambda finding: _rank(finding.first)))


def _rank(hazard: Hazard) -> int:
    """Return what comes first: an address outside all arrays, one in a wrong array, the rest."""
    if hazard.kind == OUT_OF_BOUNDS:
        return 0
    return 1 if hazard.facts.strayed else 2


def _joined(hazards: Sequence[Hazard]) -> list[int]:
    """Return for each hazard the number of the first one of its fault."""
    roots = list(range(len(hazards)))

    def root(number: int) -> int:
        while roots[number] != number:
            number = roots[number]
        return number

    def join(a: int, b: int) -> None:
        low, high = sorted((root(a), root(b)))
        roots[high] = low

    first: dict[object, int] = {}
    for number, hazard in enumerate(hazards):
        for key in _keys(hazard):
            join(first.setdefault(key, number), number)
    reads = {(h.file, h.line): number for number, h in enumerate(hazards) if h.kind == "order"}
    for number, hazard in enumerate(hazards):
        if (read := (hazard.file, hazard.facts.raced)) in reads:
            join(reads[read], number)
    for group in _mended_together(hazards):
        for number in group[1:]:
            join(group[0], number)
    return [root(number) for number in range(len(hazards))]


def _keys(hazard: Hazard) -> Iterator[tuple[object, ...]]:
    """Yield what hazards of one fault share: cause and a line."""
    facts, cause = hazard.facts, hazard.facts.cause or hazard.kind
    here: object = facts.places or hazard.line
    there: object = facts.other and (facts.other.places or facts.other.line)
    if facts.strayed:  # that address is wrong, whatever it meets
        yield cause, "here", hazard.file, here if facts.strayed == "here" else there
        return
    yield cause, "here", hazard.file, here
    if there:
        yield cause, "other", hazard.file, there
        yield cause, "both", hazard.file, frozenset((here, there))


def _mended_together(hazards: Sequence[Hazard]) -> Iterator[list[int]]:
    """Yield the hazards that a single correction between their lines would mend.

    They are those of one cause whose stretches of text, from one side to the other, have a line in
    common: the fewest corrections that mend all of them. Two sides without order may be met either
    way round; what was issued was issued before.
    """
    stretches: dict[tuple[str, str], list[tuple[int, int, int]]] = {}
    for number, hazard in enumerate(hazards):
        other = None if hazard.facts.strayed else hazard.facts.other
        if other and other.line and (other.line < hazard.line or hazard.kind == "order"):
            begin, end = sorted((other.line, hazard.line))
            cause = hazard.facts.cause, hazard.file
            stretches.setdefault(cause, []).append((end, begin, number))
    for each in stretches.values():
        group: list[int] = []
        first = 0
        for end, begin, number in sorted(each):
            if group and begin >= first:
                yield group
                group = []
            if not group:
                first = end
            group.append(number)
        yield group
