"""Computation on values: integer, comparison, choice, conversion; floats.py adds that on floats.

An operand is uniform or has one element per lane; the result is per lane if any operand is. Each
method also computes the undefined bits of its result, as precisely as its users need: bit by bit
for logic, shifts and moves, from the lowest undefined bit up for sums, all or none otherwise.
"""

from __future__ import annotations

from collections.abc import Callable

from lanemap.emulator.codegen.element_types import BITS, FLOATS, integer_of
from lanemap.emulator.codegen.emitter import Emitter
from lanemap.emulator.codegen.folding import compared, folded, known, signed, unchanged
from lanemap.emulator.codegen.ops import Operand
from lanemap.emulator.codegen.values import Value

#: Intrinsics with a second operand that says whether a zero gives poison.
_FLAGGED = frozenset({"ctlz", "cttz"})


class Arithmetic:
    """Integers, comparisons, choices and conversions, as operations of an Emitter."""

    def __init__(self, ir: Emitter) -> None:
        """Compute with operations appended to `ir`."""
        self._ir = ir
        self._casts: dict[Operand, tuple[Operand, str]] = {}

    def _pair(self, a: Value, b: Value) -> tuple[bool, str, Operand, Operand]:
        if a.type != b.type:
            raise ValueError(f"operands of two types: {a.type} and {b.type}")
        lanes = a.lanes or b.lanes
        return (
            lanes,
            self._ir.typed(a.type, lanes),
            self._ir.operand(a, lanes),
            self._ir.operand(b, lanes),
        )

    # -- integers --------------------------------------------------------------------------------
    def _simplified(self, operation: str, a: Value, b: Value) -> Value | None:
        """Return the result if it is a constant or equal to an operand."""
        if a.constant is None and b.constant is None:
            return None
        number = folded(operation, a, b)
        if number is not None:
            return self._ir.constant(a.type, number, a.lanes or b.lanes)
        return unchanged(operation, a, b)

    def _sum(self, operation: str, a: Value, b: Value) -> Value:
        simple = self._simplified(operation, a, b)
        if simple is not None:
            return simple
        lanes, full, x, y = self._pair(a, b)
        name = self._ir.binary(operation, full, x, y)
        undefined = self._ir.smeared_left(self._ir.union((a, b), lanes), a.type, lanes)
        return self._ir.result(name, a.type, lanes, undefined, (a, b))

    def add(self, a: Value, b: Value) -> Value:
        """Sum a + b, modulo the width."""
        return self._sum("add", a, b)

    def sub(self, a: Value, b: Value) -> Value:
        """A - b, modulo the width."""
        return self._sum("sub", a, b)

    def mul(self, a: Value, b: Value) -> Value:
        """Low half of a * b."""
        factor = known(b)
        if factor is not None and factor.bit_count() == 1 and (a.lanes or not b.lanes):
            return self._shift("shl", a, self._ir.constant(a.type, factor.bit_length() - 1))
        return self._sum("mul", a, b)

    def and_(self, a: Value, b: Value) -> Value:
        """A & b; a defined 0 makes the bit defined."""
        simple = self._simplified("and", a, b)
        if simple is not None:
            return simple
        lanes, full, x, y = self._pair(a, b)
        name = self._ir.binary("and", full, x, y)
        ua, ub = self._ir.undefined_of(a, lanes), self._ir.undefined_of(b, lanes)
        undefined = None
        if ua is not None and ub is not None:
            reach = self._ir.binary("or", full, y, ub)
            one = self._ir.binary("and", full, ua, reach)
            other = self._ir.binary("and", full, ub, x)
            undefined = self._ir.binary("or", full, one, other)
        elif ua is not None:
            undefined = self._ir.binary("and", full, ua, y)
        elif ub is not None:
            undefined = self._ir.binary("and", full, ub, x)
        return self._ir.result(name, a.type, lanes, undefined, (a, b))

    def or_(self, a: Value, b: Value) -> Value:
        """A | b; a defined 1 makes the bit defined."""
        simple = self._simplified("or", a, b)
        if simple is not None:
            return simple
        if a.undefined is not None or b.undefined is not None:
            return self.not_(self.and_(self.not_(a), self.not_(b)))
        lanes, full, x, y = self._pair(a, b)
        return Value(self._ir.binary("or", full, x, y), a.type, lanes)

    def xor(self, a: Value, b: Value) -> Value:
        """A ^ b."""
        simple = self._simplified("xor", a, b)
        if simple is not None:
            return simple
        lanes, full, x, y = self._pair(a, b)
        name = self._ir.binary("xor", full, x, y)
        return self._ir.result(name, a.type, lanes, self._ir.union((a, b), lanes), (a, b))

    def not_(self, a: Value) -> Value:
        """~a."""
        ones = self._ir.constant(a.type, -1)
        return self.xor(a, ones)

    def neg(self, a: Value) -> Value:
        """-a, modulo the width."""
        return self.sub(self._ir.constant(a.type, 0), a)

    def _shift(self, operation: str, a: Value, amount: Value) -> Value:
        simple = self._simplified(operation, a, amount)
        if simple is not None:
            return simple
        lanes, full, x, n = self._pair(a, amount)
        name = self._ir.binary(operation, full, x, n)
        moved, ua = None, self._ir.undefined_of(a, lanes)
        if ua is not None:
            moved = self._ir.binary(operation, full, ua, n)
        spread = self._ir.all_or_none((amount,), a.type, lanes)
        if moved is None or spread is None:
            undefined = moved or spread
        else:
            undefined = self._ir.binary("or", full, moved, spread)
        return self._ir.result(name, a.type, lanes, undefined, (a, amount))

    def _amount(self, a: Value, amount: Value) -> Value:
        if amount.constant is not None:
            return self._ir.constant(a.type, amount.constant & (a.bits - 1))
        return self.and_(self.resize(amount, a.type), self._ir.constant(a.type, a.bits - 1))

    def shl(self, a: Value, amount: Value) -> Value:
        """A << (amount modulo the width)."""
        return self._shift("shl", a, self._amount(a, amount))

    def lshr(self, a: Value, amount: Value) -> Value:
        """Unsigned a >> (amount modulo the width)."""
        return self._shift("lshr", a, self._amount(a, amount))

    def ashr(self, a: Value, amount: Value) -> Value:
        """Signed a >> (amount modulo the width)."""
        return self._shift("ashr", a, self._amount(a, amount))

    def shift_clamped(self, operation: str, a: Value, amount: Value) -> Value:
        """`shl`, `lshr` or `ashr` where an amount of the width or more shifts everything out."""
        amount = self.resize(amount, a.type)
        width = self._ir.constant(a.type, a.bits)
        inside = self.compare("ult", amount, width)
        top = self._ir.constant(a.type, a.bits - 1)
        shifted = self._shift(operation, a, self.select(inside, amount, top))
        if operation == "ashr":
            return shifted
        return self.select(inside, shifted, self._ir.constant(a.type, 0))

    def divide(self, operation: str, a: Value, b: Value, by_zero: int) -> Value:
        """`udiv`, `sdiv`, `urem` or `srem`; `by_zero` is the result where b = 0.

        The most negative value divided by -1 wraps (a quotient of itself, a remainder of 0): LLVM's
        own sdiv would kill the process there, as it would for a zero.
        """
        zero, one = self._ir.constant(a.type, 0), self._ir.constant(a.type, 1)
        unusable = self.compare("eq", b, zero)
        lowest = minus = None
        if operation[0] == "s":
            lowest = self.compare("eq", a, self._ir.constant(a.type, 1 << (a.bits - 1)))
            minus = self.and_(lowest, self.compare("eq", b, self._ir.constant(a.type, -1)))
            unusable = self.or_(unusable, minus)
        divisor = self.select(unusable, one, b)
        lanes, full, x, y = self._pair(a, divisor)
        name = self._ir.binary(operation, full, x, y)
        undefined = self._ir.all_or_none((a, b), a.type, lanes)
        result = self._ir.result(name, a.type, lanes, undefined, (a, b))
        if minus is not None:
            result = self.select(minus, a if operation == "sdiv" else zero, result)
        is_zero = self.compare("eq", b, zero)
        return self.select(is_zero, self._ir.constant(a.type, by_zero), result)

    def extremum(self, operation: str, a: Value, b: Value) -> Value:
        """`umin`, `umax`, `smin`, `smax` of integers."""
        return self.intrinsic(operation, a, b)

    # -- intrinsics ------------------------------------------------------------------------------
    def intrinsic(self, name: str, *operands: Value) -> Value:
        """`llvm.<name>` over operands of one type; all or none of the result is undefined.

        For example ctpop, bitreverse, bswap, fshl, umin, uadd.sat, fma, sqrt, floor, trunc,
        roundeven, fabs, copysign, minimum, maximumnum. Zeros of ctlz and cttz count as their width.
        """
        kind = operands[0].type
        lanes = any(v.lanes for v in operands)
        full = self._ir.typed(kind, lanes)
        arguments, types = [self._ir.operand(v, lanes) for v in operands], [full] * len(operands)
        if name in _FLAGGED:
            arguments.append("false")
            types.append("i1")
        result = self._ir.intrinsic(name, full, arguments, types, (full,))
        return self._ir.result(
            result, kind, lanes, self._ir.all_or_none(operands, kind, lanes), operands
        )

    def permuted(self, move: Callable[..., Value], *operands: Value) -> Value:
        """`move(*operands)` where `move` only moves bits (a byte permute, a funnel shift).

        The undefined bits of the result are what the same move makes of the operands' undefined
        bits. `move` must treat its arguments alike and must not depend on undefined ones.
        """
        value = move(*(v.defined for v in operands))
        if all(v.undefined is None for v in operands):
            return value
        shadows = [Value(self._ir.undefined_or_zero(v, v.lanes), v.type, v.lanes) for v in operands]
        shadow = move(*shadows)
        undefined = self._ir.operand(shadow, value.lanes)
        return self._ir.result(value.operand, value.type, value.lanes, undefined, operands)

    def mixed(self, compute: Callable[..., Value], *operands: Value) -> Value:
        """`compute(*operands)` where every bit of the result depends on every bit of the operands.

        All or none of the result is undefined: cheaper than what the steps of `compute` would say.
        """
        value = compute(*(v.defined for v in operands))
        undefined = self._ir.all_or_none(operands, value.type, value.lanes)
        if undefined is None:
            return value
        return self._ir.result(value.operand, value.type, value.lanes, undefined, operands)

    # -- comparison and choice -------------------------------------------------------------------
    def compare(self, predicate: str, a: Value, b: Value) -> Value:
        """Integer (eq, ne, ult, slt, ..) or float (oeq, une, olt, uno, ..) comparison: i1."""
        lanes, full, x, y = self._pair(a, b)
        operation = "fcmp" if a.type in FLOATS else "icmp"
        holds = compared(predicate, a, b)
        if holds is not None:
            return self._ir.constant("i1", holds, lanes)
        flag = self._ir.typed("i1", lanes)
        name = self._ir.binary(f"{operation} {predicate}", full, x, y, flag)
        return self._ir.result(name, "i1", lanes, self._ir.all_or_none((a, b), "i1", lanes), (a, b))

    def select(self, condition: Value, a: Value, b: Value) -> Value:
        """A where the i1 condition holds, else b.

        An undefined condition leaves the bits defined in which a and b agree.
        """
        lanes = condition.lanes or a.lanes or b.lanes
        choice_known = known(condition)
        if choice_known is not None:
            chosen = a if choice_known else b
            return self._ir.spread(chosen) if lanes else chosen
        full, flag = self._ir.typed(a.type, lanes), self._ir.typed("i1", lanes)
        choice, x, y = (self._ir.operand(v, lanes) for v in (condition, a, b))
        name = self._ir.select(flag, choice, full, x, y)
        whole = self._ir.typed(integer_of(a.type), lanes)
        undefined: Operand | None = None
        if a.undefined is not None or b.undefined is not None:
            ua, ub = self._ir.undefined_or_zero(a, lanes), self._ir.undefined_or_zero(b, lanes)
            undefined = self._ir.select(flag, choice, whole, ua, ub)
        uncertain = self._ir.undefined_of(condition, lanes)
        if uncertain is not None:
            differ = self._difference(a, b, lanes)
            zero = self._ir.zero(a.type, lanes)
            reach = self._ir.select(flag, uncertain, whole, differ, zero)
            undefined = (
                reach if undefined is None else self._ir.binary("or", whole, undefined, reach)
            )
        if undefined is None:
            return Value(name, a.type, lanes)
        origin = self._chosen_origin(flag, choice, condition, a, b) if self._ir.precise else None
        return Value(name, a.type, lanes, undefined, origin)

    def _chosen_origin(
        self, flag: str, choice: Operand, condition: Value, a: Value, b: Value
    ) -> Operand:
        """Origin of the selected operand, or of the condition if that is undefined."""
        ir, lanes = self._ir, flag != "i1"
        numbers = ir.typed("i32", lanes)
        origin = ir.select(flag, choice, numbers, ir.origin_of(a, lanes), ir.origin_of(b, lanes))
        uncertain = ir.undefined_of(condition, lanes)
        if uncertain is None:
            return origin
        return ir.select(flag, uncertain, numbers, ir.origin_of(condition, lanes), origin)

    def _difference(self, a: Value, b: Value, lanes: bool) -> Operand:
        whole = self._ir.typed(integer_of(a.type), lanes)
        x = self.bitcast(a, integer_of(a.type))
        y = self.bitcast(b, integer_of(b.type))
        differ = self._ir.binary(
            "xor", whole, self._ir.operand(x, lanes), self._ir.operand(y, lanes)
        )
        both = self._ir.union((x, y), lanes)
        return differ if both is None else self._ir.binary("or", whole, differ, both)

    # -- conversions -----------------------------------------------------------------------------
    def _convert(self, operation: str, a: Value, kind: str, precise: bool) -> Value:
        source, target = self._ir.typed(a.type, a.lanes), self._ir.typed(kind, a.lanes)
        name = self._ir.cast(operation, source, a.operand, target)
        if a.undefined is None:
            return Value(name, kind, a.lanes)
        if precise:
            source = self._ir.typed(integer_of(a.type), a.lanes)
            target = self._ir.typed(integer_of(kind), a.lanes)
            undefined: Operand | None = self._ir.cast(operation, source, a.undefined, target)
        else:
            undefined = self._ir.all_or_none((a,), kind, a.lanes)
        return Value(name, kind, a.lanes, undefined, a.origin)

    def zext(self, a: Value, kind: str) -> Value:
        """Zero-extend to a wider integer."""
        if a.constant is not None:
            return self._ir.constant(kind, a.constant, a.lanes)
        return a if a.type == kind else self._convert("zext", a, kind, True)

    def sext(self, a: Value, kind: str) -> Value:
        """Sign-extend to a wider integer."""
        number = known(a)
        if number is not None:
            return self._ir.constant(kind, signed(number, a.bits), a.lanes)
        return a if a.type == kind else self._convert("sext", a, kind, True)

    def trunc(self, a: Value, kind: str) -> Value:
        """Low bits of an integer."""
        if a.constant is not None:
            return self._ir.constant(kind, a.constant, a.lanes)
        return a if a.type == kind else self._convert("trunc", a, kind, True)

    def resize(self, a: Value, kind: str) -> Value:
        """Zero-extend or truncate."""
        return self.zext(a, kind) if BITS[kind] > a.bits else self.trunc(a, kind)

    def bitcast(self, a: Value, kind: str) -> Value:
        """The same bits as another type of the same width."""
        if a.type == kind:
            return a
        if a.constant is not None:
            same = self._ir.constant(kind, a.constant, a.lanes).operand
            return Value(same, kind, a.lanes, a.undefined, a.origin, a.constant)
        before = self._casts.get(a.operand)
        if before is not None and before[1] == kind:
            name = before[0]
        else:
            source, target = self._ir.typed(a.type, a.lanes), self._ir.typed(kind, a.lanes)
            name = self._ir.cast("bitcast", source, a.operand, target)
            self._casts[name] = (a.operand, a.type)
        return Value(name, kind, a.lanes, a.undefined, a.origin)

    def convert(self, operation: str, a: Value, kind: str) -> Value:
        """`sitofp`, `uitofp`, `fpext`, `fptrunc` (round to nearest even)."""
        return self._convert(operation, a, kind, False)

    def join(self, low: Value, high: Value) -> Value:
        """Two 32-bit integers as one of 64 bits."""
        wide = self.shl(self.zext(high, "i64"), self._ir.constant("i64", 32))
        return self.disjoint(self.zext(low, "i64"), wide)

    def disjoint(self, a: Value, b: Value) -> Value:
        """A | b where no bit can be set in both; bits keep their own definedness."""
        simple = self._simplified("or", a, b)
        if simple is not None:
            return simple
        lanes, full, x, y = self._pair(a, b)
        name = self._ir.binary("or", full, x, y)
        return self._ir.result(name, a.type, lanes, self._ir.union((a, b), lanes), (a, b))

    def split(self, wide: Value) -> tuple[Value, Value]:
        """Low and high 32 bits of a 64-bit value."""
        wide = self.bitcast(wide, "i64")
        high = self.lshr(wide, self._ir.constant("i64", 32))
        return self.trunc(wide, "i32"), self.trunc(high, "i32")

    def mul_high(self, a: Value, b: Value, signed: bool) -> Value:
        """High half of the full product of two integers of at most 64 bits."""
        lanes, full, x, y = self._pair(a, b)
        wide = self._ir.typed(f"i{2 * a.bits}", lanes)
        extend = "sext" if signed else "zext"
        p = self._ir.cast(extend, full, x, wide)
        q = self._ir.cast(extend, full, y, wide)
        product = self._ir.binary("mul", wide, p, q)
        amount = f"splat (i{2 * a.bits} {a.bits})" if lanes else str(a.bits)
        high = self._ir.binary("lshr", wide, product, amount)
        name = self._ir.cast("trunc", wide, high, full)
        return self._ir.result(
            name, a.type, lanes, self._ir.all_or_none((a, b), a.type, lanes), (a, b)
        )
