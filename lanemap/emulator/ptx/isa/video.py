"""Video instructions: on words, halves and bytes (NVIDIA PTX ISA, Video Instructions).

Operands are extended to 33 bits or more; the result is saturated and combined with c. ptxas expands
these into several instructions whose results differ from the ISA in places. Where an H200 differs
(sums that wrap, which of two words is larger), the functions below follow the H200.
"""

from __future__ import annotations

from collections.abc import Callable

from lanemap.emulator.codegen.builder import Builder
from lanemap.emulator.codegen.values import Value
from lanemap.emulator.ptx.lower.statement import Statement
from lanemap.emulator.ptx.lower.table import Emit, instruction
from lanemap.emulator.ptx.text.operand_text import OperandError

_WIDE = "i64"
_COMPARE = {"eq": "eq", "ne": "ne", "lt": "slt", "le": "sle", "gt": "sgt", "ge": "sge"}


def _extended(b: Builder, kind: str, value: Value) -> Value:
    """Return a word as 64 bits, by the sign of its type."""
    return b.alu.sext(value, _WIDE) if kind == "s32" else b.alu.zext(value, _WIDE)


def _clamp(b: Builder, value: Value, bits: int, signed: bool) -> Value:
    """Saturate 64 bits to a signed or unsigned number of `bits`."""
    low, high = (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) if signed else (0, (1 << bits) - 1)
    value = b.alu.extremum("smin", value, b.ir.constant(_WIDE, high))
    return b.alu.extremum("smax", value, b.ir.constant(_WIDE, low))


def _combine(b: Builder, op: str, x: Value, y: Value) -> Value:
    """Return the exact 64-bit result of an operation on extended operands."""
    if op == "add":
        return b.alu.add(x, y)
    if op == "sub":
        return b.alu.sub(x, y)
    if op in ("min", "max"):
        return b.alu.extremum(f"s{op}", x, y)
    if op == "avrg":
        total = b.alu.add(b.alu.add(x, y), b.ir.constant(_WIDE, 1))
        negative = b.alu.compare("slt", total, b.ir.constant(_WIDE, 1))
        total = b.alu.select(negative, b.alu.sub(total, b.ir.constant(_WIDE, 1)), total)
        return b.alu.ashr(total, b.ir.constant(_WIDE, 1))
    difference = b.alu.sub(x, y)
    return b.alu.select(b.alu.compare("slt", x, y), b.alu.neg(difference), difference)


def _cut(b: Builder, value: Value) -> Value:
    """Cut 64 bits to a word and extend it by its sign, whatever its type."""
    return b.alu.sext(b.alu.trunc(value, "i32"), _WIDE)


def _second(b: Builder, op: str, kind: str, value: Value, c: Value) -> Value:
    """The secondary operation of 64 bits with c, which is extended by the result's type.

    Unsigned ones are compared as 64 bits without sign: a negative value is larger than any c.
    """
    other = _extended(b, kind, c)
    if op == "add":
        return b.alu.trunc(b.alu.add(value, other), "i32")
    return b.alu.trunc(b.alu.extremum(kind[0] + op, value, other), "i32")


@instruction(
    "vadd vsub vabsdiff vmin vmax",
    "vop.dtype.atype.btype{.sat}{.op2} d, a, b{, c}",
    cite="PTX ISA, Scalar Video Instructions: vadd, vsub, vabsdiff, vmin, vmax",
)
def scalar(s: Statement) -> Emit:
    """Add, subtract, distance, smaller, larger; of whole words."""
    return _scalar(s, s.instruction.opcode[1:].replace("absdiff", "distance"))


