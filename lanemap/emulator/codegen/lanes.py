"""Cross-lane operations: lane masks, lane numbers, and moves between lanes."""

from __future__ import annotations

from collections.abc import Sequence

from lanemap.emulator.codegen.element_types import integer_of
from lanemap.emulator.codegen.emitter import Emitter
from lanemap.emulator.codegen.ops import Operand
from lanemap.emulator.codegen.values import Value


class Lanes:
    """Cross-lane operations on values, emitted through an Emitter."""

    def __init__(self, ir: Emitter) -> None:
        """Compute with operations appended to `ir`."""
        self._ir = ir

    def ballot(self, condition: Value) -> Value:
        """The i1 of every lane as one uniform integer, bit l for lane l."""
        ir, condition = self._ir, self._ir.spread(condition)
        mask = ir.ballot(condition.operand)
        if condition.undefined is None:
            return Value(mask, ir.mask_type, False)
        undefined = ir.ballot(condition.undefined)
        return Value(mask, ir.mask_type, False, undefined, self._any_origin(condition))

    def _any_origin(self, value: Value) -> Operand | None:
        """One origin for a uniform value made from lanes: the largest number (the latest)."""
        if not self._ir.precise or value.origin is None:
            return None
        return self._ir.reduce("umax", "i32", value.origin)

    def of_mask(self, mask: Value) -> Value:
        """A uniform integer of one bit for each lane as an i1 in every lane."""
        flags = self._ir.unpack(mask.operand)
        if mask.undefined is None:
            return Value(flags, "i1", True)
        undefined = self._ir.unpack(mask.undefined)
        origin = None if mask.origin is None else self._ir.broadcast(mask.origin, "i32")
        return Value(flags, "i1", True, undefined, origin)

    def numbers(self) -> Value:
        """0, 1, 2, .. : each lane's own number (i32)."""
        return self.table(range(self._ir.lanes))

    def table(self, elements: Sequence[int]) -> Value:
        """An i32 for each lane, known when code is generated."""
        return Value(self._ir.table("i32", elements), "i32", True)

    def extract(self, value: Value, lane: Value) -> Value:
        """The element of one lane (a uniform number below the lanes) as a uniform value."""
        if not value.lanes:
            return value

        def element(kind: str, x: Operand) -> Operand:
            return self._ir.extract(kind, x, lane.operand, lane.type)

        one = element(value.type, value.operand)
        if value.undefined is None:
            return Value(one, value.type, False)
        undefined = element(integer_of(value.type), value.undefined)
        origin = None if value.origin is None else element("i32", value.origin)
        return Value(one, value.type, False, undefined, origin)

    def insert(self, value: Value, lane: Value, element: Value) -> Value:
        """A value with the element of one lane replaced by a uniform one."""
        ir, value = self._ir, self._ir.spread(value)

        def replaced(kind: str, x: Operand, one: Operand) -> Operand:
            return ir.insert(kind, x, one, lane.operand, lane.type)

        result = replaced(value.type, value.operand, element.operand)
        if value.undefined is None and element.undefined is None:
            return Value(result, value.type, True)
        old, new = ir.undefined_or_zero(value, True), ir.undefined_or_zero(element, False)
        undefined, origin = replaced(integer_of(value.type), old, new), None
        if ir.precise:
            origin = replaced("i32", ir.origin_of(value, True), ir.origin_of(element, False))
        return Value(result, value.type, True, undefined, origin)

    def shuffled(self, value: Value, sources: Sequence[int]) -> Value:
        """Lane l receives the element of lane sources[l], known when code is generated."""
        ir, value = self._ir, self._ir.spread(value)
        result = ir.shuffle(value.type, value.operand, sources)
        if value.undefined is None:
            return Value(result, value.type, True)
        undefined = ir.shuffle(integer_of(value.type), value.undefined, sources)
        origin = None if value.origin is None else ir.shuffle("i32", value.origin, sources)
        return Value(result, value.type, True, undefined, origin)
