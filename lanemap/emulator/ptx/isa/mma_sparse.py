"""mma.sp: mma.sync whose A has half of its elements (NVIDIA PTX ISA, mma.sp).

The model gives the places of stored elements and of metadata (lanemap/model/mma_sparse.py).
"""

from __future__ import annotations

from lanemap.emulator.ptx.isa.fragments import LANES, Fragment, Product, Sparse, multiply
from lanemap.emulator.ptx.lower.statement import Statement
from lanemap.emulator.ptx.lower.sums import FORMATS, RESULTS, float_rule, integer_rule
from lanemap.emulator.ptx.lower.table import Emit, instruction
from lanemap.emulator.ptx.text.operand_text import OperandError
from lanemap.emulator.ptx.text.operands import Immediate
from lanemap.emulator.runtime.abi import SumRule
from lanemap.model import mma_sparse, tensor_sums

_TYPES = " ".join(dict.fromkeys((*FORMATS, *RESULTS)))
_MIXED = ({"e4m3", "e5m2"}, {"s8", "u8"}, {"s4", "u4"})
_RESULT = {"bf16": "f32", "tf32": "f32", "e4m3": "f32", "e5m2": "f32"}


def _types(s: Statement) -> tuple[str, str, str]:
    """Take the types: of D and C, of A, of B.

    Raises:
        OperandError: they do not go together.
    """
    c, b, a, d = (s.type(_TYPES) for _ in range(4))
    if a != b and {a, b} not in _MIXED:
        s.refuse(b)
    legal = ("f16", "f32") if a == "f16" else (_RESULT.get(a, "s32"),)
    if c != d or d not in legal:
        s.refuse(d if d not in legal else c)
    return d, a, b


def _selector(s: Statement, shape: mma_sparse.Shape) -> int:
    """The sparsity selector, the last operand.

    Raises:
        OperandError: it is no selector of the shape.
    """
    operands = s.instruction.operands
    last = operands[-1] if operands else None
    if not isinstance(last, Immediate) or last.kind != "int":
        raise OperandError(f"`{s.instruction.text}` needs a sparsity selector, a constant")
    if last.value not in range(shape.selectors):
        raise OperandError(
            f"`{s.instruction.text}`: {last.value} is not a sparsity selector of .{shape.name}, "
            f"which has {', '.join(map(str, range(shape.selectors)))}"
        )
    return last.value


def _rule(s: Statement, shape: mma_sparse.Shape, kinds: tuple[str, str]) -> tuple[SumRule, int]:
    """How products are added, and the machine instructions that divide them."""
    d, a = kinds
    if d == "s32":
        return integer_rule(s.flag("satfinite")), 1
    cores = s.names.tensor_cores
    lowering = tensor_sums.sparse_lowering(shape.depth, a, d, cores)
    steps = len(lowering.machine)
    unit = tensor_sums.unit(lowering.operands or a, d, shape.depth // 2 // steps, cores)
    return float_rule(unit, d, lowering.operands, lowering.apart), steps


@instruction(
    "mma.sp mma.sp::ordered_metadata",
    "mma.spvariant.sync.aligned.shape.row.col{.satfinite}.dtype.atype.btype.ctype d, a, b, c, e, f",
    cite="PTX ISA, Multiply-and-Accumulate Instruction: mma.sp",
    gate=True,
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
    d, a, b = _types(s)
    for shape in mma_sparse.SHAPES:
        if shape.name == name and a in shape.types:
            break
    else:
        raise OperandError(f"`mma.sp` has no shape .{name} of type .{a}")
    selector = _selector(s, shape)
    rule, steps = _rule(s, shape, (d, a))
    prefix, rows = f"mma.sp.{name}", mma_sparse.ROWS
    result = Fragment(f"mma.sync.m16n8k16.{d}:D", d, rows * 8 // LANES)
    product = Product(
        rows,
        8,
        shape.depth,
        result,
        Fragment(f"{prefix}.{a}:A", a, rows * shape.depth // 2 // LANES),
        Fragment(f"{prefix}.{b}:B", b, 8 * shape.depth // LANES),
        result,
        rule,
        None,
        sparse=Sparse(shape.chunk, f"{prefix}.{a}.selector{selector}:E", ordered, steps),
    )
    emit = multiply(s, product)
    s.immediate()
    return emit
