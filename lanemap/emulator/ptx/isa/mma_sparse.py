"""mma.sp: mma.sync whose A has half of its elements (NVIDIA PTX ISA, mma.sp).

The model gives the places of stored elements and of metadata (lanemap/model/mma_sparse.py).
"""

from __future__ import annotations

from lanemap.emulator.ptx.isa.fragments import LANES, Fragment, Product, Sparse, multiply
from lanemap.emulator.ptx.isa.mma import FP8, Kind, kind_of
from lanemap.emulator.ptx.lower.statement import Statement
from lanemap.emulator.ptx.lower.sums import FORMATS, RESULTS, float_rule, integer_rule
from lanemap.emulator.ptx.lower.table import Emit, instruction
from lanemap.emulator.ptx.text.operand_text import OperandError
from lanemap.emulator.ptx.text.operands import Immediate
from lanemap.emulator.runtime.abi import SumRule
from lanemap.model import mma_sparse, tensor_sums

_TYPES = " ".join(dict.fromkeys((*FORMATS, *RESULTS)))
_MIXED = ({"e4m3", "e5m2"}, {"s8", "u8"}, {"s4", "u4"})
_RESULT = {"bf16": ("f32",), "tf32": ("f32",), "f16": ("f16", "f32")}
_MANY = dict.fromkeys((*FP8, "e3m2", "e2m3", "e2m1"), ("f16", "f32"))
#: Its place among the operands.
_SELECTOR = 5


def _types(s: Statement, kind: Kind) -> tuple[str, str, str]:
    """Take the types: of D and C, of A, of B.

    Raises:
        OperandError: they do not go together.
    """
    c, b, a, d = (s.type(_TYPES) for _ in range(4))
    kind.check(s, a, b)
    if a != b and {a, b} not in _MIXED and not kind.name:
        s.refuse(b)
    legal = ("f32",) if kind.scales is not None else (_RESULT | _MANY).get(a, ("s32",))
    if c != d or d not in legal:
        s.refuse(d if d not in legal else c)
    return d, a, b


def _selector(s: Statement, shape: mma_sparse.Shape) -> int:
    """The sparsity selector, an operand of its own.

    Raises:
        OperandError: it is no selector of the shape.
    """
    operands = s.instruction.operands
    last = operands[_SELECTOR] if len(operands) > _SELECTOR else None
    if not isinstance(last, Immediate) or last.kind != "int":
        raise OperandError(f"`{s.instruction.text}` needs a sparsity selector, a constant")
    if last.value not in range(shape.selectors):
        raise OperandError(
            f"`{s.instruction.text}`: {last.value} is not a sparsity selector of .{shape.name}, "
            f"which has {', '.join(map(str, range(shape.selectors)))}"
        )
    return last.value


def _rule(
    s: Statement, shape: mma_sparse.Shape, kinds: tuple[str, str], kind: Kind
) -> tuple[SumRule, int]:
    """How products are added, and the machine instructions that divide them."""
    d, a = kinds
    if d == "s32":
        return integer_rule(s.flag("satfinite")), 1
    if kind.scales is not None:
        return float_rule(tensor_sums.scaled_unit(shape.depth // 2), d), 1
    if a in FP8:
        s.names.require("FP8")
    cores = s.names.tensor_cores
    lowering = tensor_sums.sparse_lowering(shape.depth, a, d, cores)
    steps = len(lowering.machine)
    unit = tensor_sums.unit(lowering.operands or a, d, shape.depth // 2 // steps, cores)
    return float_rule(unit, d, lowering.operands, lowering.apart), steps


@instruction(
    "mma.sp mma.sp::ordered_metadata",
    "mma.spvariant.sync.aligned.shape.row.col{.satfinite}.dtype.atype.btype.ctype d, a, b, c, e, f;"
    " mma.sp::ordered_metadata.sync.aligned.shape.row.col.kind{.block_scale{.scale_vec}}.dtype"
    ".atype.btype.ctype{.stype} d, a, b, c, e, f{, sfa, {byte, thread}, sfb, {byte, thread}}",
    cite="PTX ISA, Multiply-and-Accumulate Instruction: mma.sp",
    gate=True,
    needs="matrices of sm_80",
)
def mma_sp(s: Statement) -> Emit:
    """D = A x B + C, half of A's elements stored."""
    ordered = "sp::ordered_metadata" in s.instruction.modifiers
    for word in ("sync", "aligned"):
        s.choice(word)
    names = dict.fromkeys(each.name for each in mma_sparse.SHAPES)
    name = s.choice(" ".join(names))
    if s.majors() != ("row", "col"):
        s.refuse("col")
    kind = kind_of(s)
    d, a, b = _types(s, kind)
    half = a in FP8 and d == "f16"
    if half:
        s.names.require("block-scaled mma.sync", "`mma.sp` of FP8 with D in f16")
    if (kind.name or half) and not ordered:
        s.refuse("sp")
    if kind.name and name != ("m16n8k128" if kind.packed else "m16n8k64"):
        s.refuse(name)
    shape, other = (mma_sparse.shape_of(name, each) for each in (a, b))
    if shape is None or other is None:
        raise OperandError(f"`mma.sp` has no shape .{name} of type .{a if shape is None else b}")
    selector = _selector(s, shape)
    rule, steps = _rule(s, shape, (d, a), kind)
    prefix, rows = f"mma.sp.{name}", mma_sparse.ROWS
    result = Fragment(f"mma.sync.m16n8k16.{d}:D", d, rows * 8 // LANES)
    product = Product(
        rows,
        8,
        shape.depth,
        result,
        Fragment(f"{prefix}.{a}:A", a, rows * shape.depth // 2 // LANES, shape.bits),
        Fragment(f"{prefix}.{b}:B", b, 8 * shape.depth // LANES, other.bits),
        result,
        rule,
        None,
        sparse=Sparse(shape.chunk, f"{prefix}.{a}.selector{selector}:E", ordered, steps),
        scales=kind.scales,
    )
    return multiply(s, product)
