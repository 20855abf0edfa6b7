"""Operations of LLVM IR as values: what one function computes, before any of it is text."""

from __future__ import annotations

import enum
from collections.abc import Callable, MutableMapping, Sequence

from lanemap.emulator.codegen.element_types import BITS, FLOATS, element_of
from lanemap.emulator.codegen.strip_width import Strips


class Kind(enum.Enum):
    """How the loops over strips of lanes treat an operation."""

    LANES = enum.auto()  #: computes in every lane from the same lane of its operands
    LOAD = enum.auto()  #: every lane's element from a row or slot of the wave
    STORE = enum.auto()  #: and to one
    BROADCAST = enum.auto()  #: a uniform value in every lane
    TABLE = enum.auto()  #: a constant with an element for each lane
    BALLOT = enum.auto()  #: an i1 of every lane to a mask
    UNPACK = enum.auto()  #: a mask to an i1 of every lane
    EXTRACT = enum.auto()  #: one lane's element
    PURE = enum.auto()  #: computes a uniform value
    READ = enum.auto()  #: a uniform value from the wave
    WRITE = enum.auto()  #: and to it
    LEAVE = enum.auto()  #: ends the function, or may
    FENCE = enum.auto()  #: anything else: stays where it is, as it is


class Op:
    """One operation; it is its own result.

    `type` is the LLVM type of the result ("" without one), `element` that of an element if the
    result is of every lane; `types` are those of the operands. An access touches `size` bytes of
    the wave from `offset`, `step` for a lane. `mangled` are the types in the name of an intrinsic.
    `needs` are the operations that must come before it: its operands, but of a broadcast what that
    is made of, and of an unpacked mask both.
    """

    __slots__ = (
        "align", "element", "kind", "mangled", "name", "needs", "offset", "opcode", "operands",
        "size", "step", "type", "types", "write",
    )  # fmt: skip

    def __init__(
        self,
        kind: Kind,
        write: Write,
        opcode: str,
        type: str,
        operands: Sequence[Operand],
        types: Sequence[str],
        mangled: Sequence[str] = (),
    ) -> None:
        """`write` prints it; whoever makes it names its result."""
        self.kind, self.write, self.opcode, self.type = kind, write, opcode, type
        self.operands, self.types, self.mangled = operands, types, mangled
        self.element = element_of(type)
        self.name = ""
        self.offset = self.size = self.step = self.align = 0
        needs: tuple[Op, ...] = ()
        for operand in operands:
            if not isinstance(operand, str):
                maker = operand.kind
                if maker is not Kind.BROADCAST and maker is not Kind.TABLE:
                    needs += (operand,)
                if maker is Kind.BROADCAST or maker is Kind.UNPACK:
                    needs += operand.needs
        self.needs: tuple[Op, ...] = needs


#: The result of an operation, or a constant as LLVM writes it, of whatever width it is used in.
Operand = Op | str
#: Prints an operation with the operands given, without its result.
Write = Callable[[Op, Sequence[str], "Printer"], str]


def name_of(operand: Operand) -> str:
    """An operand as LLVM writes it, where no other name stands for it."""
    return operand if isinstance(operand, str) else operand.name


def needed(ops: Sequence[Op]) -> list[Op]:
    """All operations but those whose results nothing uses."""
    used: set[Op] = set()
    kept = []
    for op in reversed(ops):
        if op in used or not op.type or op.kind is Kind.FENCE:
            used.update(op.needs)
            kept.append(op)
    kept.reverse()
    return kept


