"""mma.sync: a warp multiplies matrices that lie in its registers (NVIDIA PTX ISA, mma).

The model gives the place of each element (lanemap/model/mma_sync.py), what ptxas makes of the
instruction and how the hardware adds (lanemap/model/tensor_sums.py).
"""

from __future__ import annotations

from dataclasses import dataclass

from lanemap.emulator.ptx.isa.floats import MODES, ROUNDINGS
from lanemap.emulator.ptx.isa.fragments import LANES, Fragment, Product, multiply
from lanemap.emulator.ptx.lower.statement import Statement
from lanemap.emulator.ptx.lower.sums import FORMATS, RESULTS, float_rule, integer_rule
from lanemap.emulator.ptx.lower.table import Emit, instruction
from lanemap.emulator.ptx.text.operand_text import OperandError
from lanemap.emulator.runtime.abi import SumRule
from lanemap.model import mma_sync, tensor_sums

_TYPES = " ".join(dict.fromkeys((*FORMATS, *RESULTS)))
_INTEGERS = ("s8", "u8", "s4", "u4", "b1")
_FP8 = ("e4m3", "e5m2")
_MIXED = (set(_FP8), {"s8", "u8"}, {"s4", "u4"})
#: Types of D and C for each type of A; of the quad form m8n8k4 D may be wider than C.
_BOTH = {("f16", "f16"), ("f32", "f32")}
_RESULTS = {
    "f64": {("f64", "f64")}, "f16": _BOTH, "e4m3": _BOTH, "e5m2": _BOTH,
    **dict.fromkeys(("tf32", "bf16"), {("f32", "f32")}),
    **dict.fromkeys(_INTEGERS, {("s32", "s32")}),
}  # fmt: skip
_QUADS, _QUAD_SHAPE = "m8n8k4", (8, 8, 4)


@dataclass(frozen=True)
class Types:
    """Types of the matrices, as the instruction names them."""

    d: str
    a: str
    b: str
    c: str


def _types(s: Statement, quads: bool) -> Types:
    """Take the types.

    Raises:
        OperandError: they do not go together.
    """
    c, b, a, d = (s.type(_TYPES) for _ in range(4))
    if a != b and {a, b} not in _MIXED:
        s.refuse(b)
    legal = _RESULTS.get(a, set()) | ({("f32", "f16")} if quads and a == "f16" else set())
    if (d, c) not in legal:
        s.refuse(d if (d, d) not in legal else c)
    return Types(d, a, b, c)


def _lowering(s: Statement, types: Types, rows: int, depth: int) -> tensor_sums.Lowering:
    cores = s.names.tensor_cores if types.d != "s32" else ""
    return tensor_sums.mma_lowering(rows, depth, types.a, types.d, cores)


def _rule(
    s: Statement, types: Types, lowering: tensor_sums.Lowering, depth: int, bits: str
) -> SumRule:
    if types.d == "s32":
        return integer_rule(types.a != "b1" and s.flag("satfinite"), bits == "xor")
    if types.a in _FP8:
        s.names.require("FP8")
    kept = lowering.kept or types.d
    depth //= len(lowering.machine)
    unit = (
        tensor_sums.Unit(lowering.chain, fused=True)
        if lowering.chain
        else tensor_sums.unit(lowering.operands or types.a, kept, depth, s.names.tensor_cores)
    )
    return float_rule(unit, kept, lowering.operands, lowering.apart)


def _quads(s: Statement, types: Types, majors: tuple[str, str]) -> Product:
    """m8n8k4 with f16: four products, each of eight lanes.

    Raises:
        OperandError: Turing's HMMA.884 would add C in f16, subnormal as it is, to sums in f32.
    """
    if s.names.tensor_cores == "Turing" and types.c != types.d:
        raise OperandError(f"`mma` with C in f16 and D in f32 is not emulated for {s.names.gpu}")
    rows, columns, depth = _QUAD_SHAPE
    lowering = _lowering(s, types, rows, depth)
    a, b, c, d = (
        Fragment(f"mma.sync.{_QUADS}.{name}", kind, count)
        for name, kind, count in (
            (f"{majors[0]}.f16:A", "f16", 4),
            (f"{majors[1]}.f16:B", "f16", 4),
            (f"{types.c}:D", types.c, 8),
            (f"{types.d}:D", types.d, 8),
        )
    )
    rule = _rule(s, types, lowering, depth, "")
    return Product(rows, columns, depth, d, a, b, c, rule, range(depth), products=4)


def _product(s: Statement, types: Types, name: str, bits: str, mode: int) -> Product:
    """Any other shape.

    Raises:
        OperandError: there is none of that name with these types.
    """
    for shape in mma_sync.SHAPES:
        if shape.name == name and types.a in shape.types:
            break
    else:
        raise OperandError(f"`mma` has no shape .{name} of type .{types.a}")
    rows, depth = shape.rows, shape.depth
    lowering = _lowering(s, types, rows, depth)
    a, b, c, d = (
        Fragment(f"mma.sync.{name}.{kind}:{letter}", kind, size // LANES)
        for kind, letter, size in (
            (types.a, "A", rows * depth),
            (types.b, "B", depth * 8),
            (types.c, "D", rows * 8),
            (types.d, "D", rows * 8),
        )
    )
    rule = _rule(s, types, lowering, depth, bits)
    return Product(rows, 8, depth, d, a, b, c, rule, lowering.order(depth), mode=mode)


@instruction(
    "mma",
    "mma.sync.aligned.shape.alayout.blayout{.rnd}{.satfinite}.dtype.atype.btype.ctype"
    "{.bitOp.popc} d, a, b, c",
    cite="PTX ISA, Matrix multiply-accumulate: mma",
    gate=True,
)
def mma(s: Statement) -> Emit:
    """D = A x B + C."""
    for word in ("sync", "aligned"):
        s.choice(word)
    bits = s.choice("and xor") if s.flag("popc") else ""
    name = s.choice(" ".join(dict.fromkeys((_QUADS, *(shape.name for shape in mma_sync.SHAPES)))))
    majors = s.majors()
    rounding = s.choice(ROUNDINGS, "")
    kind = s.flag("kind::f8f6f4")
    types = _types(s, name == _QUADS)
    # The other types of this kind are those of sm_120a; ptxas makes the same of e4m3 and e5m2.
    if kind and (name != "m16n8k32" or types.a not in _FP8):
        s.refuse("kind::f8f6f4")
    if (types.a == "b1") != bool(bits):
        s.refuse(bits or types.a)
    if rounding and types.a != "f64":
        s.refuse(rounding)
    if name == _QUADS and types.a == "f16":
        return multiply(s, _quads(s, types, majors))
    if majors != ("row", "col"):
        s.refuse(".".join(majors))
    return multiply(s, _product(s, types, name, bits, MODES[rounding or "rn"]))
