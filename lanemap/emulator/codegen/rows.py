"""Scratch rows, which pass per-lane values to the runtime and back."""

from __future__ import annotations

from collections.abc import Sequence

from lanemap.emulator.codegen.arithmetic import Arithmetic
from lanemap.emulator.codegen.calls import Runtime
from lanemap.emulator.codegen.element_types import BITS, integer_of
from lanemap.emulator.codegen.emitter import Emitter
from lanemap.emulator.codegen.masks import Masks
from lanemap.emulator.codegen.ops import Operand
from lanemap.emulator.codegen.values import Value
from lanemap.emulator.runtime import abi, layout


class Rows:
    """The wave's scratch rows: an i32 of every lane each, with undefined bits and origins."""

    def __init__(self, ir: Emitter, alu: Arithmetic, runtime: Runtime, masks: Masks) -> None:
        """Use the rows of the wave that `runtime` reaches."""
        self._ir, self._alu, self._runtime, self._masks = ir, alu, runtime, masks

    # -- one row -----------------------------------------------------------------------------------
    def _place(self, field: str, row: int) -> int:
        return layout.field_offset(field) + row * abi.MAX_LANES * 4

    def set_field(self, field: str, row: int, operand: Operand) -> None:
        """Store an operand to "value", "undefined" or "origin" of a row."""
        self._ir.store(self._ir.typed("i32", True), operand, self._place(field, row), 64)

    def _field(self, field: str, row: int) -> Operand:
        return self._ir.load(self._ir.typed("i32", True), self._place(field, row), 64)

    def _value(self, kind: str, row: int) -> Value:
        low = Value(self._field("value", row), "i32", True)
        if BITS[kind] == 64:
            high = Value(self._field("value", row + 1), "i32", True)
            return self._alu.bitcast(self._alu.join(low, high), kind)
        if BITS[kind] < 32:
            return self._alu.bitcast(self._alu.trunc(low, integer_of(kind)), kind)
        return self._alu.bitcast(low, kind)

    # -- values ------------------------------------------------------------------------------------
    def _words(self, value: Value) -> list[Value]:
        value = self._alu.bitcast(self._ir.spread(value), integer_of(value.type))
        if value.bits == 64:
            return list(self._alu.split(value))
        return [self._alu.zext(value, "i32")]

    def _store_whole(self, row: int, value: Value) -> None:
        """Put a value of 64 bits into the place of a row, which 32 lanes fill."""
        wide = self._alu.bitcast(self._ir.spread(value), "i64")
        self._ir.store(self._ir.typed("i64", True), wide.operand, self._place("value", row), 64)

    def load_whole(self, row: int, kind: str) -> Value:
        """The defined 64 bits that lie whole in the first of two rows."""
        found = self._ir.load(self._ir.typed("i64", True), self._place("value", row), 64)
        return self._alu.bitcast(Value(found, "i64", True), kind)

    def store(
        self, row: int, values: Sequence[Value], optional: bool = False, whole: bool = False
    ) -> bool:
        """Put values (with undefined bits and origins) into scratch rows from `row`.

        `optional`: where no value can have undefined bits, these and origins are left out. Returns
        whether they were. `whole`: values of 64 bits are not split; they lie in the first of their
        two rows.
        """
        left_out = optional and all(value.undefined is None for value in values)
        for value in values:
            at_once = whole and value.bits == 64
            if at_once:
                self._store_whole(row, value)
                if left_out:
                    row += 2
                    continue
            for word in self._words(value):
                if not at_once:
                    self.set_field("value", row, word.operand)
                if not left_out:
                    self.set_field("undefined", row, self._ir.undefined_or_zero(word, True))
                if self._ir.precise and not left_out:
                    self.set_field("origin", row, self._ir.origin_of(word, True))
                row += 1
        return left_out

    def load(self, row: int, defined: bool = False) -> Value:
        """The i32 of a scratch row with the undefined bits that the runtime left there."""
        value = self._value("i32", row)
        if defined:
            return value
        undefined = self._field("undefined", row)
        origin = self._field("origin", row) if self._ir.precise else None
        return Value(value.operand, "i32", True, undefined, origin)

    def load_uniform(self, row: int) -> Value:
        """The i32 that the runtime left in the first lane of a scratch row, as a uniform value."""
        name = self._word("value", row)
        undefined = origin = None
        if self._ir.precise:
            undefined = self._word("undefined", row)
            origin = self._word("origin", row)
        return Value(name, "i32", False, undefined, origin)

    def _word(self, field: str, row: int) -> Operand:
        return self._ir.load("i32", self._place(field, row))

    def call(
        self,
        function: str,
        inputs: Sequence[Value],
        outputs: Sequence[str],
        row: int = 0,
        *arguments: int | Value,
        whole: bool = False,
    ) -> list[Value]:
        """Call `void function(Wave *, u32 instruction, u64 mask, u32 row, ..)` on lanes.

        `inputs` go to scratch rows from `row` (64-bit ones take two), results of the types
        `outputs` are read back from the same rows. Undefined: all or none of each result, from all
        inputs, so that the function is given their values alone. For functions of the runtime that
        compute lane by lane (numeric.c, elementary.c). `whole`: see `store`.
        """
        at = row
        for value in inputs:
            if whole and value.bits == 64:
                self._store_whole(at, value)
                at += 2
                continue
            for word in self._words(value):
                self.set_field("value", at, word.operand)
                at += 1
        with self._masks.unguarded():  # the guard decides at the write
            mask = self._masks.active64()
        self._runtime.call(function, self._runtime.index, mask, row, *arguments)
        results: list[Value] = []
        at = row
        for kind in outputs:
            at_once = whole and BITS[kind] == 64
            plain = self.load_whole(at, kind) if at_once else self._value(kind, at)
            at += 2 if BITS[kind] == 64 else 1
            undefined = self._ir.all_or_none(tuple(inputs), kind, True) if inputs else None
            results.append(self._ir.result(plain.operand, kind, True, undefined, tuple(inputs)))
        return results
