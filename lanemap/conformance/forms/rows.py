"""Rows of the PTX ISA's syntax tables, in the ISA's notation, and the forms that they generate.

A row is an opcode with modifiers, `add{.rnd}{.ftz}{.sat}.f32`, and its operands. `{.x}` is
optional. A modifier that names one of the row's sets stands for each member of the set; any other
modifier stands for itself. Operands are words:

    f32, b64, pred, ..  a register as wide as the type (or as the chosen member of that set)
    wide(type)          a register of twice the width
    4*f32, vec*type     a list in braces; `vec` may be a set with members v2, v4, ..
    [space]             an address in the space (a set or a name; "" and `generic`: generic)
    #5, =word           an immediate; a word as it is
    hint?b64            present only if the optional set `hint` was chosen
    a|b                 a pair
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

Sets = Mapping[str, str]
_PART = re.compile(r"\{\.([\w:]+)\}|\.([\w:]+)")

#: Bits of the register that holds a type whose name does not say them.
_PACKED_BITS = {
    "e4m3": 8, "e5m2": 8,
    "e4m3x2": 16, "e5m2x2": 16, "e2m1x2": 8, "e2m3x2": 16, "e3m2x2": 16, "ue8m0x2": 16,
    "e4m3x4": 32, "e5m2x4": 32, "e2m1x4": 16, "e2m3x4": 32, "e3m2x4": 32,
    "u2": 32, "s2": 32, "u4": 32, "s4": 32,
}  # fmt: skip


_NAMED_BITS = re.compile(r"(?:b|s|u|f|bf|tf)(\d+)(?:x(\d))?")
_LETTERS = {8: "c", 16: "h", 32: "r", 64: "d", 128: "q"}


@dataclass(frozen=True)
class Row:
    """One line of a syntax table.

    Attributes:
        opcode: With modifiers, in the ISA's notation.
        operands: Words as in the module's description.
        sets: Members of each set, separated by blanks; in the opcode a set's name is written as
            `.name`.
        shape: Distinguishes forms that share a name: "three", "%tid.x".
        context: "entry"; "func" for a device function, whose parameters have their own space; or
            "independent" for a kernel in a text of independent texture mode.
    """

    opcode: str
    operands: str
    sets: Sets
    shape: str = ""
    context: str = "entry"


@dataclass(frozen=True)
class Form:
    """One opcode with all its modifiers, and operands that fit.

    Attributes:
        name: "add.rn.ftz.f32"; with the shape if several forms share the name, "max.f32 (three)".
        statement: The instruction as PTX text.
    """

    name: str
    statement: str
    context: str


def type_bits(kind: str) -> int:
    """Return the bits of the register that holds a type."""
    if kind in _PACKED_BITS:
        return _PACKED_BITS[kind]
    named = _NAMED_BITS.fullmatch(kind)
    if named is None:
        raise ValueError(f"{kind} is not a type of the syntax tables")
    return int(named[1]) * int(named[2] or 1)


def expand(row: Row) -> Iterator[Form]:
    """Yield the forms of a row."""
    names: list[str] = []
    choices: list[list[str]] = []
    root = row.opcode.partition(".")[0].partition("{")[0]
    for optional, mandatory in _PART.findall(row.opcode[len(root) :]):
        name = optional or mandatory
        names.append(name)
        members = row.sets.get(name, name).split()
        choices.append(["", *members] if optional else members)
    for chosen in itertools.product(*choices):
        picked = dict(zip(names, chosen, strict=True))
        written = ".".join([root, *[member for member in chosen if member]])
        writer = _Operands(picked)
        operands = [text for word in row.operands.split() if (text := writer.operand(word))]
        name = f"{written} ({row.shape})" if row.shape else written
        yield Form(name, f"{written} {', '.join(operands)};".replace(" ;", ";"), row.context)


class _Operands:
    """Writes operands, each with its own register."""

    def __init__(self, picked: Mapping[str, str]) -> None:
        self._picked = picked
        self._count = 0

    def operand(self, word: str) -> str:
        if "?" in word:
            needed, _, word = word.partition("?")
            if not self._picked.get(needed):
                return ""
        if word[0] in "#=":
            return word[1:]
        if word[0] == "[":
            return f"[{self._address(self._picked.get(word[1:-1], word[1:-1]))}]"
        if "|" in word:
            return "|".join(self.operand(part) for part in word.split("|"))
        count, star, kind = word.rpartition("*")
        if not star:
            return self._register(kind)
        number = self._picked.get(count, count)
        if not number:
            return self._register(kind)
        parts = [self._register(kind) for _ in range(int(number.removeprefix("v")))]
        return "{" + ", ".join(parts) + "}"

    def _register(self, kind: str) -> str:
        self._count += 1
        double = kind.startswith("wide(")
        kind = kind.removeprefix("wide(").removesuffix(")")
        kind = self._picked.get(kind, kind)
        if kind == "pred":
            return f"p{self._count}"
        bits = type_bits(kind) * (2 if double else 1)
        return f"{_LETTERS[bits]}{self._count}"

    def _address(self, space: str) -> str:
        self._count += 1
        known = {
            "global": "g", "const": "c_", "shared": "s", "shared::cta": "s", "local": "l",
            "param": "p", "param::entry": "p", "param::func": "p", "call": "a",
        }  # fmt: skip
        if space == "shared::cluster":
            return f"r{self._count}"
        return known.get(space, f"d{self._count}")


_HEAD = """.version 9.0
.target {target}
.address_size 64
.const .align 32 .b8 c_[64];
.global .align 32 .b8 g[1024];
"""
_TEXTURES = ".global .texref texture;\n.global .samplerref sampler;\n"
#: Registers that PTX has since 8.3 (PTX ISA, Fundamental Types); an older ptxas refuses them.
WIDE_REGISTERS, WIDE_SINCE = ".reg .b128 q<24>; ", (8, 3)
_REGISTERS = (
    ".reg .pred p<24>; .reg .b8 c<24>; .reg .b16 h<24>; .reg .b32 r<140>; .reg .b64 d<24>; "
    f"{WIDE_REGISTERS}.reg .f32 f<2>; .shared .align 32 .b8 s[1024]; .local .align 32 .b8 l[256]; "
)
_BRANCHES = "T: .branchtargets L, M; "


def head(target: str, context: str) -> str:
    """Return the lines above the kernels of a text for forms of a context."""
    if context == "independent":
        return _HEAD.format(target=f"{target}, texmode_independent") + _TEXTURES
    return _HEAD.format(target=target)


def kernel(form: Form, name: str) -> str:
    """Return one line of PTX: a kernel or device function that declares what the form names."""
    body = f"{{ {_REGISTERS}{_BRANCHES}{form.statement} L: M: ret; }}"
    if form.context == "func":
        return f".func {name}(.param .align 32 .b8 p[64]) {body}\n"
    return f".entry {name}(.param .align 32 .b8 p[64]) {body}\n"
