"""Declarations of variables and registers (NVIDIA PTX ISA, State Spaces, Types, and Variables)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from lanemap.emulator.ptx.text.constants import ConstantError, parse_constant
from lanemap.emulator.ptx.text.initialisers import initial_data
from lanemap.emulator.ptx.text.module import TYPE_BYTES
from lanemap.emulator.ptx.text.operand_text import OperandError, split_operands
from lanemap.emulator.ptx.text.variables import Relocation, Variable

SPACES = ("global", "const", "shared", "local", "param")
_WORD = re.compile(r"\s*\.([\w:]+)")
_NUMBER = re.compile(r"\s*(\w+)")
_DECLARATOR = re.compile(r"\s*([A-Za-z_$%][\w$]*)\s*((?:\[[^\]]*\]\s*)*)(?:=\s*(.*))?$", re.DOTALL)
_ATTRIBUTE = re.compile(r"\s*\(([^()]*(?:\([^()]*\))?[^()]*)\)")
_REGISTER = re.compile(r"\s*([A-Za-z_$%][\w$]*)\s*(?:<\s*(\w+)\s*>)?\s*$")

#: Elements of a variable with initial values: all of them become bytes when the text is parsed.
_MOST_INITIALISED = 1 << 26


@dataclass
class Head:
    """The part of a declaration before its names."""

    type: str = ""
    vector: int = 1
    align: int = 0
    is_pointer: bool = False
    pointer_space: str = ""
    pointer_align: int = 0
    managed: bool = False


def parse_head(text: str) -> tuple[Head, str]:
    """Parse alignment, type, vector and pointer attributes; return them and what follows.

    Raises:
        OperandError: a word is unknown or there is no type.
    """
    head, position = Head(), 0
    while True:
        match = _WORD.match(text, position)
        if match is None:
            break
        word, position = match[1], match.end()
        if word == "align":
            number = _NUMBER.match(text, position)
            if number is None:
                raise OperandError("`.align` lacks its number of bytes")
            position = number.end()
            if head.is_pointer:
                head.pointer_align = _alignment(number[1])
            else:
                head.align = _alignment(number[1])
        elif word == "attribute":
            attribute = _ATTRIBUTE.match(text, position)
            if attribute is None:
                raise OperandError("`.attribute` lacks its `( )`")
            position = attribute.end()
            head.managed |= ".managed" in attribute[1]
        else:
            _head_word(head, word)
    if not head.type:
        raise OperandError(f"`{' '.join(text.split())}` declares no known type")
    return head, text[position:]


def _head_word(head: Head, word: str) -> None:
    if word in TYPE_BYTES or word == "pred":
        head.type = word
    elif word in ("v2", "v4", "v8"):
        head.vector = int(word[1:])
    elif word == "ptr":
        head.is_pointer = True
    elif head.is_pointer and word in SPACES:
        head.pointer_space = word
    elif word in ("texref", "samplerref", "surfref"):
        raise OperandError(f"`.{word}` is not supported: lanemap emulates no textures")
    else:
        raise OperandError(f"`.{word}` is not known in a declaration")


def _positive(text: str, what: str) -> int:
    try:
        value = parse_constant(text)
    except ConstantError as error:
        raise OperandError(str(error)) from error
    if value.kind != "int" or value.value < 1:
        raise OperandError(f"{what} {text} is not positive")
    return value.value


def _alignment(text: str) -> int:
    """Read the bytes of `.align`, a power of two (PTX ISA, Alignment)."""
    value = _positive(text, "alignment")
    if value & (value - 1):
        raise OperandError(f"alignment {text} is not a power of two")
    return value


def parse_registers(text: str) -> Iterator[tuple[str, int | None, str, int]]:
    """Yield (name, count of a range or None, type, vector width) of a `.reg` declaration."""
    head, rest = parse_head(text)
    for part in rest.split(","):
        match = _REGISTER.match(part)
        if match is None:
            raise OperandError(f"`{part.strip()}` is not a register name")
        count = None if match[2] is None else _positive(match[2], "register count")
        yield match[1], count, head.type, head.vector


def parse_variables(text: str, space: str, linkage: str, line: int) -> Iterator[Variable]:
    """Yield the variables of one declaration, without the space and without the `;`.

    Raises:
        OperandError: it is malformed.
    """
    head, rest = parse_head(text)
    if head.type == "pred":
        raise OperandError("a variable in memory cannot be of type .pred")
    for part in _declarators(rest):
        match = _DECLARATOR.match(part)
        if match is None:
            raise OperandError(f"`{' '.join(part.split())}` declares no variable")
        yield _variable(head, match, space, linkage, line)


def _declarators(text: str) -> list[str]:
    """Split at the commas between declarators: none of those inside an initialiser."""
    if "=" not in text:
        return split_operands(text) if "," in text else [text]
    parts, depth, begin = [], 0, 0
    for position, character in enumerate(text):
        if character in "{(":
            depth += 1
        elif character in "})":
            depth -= 1
        elif character == "," and depth == 0:
            parts.append(text[begin:position])
            begin = position + 1
    return [*parts, text[begin:]]


def _variable(head: Head, match: re.Match[str], space: str, linkage: str, line: int) -> Variable:
    name, dimensions, initialiser = match.groups()
    element = TYPE_BYTES[head.type]
    sizes = [_dimension(text) for text in re.findall(r"\[([^\]]*)\]", dimensions)]
    data: bytes | None = None
    relocations: tuple[Relocation, ...] = ()
    if initialiser is not None:
        if space not in ("global", "const"):
            raise OperandError(f"`{name}` in .{space} cannot have an initializer")
        if _product(sizes) > _MOST_INITIALISED:
            raise OperandError(
                f"`{name}` has an initial value and more than {_MOST_INITIALISED} elements"
            )
        data, relocations, count = initial_data(
            initialiser.strip(), head.type, [*sizes, *([head.vector] if head.vector > 1 else [])]
        )
        if sizes and sizes[0] == 0:
            sizes[0] = -(-count // (head.vector * _product(sizes[1:])))
    size = element * head.vector * _product(sizes)
    if data is not None:
        data = data.ljust(size, b"\0")
    return Variable(
        name,
        space,
        head.type,
        size,
        max(head.align, 1) if head.align else element * head.vector,
        linkage,
        data,
        relocations,
        head.pointer_space if head.is_pointer else None,
        head.pointer_align,
        head.managed,
        line,
    )


def _dimension(text: str) -> int:
    return _positive(text, "array size") if text.strip() not in ("", "0") else 0


def _product(sizes: list[int]) -> int:
    product = 1
    for size in sizes:
        product *= size
    return product
