"""Lines of LLVM IR, constants, broadcasts and undefined bits, used by all parts of the Builder."""

from __future__ import annotations

from lanemap.emulator.codegen.values import BITS, FLOATS, Value, integer_of

Undefined = tuple[str | None, str | None]  # undefined bits and origin


class Emitter:
    """Appends IR to one function; every method that computes returns the new operand or Value."""

    def __init__(self, lanes: int, precise: bool) -> None:
        """`lanes` is 32 or 64; `precise` code tracks the undefined bits of loads and origins."""
        self.lanes = lanes
        self.precise = precise
        self.lines: list[str] = []
        self.declarations: dict[str, str] = {}
        self._counter = 0
        self._broadcasts: dict[tuple[str, str], str] = {}
        self._flags: dict[str, str] = {}  # what all-or-none masks were widened from

    # -- text ------------------------------------------------------------------------------------
    def emit(self, text: str) -> str:
        """Append `%n = text` and return `%n`."""
        self._counter += 1
        name = f"%t{self._counter}"
        self.lines.append(f"{name} = {text}")
        return name

    def do(self, text: str) -> None:
        """Append an instruction without a result."""
        self.lines.append(text)

    def typed(self, kind: str, lanes: bool) -> str:
        """The LLVM type of an element type, for every lane or uniform."""
        return f"<{self.lanes} x {kind}>" if lanes else kind

    @property
    def mask_type(self) -> str:
        """Integer with one bit for each lane."""
        return f"i{self.lanes}"

    # -- constants and lanes ---------------------------------------------------------------------
    def constant(self, kind: str, value: int, lanes: bool = False) -> Value:
        """The bits `value` (an integer, also for float types) as a value of type `kind`."""
        value &= (1 << BITS[kind]) - 1
        if kind in FLOATS:
            name = f"bitcast ({integer_of(kind)} {value} to {kind})"
        else:
            name = ("true" if value else "false") if kind == "i1" else str(value)
        result = Value(name, kind, False, constant=value)
        return self.spread(result) if lanes else result

    def operand(self, value: Value, lanes: bool) -> str:
        """The operand of `value` in the form asked for (a uniform value is broadcast to lanes)."""
        if value.lanes == lanes:
            return value.name
        if value.lanes:
            raise ValueError(f"a value of every lane where a uniform one is needed: {value}")
        return self.broadcast(value.name, value.type)

    def broadcast(self, name: str, kind: str) -> str:
        """A uniform operand as a vector with it in every lane."""
        if name[0] != "%":
            return f"splat ({kind} {name})"
        known = self._broadcasts.get((name, kind))
        if known is None:
            vector = self.typed(kind, True)
            one = self.emit(f"insertelement {vector} poison, {kind} {name}, i32 0")
            known = self.emit(
                f"shufflevector {vector} {one}, {vector} poison, "
                f"<{self.lanes} x i32> zeroinitializer"
            )
            self._broadcasts[(name, kind)] = known
        return known

    def spread(self, value: Value) -> Value:
        """The same value in every lane."""
        if value.lanes:
            return value
        undefined = origin = None
        if value.undefined is not None:
            undefined = self.broadcast(value.undefined, integer_of(value.type))
            if value.origin is not None:
                origin = self.broadcast(value.origin, "i32")
        return Value(
            self.broadcast(value.name, value.type),
            value.type,
            True,
            undefined,
            origin,
            value.constant,
        )

    # -- undefined bits --------------------------------------------------------------------------
    def undefined_of(self, value: Value, lanes: bool) -> str | None:
        """Operand of the undefined bits in the form asked for; None where there are none."""
        if value.undefined is None or value.lanes == lanes:
            return value.undefined
        return self.broadcast(value.undefined, integer_of(value.type))

    def undefined_or_zero(self, value: Value, lanes: bool) -> str:
        """The same, with zeros for None."""
        found = self.undefined_of(value, lanes)
        if found is not None:
            return found
        if lanes:
            return "zeroinitializer"
        return "false" if value.type == "i1" else "0"

    def origin_of(self, value: Value, lanes: bool) -> str:
        """Operand of the origin numbers, zeros where the value has none."""
        if value.origin is None:
            return "zeroinitializer" if lanes else "0"
        if value.lanes == lanes:
            return value.origin
        return self.broadcast(value.origin, "i32")

    def merged_origin(self, values: tuple[Value, ...], lanes: bool) -> str | None:
        """Origin of a result: that of the first operand with undefined bits (precise code only)."""
        if not self.precise:
            return None
        candidates = [v for v in values if v.undefined is not None]
        if not candidates:
            return None
        result = self.origin_of(candidates[-1], lanes)
        for value in reversed(candidates[:-1]):
            kind = self.typed(integer_of(value.type), lanes)
            zero = "zeroinitializer" if lanes else ("false" if value.type == "i1" else "0")
            test = self.emit(f"icmp ne {kind} {self.undefined_of(value, lanes)}, {zero}")
            result = self.emit(
                f"select {self.typed('i1', lanes)} {test}, "
                f"{self.typed('i32', lanes)} {self.origin_of(value, lanes)}, "
                f"{self.typed('i32', lanes)} {result}"
            )
        return result

    def result(
        self, name: str, kind: str, lanes: bool, undefined: str | None, sources: tuple[Value, ...]
    ) -> Value:
        """A computed value with the undefined bits given and the origin of its sources."""
        if undefined is None:
            return Value(name, kind, lanes)
        return Value(name, kind, lanes, undefined, self.merged_origin(sources, lanes))

    def union(self, values: tuple[Value, ...], lanes: bool) -> str | None:
        """Undefined where any operand (of one width) is."""
        found = [u for u in (self.undefined_of(v, lanes) for v in values) if u is not None]
        if not found:
            return None
        kind = self.typed(integer_of(values[0].type), lanes)
        result = found[0]
        for other in found[1:]:
            result = self.emit(f"or {kind} {result}, {other}")
        return result

    def smeared_left(self, undefined: str | None, kind: str, lanes: bool) -> str | None:
        """Undefined from the lowest undefined bit up (what a carry can reach)."""
        if undefined is None:
            return None
        full = self.typed(integer_of(kind), lanes)
        zero = "zeroinitializer" if lanes else "0"
        negative = self.emit(f"sub {full} {zero}, {undefined}")
        return self.emit(f"or {full} {undefined}, {negative}")

    def all_or_none(self, values: tuple[Value, ...], kind: str, lanes: bool) -> str | None:
        """Every bit of a result of type `kind` is undefined where any bit of an operand is."""
        tests = []
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
            full = self.typed(integer_of(value.type), lanes)
            zero = "zeroinitializer" if lanes else "0"
            tests.append(self.emit(f"icmp ne {full} {undefined}, {zero}"))
        if not tests:
            return None
        flag = self.typed("i1", lanes)
        result = tests[0]
        for other in tests[1:]:
            result = self.emit(f"or {flag} {result}, {other}")
        if integer_of(kind) == "i1":
            return result
        wide = self.emit(f"sext {flag} {result} to {self.typed(integer_of(kind), lanes)}")
        self._flags[wide] = result
        return wide
