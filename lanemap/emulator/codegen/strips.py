"""Generated code in strips: computation on all lanes as loops over as many as a register holds.

The Builder writes every operation for all 32 or 64 lanes of a wave at once. No processor has such
vectors: LLVM takes each operation apart into eight or so, which is most of the time it needs, and
at level 0 it takes some apart into single lanes. So consecutive operations that treat all lanes
alike become the body of one loop, whose vectors a processor has; what lies between (calls of the
runtime, moves across lanes, control flow) stays as it is. A value that is used outside its own loop
is kept in the function's frame.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence

from lanemap.emulator.codegen.lines import Kind, Line, Reader, bytes_of
from lanemap.emulator.codegen.processor import Strips
from lanemap.emulator.codegen.strip_plan import Frame, Plan, Strip, kept_type

_NAME = re.compile(r"%[\w.]+")
_LITERAL = re.compile(r"<(i\d+) -?\d+(?:, \1 -?\d+)+>")


class Whole:
    """One block's function as the Builder wrote it, for LLVM to take apart."""

    frame_bytes = 0

    def __init__(self, lines: Sequence[str]) -> None:
        """Keep the lines."""
        #: The body of the function, in a basic block `begin`.
        self.lines = lines

    def declarations(self, wide: Mapping[str, str]) -> Mapping[str, str]:
        """Declarations of what the function calls."""
        return wide


