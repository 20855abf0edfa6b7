"""Classification of a block's LLVM IR lines by their use of lanes and of the wave's memory."""

from __future__ import annotations

import enum
import re
from collections.abc import Sequence
from dataclasses import dataclass

from lanemap.emulator.codegen.values import BITS


class Kind(enum.Enum):
    """How the loops over strips of lanes treat a line."""

    LANES = enum.auto()  #: computes in every lane from the same lane of its operands
    LOAD = enum.auto()  #: every lane's element from a row or slot of the wave
    STORE = enum.auto()  #: and to one
    BROADCAST = enum.auto()  #: a uniform value in every lane
    BALLOT = enum.auto()  #: an i1 of every lane to a mask
    UNPACK = enum.auto()  #: a mask to an i1 of every lane
    EXTRACT = enum.auto()  #: one lane's element
    PURE = enum.auto()  #: computes a uniform value
    READ = enum.auto()  #: a uniform value from the wave
    WRITE = enum.auto()  #: and to it
    FENCE = enum.auto()  #: anything else: stays where it is, as it is


@dataclass(slots=True)
class Line:
    """A line; `element` is the type of an element of its result if that is of every lane.

    `source` is the operand of a BROADCAST, BALLOT, UNPACK or EXTRACT, `lane` the second one of an
    EXTRACT. Accesses touch `size` bytes of the wave from `offset`, `step` for a lane. `needs` are
    the names that it uses; for a broadcast or unpacked mask, what that is made of.
    """

    text: str
    kind: Kind
    name: str = ""
    element: str = ""
    uses: Sequence[str] = ()
    source: str = ""
    lane: str = ""
    offset: int = 0
    size: int = 0
    step: int = 0
    needs: Sequence[str] = ()


_ARITHMETIC = frozenset(
    "add sub mul udiv sdiv urem srem and or xor shl lshr ashr fadd fsub fmul fdiv frem fneg icmp "
    "fcmp select zext sext trunc fpext fptrunc sitofp uitofp fptosi fptoui bitcast freeze".split()
)
_CASTS = frozenset("zext sext trunc fpext fptrunc sitofp uitofp fptosi fptoui bitcast".split())
_NAME = re.compile(r"%[\w.]+")
_VECTOR = re.compile(r"<(\d+) x (\w+)>")
_POINTER = re.compile(r"getelementptr i8, ptr %w, i64 (\d+)$")
_LOAD = re.compile(r"load (<\d+ x \w+>|\w+), ptr (%[\w.]+)")
_STORE = re.compile(r"store (<\d+ x \w+>|\w+) .*, ptr (%[\w.]+)(?:, align \d+)?$")
_HEAD = re.compile(r"insertelement <\d+ x (\w+)> poison, \w+ (\S+), i32 0$")
_SPLAT = re.compile(r"shufflevector <\d+ x \w+> (%[\w.]+), .* zeroinitializer$")
_MASK = re.compile(r"bitcast (<\d+ x i1>|i\d+) (.+) to (<\d+ x i1>|i\d+)$")
_EXTRACT = re.compile(r"extractelement <\d+ x (\w+)> (%[\w.]+), (\w+ \S+)$")


def bytes_of(kind: str) -> int:
    """Bytes of an element of a type in memory."""
    return 8 if kind == "ptr" else (int(kind[1:]) if kind[0] == "i" else BITS[kind]) + 7 >> 3