class Printer:
    """Prints operations with vectors of a strip in place of those of all lanes."""

    def __init__(self, lanes: int, strips: Strips, declarations: MutableMapping[str, str]) -> None:
        """Functions that are called get their `declarations`, by name."""
        self._from, self._to = f"<{lanes} x ", f"<{strips.lanes} x "
        self._types: dict[str, str] = {"": "void"}
        self.strips, self.declarations = strips, declarations

    def type(self, full: str) -> str:
        """A type at this width."""
        found = self._types.get(full)
        if found is None:
            found = self._types[full] = full.replace(self._from, self._to)
        return found

    def line(self, op: Op, operands: Sequence[str]) -> str:
        """An operation as a line."""
        text = op.write(op, operands, self)
        return f"{op.name} = {text}" if op.type else text

    def typed(self, op: Op, operands: Sequence[str]) -> str:
        """The operands with their types."""
        types = op.types
        return ", ".join([f"{self.type(t)} {x}" for t, x in zip(types, operands, strict=True)])

    def function(self, op: Op) -> str:
        """The function that an operation calls; declares it."""
        name = op.opcode
        for type in op.mangled:
            full = self.type(type)
            name += "." + (_mangled(element_of(full), full) if full[0] == "<" else _plain(full))
        if name not in self.declarations:
            types = ", ".join(map(self.type, op.types))
            self.declarations[name] = f"declare {self.type(op.type)} @{name}({types})"
        return name


def _plain(type: str) -> str:
    """A type in the name of an intrinsic."""
    return ("bf" if type == "bfloat" else "f") + str(BITS[type]) if type in FLOATS else type


def _mangled(element: str, full: str) -> str:
    return "v" + full[1 : full.index(" ")] + _plain(element)


# -- how operations are printed ------------------------------------------------------------------
def write_plain(op: Op, operands: Sequence[str], printer: Printer) -> str:
    """`select <8 x i1> %c, <8 x i32> %x, <8 x i32> %y`."""
    return f"{op.opcode} {printer.typed(op, operands)}"


def write_binary(op: Op, operands: Sequence[str], printer: Printer) -> str:
    """`add i32 %x, %y`."""
    return f"{op.opcode} {printer.type(op.types[0])} {operands[0]}, {operands[1]}"


def write_cast(op: Op, operands: Sequence[str], printer: Printer) -> str:
    """`zext i8 %x to i32`."""
    return f"{op.opcode} {printer.type(op.types[0])} {operands[0]} to {printer.type(op.type)}"


def write_call(op: Op, operands: Sequence[str], printer: Printer) -> str:
    """`call i32 @f(ptr %w)`."""
    function = printer.function(op)
    return f"call {printer.type(op.type)} @{function}({printer.typed(op, operands)})"


def write_load(op: Op, operands: Sequence[str], printer: Printer) -> str:
    """`load i32, ptr %p, align 4`; the pointer is a further operand."""
    return f"load {printer.type(op.type)}, ptr {operands[0]}"


def write_store(op: Op, operands: Sequence[str], printer: Printer) -> str:
    """`store i32 %x, ptr %p`; the pointer is a further operand.

    LLVM makes a masked store of a choice between a new value and what it replaces. Without masks in
    registers that takes some processors twelve cycles (uops.info, VPMASKMOVD on Zen), and a load
    must wait for it. It leaves volatile stores alone.
    """
    chosen = not isinstance(op.operands[0], str) and op.operands[0].opcode == "select"
    store = "store volatile" if chosen and op.types[0][0] == "<" else "store"
    return f"{store} {printer.type(op.types[0])} {operands[0]}, ptr {operands[1]}"


def write_shuffle(op: Op, operands: Sequence[str], printer: Printer) -> str:
    """`shufflevector <4 x i32> %x, <4 x i32> poison, <4 x i32> <i32 3, i32 2, i32 1, i32 0>`."""
    full = printer.typed(op, operands)
    lanes = op.type[1 : op.type.index(" ")]
    return f"shufflevector {full}, {op.type} poison, <{lanes} x i32> <{op.opcode}>"


def write_leave_unless(op: Op, operands: Sequence[str], printer: Printer) -> str:
    """A return where the condition does not hold, and the basic block in which the rest begins."""
    condition, status = operands
    go_on, leave = f"{op.opcode}", f"{op.opcode}_waits"
    return (
        f"br i1 {condition}, label %{go_on}, label %{leave}\n{leave}:\nret i32 {status}\n{go_on}:"
    )