def _scalar(s: Statement, op: str) -> Emit:
    second, sat = s.choice("add min max", ""), s.flag("sat")
    right, left, result = s.type("u32 s32"), s.type("u32 s32"), s.type("u32 s32")
    d, x, y = s.destination("b32"), s.source("b32"), s.source("b32")
    c = s.source("b32") if second else None
    cuts = op in ("add", "sub")

    def emit(b: Builder) -> None:
        p, q = _extended(b, left, x.read(b)), _extended(b, right, y.read(b))
        value = _combine(b, op, p, q)
        if sat and result == "u32" and op in ("add", "sub", "distance"):
            value = b.alu.extremum(
                "smax", value, b.ir.constant(_WIDE, 0)
            )  # what is too large wraps
        elif sat:
            value = _clamp(b, value, 32, result == "s32")
        if c is None:
            d.write(b, b.alu.trunc(value, "i32"))
        else:
            if cuts:  # sums are compared as words, extrema and distances exactly
                value = _cut(b, value)
            d.write(b, _second(b, second, result, value, c.read(b)))

    return emit


@instruction(
    "vshl vshr",
    "vshl.dtype.atype.u32{.sat}.mode{.op2} d, a, b{, c}; .mode = clamp, wrap",
    cite="PTX ISA, Scalar Video Instructions: vshl, vshr",
)
def shifts(s: Statement) -> Emit:
    """Shift by b, clamped to 32 or wrapped at it."""
    second, sat, mode = s.choice("add min max", ""), s.flag("sat"), s.choice("clamp wrap")
    s.type("u32")
    left, result = s.type("u32 s32"), s.type("u32 s32")
    d, x, y = s.destination("b32"), s.source("b32"), s.source("b32")
    c = s.source("b32") if second else None
    up = s.instruction.opcode == "vshl"

    def emit(b: Builder) -> None:
        amount = y.read(b)
        if mode == "wrap":
            amount = b.alu.and_(amount, b.ir.constant("i32", 31))
        else:
            amount = b.alu.extremum("umin", amount, b.ir.constant("i32", 32))
        wide, by = _extended(b, left, x.read(b)), b.alu.zext(amount, _WIDE)
        value = b.alu.shl(wide, by) if up else b.alu.ashr(wide, by)
        if sat and up:  # the intermediate result has 34 bits
            value = b.alu.ashr(b.alu.shl(value, b.ir.constant(_WIDE, 30)), b.ir.constant(_WIDE, 30))
        if sat:
            value = _cut(b, _clamp(b, value, 32, result == "s32"))
        if c is None:
            d.write(b, b.alu.trunc(value, "i32"))
        else:
            d.write(b, _second(b, second, result, value, c.read(b)))

    return emit


@instruction("vset", "vset.atype.btype.cmp{.op2} d, a, b{, c}", cite="PTX ISA, Scalar Video: vset")
def vset(s: Statement) -> Emit:
    """1 where the comparison holds."""
    compare = _COMPARE[s.choice("eq ne lt le gt ge")]
    second = s.choice("add min max", "")
    right, left = s.type("u32 s32"), s.type("u32 s32")
    d, x, y = s.destination("b32"), s.source("b32"), s.source("b32")
    c = s.source("b32") if second else None

    def emit(b: Builder) -> None:
        p, q = _extended(b, left, x.read(b)), _extended(b, right, y.read(b))
        value = b.alu.zext(b.alu.compare(compare, p, q), _WIDE)
        if c is None:
            d.write(b, b.alu.trunc(value, "i32"))
        else:
            d.write(b, _second(b, second, left, value, c.read(b)))

    return emit


# -- halves and bytes ----------------------------------------------------------------------------
def _lanes(b: Builder, value: Value, kind: str, width: int, i: int) -> Value:
    """Return part i of a word as 64 bits."""
    up = b.alu.shl(value, b.ir.constant("i32", 32 - width * (i + 1)))
    down = b.ir.constant("i32", 32 - width)
    part = b.alu.ashr(up, down) if kind == "s32" else b.alu.lshr(up, down)
    return b.alu.sext(part, _WIDE)


