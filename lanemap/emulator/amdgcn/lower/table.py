"""The instruction table: each instruction's syntax, roles, citation and semantics in one place.

    @instruction("v_add_u32", "=v:i32 x:i32 x:i32", VOP2, cite="AMD CDNA4 ISA, 12.7, V_ADD_U32")
    def v_add_u32(c, a, b):
        return c.alu.add(a, b)

The second argument lists the operands in the order of the text, `=` before what is written, `+`
before what is read and written, parentheses around implied operands: `(scc)`, `(vcc)`, `(exec)`,
`(m0)`. The function gets a Context and the value of everything read, in that order, and returns
what is written, in that order. An instruction that is not a function of its
operands alone (memory, branches) is declared `raw` and reads and writes operands itself.

| place | operand |
|---|---|
| v, a, va | VGPR, AGPR, either |
| x | any source of a vector instruction: VGPR, SGPR, constant |
| s | scalar: SGPR, special register; as a source a constant too |
| m | a lane mask in a pair of SGPRs: one i1 for each lane |
| vc | VGPR, AGPR or an inline constant (the third source of a matrix instruction) |
| gaddr, saddr | a global address: VGPR pair and `off`, or VGPR offset and SGPR pair |
| baddr, vaddr, soff | address VGPRs of a buffer or scratch access, or `off`; its scalar offset |
| k | a constant that is always a literal |
| simm, label | an immediate number, a branch target |

Types: i16 i32 i64 s64 (i64 whose literals are signed) f16 bf16 f32 f64; pk16 (two halves in 32
bits), pkf16, pkf32 (two f32 in 64 bits); w1 to w32: that many registers as a list of i32. f16x2,
bf16x2: an i32 whose low half a float constant fills, for sources without float modifiers.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from lanemap.emulator.amdgcn.text import PROCESSOR
from lanemap.targets import TARGETS, instructions_of

WORDS = {
    "i1": 1, "i16": 1, "i32": 1, "i64": 2, "s64": 2, "f16": 1, "bf16": 1, "f32": 1, "f64": 2,
    "f16x2": 1, "bf16x2": 1, "pk16": 1, "pkf16": 1, "pkf32": 2, "pk32": 2, "m": 2,
}  # fmt: skip
#: LLVM's type of a value of each operand type.
LLVM_TYPES = {
    "i16": "i16", "i32": "i32", "i64": "i64", "s64": "i64", "f16": "half", "bf16": "bfloat",
    "f32": "float", "f64": "double", "pk16": "i32", "pkf16": "i32", "f16x2": "i32",
    "bf16x2": "i32",
}  # fmt: skip
FLOAT_TYPES = frozenset({"f16", "bf16", "f32", "f64", "pkf16", "pkf32"})


@dataclass(frozen=True)
class Format:
    """An encoding (AMD CDNA4 ISA, chapter 13).

    Attributes:
        name: As the ISA calls it.
        size: Bytes without a literal.
        literal: Whether a 32-bit literal may follow.
        promotes: Whether the instruction has a VOP3 form of 8 bytes too.
        dpp, sdwa: Whether the instruction has these forms.
    """

    name: str
    size: int
    literal: bool = False
    promotes: bool = False
    dpp: bool = False
    sdwa: bool = False


SOP1 = Format("SOP1", 4, literal=True)
SOP2 = Format("SOP2", 4, literal=True)
SOPC = Format("SOPC", 4, literal=True)
SOPK = Format("SOPK", 4)
SOPK_LITERAL = Format("SOPK", 8)
SOPP = Format("SOPP", 4)
SMEM = Format("SMEM", 8)
VOP1 = Format("VOP1", 4, literal=True, promotes=True, dpp=True, sdwa=True)
VOP2 = Format("VOP2", 4, literal=True, promotes=True, dpp=True, sdwa=True)
VOPC = Format("VOPC", 4, literal=True, promotes=True, sdwa=True)
VOP1_PLAIN = Format("VOP1", 4, literal=True, promotes=True)
VOP2_PLAIN = Format("VOP2", 4, literal=True, promotes=True)
VOP2_DPP = Format("VOP2", 4, literal=True, promotes=True, dpp=True)
VOP1_64 = Format("VOP1", 4, literal=True, promotes=True, dpp=True)
VOP1_E32 = Format("VOP1", 4, literal=True)
VOP2_LITERAL = Format("VOP2", 8)
VOP3 = Format("VOP3", 8)
VOP3P = Format("VOP3P", 8)
MFMA_SCALE = Format("VOP3PX2", 16)
DS = Format("DS", 8)
FLAT = Format("FLAT", 8)
MUBUF = Format("MUBUF", 8)
MTBUF = Format("MTBUF", 8)


@dataclass(frozen=True)
class Role:
    """One operand of an instruction: where it may lie, of what type, read or written."""

    place: str
    type: str
    reads: bool
    writes: bool
    implied: bool = False

    @property
    def words(self) -> int:
        """How many consecutive 32-bit registers it occupies."""
        if self.type[0] == "w" and self.type[1:].isdigit():
            return int(self.type[1:])
        return WORDS[self.type]


Semantics = Callable[..., Any]
F = TypeVar("F", bound=Callable[..., Any])


@dataclass(frozen=True)
class Definition:
    """One instruction.

    Attributes:
        name: Mnemonic without encoding suffix.
        roles: Operands in the order of the text, implied ones in between.
        modifiers: Names of modifiers that it takes beside those of its format.
        raw: Whether `function` does its own reading and writing; it is then called with the
            Context alone.
        kind: What else the analysis must know: "load", "store", "atomic", "wait", "branch", "end",
            "barrier", "jump", "call", "sleep", or "".
        high_half: Effect of a 16-bit result on the upper half of its register: "zero", or "keep"
            in the forms with op_sel (LLVM, GCNSubtarget.cpp, zeroesHigh16BitsOfDest).
        vcc_optional: Whether the text may leave out the vcc that comes first.
        integer_clamp: Whether `clamp` saturates an integer result.
        even: Whether tuples of VGPRs begin at an even number.
        extra: What else the instruction's family needs.
    """

    name: str
    roles: tuple[Role, ...]
    format: Format
    cite: str
    function: Semantics
    modifiers: frozenset[str] = frozenset()
    raw: bool = False
    kind: str = ""
    high_half: str = "zero"
    vcc_optional: bool = False
    integer_clamp: bool = False
    even: bool = True
    extra: dict[str, Any] = field(default_factory=dict)

    @property
    def explicit(self) -> tuple[Role, ...]:
        """The operands that the text names."""
        return tuple(role for role in self.roles if not role.implied)


TABLE: dict[str, Definition] = {}
#: Other ways to write an instruction, and its mnemonic.
SPELLINGS: dict[str, str] = {}
_PLACES = "va|vc|v|a|x|s|m|gaddr|saddr|baddr|vaddr|soff|simm|label|k|scc|vcc|exec|m0"
_ITEM = re.compile(rf"([=+]?)(\(?)({_PLACES})(?::(\w+))?\)?$")
_IMPLIED_TYPES = {"scc": "i1", "vcc": "m", "exec": "i64", "m0": "i32", "m": "m"}


def parse_roles(text: str) -> tuple[Role, ...]:
    """The roles that an operand list of the table describes."""
    roles = []
    for item in text.split():
        match = _ITEM.match(item)
        if match is None:
            raise ValueError(f"operand {item!r} of {text!r}")
        mark, parenthesis, place, kind = match.groups()
        roles.append(
            Role(
                place,
                kind or _IMPLIED_TYPES.get(place, "i32"),
                reads=mark != "=",
                writes=mark != "",
                implied=bool(parenthesis),
            )
        )
    return tuple(roles)


def instruction(
    names: str | Sequence[str],
    operands: str,
    form: Format,
    *,
    cite: str,
    modifiers: str = "",
    raw: bool = False,
    kind: str = "",
    high_half: str = "zero",
    integer_clamp: bool = False,
    even: bool = True,
    **extra: Any,
) -> Callable[[F], F]:
    """Add instructions that share operands and semantics to the table.

    Args:
        names: One mnemonic or several, as a list or separated by spaces.
        operands: See the head of this module.
        form: The encoding.
        cite: Where the semantics is stated.
        modifiers: Names of modifiers beside those of the format, separated by spaces.
        raw: See `Definition`.
        kind: See `Definition`.
        high_half: See `Definition`.
        integer_clamp: Whether `clamp` saturates an integer result.
        even: Whether register tuples of VGPRs begin at an even number.
        extra: Facts about the instruction for its function, as `c.extra`; `roles`, if given, is
            called with the Instruction and the roles and returns those that this use has; `check`
            is called with the Instruction and returns why its modifiers make no sense, or "".
    """
    roles = parse_roles(operands)

    def register(function: F) -> F:
        for name in names.split() if isinstance(names, str) else names:
            if name in TABLE:
                raise ValueError(f"{name} is in the table twice")
            TABLE[name] = Definition(
                name,
                roles,
                form,
                cite,
                function,
                frozenset(modifiers.split()),
                raw,
                kind,
                high_half,
                form.name == "VOPC",
                integer_clamp,
                even,
                extra,
            )
        return function

    return register


def spelling(name: str, others: Sequence[str]) -> None:
    """Let an instruction of the table be written in other ways too.

    Another instruction may have such a name where it is of one generation alone (`cores` among its
    `extra`, see `Target.tensor_cores`).
    """
    for other in others:
        taken = other in TABLE and not TABLE[other].extra.get("cores")
        if taken or SPELLINGS.get(other, name) != name:
            raise ValueError(f"{other} names two instructions")
        SPELLINGS[other] = name


def lookup(name: str, target: str = PROCESSOR) -> Definition | None:
    """The definition of a mnemonic; None where a target lacks it, or it is not executed."""
    for known in (name, SPELLINGS.get(name, "")):
        definition = TABLE.get(known)
        if definition is None or {name, known}.isdisjoint(instructions_of(target)):
            continue
        if definition.extra.get("cores", "") in ("", TARGETS[target].tensor_cores):
            return definition
    return None
