"""Computation on floats: IEEE 754, signs, subnormals, and what is known of NaNs."""

from __future__ import annotations

from lanemap.emulator.codegen.arithmetic import Arithmetic
from lanemap.emulator.codegen.element_types import BITS, integer_of
from lanemap.emulator.codegen.emitter import Emitter
from lanemap.emulator.codegen.ops import Operand
from lanemap.emulator.codegen.values import Value


class FloatArithmetic(Arithmetic):
    """All that an instruction computes: on floats, too."""

    def __init__(self, ir: Emitter) -> None:
        """Compute with operations appended to `ir`."""
        super().__init__(ir)
        self._normal: set[Operand] = set()  # operands whose floats are no subnormals
        self._quiet: set[Operand] = set()  # and those that are no signalling NaNs
        self._any_nan: dict[Operand, Operand] = {}  # operands that may be another NaN, see any_nan

    def float_to_integer(self, a: Value, kind: str, signed: bool) -> Value:
        """Truncate toward zero and saturate; NaN gives 0."""
        if a.type == "half":
            a = self.convert("fpext", a, "float")
        compute = self._to_signed if signed else self._to_unsigned
        return self.mixed(lambda value: compute(value, kind), a)

    def _to_signed(self, a: Value, kind: str) -> Value:
        """LLVM converts numbers within the range alone; it saturates one lane after the other."""
        bits, zero = BITS[kind], self._ir.constant(a.type, 0)
        inside = self.compare("olt", self.fabs(a), self._power(a.type, bits - 1))
        whole = self.convert("fptosi", self.select(inside, a, zero), kind)
        most = self._ir.constant(kind, (1 << bits - 1) - 1)
        beyond = self.select(self.compare("ogt", a, zero), most, self._ir.constant(kind, 0))
        least = self._ir.constant(kind, 1 << bits - 1)
        beyond = self.select(self.compare("olt", a, zero), least, beyond)
        return self.select(inside, whole, beyond)

    def _to_unsigned(self, a: Value, kind: str) -> Value:
        limit, zero = self._power(a.type, BITS[kind]), self._ir.constant(a.type, 0)
        beyond = self.compare("oge", a, limit)
        inside = self.and_(self.compare("ogt", a, zero), self.compare("olt", a, limit))
        whole = self.convert("fptoui", self.select(inside, a, zero), kind)
        return self.select(beyond, self._ir.constant(kind, -1), whole)

    def _power(self, kind: str, exponent: int) -> Value:
        """A power of two that is a float or double."""
        mantissa, bias = (23, 127) if kind == "float" else (52, 1023)
        return self._ir.constant(kind, exponent + bias << mantissa)

    def float_op(self, operation: str, a: Value, b: Value) -> Value:
        """`fadd`, `fsub`, `fmul` or `fdiv`, IEEE 754, never contracted."""
        lanes, full, x, y = self._pair(a, b)
        name = self._ir.binary(operation, full, x, y)
        result = self._ir.result(
            name, a.type, lanes, self._ir.all_or_none((a, b), a.type, lanes), (a, b)
        )
        return self.quiet(result)

    def fma(self, a: Value, b: Value, c: Value) -> Value:
        """A * b + c with one rounding."""
        return self.quiet(self.intrinsic("fma", a, b, c))

    def reciprocal(self, a: Value) -> Value:
        """1 / a of doubles, rounded."""
        return self.float_op("fdiv", self._ir.constant("double", 0x3FF0000000000000), a)

    def reciprocal_root(self, a: Value) -> Value:
        """1 / sqrt(a) of doubles, rounded twice."""
        return self.reciprocal(self.intrinsic("sqrt", a))

    def two_sum(self, a: Value, b: Value) -> tuple[Value, Value]:
        """A + b, and its error, which is exact (Knuth's TwoSum)."""
        total = self.float_op("fadd", a, b)
        of_b = self.float_op("fsub", total, a)
        lost_of_a = self.float_op("fsub", a, self.float_op("fsub", total, of_b))
        return total, self.float_op("fadd", lost_of_a, self.float_op("fsub", b, of_b))

    def odd_sum(self, a: Value, b: Value) -> Value:
        """A + b rounded to odd.

        A result that is rounded again to at least two bits less is right (Boldo, Melquiond:
        Emulation of a FMA and Correctly-Rounded Sums, IEEE Transactions on Computers 57).
        """
        return self.odd(*self.two_sum(a, b))

    def odd(self, near: Value, error: Value) -> Value:
        """The one of two floats around `near` + `error` with an odd last bit, where those differ.

        Infinities and NaN stay: their errors are NaN.
        """
        kind = integer_of(near.type)
        one, zero = self._ir.constant(kind, 1), self._ir.constant(error.type, 0)
        bits = self.bitcast(near, kind)
        # -1 where the error points to zero, else 1; 0 where the last bit is odd
        below = self.resize(self._sign(error), kind)
        step = self.or_(self.xor(below, self._sign(near)), one)
        step = self.and_(step, self.sub(self.and_(bits, one), one))
        inexact = self.compare("one", error, zero)
        moved = self.select(inexact, step, self._ir.constant(kind, 0))
        return self.bitcast(self.add(bits, moved), near.type)

    def _sign(self, a: Value) -> Value:
        """All ones where the sign bit is set, else 0."""
        kind = integer_of(a.type)
        return self.ashr(self.bitcast(a, kind), self._ir.constant(kind, a.bits - 1))

    def directed(self, near: Value, below: Value, above: Value, toward: str) -> Value:
        """The exact value rounded toward "zero", "down" or "up".

        `near` is the nearest float; the exact value is below it, above it, or equal.
        """
        kind = integer_of(near.type)
        one, bits = self._ir.constant(kind, 1), self.bitcast(near, kind)
        negative = self.compare("slt", bits, self._ir.constant(kind, 0))
        nearer, farther = self.sub(bits, one), self.add(bits, one)
        if toward == "zero":
            steps = self.select(negative, above, below)
            return self.bitcast(self.select(steps, nearer, bits), near.type)
        if toward == "up":
            stepped = self.select(negative, nearer, farther)
            return self.bitcast(self.select(above, stepped, bits), near.type)
        stepped = self.select(negative, farther, nearer)
        return self.bitcast(self.select(below, stepped, bits), near.type)

    def narrowed(self, a: Value, kind: str, toward: str) -> Value:
        """Round a double to a float, or a float to a half, toward "zero", "down" or "up"."""
        near = self.convert("fptrunc", a, kind)
        back = self.convert("fpext", near, a.type)
        return self.directed(
            near, self.compare("olt", a, back), self.compare("ogt", a, back), toward
        )

    def odd_float(self, a: Value) -> Value:
        """Round a double to odd as a float, which keeps it right when it is rounded further."""
        near = self.convert("fptrunc", a, "float")
        return self.odd(near, self.float_op("fsub", a, self.convert("fpext", near, "double")))

    def fneg(self, a: Value) -> Value:
        """Flip the sign bit, also of a NaN."""
        bits = self.bitcast(a, integer_of(a.type))
        return self.bitcast(self.xor(bits, self._ir.constant(bits.type, 1 << (a.bits - 1))), a.type)

    def fabs(self, a: Value) -> Value:
        """Clear the sign bit, also of a NaN."""
        bits = self.bitcast(a, integer_of(a.type))
        ones = self._ir.constant(bits.type, (1 << (a.bits - 1)) - 1)
        return self.bitcast(self.and_(bits, ones), a.type)

    def flushed(self, a: Value) -> Value:
        """A float with subnormals replaced by zeros of their sign."""
        if self._uncast(a) in self._normal:
            return a
        result = self.mixed(self._flushed, a)
        self._normal.add(self._uncast(result))
        return self.quiet(result) if self.is_quiet(a) else result

    def is_quiet(self, a: Value) -> bool:
        """Whether the float is known not to be a signaling NaN, as arithmetic results never are."""
        return self._uncast(a) in self._quiet

    def quiet(self, a: Value) -> Value:
        """Record that the float is not a signaling NaN, and return it."""
        self._quiet.add(self._uncast(a))
        return a

    def with_one_nan(self, a: Value, nan: Value) -> Value:
        """The float, or `nan` in place of any NaN."""
        chosen = self.select(self.compare("uno", a, a), nan, a)
        if chosen.lanes == a.lanes:
            self._any_nan[chosen.operand] = a.operand
        return chosen

    def any_nan(self, a: Value) -> Value:
        """The float for an operation whose result does not depend on which NaN an operand is."""
        other = self._any_nan.get(a.operand)
        return a if other is None else Value(other, a.type, a.lanes, a.undefined, a.origin)

    def _uncast(self, a: Value) -> Operand:
        """Strip bitcasts: return the operand that has the same bits."""
        return self._casts.get(a.operand, (a.operand,))[0]

    def one_of(self, result: Value, *operands: Value) -> Value:
        """Mark a result that is one of the operands or a NaN: subnormal only if an operand is."""
        if all(self._uncast(v) in self._normal for v in operands):
            self._normal.add(self._uncast(result))
        return result

    def _flushed(self, a: Value) -> Value:
        smallest = {
            "half": 0x0400,
            "bfloat": 0x0080,
            "float": 0x00800000,
            "double": 0x0010000000000000,
        }[a.type]
        bits = self.bitcast(a, integer_of(a.type))
        sign = self.and_(bits, self._ir.constant(bits.type, 1 << (a.bits - 1)))
        magnitude = self.and_(bits, self._ir.constant(bits.type, (1 << (a.bits - 1)) - 1))
        tiny = self.compare("ult", magnitude, self._ir.constant(bits.type, smallest))
        return self.bitcast(self.select(tiny, sign, bits), a.type)
