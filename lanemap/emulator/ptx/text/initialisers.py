"""Initial values of variables: numbers, nested lists and addresses of symbols.

NVIDIA PTX ISA, Variables: Initializers. An element that holds an address may be `symbol`,
`symbol+12`, `generic(symbol)+12`, or one byte of it, `0xff00(symbol)`.
"""

from __future__ import annotations

import re
import struct

from lanemap.emulator.ptx.text.constants import ConstantError, parse_constant
from lanemap.emulator.ptx.text.module import TYPE_BYTES
from lanemap.emulator.ptx.text.operand_text import OperandError
from lanemap.emulator.ptx.text.operands import Immediate
from lanemap.emulator.ptx.text.variables import Relocation

_ADDRESS = re.compile(
    r"(?:(0x[0-9a-fA-F]+|\d+)\s*\(\s*)?"
    r"(?:(generic)\s*\(\s*)?([A-Za-z_$%][\w$]*)\s*\)?\s*([+-][\s\d+-]*)?\s*\)*$"
)


def initial_data(
    text: str, kind: str, sizes: list[int]
) -> tuple[bytes, tuple[Relocation, ...], int]:
    """Return bytes, the addresses among them, and how many elements were given.

    Missing elements of an inner list are zeros; `sizes` are the array dimensions, the first one 0
    where the initialiser decides.

    Raises:
        OperandError: the initialiser is malformed or longer than the variable.
    """
    width = TYPE_BYTES[kind]
    elements = _flatten(text, sizes or [1]) if text.startswith("{") else [text]
    content, relocations = bytearray(), []
    for position, element in enumerate(elements):
        if not element:
            content += bytes(width)
            continue
        match = _ADDRESS.match(element)
        if match and match[3] != "WARP_SZ":
            relocations.append(_relocation(match, position * width, width))
            content += bytes(width)
        else:
            content += _bytes(element, kind, width)
    capacity = 1
    for size in sizes:
        capacity *= size
    if capacity and len(elements) > capacity:
        raise OperandError(f"{len(elements)} initial values do not fit {capacity} elements")
    return bytes(content), tuple(relocations), len(elements)


def _flatten(text: str, sizes: list[int]) -> list[str]:
    """Return the elements of a nested list in memory order, "" for those left out."""
    inner = text.strip()[1:-1]
    if "{" not in inner:
        return [part.strip() for part in inner.split(",")] if inner.strip() else []
    below = 1
    for size in sizes[1:]:
        below *= size
    elements: list[str] = []
    for part in _top_level(inner):
        if part.startswith("{"):
            row = _flatten(part, sizes[1:] or [1])
            if len(row) > below:
                raise OperandError(f"{len(row)} initial values do not fit a row of {below}")
            elements += row + [""] * (below - len(row))
        else:
            elements.append(part)
    return elements


def _top_level(text: str) -> list[str]:
    parts, depth, begin = [], 0, 0
    for position, character in enumerate(text):
        depth += (character == "{") - (character == "}")
        if character == "," and depth == 0:
            parts.append(text[begin:position].strip())
            begin = position + 1
    last = text[begin:].strip()
    return [*parts, last] if last else parts


def _relocation(match: re.Match[str], offset: int, width: int) -> Relocation:
    mask, generic, symbol, addend = match.groups()
    shift, size = 0, width
    if mask is not None:
        bits = int(mask, 0)
        shift = (bits & -bits).bit_length() - 1
        if bits >> shift != 0xFF or width != 1:
            raise OperandError(f"mask {mask} of an address must select the one byte it fills")
    added = parse_constant(addend).value if addend else 0
    return Relocation(offset, size, symbol, added, generic is not None, shift)


def _bytes(text: str, kind: str, width: int) -> bytes:
    try:
        value = parse_constant(text)
    except ConstantError as error:
        raise OperandError(str(error)) from error
    if value.kind == "int" and kind[0] in "bus":
        return (value.value & ((1 << 8 * width) - 1)).to_bytes(width, "little")
    return float_bits(value, kind).to_bytes(width, "little")


def float_bits(value: Immediate, kind: str) -> int:
    """Return the bits that a constant has as a float of type `kind` (f32, f64) or raw b32, b64.

    Raises:
        OperandError: the constant cannot have that type.
    """
    if value.kind == "int":
        number = float(value.value)
    elif value.kind == "f32":
        if kind in ("f32", "b32"):
            return value.value
        number = struct.unpack("<f", value.value.to_bytes(4, "little"))[0]
    else:
        if kind in ("f64", "b64"):
            return value.value
        number = struct.unpack("<d", value.value.to_bytes(8, "little"))[0]
    try:
        if kind in ("f32", "b32"):
            return int.from_bytes(struct.pack("<f", number), "little")
        if kind in ("f64", "b64"):
            return int.from_bytes(struct.pack("<d", number), "little")
    except OverflowError:  # beyond the largest float: infinity
        return 0x7F800000 | (number < 0) << 31
    raise OperandError(f"a float constant cannot initialize .{kind}")
