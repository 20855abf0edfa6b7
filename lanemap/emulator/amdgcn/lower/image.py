"""A module laid out in memory: addresses of instructions and data, symbols, relocations.

The image has two parts: code, constants and the global offset table (read-only), then variables.
Offsets count from its first byte, whose address is known when a wave begins. Code has addresses
that follow the encoded sizes of the instructions, but no bytes: it is executed, never read.
"""

from __future__ import annotations

import bisect
import contextlib
import re
from dataclasses import dataclass, field

from lanemap.emulator.amdgcn.lower.binding import Bound, bind_or_refuse
from lanemap.emulator.amdgcn.lower.contents import Contents
from lanemap.emulator.amdgcn.lower.heap import provided
from lanemap.emulator.amdgcn.text.errors import AssemblyError
from lanemap.emulator.amdgcn.text.expressions import Expression, ExpressionError, Value, evaluate
from lanemap.emulator.amdgcn.text.module import Align, Data, Instruction, Module, Section, Symbol

IMAGE = "image"
#: Functions of HIP's textures and surfaces that a source names, as C++ mangles them.
_TEXTURE = re.compile(r"_Z\d+((?:tex|surf)[123]D(?:[a-z]+|Lod|Layered)?)I")
#: Where variables begin behind the read-only part: past the core's guard bytes, see place().
_PAGE = 256


@dataclass(slots=True)
class Placed:
    """An instruction at its place.

    Attributes:
        bound: With its definition.
        offset: Offset of its first byte.
        following: Index of the instruction that comes next, None where data or the end does.
    """

    bound: Bound
    offset: int
    following: int | None = None


@dataclass
class Image:
    """The layout of one module.

    Attributes:
        code: Instructions by address.
        at: Index of the instruction at an offset.
        read_only_size: Bytes of the first part.
        variables_at: Offset of the second part.
        variables_size: Bytes of the second part.
    """

    module: Module
    code: list[Placed] = field(default_factory=list)
    at: dict[int, int] = field(default_factory=dict)
    read_only_size: int = 0
    variables_at: int = 0
    variables_size: int = 0
    _fragments: dict[str, list[int]] = field(default_factory=dict)
    _starts: dict[str, int] = field(default_factory=dict)
    _table: dict[str, int] = field(default_factory=dict)
    _lds: dict[str, int] = field(default_factory=dict)
    _provided: dict[str, int] = field(default_factory=dict)

    # -- symbols -----------------------------------------------------------------------------------
    def value_of(self, name: str) -> Value:
        """A symbol's number, or its offset in the image.

        Raises:
            ExpressionError: The file does not define it.
        """
        symbol = self.module.symbols.get(name)
        if symbol is not None and symbol.expression is not None:
            return evaluate(symbol.expression, self.value_of)
        if symbol is not None and symbol.section is not None:
            if symbol.section not in self._fragments:
                raise ExpressionError(f"{name} lies in {symbol.section}, which is not loaded")
            return Value(IMAGE, self.offset_of(symbol), symbol=name)
        if name in self._lds:
            return Value(None, self._lds[name], symbol=name)
        if name in self._provided:
            return Value(IMAGE, self._provided[name], symbol=name)
        texture = _TEXTURE.match(name)
        if texture:
            raise ExpressionError(f"the emulator has no textures, and {texture[1]} reads one")
        raise ExpressionError(f"this file does not define {name}")

    def offset_of(self, symbol: Symbol) -> int:
        """The offset of a label."""
        assert symbol.section is not None
        return self._fragments[symbol.section][symbol.fragment] + symbol.delta

    def before(self, offset: int) -> Instruction:
        """The instruction before an offset."""
        place = bisect.bisect_left(self.code, offset, key=lambda placed: placed.offset)
        return self.code[max(place - 1, 0)].bound.instruction

    def label(self, name: str) -> int | None:
        """The offset of a label, None if what is loaded has none of that name."""
        symbol = self.module.symbols.get(name)
        if symbol is None or symbol.section not in self._fragments:
            return None
        return self.offset_of(symbol)

    def evaluate(self, expression: Expression, line: int) -> Value:
        """The value of an expression.

        Raises:
            AssemblyError: It has none; the message names the line.
        """
        try:
            return evaluate(expression, self.value_of)
        except ExpressionError as error:
            raise self.module.place(line).error(str(error)) from None

    def literal(self, expression: Expression, placed: Placed) -> int:
        """The 32 bits of a literal that is an expression, relocations applied.

        `@rel32` counts from the literal, the last four bytes of the instruction (LLVM, AMDGPUUsage,
        "Relocation Records").
        """
        line = placed.bound.instruction.line
        value = self.evaluate(expression, line)
        literal_at = placed.offset + placed.bound.size - 4
        kind, _, half = value.variant.partition("@")
        if kind in ("rel32", "gotpcrel32"):
            target = value.offset
            if kind == "gotpcrel32":
                addend = value.offset - self.value_of(value.symbol).offset
                target = self._table[value.symbol] + addend
            distance = target - literal_at
            return distance >> 32 & 0xFFFFFFFF if half == "hi" else distance & 0xFFFFFFFF
        if value.base is not None:
            raise self.module.place(line).error(
                f"{value.symbol} is an address here; take it with s_getpc_b64 and "
                f"{value.symbol}@rel32@lo+4"
            )
        return value.offset >> 32 & 0xFFFFFFFF if half == "hi" else value.offset

    # -- contents ----------------------------------------------------------------------------------
    def contents(self) -> list[Contents]:
        """The bytes of both parts; code has no contents.

        Raises:
            AssemblyError: Data has a value that does not exist; the message names the line.
        """
        found = []
        for name, slot in self._table.items():
            with contextlib.suppress(ExpressionError):  # what uses the slot is refused, by its line
                offset = self.value_of(name).offset % (1 << 64)
                found.append(Contents(slot, offset.to_bytes(8, "little"), (0,)))
        for section in self.module.sections.values():
            if not section.allocated:
                continue
            for index, fragment in enumerate(section.fragments):
                if isinstance(fragment, Data) and fragment.content:
                    offset = self._fragments[section.name][index]
                    found.append(Contents(offset, *self._filled(fragment)))
        return found

    def _filled(self, data: Data) -> tuple[bytes, tuple[int, ...]]:
        """The bytes of data, and which of its values count from the image's first byte."""
        content, addresses = bytearray(data.content), []
        for fixup in data.fixups:
            value = self.evaluate(fixup.expression, fixup.line)
            if value.base is not None:
                if fixup.size != 8:
                    raise self.module.place(fixup.line).error(
                        f"the address of {value.symbol} needs 8 bytes; use .quad"
                    )
                addresses.append(fixup.offset)
            number = value.offset & (1 << 8 * fixup.size) - 1
            content[fixup.offset : fixup.offset + fixup.size] = number.to_bytes(
                fixup.size, "little"
            )
        return bytes(content), tuple(addresses)


