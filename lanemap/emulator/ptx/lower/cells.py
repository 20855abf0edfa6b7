"""Parameters of device functions as registers: a .param variable becomes cells of 1 to 8 bytes.

A caller's variable and the callee's parameter have cells of one size, as wide as the narrowest
access to either allows, so that a call copies cell by cell.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from lanemap.emulator.codegen.builder import Builder
from lanemap.emulator.codegen.element_types import BITS as LLVM_BITS
from lanemap.emulator.codegen.values import Register, Value
from lanemap.emulator.ptx.lower.names import Names
from lanemap.emulator.ptx.text.kinds import BITS
from lanemap.emulator.ptx.text.module import Function, Instruction
from lanemap.emulator.ptx.text.operand_text import OperandError
from lanemap.emulator.ptx.text.operands import Address
from lanemap.emulator.ptx.text.variables import Variable

Parameter = Variable | object
#: PTX ISA, Kernel Function Parameters, gives kernels so much; functions get no more here.
MAX_PARAMETER_BYTES = 32764


class Cells:
    """The cells of every parameter variable of the functions that a kernel reaches."""

    def __init__(self, names: Names) -> None:
        """Begin without variables."""
        self._names = names
        self._width: dict[int, int] = {}
        self._leader: dict[int, int] = {}
        self._registers: dict[int, list[Register]] = {}

    def note_accesses(self, function: Function) -> None:
        """Learn how narrow the accesses of a function to its parameter variables are."""
        for instruction in function.body:
            variable = parameter_of(instruction)
            if variable is not None and not (
                function.is_entry and variable in function.prototype.parameters
            ):
                address = next(o for o in instruction.operands if isinstance(o, Address))
                bits = BITS.get(instruction.modifiers[-1])
                if bits is not None:  # else it is refused when it is lowered
                    self._narrow(variable, _granule(bits // 8, address.offset))

    def unite(self, ours: Sequence[object], theirs: Sequence[object]) -> None:
        """Give variables that a call connects cells of one size."""
        for one, other in zip(ours, theirs, strict=True):
            if isinstance(one, Variable) and isinstance(other, Variable):
                self._leader[self._find(id(one))] = self._find(id(other))

    def _find(self, key: int) -> int:
        while self._leader.get(key, key) != key:
            key = self._leader[key]
        return key

    def _narrow(self, variable: Variable, width: int) -> None:
        self._width[id(variable)] = min(self._width.get(id(variable), 8), width)

    def settle(self) -> None:
        """Decide the sizes: the narrowest of all that are connected."""
        for key in {*self._width, *self._leader}:
            leader = self._find(key)
            width = min(self._width.get(key, 8), self._width.get(leader, 8))
            self._width[leader] = width

    def of(self, variable: Variable) -> list[Register]:
        """Return the registers of a variable's cells, in order.

        Raises:
            OperandError: the variable is larger than any function's parameter.
        """
        found = self._registers.get(id(variable))
        if found is None:
            if variable.size > MAX_PARAMETER_BYTES:
                raise OperandError(
                    f"`{variable.name}` has {variable.size} bytes; a parameter has at most "
                    f"{MAX_PARAMETER_BYTES}"
                )
            width = self._width.get(self._find(id(variable)), 8)
            while width > max(variable.size, 1):
                width //= 2
            count = -(-variable.size // width)
            found = [
                self._names.fresh(f"{variable.name}[{i * width}]", f"i{8 * width}")
                for i in range(count)
            ]
            self._registers[id(variable)] = found
        return found

    def touched(self, variable: Variable, offset: int, size: int) -> list[Register]:
        """Return the cells of bytes `offset` to `offset + size`.

        Raises:
            OperandError: they are not inside the variable.
        """
        cells = self.of(variable)
        width = LLVM_BITS[cells[0].type] // 8 if cells else 1
        if offset < 0 or offset + size > variable.size or offset % width or size % width:
            raise OperandError(f"{size} bytes at {variable.name}+{offset} are not inside it")
        return cells[offset // width : (offset + size) // width]


def parameter_of(instruction: Instruction) -> Variable | None:
    """Return the parameter variable that ld.param or st.param accesses directly, if it does."""
    if instruction.opcode not in ("ld", "st") or not any(
        word.startswith("param") for word in instruction.modifiers
    ):
        return None
    for operand in instruction.operands:
        if isinstance(operand, Address) and isinstance(operand.base, Variable):
            return operand.base
    return None


def _granule(size: int, offset: int) -> int:
    width = min(size, 8)
    while offset % width:
        width //= 2
    return width


def read_cells(b: Builder, cells: Iterable[Register]) -> Value:
    """Return consecutive cells as one integer of at most 64 bits."""
    values = [b.registers.read(cell) for cell in cells]
    while len(values) > 1:
        values = [_join(b, low, high) for low, high in zip(values[::2], values[1::2], strict=True)]
    return values[0]


def _join(b: Builder, low: Value, high: Value) -> Value:
    wide = f"i{2 * low.bits}"
    return b.alu.disjoint(
        b.alu.zext(low, wide), b.alu.shl(b.alu.zext(high, wide), b.ir.constant(wide, low.bits))
    )


def write_cells(b: Builder, cells: Sequence[Register], value: Value) -> None:
    """Store an integer to consecutive cells."""
    for i, cell in enumerate(cells):
        amount = b.ir.constant(value.type, i * LLVM_BITS[cell.type])
        b.registers.write(cell, b.alu.trunc(b.alu.lshr(value, amount) if i else value, cell.type))
