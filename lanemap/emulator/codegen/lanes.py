"""Cross-lane operations: lane masks, lane numbers, and moves between lanes."""

from __future__ import annotations

from lanemap.emulator.codegen.emitter import Emitter
from lanemap.emulator.codegen.values import Value, integer_of


class Lanes:
    """Cross-lane operations on values, emitted through an Emitter."""

    def __init__(self, ir: Emitter) -> None:
        """Compute with lines appended to `ir`."""
        self._ir = ir

    def ballot(self, condition: Value) -> Value:
        """The i1 of every lane as one uniform integer, bit l for lane l."""
        condition = self._ir.spread(condition)
        flags = self._ir.typed("i1", True)
        name = self._ir.emit(f"bitcast {flags} {condition.name} to {self._ir.mask_type}")
        if condition.undefined is None:
            return Value(name, self._ir.mask_type, False)
        undefined = self._ir.emit(f"bitcast {flags} {condition.undefined} to {self._ir.mask_type}")
        return Value(name, self._ir.mask_type, False, undefined, self._any_origin(condition))

    def _any_origin(self, value: Value) -> str | None:
        """One origin for a uniform value made from lanes: the largest number (the latest)."""
        if not self._ir.precise or value.origin is None:
            return None
        vector = self._ir.typed("i32", True)
        function = f"@llvm.vector.reduce.umax.v{self._ir.lanes}i32"
        self._ir.declarations[function] = f"declare i32 {function}({vector})"
        return self._ir.emit(f"call i32 {function}({vector} {value.origin})")

    def of_mask(self, mask: Value) -> Value:
        """A uniform integer of one bit for each lane as an i1 in every lane."""
        flags = self._ir.typed("i1", True)
        name = self._ir.emit(f"bitcast {self._ir.mask_type} {mask.name} to {flags}")
        if mask.undefined is None:
            return Value(name, "i1", True)
        undefined = self._ir.emit(f"bitcast {self._ir.mask_type} {mask.undefined} to {flags}")
        origin = None if mask.origin is None else self._ir.broadcast(mask.origin, "i32")
        return Value(name, "i1", True, undefined, origin)

    def numbers(self) -> Value:
        """0, 1, 2, .. : each lane's own number (i32)."""
        numbers = ", ".join(f"i32 {lane}" for lane in range(self._ir.lanes))
        return Value(f"<{numbers}>", "i32", True)

    def extract(self, value: Value, lane: Value) -> Value:
        """The element of one lane (a uniform number below the lanes) as a uniform value."""
        if not value.lanes:
            return value
        name = self._ir.emit(
            f"extractelement {self._ir.typed(value.type, True)} {value.name}, "
            f"{lane.type} {lane.name}"
        )
        if value.undefined is None:
            return Value(name, value.type, False)
        kind = self._ir.typed(integer_of(value.type), True)
        undefined = self._ir.emit(
            f"extractelement {kind} {value.undefined}, {lane.type} {lane.name}"
        )
        origin = None
        if value.origin is not None:
            origin = self._ir.emit(
                f"extractelement {self._ir.typed('i32', True)} {value.origin}, "
                f"{lane.type} {lane.name}"
            )
        return Value(name, value.type, False, undefined, origin)

    def insert(self, value: Value, lane: Value, element: Value) -> Value:
        """A value with the element of one lane replaced by a uniform one."""
        value = self._ir.spread(value)
        full = self._ir.typed(value.type, True)
        name = self._ir.emit(
            f"insertelement {full} {value.name}, {element.type} {element.name}, "
            f"{lane.type} {lane.name}"
        )
        if value.undefined is None and element.undefined is None:
            return Value(name, value.type, True)
        kind = integer_of(value.type)
        old = self._ir.undefined_or_zero(value, True)
        new = self._ir.undefined_or_zero(element, False)
        undefined = self._ir.emit(
            f"insertelement {self._ir.typed(kind, True)} {old}, "
            f"{kind} {new}, {lane.type} {lane.name}"
        )
        origin = None
        if self._ir.precise:
            origin = self._ir.emit(
                f"insertelement {self._ir.typed('i32', True)} {self._ir.origin_of(value, True)}, "
                f"i32 {self._ir.origin_of(element, False)}, {lane.type} {lane.name}"
            )
        return Value(name, value.type, True, undefined, origin)

    def shuffled(self, value: Value, sources: list[int]) -> Value:
        """Lane l receives the element of lane sources[l], known when code is generated."""
        value = self._ir.spread(value)
        numbers = ", ".join(f"i32 {lane}" for lane in sources)

        def shuffle(kind: str, name: str) -> str:
            full = self._ir.typed(kind, True)
            return self._ir.emit(
                f"shufflevector {full} {name}, {full} poison, <{self._ir.lanes} x i32> <{numbers}>"
            )

        name = shuffle(value.type, value.name)
        if value.undefined is None:
            return Value(name, value.type, True)
        undefined = shuffle(integer_of(value.type), value.undefined)
        origin = None if value.origin is None else shuffle("i32", value.origin)
        return Value(name, value.type, True, undefined, origin)
