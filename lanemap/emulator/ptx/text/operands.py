"""Operands of a PTX instruction (NVIDIA PTX ISA, Instruction Operands)."""

from __future__ import annotations

from dataclasses import dataclass

from lanemap.emulator.ptx.text.variables import Variable


@dataclass(frozen=True, slots=True, eq=False)
class Register:
    """A virtual register; two of one name in different scopes are different registers.

    Attributes:
        name: As written, "%r12".
        type: Without the dot: "pred", "b32", "f64", "b128", ..
        index: Position in `Function.registers`.
    """

    name: str
    type: str
    index: int

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True)
class Immediate:
    """A constant.

    Attributes:
        kind: "int" (64 bits, signed or unsigned), "f32" or "f64".
        value: The integer, or the bits of the float.
    """

    kind: str
    value: int

    def __str__(self) -> str:
        if self.kind == "int":
            return str(self.value)
        return f"0f{self.value:08X}" if self.kind == "f32" else f"0d{self.value:016X}"


@dataclass(frozen=True, slots=True)
class Special:
    """A special register, with its component if one is named: "%tid.x", "%laneid"."""

    name: str

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True)
class Symbol:
    """The address of a variable plus bytes, as `mov` takes it."""

    variable: Variable
    offset: int = 0

    def __str__(self) -> str:
        return f"{self.variable.name}+{self.offset}" if self.offset else self.variable.name


@dataclass(frozen=True, slots=True)
class FunctionName:
    """A function as an operand: the target of a direct call, or an address to take."""

    name: str

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True)
class Label:
    """A branch target: `target` is an index into `Function.body`, its length for the end."""

    name: str
    target: int

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True)
class LabelList:
    """The labels of `.branchtargets`; the operand of brx.idx."""

    name: str
    labels: tuple[Label, ...]

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True)
class Address:
    """A memory operand, `[base+offset]` or `[base, {coordinates}]`.

    Attributes:
        base: A register, a variable, or None for an absolute address.
        offset: Bytes.
        indices: What follows the first comma inside the brackets: coordinates of a tensor, ..
    """

    base: Register | Variable | None
    offset: int = 0
    indices: tuple[Operand, ...] = ()

    def __str__(self) -> str:
        base = "" if self.base is None else self.base.name
        offset = f"{self.offset:+d}" if self.offset or not base else ""
        rest = "".join(f", {index}" for index in self.indices)
        return f"[{base}{offset}{rest}]"


@dataclass(frozen=True, slots=True)
class Vector:
    """`{a, b, ..}`."""

    elements: tuple[Operand, ...]

    def __str__(self) -> str:
        return "{" + ", ".join(map(str, self.elements)) + "}"


@dataclass(frozen=True, slots=True)
class Pair:
    """`first|second`: two destinations."""

    first: Operand
    second: Operand

    def __str__(self) -> str:
        return f"{self.first}|{self.second}"


@dataclass(frozen=True, slots=True)
class Not:
    """`!p`: the complement of a predicate."""

    operand: Register

    def __str__(self) -> str:
        return f"!{self.operand}"


@dataclass(frozen=True, slots=True)
class Sink:
    """`_`: a discarded destination, or an omitted operand."""

    def __str__(self) -> str:
        return "_"


Operand = (
    Register
    | Immediate
    | Special
    | Symbol
    | FunctionName
    | Label
    | LabelList
    | Address
    | Vector
    | Pair
    | Not
    | Sink
)
