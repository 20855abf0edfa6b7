"""Comparison and selection (NVIDIA PTX ISA, Comparison and Selection Instructions)."""

from __future__ import annotations

from lanemap.emulator.codegen.builder import Builder
from lanemap.emulator.codegen.values import Value
from lanemap.emulator.ptx.isa import narrow
from lanemap.emulator.ptx.isa.common import join_halves, split_halves
from lanemap.emulator.ptx.lower.access import Source
from lanemap.emulator.ptx.lower.statement import Statement
from lanemap.emulator.ptx.lower.table import Emit, instruction
from lanemap.emulator.ptx.text.kinds import is_signed, llvm_type

OPERATORS = "eq ne lt le gt ge lo ls hi hs equ neu ltu leu gtu geu num nan"
_FLOAT = {
    "eq": "oeq", "ne": "one", "lt": "olt", "le": "ole", "gt": "ogt", "ge": "oge", "equ": "ueq",
    "neu": "une", "ltu": "ult", "leu": "ule", "gtu": "ugt", "geu": "uge", "num": "ord",
    "nan": "uno",
}  # fmt: skip
_UNSIGNED = {"lo": "ult", "ls": "ule", "hi": "ugt", "hs": "uge"}
_TYPES = "b16 b32 b64 u16 u32 u64 s16 s32 s64 f32 f64"
_HALVES = "f16 f16x2 bf16 bf16x2"


def _predicate(s: Statement, operator: str, kind: str) -> str:
    """Return LLVM's name of a comparison."""
    if kind[0] == "f" or kind.startswith("bf"):
        if operator not in _FLOAT:
            s.refuse(operator)
        return _FLOAT[operator]
    if operator in ("eq", "ne"):
        return operator
    if kind[0] == "b":
        # Bits have no order (PTX ISA, setp; ptxas refuses it).
        s.refuse(operator)
    if operator in _UNSIGNED and not is_signed(kind):
        return _UNSIGNED[operator]
    if operator not in ("lt", "le", "gt", "ge"):
        s.refuse(operator)
    return ("s" if is_signed(kind) else "u") + operator


def _check_ftz(s: Statement, ftz: bool, kind: str) -> None:
    if ftz and kind not in ("f32", "f16", "f16x2"):
        s.refuse("ftz")


def _comparison(b: Builder, predicate: str, kind: str, ftz: bool, x: Value, y: Value) -> Value:
    """Compare two values, as floats where their type is one (bf16 and halves as codes)."""
    if kind in ("f16", "bf16"):
        x, y = (narrow.widened(b, kind, b.alu.bitcast(v, "i16")) for v in (x, y))
        if ftz and kind == "f16":
            tiny = b.ir.constant("float", 0x38800000)  # 2^-14, the smallest normal f16
            x, y = (_without_tiny(b, v, tiny) for v in (x, y))
    elif ftz:
        x, y = b.alu.flushed(x), b.alu.flushed(y)
    return b.alu.compare(predicate, x, y)


def _without_tiny(b: Builder, value: Value, smallest: Value) -> Value:
    small = b.alu.compare("olt", b.alu.fabs(value), smallest)
    return b.alu.select(small, b.ir.constant("float", 0), value)


def _combined(b: Builder, how: str, value: Value, other: Source | None) -> Value:
    if other is None:
        return value
    operation = {"and": b.alu.and_, "or": b.alu.or_, "xor": b.alu.xor}[how]
    return operation(value, other.read(b))


@instruction(
    "setp",
    "setp.cmp{.bool}{.ftz}.type p{|q}, a, b{, {!}c}; .type = b16..f64, f16, f16x2, bf16, bf16x2",
    cite="PTX ISA, Comparison and Selection: setp; Half Precision Comparison: setp",
)
def setp(s: Statement) -> Emit:
    """Compare; q is the complement. Packed types compare low halves into p, high ones into q."""
    operator, how, ftz = s.choice(OPERATORS), s.choice("and or xor", ""), s.flag("ftz")
    kind = s.type(f"{_TYPES} {_HALVES}")
    _check_ftz(s, ftz, kind)
    p, q = s.predicate_pair()
    x, y = s.source(kind), s.source(kind)
    other = s.source("pred") if how else None
    predicate = _predicate(s, operator, kind)

    def emit(b: Builder) -> None:
        left, right = x.read(b), y.read(b)
        if kind.endswith("x2"):
            parts = zip(split_halves(b, left), split_halves(b, right), (p, q), strict=True)
            for one, two, target in parts:
                result = _comparison(b, predicate, kind[:-2], ftz, one, two)
                target.write(b, _combined(b, how, result, other))
            return
        result = _comparison(b, predicate, kind, ftz, left, right)
        combined = _combined(b, how, b.alu.not_(result), other)
        p.write(b, _combined(b, how, result, other))
        q.write(b, combined)

    return emit