class Stripped:
    """One block's function with its loops."""

    def __init__(self, lines: Sequence[str], lanes: int, strips: Strips) -> None:
        """Divide the lines of a function of `lanes` lanes."""
        self._lanes, self._strips, self._width = lanes, strips, strips.lanes
        self._reader = Reader(lanes)
        self._plan = Plan(self._reader.read(lines), self._reader.pointers)
        self._frame = Frame(self._plan, lanes)
        self._named: set[str] = set()
        self._count = 0
        self._label = "begin"  # of the basic block that a loop is entered from
        #: Constants of the module that the function needs, by name.
        self.constants: dict[str, str] = {}
        self.intrinsics: set[str] = set()
        #: The body of the function, in a basic block `begin`.
        self.lines: list[str] = []
        #: What the function's first basic block has to make room for, by name `%frame`.
        self.frame_bytes = self._frame.size
        for number, item in enumerate(self._plan.items):
            if isinstance(item, Strip):
                self._loop(item, number)
            else:
                self._as_it_is(item)

    def declarations(self, wide: Mapping[str, str]) -> dict[str, str]:
        """Declarations of what the function calls, from those of the lines it was made of."""
        found = dict(self._strips.declarations)
        for key, text in wide.items():
            for name, declaration in ((key, text), (self.narrow(key), self.narrow(text))):
                if name[0] != "@" or name in self.intrinsics:
                    found[name] = declaration
        return found | self.constants

    # -- uniform lines -----------------------------------------------------------------------------
    def _pointers(self, line: Line) -> None:
        for name in line.uses:
            offset = self._reader.pointers.get(name)
            if offset is not None and name not in self._named:
                self._named.add(name)
                self.lines.append(f"{name} = getelementptr i8, ptr %w, i64 {offset}")

    def _uniform(self, line: Line) -> None:
        if line.kind is Kind.UNPACK:
            self._put(f"i{self._lanes} {line.source}", self._frame.places[line.name])
            return
        self._pointers(line)
        text = self.rewritten(line, {})
        self.note_call(text)
        self.lines.append(text)

    def rewritten(self, line: Line, local: Mapping[str, str]) -> str:
        """The line with what `local` names in place of what it uses, else with what is the same."""
        aliases = self._reader.aliases
        if not local and not aliases:
            return line.text
        head, equals, rest = line.text.partition(" = ") if line.name else ("", "", line.text)

        def other(match: re.Match[str]) -> str:
            name = aliases.get(match[0], match[0])
            return local.get(name, name)

        return head + equals + _NAME.sub(other, rest)

    def note_call(self, text: str) -> None:
        """Remember which intrinsic a line calls."""
        start = text.find(" @llvm.") + 1
        if start:
            self.intrinsics.add(text[start : text.index("(", start)])

    def _put(self, typed: str, place: int) -> None:
        self._count += 1
        self.lines += [
            f"%f{self._count} = getelementptr i8, ptr %frame, i64 {place}",
            f"store {typed}, ptr %f{self._count}, align 8",
        ]

    def _as_it_is(self, line: Line) -> None:
        if line.kind is Kind.EXTRACT and self._extract(line):
            return
        self._pointers(line)
        local: dict[str, str] = {}
        for name in line.uses:
            if name in self._plan.made and name not in local:
                local[name] = self._whole(name)
        text = self.rewritten(line, local)
        self.note_call(text)
        self.lines.append(text)
        if line.name == "" and text.endswith(":"):
            self._label = text[:-1]
        if line.element and line.name in self._frame.places:
            kind, name = line.element, line.name
            if kind == "i1":
                name = f"{line.name}.x"
                self.lines.append(
                    f"{name} = sext <{self._lanes} x i1> {line.name} to <{self._lanes} x i32>"
                )
            self._put(f"<{self._lanes} x {kept_type(kind)}> {name}", self._frame.places[line.name])

    def _extract(self, line: Line) -> bool:
        """One lane's element, from the frame; False where it is not there."""
        made = self._plan.made.get(line.source)
        if made is None or made.kind in (Kind.BROADCAST, Kind.UNPACK):
            return False
        kind, at = kept_type(made.element), f"{line.name}.at"
        self.lines += [
            f"{at}.f = getelementptr i8, ptr %frame, i64 {self._frame.places[line.source]}",
            f"{at} = getelementptr {kind}, ptr {at}.f, {line.lane}",
        ]
        if made.element == "i1":
            self.lines += [f"{at}.i = load i32, ptr {at}", f"{line.name} = trunc i32 {at}.i to i1"]
        else:
            self.lines.append(f"{line.name} = load {kind}, ptr {at}")
        return True

    def _whole(self, name: str) -> str:
        """A vector of all lanes, for a line that stays as it is."""
        made = self._plan.made[name]
        if made.kind is Kind.FENCE:
            return name
        self._count += 1
        here, full = f"{name}.{self._count}", f"<{self._lanes} x {made.element}>"
        if made.kind is Kind.BROADCAST:
            self.lines += [
                f"{here}.h = insertelement {full} poison, {made.element} {made.source}, i32 0",
                f"{here} = shufflevector {full} {here}.h, {full} poison, "
                f"<{self._lanes} x i32> zeroinitializer",
            ]
        elif made.kind is Kind.UNPACK:
            self.lines.append(f"{here} = bitcast i{self._lanes} {made.source} to {full}")
        else:
            kept = f"<{self._lanes} x {kept_type(made.element)}>"
            loaded = f"{here}.i" if made.element == "i1" else here
            self.lines += [
                f"{here}.f = getelementptr i8, ptr %frame, i64 {self._frame.places[name]}",
                f"{loaded} = load {kept}, ptr {here}.f, align 8",
            ]
            if made.element == "i1":
                self.lines.append(f"{here} = trunc {kept} {here}.i to {full}")
        return here

    # -- loops -------------------------------------------------------------------------------------
    def narrow(self, text: str) -> str:
        """The text with the vectors of a strip."""
        return text.replace(f"<{self._lanes} x ", f"<{self._width} x ").replace(
            f".v{self._lanes}", f".v{self._width}"
        )

    def _loop(self, strip: Strip, number: int) -> None:
        for line in strip.before:
            self._uniform(line)
        if not strip.body:
            return
        label = f"s{number}"
        loop = _Loop(self, label, number)
        for line in strip.body:
            loop.add(line)
        self.lines += [
            f"br label %{label}",
            f"{label}:",
            f"%{label}.i = phi i64 [0, %{self._label}], [%{label}.n, %{label}]",
        ]
        self.lines += loop.heads
        self.lines += loop.lines
        self.lines += [
            f"%{label}.n = add i64 %{label}.i, 1",
            f"%{label}.e = icmp eq i64 %{label}.n, {self._lanes // self._width}",
            f"br i1 %{label}.e, label %{label}.end, label %{label}",
            f"{label}.end:",
        ]
        self._label = f"{label}.end"
        for name in strip.masks:
            self.lines += [
                f"{name}.f = getelementptr i8, ptr %frame, i64 {self._frame.places[name]}",
                f"{name} = load i{self._lanes}, ptr {name}.f, align 8",
            ]