class Reader:
    """Reads the lines of one function whose vectors have `lanes` elements."""

    def __init__(self, lanes: int) -> None:
        """Nothing has been read."""
        self._lanes = lanes
        #: Byte offset in the wave of every pointer.
        self.pointers: dict[str, int] = {}
        self._heads: dict[str, tuple[str, str]] = {}
        self._ballots: dict[str, str] = {}
        #: Values that are another one by another name.
        self.aliases: dict[str, str] = {}
        self._computed: dict[str, str] = {}

    def read(self, lines: Sequence[str]) -> list[Line]:
        """All lines but those that name a pointer, begin a broadcast or make what nothing uses."""
        found = (self._line(text) for text in lines)
        read = [line for line in found if line is not None and not self._again(line)]
        needed: set[str] = set()
        kept = []
        for line in reversed(read):
            if line.name in needed or not line.name or line.kind is Kind.FENCE:
                needed.update(line.uses)
                kept.append(line)
        kept.reverse()
        return kept

    def _again(self, line: Line) -> bool:
        """Whether an equal line came before; if so, drop this one and alias its result."""
        if line.kind not in (Kind.LANES, Kind.PURE, Kind.UNPACK, Kind.BROADCAST):
            return False
        what = line.text.partition(" = ")[2]
        if line.kind is Kind.BROADCAST:
            what = f"{line.element} {line.source}"
        elif self.aliases:
            what = self.renamed(what)
        known = self._computed.setdefault(what, line.name)
        if known != line.name:
            self.aliases[line.name] = known
        return known != line.name

    def renamed(self, text: str) -> str:
        """The text with the names that aliases stand for."""
        return _NAME.sub(lambda match: self.aliases.get(match[0], match[0]), text)

    def _line(self, text: str) -> Line | None:
        name, equals, rest = text.partition(" = ")
        if not equals or name[0] != "%":
            return self._without_result(text)
        word = rest.partition(" ")[0]
        if word == "getelementptr":
            place = _POINTER.match(rest)
            if place is not None:
                self.pointers[name] = int(place[1])
                return None
        if "<" not in rest:
            return self._uniform(text, name, word, rest)
        if word == "insertelement":
            head = _HEAD.match(rest)
            if head is not None:
                self._heads[name] = head[1], head[2]
                return None
        if word == "shufflevector":
            splat = _SPLAT.match(rest)
            if splat is not None and splat[1] in self._heads:
                element, source = self._heads[splat[1]]
                source = self.aliases.get(source, source)
                return Line(text, Kind.BROADCAST, name, element, _NAME.findall(source), source)
        if word == "extractelement":
            one = _EXTRACT.match(rest)
            if one is not None:
                uses = self._used(rest)
                source = self.aliases.get(one[2], one[2])
                return Line(text, Kind.EXTRACT, name, "", uses, source, self.renamed(one[3]))
        return self._vector(text, name, word, rest)

    def _used(self, text: str) -> list[str]:
        aliases = self.aliases
        return [aliases.get(name, name) for name in _NAME.findall(text)]

    def _uniform(self, text: str, name: str, word: str, rest: str) -> Line:
        uses = self._used(rest)
        if word in _ARITHMETIC or (word == "call" and " @llvm." in rest):
            return Line(text, Kind.PURE, name, "", uses)
        if word == "load":
            place = _LOAD.match(rest)
            if place is not None and place[2] in self.pointers:
                return Line(
                    text,
                    Kind.READ,
                    name,
                    "",
                    uses,
                    offset=self.pointers[place[2]],
                    size=bytes_of(place[1]),
                )
        return Line(text, Kind.FENCE, name, "", uses)

    def _without_result(self, text: str) -> Line:
        uses = self._used(text)
        place = _STORE.match(text)
        if place is None or place[2] not in self.pointers:
            return Line(text, Kind.FENCE, uses=uses)
        offset = self.pointers[place[2]]
        vector = _VECTOR.match(place[1])
        if vector is None:
            return Line(text, Kind.WRITE, uses=uses, offset=offset, size=bytes_of(place[1]))
        if vector[2] == "i1" or int(vector[1]) != self._lanes:
            return Line(text, Kind.FENCE, uses=uses)
        step = bytes_of(vector[2])
        return Line(text, Kind.STORE, uses=uses, offset=offset, size=step * self._lanes, step=step)

    def _vector(self, text: str, name: str, word: str, rest: str) -> Line | None:
        uses = self._used(rest)
        types = _VECTOR.findall(rest)
        element = types[0][1] if types else ""
        alike = bool(types) and all(int(count) == self._lanes for count, _ in types)
        if word == "bitcast":
            mask = _MASK.match(rest)
            if mask is not None and (mask[1][0] == "i" or mask[3][0] == "i"):
                return self._mask(text, name, mask[2], mask[3][0] == "i", uses)
        if word == "load" and alike and element != "i1":
            place = _LOAD.match(rest)
            if place is not None and place[2] in self.pointers:
                step = bytes_of(element)
                return Line(
                    text,
                    Kind.LOAD,
                    name,
                    element,
                    uses,
                    offset=self.pointers[place[2]],
                    size=step * self._lanes,
                    step=step,
                )
        if word in _CASTS or word == "select":
            alike = alike and rest.rstrip().endswith(">") if word in _CASTS else alike
            element = types[-1][1] if types else ""
        if word in ("icmp", "fcmp"):
            element = "i1"
        if alike and (
            word in _ARITHMETIC
            or (
                word == "call"
                and " @llvm." in rest
                and rest.startswith("call <")
                and "llvm.masked." not in rest
            )
        ):
            return Line(text, Kind.LANES, name, element, uses)
        made = rest.rpartition(" to ")[2] if word in _CASTS else rest.split(" ", 1)[1]
        whole = made.startswith("<") and word != "extractelement"
        element = types[0][1] if types and whole else ""
        return Line(text, Kind.FENCE, name, element, uses)

    def _mask(
        self, text: str, name: str, source: str, to_mask: bool, uses: list[str]
    ) -> Line | None:
        source = self.aliases.get(source, source)
        if to_mask:
            self._ballots[name] = source
            return Line(text, Kind.BALLOT, name, "", uses, source)
        if source in self._ballots:
            self.aliases[name] = self._ballots[source]
            return None
        return Line(text, Kind.UNPACK, name, "i1", uses, source)