def lay_out(module: Module, lds_start: int, distance: int) -> Image:
    """Place every section.

    Args:
        module: The parsed module.
        lds_start: Where LDS symbols of the file begin, in bytes.
        distance: Bytes between the end of the read-only part and the variables, at least.
    """
    image = Image(module)
    sections = [section for section in module.sections.values() if section.allocated]
    offset = 0
    for section in (s for s in sections if "x" in s.flags):
        offset = _place_code(image, section, offset)
    offset = _place_provided(image, offset)
    for section in (s for s in sections if not set("xw") & set(s.flags)):
        offset = _place_data(image, section, offset)
    offset = _place_table(image, offset)
    image.read_only_size = offset
    image.variables_at = offset = -(-(offset + distance) // _PAGE) * _PAGE
    for section in (s for s in sections if "w" in s.flags and "x" not in s.flags):
        offset = _place_data(image, section, offset)
    image.variables_size = offset - image.variables_at
    for name, (size, alignment) in module.lds.items():
        lds_start = -(-lds_start // alignment) * alignment
        image._lds[name] = lds_start
        lds_start += size
    return image


def _aligned(offset: int, alignment: int) -> int:
    return -(-offset // alignment) * alignment


def _place_code(image: Image, section: Section, offset: int) -> int:
    offset = _aligned(offset, max(section.alignment, 256))
    starts: list[int] = []
    previous: Placed | None = None
    for fragment in section.fragments:
        if isinstance(fragment, Align):
            offset = _aligned(offset, fragment.alignment)
            starts.append(offset)
            continue
        starts.append(offset)
        if isinstance(fragment, Data):
            previous = None if fragment.content else previous
            offset += len(fragment.content)
            continue
        placed = Placed(_bound(image, fragment), offset)
        image.at[offset] = len(image.code)
        if previous is not None:
            previous.following = len(image.code)
        image.code.append(placed)
        previous = placed
        offset += placed.bound.size
    image._fragments[section.name] = [*starts, offset]
    return offset


def _place_provided(image: Image, offset: int) -> int:
    """The functions that the text calls and does not define, of those that the emulator has."""
    named = {
        name
        for placed in image.code
        for operand in placed.bound.operands
        if operand.expression is not None
        for name, _ in references(operand.expression)
    }
    for name in sorted(named):
        symbol = image.module.symbols.get(name)
        if symbol is not None and symbol.defined:
            continue
        function = provided(name, image.module)
        for number, bound in enumerate(function):
            image._provided.setdefault(name, offset)
            image.at[offset] = at = len(image.code)
            image.code.append(Placed(bound, offset, at + 1 if function[number + 1 :] else None))
            offset += bound.size
    return offset


def _bound(image: Image, instruction: Instruction) -> Bound:
    return bind_or_refuse(instruction, image.module.place(instruction.line), image.module.target)


def _place_data(image: Image, section: Section, offset: int) -> int:
    offset = _aligned(offset, max(section.alignment, 8))
    starts: list[int] = []
    for fragment in section.fragments:
        if isinstance(fragment, Align):
            offset = _aligned(offset, fragment.alignment)
        starts.append(offset)
        if isinstance(fragment, Data):
            offset += len(fragment.content)
    image._fragments[section.name] = [*starts, offset]
    return offset


def _place_table(image: Image, offset: int) -> int:
    """A slot of the global offset table for every symbol that code asks for through it."""
    offset = _aligned(offset, 8)
    for placed in image.code:
        for operand in placed.bound.operands:
            if operand.expression is None or "@gotpcrel32" not in operand.name:
                continue
            for name, variant in references(operand.expression):
                if variant.startswith("gotpcrel32") and name not in image._table:
                    image._table[name] = offset
                    offset += 8
    return offset


def references(expression: Expression) -> list[tuple[str, str]]:
    """The symbols that an expression names, with their relocation variants."""
    from lanemap.emulator.amdgcn.text.expressions import Binary, Call, SymbolRef, Unary

    if isinstance(expression, SymbolRef):
        return [(expression.name, expression.variant)]
    if isinstance(expression, Unary):
        return references(expression.operand)
    if isinstance(expression, Binary):
        return references(expression.left) + references(expression.right)
    if isinstance(expression, Call):
        return [found for part in expression.arguments for found in references(part)]
    return []


__all__ = ["AssemblyError", "Image", "Placed", "lay_out", "references"]
