"""Generated code in strips: computation on all lanes as loops over as many as a register holds.

The Builder computes every operation for all 32 or 64 lanes of a wave at once. No processor has such
vectors: LLVM takes each operation apart into eight or so, which is most of the time it needs, and
some of them into single lanes. So consecutive operations that treat all lanes
alike become the body of one loop, whose vectors a processor has; what lies between (calls of the
runtime, moves across lanes, control flow) stays as it is. A value that is used outside its own loop
is kept in the function's frame. Where one strip holds all lanes nothing is repeated, and values
stay in registers.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from lanemap.emulator.codegen.element_types import bytes_of, kept_type
from lanemap.emulator.codegen.ops import Kind, Op, Printer, name_of, needed
from lanemap.emulator.codegen.strip_plan import Frame, Plan, Strip
from lanemap.emulator.codegen.strip_width import Strips


class Function:
    """One block's function in LLVM IR.

    Attributes:
        lines: Its body, in a basic block `begin`.
        declarations: Constants of the module and functions that it needs, by name.
        places: Where values lie in the frame.
        frame_bytes: What its first basic block has to make room for, by name `%frame`.
    """

    def __init__(self, ops: Sequence[Op], lanes: int, strips: Strips) -> None:
        """Print operations on `lanes` lanes."""
        self.lines: list[str] = []
        self.declarations: dict[str, str] = {}
        self.places: dict[Op, int] = {}
        self.frame_bytes = 0
        self._lanes, self._label = lanes, "begin"  # of the basic block that goes on
        self._whole = Printer(lanes, Strips(lanes, True, True), self.declarations)
        self._narrow = Printer(lanes, strips, self.declarations)
        self._once = lanes == strips.lanes
        plan = Plan(needed(ops))
        frame = Frame(plan, lanes, self._once)
        self.places, self.frame_bytes = frame.places, frame.size
        for number, item in enumerate(plan.items):
            if not isinstance(item, Strip):
                self._print([item], f"u{number}")
                continue
            self._print(item.before, f"u{number}")
            if item.body:
                self._loop(item, f"s{number}")

    def _print(self, ops: Sequence[Op], label: str) -> None:
        """Print operations on all lanes at once."""
        part = _Part(self, label, self._whole, loops=False)
        for op in ops:
            part.add(op)
            if op.kind is Kind.LEAVE:
                self._label = op.opcode
        self.lines += part.lines

    def _loop(self, strip: Strip, label: str) -> None:
        part = _Part(self, label, self._narrow, loops=True)
        for op in strip.body:
            part.add(op)
        mask = f"i{self._lanes}"
        if self._once:
            self.lines += [
                f"br label %{label}",
                f"{label}:",
                f"%{label}.i = add i64 0, 0",
                *(f"{op.name}.o = add {mask} 0, 0" for op in strip.masks),
                *part.heads,
                *part.lines,
            ]
            self._label = label
            return
        self.lines += [
            f"br label %{label}",
            f"{label}:",
            f"%{label}.i = phi i64 [0, %{self._label}], [%{label}.n, %{label}]",
            *(
                f"{op.name}.o = phi {mask} [0, %{self._label}], [{op.name}, %{label}]"
                for op in strip.masks
            ),
            *part.heads,
            *part.lines,
            f"%{label}.n = add i64 %{label}.i, 1",
            f"%{label}.e = icmp eq i64 %{label}.n, {self._lanes // self._narrow.strips.lanes}",
            f"br i1 %{label}.e, label %{label}.end, label %{label}",
            f"{label}.end:",
        ]
        self._label = f"{label}.end"


class _Part:
    """Operations on one strip, in a loop over strips, or on all lanes at once.

    Attributes:
        heads: Addresses of a loop's strip in the wave and in the frame.
        lines: The operations.
    """

    def __init__(self, function: Function, label: str, printer: Printer, loops: bool) -> None:
        """Begin the names that are given here with `label`."""
        self._places, self._label, self._loops = function.places, label, loops
        self._printer, self._width = printer, printer.strips.lanes
        self._local: dict[Op, str] = {}
        self._bases: dict[tuple[str, int], str] = {}
        self._count, self._masks = 0, False
        self.heads: list[str] = []
        self.lines: list[str] = []

    def add(self, op: Op) -> None:
        """Append an operation, and keep its result if it is needed elsewhere."""
        kind, place, local = op.kind, self._places.get(op), self._local
        if kind is Kind.EXTRACT and self._extract(op):
            return
        operands = [
            name_of(x) if isinstance(x, str) or not x.element else local.get(x) or self._fetch(x)
            for x in op.operands
        ]
        if kind is Kind.BALLOT and self._loops:
            self._printer.declarations.update(self._printer.strips.declarations)
            self.lines += self._printer.strips.ballot(operands[0], f"{op.name}.m")
            self.lines += self._gathered(op)
        elif place is not None and kind is Kind.UNPACK:
            self.lines.append(f"store i{self._width} {operands[0]}, {self._framed(0, place)}")
        elif op.size:
            operands.append(self._at("%w", op.step, op.offset))
            align = op.align
            if self._loops:
                align = min(op.offset & -op.offset or 64, op.step * self._width, 64)
            text = self._printer.line(op, operands)
            self.lines.append(f"{text}, align {align}" if align else text)
        else:
            self.lines.append(self._printer.line(op, operands))
        if op.element and kind is not Kind.UNPACK:
            local[op] = op.name
            if place is not None:
                self._keep(op, place)

    def _gathered(self, op: Op) -> list[str]:
        """Lines that put the bits of this strip into the mask, which grows in a register."""
        full, strip = op.type, f"i{self._width}"
        if not self._masks:
            self._masks = True
            self.heads.append(f"%{self._label}.b = mul i64 %{self._label}.i, {self._width}")
            if full != "i64":
                self.heads.append(f"%{self._label}.c = trunc i64 %{self._label}.b to {full}")
        moved, at = f"{op.name}.m", f"%{self._label}.{'b' if full == 'i64' else 'c'}"
        lines = []
        if full != strip:
            moved = f"{op.name}.z"
            lines = [f"{moved} = zext {strip} {op.name}.m to {full}"]
        return [
            *lines,
            f"{op.name}.s = shl {full} {moved}, {at}",
            f"{op.name} = or {full} {op.name}.o, {op.name}.s",
        ]

    def _keep(self, op: Op, place: int) -> None:
        name, full = op.name, self._printer.type(op.type)
        if op.element == "i1":
            name, full = f"{op.name}.x", f"<{self._width} x i32>"
            self.lines.append(f"{name} = sext <{self._width} x i1> {op.name} to {full}")
        kept = self._framed(bytes_of(kept_type(op.element)), place)
        self.lines.append(f"store {full} {name}, {kept}")

    def _framed(self, step: int, place: int) -> str:
        """What lies at a place in the frame, as an operand of a load or store."""
        at = self._at("%frame", step, place)
        if not self._loops:
            return f"ptr {at}, align 8"
        return f"ptr {at}, align {min(step * self._width, 64)}" if step else f"ptr {at}"

    def _extract(self, op: Op) -> bool:
        """One lane's element, from the frame; False where it is not there."""
        source, lane = op.operands
        place = None if isinstance(source, str) else self._places.get(source)
        if isinstance(source, str) or place is None or source.kind is Kind.UNPACK:
            return False
        at, kind = self._at("%frame", 0, place), kept_type(source.element)
        loaded = f"{op.name}.i" if source.element == "i1" else op.name
        self.lines += [
            f"{op.name}.a = getelementptr {kind}, ptr {at}, {op.types[1]} {name_of(lane)}",
            f"{loaded} = load {kind}, ptr {op.name}.a",
        ]
        if source.element == "i1":
            self.lines.append(f"{op.name} = trunc i32 {loaded} to i1")
        return True

    def _fetch(self, op: Op) -> str:
        """A vector that was made elsewhere."""
        kind, place = op.kind, self._places.get(op)
        name, full = f"{op.name}.{self._label}", self._printer.type(op.type)
        words = f"<{self._width} x i32>"
        if kind is Kind.BROADCAST:
            typed = f"{op.types[0]} {name_of(op.operands[0])}"
            self.lines += [
                f"{name}.h = insertelement {full} poison, {typed}, i32 0",
                f"{name} = shufflevector {full} {name}.h, {full} poison, {words} zeroinitializer",
            ]
        elif kind is Kind.TABLE:
            table = f"@c{hashlib.sha256(op.opcode.encode()).hexdigest()[:16]}"
            constant = f"{table} = private constant {op.type} {op.opcode}, align 64"
            self._printer.declarations[table] = constant
            at = self._at(table, bytes_of(op.element), 0)
            self.lines.append(f"{name} = load {full}, ptr {at}, align 4")
        elif place is None or (kind is Kind.FENCE and not self._loops):
            name = op.name
        elif kind is Kind.UNPACK:
            self.lines.append(f"{name}.m = load i{self._width}, {self._framed(0, place)}")
            self.lines += self._printer.strips.unpack(f"{name}.m", name)
        else:
            kept = self._framed(bytes_of(kept_type(op.element)), place)
            if op.element == "i1":
                self.lines += [
                    f"{name}.i = load {words}, {kept}",
                    f"{name} = icmp slt {words} {name}.i, zeroinitializer",
                ]
            else:
                self.lines.append(f"{name} = load {full}, {kept}")
        self._local[op] = name
        return name

    def _at(self, base: str, step: int, offset: int) -> str:
        """A pointer to what begins `offset` bytes after `base`; in a loop, to its strip.

        A lane has `step` bytes; 0 is a mask, of one bit a lane.
        """
        start = base
        if self._loops:
            start = self._bases.get((base, step), "")
            if not start:
                start = self._bases[base, step] = f"%{self._label}.p{len(self._bases)}"
                strip_bytes = step * self._width or self._width // 8
                self.heads += [
                    f"{start}.o = mul i64 %{self._label}.i, {strip_bytes}",
                    f"{start} = getelementptr i8, ptr {base}, i64 {start}.o",
                ]
            if not offset:
                return start
        self._count += 1
        name = f"%{self._label}.a{self._count}"
        self.lines.append(f"{name} = getelementptr i8, ptr {start}, i64 {offset}")
        return name
