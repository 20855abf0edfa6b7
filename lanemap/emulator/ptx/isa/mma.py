"""mma.sync: a warp multiplies matrices that lie in its registers (NVIDIA PTX ISA, mma).

The model gives the place of each element (lanemap/model/mma_sync.py), what ptxas makes of the
instruction and how the hardware adds (lanemap/model/tensor_sums.py).
"""

from __future__ import annotations

from dataclasses import dataclass

from lanemap.emulator.ptx.isa.floats import MODES, ROUNDINGS
from lanemap.emulator.ptx.isa.fragments import LANES, Fragment, Product, Scales, multiply
from lanemap.emulator.ptx.lower.statement import Statement
from lanemap.emulator.ptx.lower.sums import FORMATS, RESULTS, float_rule, integer_rule
from lanemap.emulator.ptx.lower.table import Emit, instruction
from lanemap.emulator.ptx.text.operand_text import OperandError
from lanemap.emulator.runtime.abi import SumRule
from lanemap.model import mma_sync, tensor_sums

_TYPES = " ".join(dict.fromkeys((*FORMATS, *RESULTS)))
_INTEGERS = ("s8", "u8", "s4", "u4", "b1")
FP8 = ("e4m3", "e5m2")
_MIXED = (set(FP8), {"s8", "u8"}, {"s4", "u4"})
#: Types of 6 and 4 bits, and all that .kind::f8f6f4 multiplies.
_NARROW = ("e3m2", "e2m3", "e2m1")
_MANY = {*FP8, *_NARROW}
#: Types of D and C for each type of A; of the quad form m8n8k4 D may be wider than C.
_BOTH = {("f16", "f16"), ("f32", "f32")}
_RESULTS = {
    "f64": {("f64", "f64")}, "f16": _BOTH, "e4m3": _BOTH, "e5m2": _BOTH,
    **dict.fromkeys(("tf32", "bf16"), {("f32", "f32")}), **dict.fromkeys(_NARROW, _BOTH),
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


@dataclass(frozen=True)
class Kind:
    """What .kind and the modifiers that go with it say.

    Attributes:
        name: .kind without "kind::"; "" where there is none.
        scales: None without .block_scale.
    """

    name: str
    scales: Scales | None = None

    @property
    def packed(self) -> bool:
        """Whether e2m1 lies in 4 bits."""
        return self.name in ("mxf4", "mxf4nvf4")

    def check(self, s: Statement, a: str, b: str) -> None:
        """Hold the types of A and B to the kind.

        Raises:
            OperandError: the kind does not multiply them, they need one, or the target lacks it.
        """
        narrow = {a, b} & set(_NARROW)
        if self.name:
            s.names.require("mma.sync.kind::f8f6f4")
        if self.scales is not None or narrow:
            s.names.require("block-scaled mma.sync")
        taken = {"e2m1"} if self.packed else _MANY
        for each in (a, b) if self.name else ():
            if each not in taken:
                s.refuse(each)
        if not self.name and narrow:
            raise OperandError(f"`{s.instruction.name}` needs .kind::f8f6f4")


#: Types of scales and .scale_vec of each kind; the first of these is the default of a kind that has
#: one (PTX ISA, Block Scaling for mma.sync). ptxas 13.0 does not know 4X of ue8m0 yet.
_SCALES: dict[str, dict[str, tuple[int, ...]]] = {
    "mxf8f6f4": {"ue8m0": (1,)},
    "mxf4": {"ue8m0": (2,)},
    "mxf4nvf4": {"ue8m0": (2, 4), "ue4m3": (4,)},
}
KINDS = ("f8f6f4", *_SCALES)


def kind_of(s: Statement) -> Kind:
    """Take .kind, .block_scale, .scale_vec and the type of scales.

    Raises:
        OperandError: they do not go together.
    """
    name = s.choice(" ".join(f"kind::{each}" for each in KINDS), "").removeprefix("kind::")
    scaled = s.flag("block_scale")
    if scaled != (name in _SCALES):
        s.refuse("block_scale" if scaled else f"kind::{name}")
    if not scaled:
        return Kind(name)
    kind = s.type(" ".join(_SCALES[name]))
    legal = _SCALES[name][kind]
    word = s.choice(
        " ".join(f"scale_vec::{each}X" for each in (1, 2, 4)),
        None if name == "mxf4nvf4" else f"scale_vec::{legal[0]}X",
    )
    blocks = int(word[-2])
    if blocks not in legal:
        s.refuse(word)
    return Kind(name, Scales(blocks, kind))


def _types(s: Statement, quads: bool, kind: Kind) -> Types:
    """Take the types.

    Raises:
        OperandError: they do not go together.
    """
    c, b, a, d = (s.type(_TYPES) for _ in range(4))
    kind.check(s, a, b)
    if a != b and {a, b} not in _MIXED and not kind.name:
        s.refuse(b)
    legal = _RESULTS.get(a, set()) | ({("f32", "f16")} if quads and a == "f16" else set())
    if (d, c) not in legal:
        s.refuse(d if (d, d) not in legal else c)
    return Types(d, a, b, c)


def _lowering(s: Statement, types: Types, rows: int, depth: int) -> tensor_sums.Lowering:
    cores = s.names.tensor_cores if types.d != "s32" else ""
    return tensor_sums.mma_lowering(rows, depth, types.a, types.d, cores)


def _rule(
    s: Statement, types: Types, kind: Kind, lowering: tensor_sums.Lowering, depth: int, bits: str
) -> SumRule:
    if types.d == "s32":
        return integer_rule(types.a != "b1" and s.flag("satfinite"), bits == "xor")
    if kind.scales is not None:
        return float_rule(tensor_sums.scaled_unit(depth), types.d)
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
        raise OperandError(
            f"`mma` with C in f16 and D in f32 is not emulated for {s.names.gpu}: a subnormal C "
            "keeps f16's exponent in its sums; use C in f32"
        )
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
    rule = _rule(s, types, Kind(""), lowering, depth, "")
    return Product(rows, columns, depth, d, a, b, c, rule, range(depth), products=4)


def _product(s: Statement, types: Types, name: str, kind: Kind, bits: str, mode: int) -> Product:
    """Any other shape.

    Raises:
        OperandError: there is none of that name with these types.
    """
    shape, other = (mma_sync.shape_of(name, each) for each in (types.a, types.b))
    if shape is None or other is None:
        missing = types.a if shape is None else types.b
        raise OperandError(f"`mma` has no shape .{name} of type .{missing}")
    for needs in (shape.needs, other.needs):
        if needs:
            s.names.require(needs)
    if bits == "and":
        s.names.require("matrices of sm_80")
    rows, depth = shape.rows, shape.depth
    lowering = _lowering(s, types, rows, depth)
    a, b, c, d = (
        Fragment(f"mma.sync.{name}.{each}:{letter}", each, size // LANES, holder)
        for each, letter, size, holder in (
            (types.a, "A", rows * depth, shape.bits),
            (types.b, "B", depth * 8, other.bits),
            (types.c, "D", rows * 8, 0),
            (types.d, "D", rows * 8, 0),
        )
    )
    rule = _rule(s, types, kind, lowering, depth, bits)
    order = lowering.order(depth)
    return Product(rows, 8, depth, d, a, b, c, rule, order, mode=mode, scales=kind.scales)


@instruction(
    "mma",
    "mma.sync.aligned.shape.alayout.blayout{.rnd}{.satfinite}.dtype.atype.btype.ctype"
    "{.bitOp.popc} d, a, b, c; mma.sync.aligned.shape.row.col.kind{.block_scale{.scale_vec}}.dtype"
    ".atype.btype.ctype{.stype} d, a, b, c{, sfa, {byte, thread}, sfb, {byte, thread}}",
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
    kind = kind_of(s)
    types = _types(s, name == _QUADS, kind)
    if kind.name and name != ("m16n8k64" if kind.packed else "m16n8k32"):
        s.refuse(name)
    if kind.scales is not None and types.d != "f32":
        s.refuse(types.d)
    if (types.a == "b1") != bool(bits):
        s.refuse(bits or types.a)
    if rounding and types.a != "f64":
        s.refuse(rounding)
    if name == _QUADS and types.a == "f16":
        return multiply(s, _quads(s, types, majors))
    if majors != ("row", "col"):
        s.refuse(".".join(majors))
    return multiply(s, _product(s, types, name, kind, bits, MODES[rounding or "rn"]))
