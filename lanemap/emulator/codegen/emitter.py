"""Operations of one function, constants, broadcasts and undefined bits, used by all of Builder."""

from __future__ import annotations

from collections.abc import Sequence

from lanemap.emulator.codegen.element_types import BITS, FLOATS, bytes_of, element_of, integer_of
from lanemap.emulator.codegen.ops import (
    Kind,
    Op,
    Operand,
    Write,
    write_binary,
    write_call,
    write_cast,
    write_leave_unless,
    write_load,
    write_plain,
    write_shuffle,
    write_store,
)
from lanemap.emulator.codegen.values import Value


class Emitter:
    """Appends operations to one function; every method that computes returns the new result.

    What was computed before is not computed again.
    """

    def __init__(self, lanes: int, precise: bool) -> None:
        """`lanes` is 32 or 64; `precise` code tracks the undefined bits of loads and origins."""
        self.lanes = lanes
        self.precise = precise
        #: All but broadcasts and tables, which are made where they are used.
        self.ops: list[Op] = []
        #: Integer with one bit for each lane.
        self.mask_type = f"i{lanes}"
        self._count = 0
        self._types: dict[str, str] = {}
        self._known: dict[tuple[object, ...], Op] = {}
        self._flags: dict[Operand, Operand] = {}  # what all-or-none masks were widened from

    # -- operations ------------------------------------------------------------------------------
    def typed(self, kind: str, lanes: bool) -> str:
        """The LLVM type of an element type, for every lane or uniform."""
        if not lanes:
            return kind
        found = self._types.get(kind)
        if found is None:
            found = self._types[kind] = f"<{self.lanes} x {kind}>"
        return found

    def _append(self, op: Op) -> Op:
        self._count += 1
        op.name = f"%t{self._count}"
        if op.kind is not Kind.BROADCAST and op.kind is not Kind.TABLE:
            self.ops.append(op)
        return op

    def _compute(
        self,
        write: Write,
        opcode: str,
        type: str,
        operands: tuple[Operand, ...],
        types: tuple[str, ...],
        mangled: tuple[str, ...] = (),
        kind: Kind | None = None,
    ) -> Op:
        """The operation, or the one that computed the same before."""
        key = (opcode, type, operands, types)
        op = self._known.get(key)
        if op is None:
            if kind is None:
                kind = Kind.LANES if type[0] == "<" else Kind.PURE
            op = self._known[key] = self._append(
                Op(kind, write, opcode, type, operands, types, mangled)
            )
        return op

    def binary(self, opcode: str, type: str, x: Operand, y: Operand, result: str = "") -> Op:
        """`add`, `icmp ult`, .. of two operands of a type; `result` is the type of another one."""
        return self._compute(write_binary, opcode, result or type, (x, y), (type, type))

    def cast(self, opcode: str, source: str, x: Operand, target: str) -> Op:
        """`zext`, `bitcast`, .. to a type of as many elements."""
        return self._compute(write_cast, opcode, target, (x,), (source,))

    def select(self, flag: str, choice: Operand, type: str, x: Operand, y: Operand) -> Op:
        """X where the choice, of type `flag`, holds, else y."""
        return self._compute(write_plain, "select", type, (choice, x, y), (flag, type, type))

    def intrinsic(
        self,
        name: str,
        type: str,
        operands: Sequence[Operand],
        types: Sequence[str],
        mangled: Sequence[str],
    ) -> Op:
        """`llvm.<name>`, without its types: one that treats all lanes alike."""
        return self._compute(
            write_call, f"llvm.{name}", type, tuple(operands), tuple(types), tuple(mangled)
        )

    def ballot(self, flags: Operand) -> Operand:
        """An i1 of every lane as a mask."""
        if not isinstance(flags, str) and flags.kind is Kind.UNPACK:
            return flags.operands[0]
        op = Op(
            Kind.BALLOT, write_cast, "bitcast", self.mask_type, (flags,), (self.typed("i1", True),)
        )
        return self._append(op)

    def unpack(self, mask: Operand) -> Operand:
        """A mask as an i1 of every lane."""
        if not isinstance(mask, str) and mask.kind is Kind.BALLOT:
            return mask.operands[0]
        flags = self.typed("i1", True)
        return self._compute(
            write_cast, "bitcast", flags, (mask,), (self.mask_type,), kind=Kind.UNPACK
        )

    def table(self, kind: str, elements: Sequence[int]) -> Op:
        """A constant with an element for each lane."""
        literal = "<" + ", ".join([f"{kind} {element}" for element in elements]) + ">"
        return self._compute(write_plain, literal, self.typed(kind, True), (), (), kind=Kind.TABLE)

    def broadcast(self, operand: Operand, kind: str) -> Operand:
        """A uniform operand as a vector with it in every lane."""
        if isinstance(operand, str):
            return f"splat ({kind} {operand})"
        return self._compute(
            write_plain, "", self.typed(kind, True), (operand,), (kind,), kind=Kind.BROADCAST
        )

    # -- moves between lanes ---------------------------------------------------------------------
    def extract(self, kind: str, x: Operand, lane: Operand, lane_type: str) -> Op:
        """The element of one lane."""
        types = (self.typed(kind, True), lane_type)
        return self._append(Op(Kind.EXTRACT, write_plain, "extractelement", kind, (x, lane), types))

    def insert(self, kind: str, x: Operand, element: Operand, lane: Operand, lane_type: str) -> Op:
        """The vector with the element of one lane replaced."""
        full = self.typed(kind, True)
        types = (full, kind, lane_type)
        return self._append(
            Op(Kind.FENCE, write_plain, "insertelement", full, (x, element, lane), types)
        )

    def shuffle(self, kind: str, x: Operand, sources: Sequence[int]) -> Op:
        """Lane l receives the element of lane sources[l]."""
        full = self.typed(kind, True)
        opcode = ", ".join([f"i32 {lane}" for lane in sources])
        return self._append(Op(Kind.FENCE, write_shuffle, opcode, full, (x,), (full,)))

    def reduce(self, name: str, kind: str, x: Operand) -> Op:
        """`llvm.vector.reduce.<name>` of all lanes."""
        full = self.typed(kind, True)
        opcode = f"llvm.vector.reduce.{name}"
        return self._append(Op(Kind.FENCE, write_call, opcode, kind, (x,), (full,), (full,)))

    # -- the wave, calls, the end ----------------------------------------------------------------
    def _access(self, op: Op, type: str, offset: int, align: int) -> Op:
        op.offset, op.align = offset, align
        element = element_of(type)
        if element:
            op.step = bytes_of(element)
        op.size = op.step * self.lanes or bytes_of(type)
        return self._append(op)

    def load(self, type: str, offset: int, align: int = 0) -> Op:
        """What lies `offset` bytes from the beginning of the wave."""
        kind = Kind.LOAD if type[0] == "<" else Kind.READ
        return self._access(Op(kind, write_load, "load", type, (), ()), type, offset, align)

    def store(self, type: str, x: Operand, offset: int, align: int = 0) -> None:
        """Store to `offset` bytes from the beginning of the wave."""
        kind = Kind.STORE if type[0] == "<" else Kind.WRITE
        self._access(Op(kind, write_store, "store", "", (x,), (type,)), type, offset, align)

    def call(
        self, function: str, type: str, operands: Sequence[Operand], types: Sequence[str]
    ) -> Op:
        """A call of the runtime with the wave, which returns `type` ("": nothing)."""
        operands, types = ("%w", *operands), ("ptr", *types)
        return self._append(Op(Kind.FENCE, write_call, function, type, operands, types))

    def leave(self, status: Operand) -> None:
        """The function returns."""
        self._append(Op(Kind.LEAVE, write_plain, "ret", "", (status,), ("i32",)))

    def leave_unless(self, condition: Operand, status: Operand, name: str) -> None:
        """The function returns if the i1 does not hold; `name` is unique in it."""
        operands, types = (condition, status), ("i1", "i32")
        self._append(Op(Kind.LEAVE, write_leave_unless, name, "", operands, types))

    # -- constants and lanes ---------------------------------------------------------------------
    def constant(self, kind: str, value: int, lanes: bool = False) -> Value:
        """The bits `value` (an integer, also for float types) as a value of type `kind`."""
        value &= (1 << BITS[kind]) - 1
        if kind in FLOATS:
            text = f"bitcast ({integer_of(kind)} {value} to {kind})"
        else:
            text = ("true" if value else "false") if kind == "i1" else str(value)
        result = Value(text, kind, False, constant=value)
        return self.spread(result) if lanes else result

    def zero(self, kind: str, lanes: bool) -> str:
        """Zeros of an integer type."""
        return "zeroinitializer" if lanes else "false" if kind == "i1" else "0"

    def operand(self, value: Value, lanes: bool) -> Operand:
        """The operand of `value` in the form asked for (a uniform value is broadcast to lanes)."""
        if value.lanes == lanes:
            return value.operand
        if value.lanes:
            raise ValueError(f"a value of every lane where a uniform one is needed: {value}")
        return self.broadcast(value.operand, value.type)

    def spread(self, value: Value) -> Value:
        """The same value in every lane."""
        if value.lanes:
            return value
        undefined = origin = None
        if value.undefined is not None:
            undefined = self.broadcast(value.undefined, integer_of(value.type))
            if value.origin is not None:
                origin = self.broadcast(value.origin, "i32")
        operand = self.broadcast(value.operand, value.type)
        return Value(operand, value.type, True, undefined, origin, value.constant)

    # -- undefined bits --------------------------------------------------------------------------
    def undefined_of(self, value: Value, lanes: bool) -> Operand | None:
        """Operand of the undefined bits in the form asked for; None where there are none."""
        if value.undefined is None or value.lanes == lanes:
            return value.undefined
        return self.broadcast(value.undefined, integer_of(value.type))

    def undefined_or_zero(self, value: Value, lanes: bool) -> Operand:
        """The same, with zeros for None."""
        found = self.undefined_of(value, lanes)
        return self.zero(value.type, lanes) if found is None else found

    def origin_of(self, value: Value, lanes: bool) -> Operand:
        """Operand of the origin numbers, zeros where the value has none."""
        if value.origin is None:
            return self.zero("i32", lanes)
        if value.lanes == lanes:
            return value.origin
        return self.broadcast(value.origin, "i32")

    def merged_origin(self, values: tuple[Value, ...], lanes: bool) -> Operand | None:
        """Origin of a result: that of the first operand with undefined bits (precise code only)."""
        if not self.precise:
            return None
        candidates = [v for v in values if v.undefined is not None]
        if not candidates:
            return None
        result = self.origin_of(candidates[-1], lanes)
        for value in reversed(candidates[:-1]):
            test = self.any_set(value.type, self.undefined_or_zero(value, lanes), lanes)
            flag, numbers = self.typed("i1", lanes), self.typed("i32", lanes)
            result = self.select(flag, test, numbers, self.origin_of(value, lanes), result)
        return result

    def result(
        self,
        operand: Operand,
        kind: str,
        lanes: bool,
        undefined: Operand | None,
        sources: tuple[Value, ...],
    ) -> Value:
        """A computed value with the undefined bits given and the origin of its sources."""
        if undefined is None:
            return Value(operand, kind, lanes)
        return Value(operand, kind, lanes, undefined, self.merged_origin(sources, lanes))

    def any_set(self, kind: str, bits: Operand, lanes: bool) -> Op:
        """Whether any of some undefined bits of a value of type `kind` is set."""
        full = self.typed(integer_of(kind), lanes)
        return self.binary("icmp ne", full, bits, self.zero(kind, lanes), self.typed("i1", lanes))

    def union(self, values: tuple[Value, ...], lanes: bool) -> Operand | None:
        """Undefined where any operand (of one width) is."""
        found = [u for u in (self.undefined_of(v, lanes) for v in values) if u is not None]
        if not found:
            return None
        kind = self.typed(integer_of(values[0].type), lanes)
        result = found[0]
        for other in found[1:]:
            result = self.binary("or", kind, result, other)
        return result

    def smeared_left(self, undefined: Operand | None, kind: str, lanes: bool) -> Operand | None:
        """Undefined from the lowest undefined bit up (what a carry can reach)."""
        if undefined is None:
            return None
        full = self.typed(integer_of(kind), lanes)
        negative = self.binary("sub", full, self.zero("i32", lanes), undefined)
        return self.binary("or", full, undefined, negative)

    def all_or_none(self, values: tuple[Value, ...], kind: str, lanes: bool) -> Operand | None:
        """Every bit of a result of type `kind` is undefined where any bit of an operand is."""
        tests: list[Operand] = []
        for value in values:
            undefined = self.undefined_of(value, lanes)
            if undefined is None:
                continue
            if value.type == "i1":
                tests.append(undefined)
                continue
            if undefined in self._flags:
                tests.append(self._flags[undefined])
                continue
            tests.append(self.any_set(value.type, undefined, lanes))
        if not tests:
            return None
        flag = self.typed("i1", lanes)
        result = tests[0]
        for other in tests[1:]:
            result = self.binary("or", flag, result, other)
        if integer_of(kind) == "i1":
            return result
        wide = self.cast("sext", flag, result, self.typed(integer_of(kind), lanes))
        self._flags[wide] = result
        return wide