def _parts(
    s: Statement, width: int, one: Callable[[Builder, Value, Value], Value], total: bool
) -> Emit:
    """Apply an operation to every part; sum them and c up, or merge them."""
    right, left = s.type("u32 s32"), s.type("u32 s32")
    if s.words_left:
        s.type("u32 s32")
    d, x, y, c = s.destination("b32"), s.source("b32"), s.source("b32"), s.source("b32")

    def emit(b: Builder) -> None:
        word = c.read(b) if total else b.ir.constant("i32", 0)
        p, q = x.read(b), y.read(b)
        for i in range(32 // width):
            value = one(b, _lanes(b, p, left, width, i), _lanes(b, q, right, width, i))
            part = b.alu.trunc(value, "i32")
            if total:
                word = b.alu.add(word, part)
                continue
            part = b.alu.and_(part, b.ir.constant("i32", (1 << width) - 1))
            word = b.alu.disjoint(word, b.alu.shl(part, b.ir.constant("i32", i * width)))
        d.write(b, word)

    return emit


@instruction(
    "vadd2 vsub2 vavrg2 vabsdiff2 vmin2 vmax2 vadd4 vsub4 vavrg4 vabsdiff4 vmin4 vmax4",
    "vop2.dtype.atype.btype{.sat} d, a, b, c; vop2.dtype.atype.btype.add",
    cite="PTX ISA, SIMD Video Instructions",
)
def parts(s: Statement) -> Emit:
    """The same on two halves or four bytes."""
    opcode = s.instruction.opcode
    op = opcode[1:-1].replace("absdiff", "distance")
    total, sat = s.flag("add"), s.flag("sat")
    if total and sat:
        raise OperandError("`.sat` and `.add` cannot be combined")
    result = s.first_type("u32 s32")
    width = 16 if opcode.endswith("2") else 8
    signed = result == "s32"

    def one(b: Builder, x: Value, y: Value) -> Value:
        value = _combine(b, op, x, y)
        return _clamp(b, value, width, signed) if sat else value

    return _parts(s, width, one, total)


@instruction(
    "vset2 vset4",
    "vset2.atype.btype.cmp{.add} d, a, b, c",
    cite="PTX ISA, SIMD Video Instructions: vset2, vset4",
)
def vset_parts(s: Statement) -> Emit:
    """1 in each part where the comparison holds, or how many."""
    compare = _COMPARE[s.choice("eq ne lt le gt ge")]
    total = s.flag("add")
    width = 16 if s.instruction.opcode.endswith("2") else 8

    def one(b: Builder, x: Value, y: Value) -> Value:
        return b.alu.zext(b.alu.compare(compare, x, y), _WIDE)

    return _parts(s, width, one, total)


@instruction(
    "vmad",
    "vmad.dtype.atype.btype{.po}{.sat}{.scale} d, {-}a, {-}b, {-}c; .scale = shr7, shr15",
    cite="PTX ISA, Scalar Video Instructions: vmad",
)
def vmad(s: Statement) -> Emit:
    """A * b + c (+ 1 with .po), shifted and saturated; whole words count as signed ones."""
    scale = {"": 0, "shr7": 7, "shr15": 15}[s.choice("shr7 shr15", "")]
    sat, plus_one = s.flag("sat"), s.flag("po")
    right, left = s.type("u32 s32"), s.type("u32 s32")
    s.type("u32 s32")
    d, x, y, c = s.destination("b32"), s.source("b32"), s.source("b32"), s.source("b32")
    signed = "s32" in (left, right)

    def emit(b: Builder) -> None:
        total = b.alu.mul(b.alu.sext(x.read(b), _WIDE), b.alu.sext(y.read(b), _WIDE))
        total = b.alu.add(total, b.alu.sext(c.read(b), _WIDE))
        if plus_one:
            total = b.alu.add(total, b.ir.constant(_WIDE, 1))
        shift = b.ir.constant(_WIDE, scale)
        total = b.alu.ashr(total, shift) if signed else b.alu.lshr(total, shift)
        if sat and not signed:
            total = _clamp(b, total, 32, False)
        elif sat:
            total = _clamp(b, total, 32, True)
        d.write(b, b.alu.trunc(total, "i32"))

    return emit
