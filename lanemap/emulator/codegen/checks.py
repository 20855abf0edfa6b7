"""Hazards that generated code asks the runtime to look for."""

from __future__ import annotations

from lanemap.emulator.codegen.arithmetic import Arithmetic
from lanemap.emulator.codegen.calls import Runtime
from lanemap.emulator.codegen.element_types import BITS, integer_of
from lanemap.emulator.codegen.emitter import Emitter
from lanemap.emulator.codegen.masks import Masks
from lanemap.emulator.codegen.ops import Operand
from lanemap.emulator.codegen.rows import Rows
from lanemap.emulator.codegen.values import Value
from lanemap.emulator.runtime import abi

#: What undefined bits decided, the `detail` of an undefined hazard, in words.
DECIDES = {
    abi.Decides.ADDRESS: "address",
    abi.Decides.BRANCH: "branch",
    abi.Decides.EXECUTION: "execution mask",
    abi.Decides.BARRIER: "barrier operand",
    abi.Decides.MATRIX: "matrix operand",
    abi.Decides.OPERAND: "operand",
    abi.Decides.GUARD: "guard",
    abi.Decides.MEMORY: "contents of global memory",
}
_DECIDED = {words: detail for detail, words in DECIDES.items()}


class Checks:
    """Checks at the operation being emitted, in the active lanes."""

    def __init__(
        self, ir: Emitter, alu: Arithmetic, runtime: Runtime, masks: Masks, rows: Rows
    ) -> None:
        """Emit checks as calls to `runtime`."""
        self._ir, self._alu, self._runtime = ir, alu, runtime
        self._masks, self._rows = masks, rows

    def require_defined(self, value: Value, decides: str) -> Value:
        """Report a hazard if undefined bits of the value, in active lanes, decide something.

        Returns the value as a defined one. `decides` is one of DECIDES, in words.
        """
        if value.undefined is None:
            return value
        detail, index = _DECIDED[decides], self._runtime.index
        if value.lanes:
            row = abi.SCRATCH_ROWS - 1
            self._rows.set_field("undefined", row, self._widened(value.undefined, value.type))
            self._rows.set_field("origin", row, self._ir.origin_of(value, True))
            self._runtime.call("lm_undefined_row", index, self._masks.active64(), row, detail)
            return value.defined
        wide = value.undefined
        if value.bits < 64:
            wide = self._ir.cast("zext", integer_of(value.type), wide, "i64")
        origin = Value(self._ir.origin_of(value, False), "i32", False)
        self._runtime.call("lm_undefined_uniform", index, detail, Value(wide, "i64", False), origin)
        return value.defined

    def _widened(self, undefined: Operand, kind: str) -> Operand:
        """Undefined bits of every lane in 32: set where any of a wider value is."""
        ir = self._ir
        source, target = ir.typed(integer_of(kind), True), ir.typed("i32", True)
        if BITS[kind] < 32:
            return ir.cast("sext", source, undefined, target)
        if BITS[kind] == 64:
            high = ir.binary("lshr", source, undefined, "splat (i64 32)")
            return ir.cast("trunc", source, ir.binary("or", source, undefined, high), target)
        return undefined

    def rule(
        self, condition: Value, detail: int, value: int | Value = 0, lanes: Value | None = None
    ) -> None:
        """A hazard of the front end (number `detail` of its rules) if uniform i1 `condition` holds.

        It names `lanes` (a uniform i64 mask), those that execute by default. The call is made in
        any case; the runtime looks at the lanes, which are 0 if the condition does not hold.
        """
        named = self._masks.active64() if lanes is None else lanes
        lanes = self._alu.select(condition, named, self._ir.constant("i64", 0))
        self._runtime.call("lm_rule", self._runtime.index, lanes, detail, value)