_TRUE = {"f32": 0x3F800000, "f16": 0x3C00, "bf16": 0x3F80}


def _as_number(b: Builder, kind: str, holds: Value) -> Value:
    """True is all ones in an integer and 1.0 in a float."""
    target = llvm_type(kind)
    if kind in _TRUE:
        return b.alu.select(holds, b.ir.constant(target, _TRUE[kind]), b.ir.constant(target, 0))
    return b.alu.select(holds, b.ir.constant(target, -1), b.ir.constant(target, 0))


@instruction(
    "set",
    "set.cmp{.bool}{.ftz}.dtype.stype d, a, b{, {!}c}",
    cite="PTX ISA, Comparison and Selection: set; Half Precision Comparison: set",
)
def set_(s: Statement) -> Emit:
    """Compare, with the result as a number."""
    operator, how, ftz = s.choice(OPERATORS), s.choice("and or xor", ""), s.flag("ftz")
    kind = s.type(f"{_TYPES} {_HALVES}")
    _check_ftz(s, ftz, kind)
    target = s.type("u16 s16 u32 s32 f32 f16 bf16 f16x2 bf16x2")
    d, x, y = s.destination(target), s.source(kind), s.source(kind)
    other = s.source("pred") if how else None
    predicate = _predicate(s, operator, kind)

    def emit(b: Builder) -> None:
        left, right = x.read(b), y.read(b)
        if kind.endswith("x2"):
            d.write(b, _packed(b, left, right))
            return
        holds = _combined(b, how, _comparison(b, predicate, kind, ftz, left, right), other)
        d.write(b, _as_number(b, target, holds))

    def _packed(b: Builder, left: Value, right: Value) -> Value:
        results = []
        for one, two in zip(split_halves(b, left), split_halves(b, right), strict=True):
            holds = _combined(b, how, _comparison(b, predicate, kind[:-2], ftz, one, two), other)
            # an integer result has 0xffff in each half that holds
            part = target[:-2] if target.endswith("x2") else "u16"
            results.append(b.alu.bitcast(_as_number(b, part, holds), "i16"))
        return join_halves(b, *results)

    return emit


@instruction(
    "selp", "selp.type d, a, b, p", cite="PTX ISA, Comparison and Selection Instructions: selp"
)
def selp(s: Statement) -> Emit:
    """A where p, else b."""
    kind = s.type(f"{_TYPES} f16 f16x2 bf16 bf16x2")
    d, x, y, p = s.destination(kind), s.source(kind), s.source(kind), s.source("pred")
    return lambda b: d.write(b, b.alu.select(p.read(b), x.read(b), y.read(b)))


@instruction(
    "slct",
    "slct{.ftz}.dtype.ctype d, a, b, c; .ctype = s32, f32",
    cite="PTX ISA, Comparison and Selection Instructions: slct",
)
def slct(s: Statement) -> Emit:
    """A where c >= 0 (-0 and what .ftz makes of subnormals too), else b; b for a NaN."""
    ftz, test = s.flag("ftz"), s.type("s32 f32")
    _check_ftz(s, ftz, test)
    kind = s.type(_TYPES)
    d, x, y, c = s.destination(kind), s.source(kind), s.source(kind), s.source(test)

    def emit(b: Builder) -> None:
        value = c.read(b)
        if ftz:
            value = b.alu.flushed(value)
        predicate = "sge" if test == "s32" else "oge"
        holds = b.alu.compare(predicate, value, b.ir.constant(value.type, 0))
        d.write(b, b.alu.select(holds, x.read(b), y.read(b)))

    return emit