class _Loop:
    """The body of one loop over strips."""

    def __init__(self, function: Stripped, label: str, number: int) -> None:
        self._function, self._label, self._number = function, label, number
        self._width = function._width
        self._plan, self._frame = function._plan, function._frame
        self._local: dict[str, str] = {}
        self._bases: dict[tuple[str, int], str] = {}
        self._pointers = 0
        #: Addresses of the strip in the wave and in the frame.
        self.heads: list[str] = []
        self.lines: list[str] = []

    def add(self, line: Line) -> None:
        """Append one line of the body."""
        if line.kind is Kind.BALLOT:
            self._ballot(line)
            return
        text = self._operands(line)
        if line.kind in (Kind.LOAD, Kind.STORE):
            at = self._at("%w", line.step, line.offset)
            head, _, _ = text.rpartition(", ptr %")
            align = min(line.offset & -line.offset or 64, line.step * self._width, 64)
            text = f"{head}, ptr {at}, align {align}"
        self._function.note_call(text)
        self.lines.append(text)
        if line.name:
            self._local[line.name] = line.name
            self._keep(line)

    def _operands(self, line: Line) -> str:
        """The line with the vectors of a strip."""
        for name in line.uses:
            if name not in self._local:
                self._local[name] = self._fetch(name)
        text = self._function.rewritten(line, self._local)
        if "<i" in text:
            text = _LITERAL.sub(self._literal, text)
        return self._function.narrow(text)

    def _literal(self, match: re.Match[str]) -> str:
        """A constant with an element for each lane: the strip's part of a table."""
        kind, function = match[1], self._function
        lanes = function._lanes
        name = f"@c{hashlib.sha256(match[0].encode()).hexdigest()[:16]}"
        function.constants[name] = (
            f"{name} = private constant <{lanes} x {kind}> {match[0]}, align 64"
        )
        at = self._at(name, bytes_of(kind), 0)
        self._pointers += 1
        value = f"%{self._label}.c{self._pointers}"
        self.lines.append(f"{value} = load <{self._width} x {kind}>, ptr {at}, align 4")
        return value

    def _fetch(self, name: str) -> str:
        """The strip of a vector that is made elsewhere; another name as it is."""
        made = self._plan.made.get(name)
        if made is None:
            return name
        here, full = f"{name}.{self._label}", f"<{self._width} x {made.element}>"
        if made.kind is Kind.BROADCAST:
            self.lines += [
                f"{here}.h = insertelement {full} poison, {made.element} {made.source}, i32 0",
                f"{here} = shufflevector {full} {here}.h, {full} poison, "
                f"<{self._width} x i32> zeroinitializer",
            ]
            return here
        place = self._frame.places[name]
        if made.kind is Kind.UNPACK:
            at = self._at("%frame", 0, place)
            self.lines.append(f"{here}.m = load i{self._width}, ptr {at}")
            self.lines += self._function._strips.unpack(f"{here}.m", here)
            return here
        kind = kept_type(made.element)
        at = self._at("%frame", bytes_of(kind), place)
        if made.element == "i1":
            self.lines += [
                f"{here}.i = load <{self._width} x i32>, ptr {at}, align 32",
                f"{here} = icmp slt <{self._width} x i32> {here}.i, zeroinitializer",
            ]
        else:
            align = min(bytes_of(kind) * self._width, 64)
            self.lines.append(f"{here} = load <{self._width} x {kind}>, ptr {at}, align {align}")
        return here

    def _keep(self, line: Line) -> None:
        """Store a result that is needed elsewhere."""
        place = self._frame.places.get(line.name)
        if place is None:
            return
        kind, name = kept_type(line.element), line.name
        if line.element == "i1":
            name = f"{line.name}.x"
            self.lines.append(
                f"{name} = sext <{self._width} x i1> {line.name} to <{self._width} x i32>"
            )
        at = self._at("%frame", bytes_of(kind), place)
        align = min(bytes_of(kind) * self._width, 64)
        self.lines.append(f"store <{self._width} x {kind}> {name}, ptr {at}, align {align}")

    def _ballot(self, line: Line) -> None:
        name = line.source
        if name.startswith("%"):
            if name not in self._local:
                self._local[name] = self._fetch(name)
            name = self._local[name]
        self.lines += self._function._strips.ballot(name, f"{line.name}.m")
        at = self._at("%frame", 0, self._frame.places[line.name])
        self.lines.append(f"store i{self._width} {line.name}.m, ptr {at}")

    def _at(self, base: str, step: int, offset: int) -> str:
        """A pointer to the strip of what begins `offset` bytes after `base`, `step` a lane.

        Step 0 is a mask, of one bit a lane.
        """
        known = self._bases.get((base, step))
        if known is None:
            strip_bytes = step * self._width if step else self._width // 8
            known = f"%{self._label}.p{len(self._bases)}"
            self._bases[base, step] = known
            self.heads += [
                f"{known}.o = mul i64 %{self._label}.i, {strip_bytes}",
                f"{known} = getelementptr i8, ptr {base}, i64 {known}.o",
            ]
        if not offset:
            return known
        self._pointers += 1
        name = f"%{self._label}.a{self._pointers}"
        self.lines.append(f"{name} = getelementptr i8, ptr {known}, i64 {offset}")
        return name
