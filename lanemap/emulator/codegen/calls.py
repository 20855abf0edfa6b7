"""The wave's fields and the functions of the runtime, as generated code reaches them."""

from __future__ import annotations

from lanemap.emulator.codegen.arithmetic import Arithmetic
from lanemap.emulator.codegen.emitter import Emitter
from lanemap.emulator.codegen.values import BITS, Value
from lanemap.emulator.runtime import layout

#: Parameter types of the runtime's functions, after the wave (runtime/*.c).
RUNTIME = {
    "lm_load": "i32 i32 i64 i32 i32 i32 i32", "lm_store": "i32 i32 i64 i32 i32 i32 i32",
    "lm_load_uniform": "i32 i32 i32 i32 i32",
    "lm_atomic": "i32 i32 i64 i32 i32 i32 i32 i32 i32",
    "lm_gather": "i64 i64 i32 i32 i32 i32", "lm_scatter": "i64 i32 i32 i32",
    "lm_matrix": " ".join(["i32"] * 9),
    "lm_gather_chunks": "i32 i32 i32 i32 i32 i32",
    "lm_segment": "i32", "lm_issue": "i32 i32 i32 i32 i32 i32", "lm_wait": "i32 i32",
    "lm_undefined_row": "i32 i64 i32 i32", "lm_undefined_uniform": "i32 i32 i64 i32",
    "lm_write_back": "", "lm_acquire_all": "",
    "lm_rule": "i32 i64 i32 i64", "lm_touch_pending": "i32 i32",
}


class Runtime:
    """Calls of the runtime, which take the wave first."""

    def __init__(self, ir: Emitter, alu: Arithmetic, first: int) -> None:
        """Call from operations that are numbered from `first`."""
        self._ir, self._alu = ir, alu
        #: Number of the operation being emitted: most functions want it, for their hazards.
        self.index = first

    def pointer(self, offset: int) -> str:
        """Operand that points at a byte of the wave."""
        return self._ir.emit(f"getelementptr i8, ptr %w, i64 {offset}")

    def field(self, name: str, kind: str, element: int = 0) -> Value:
        """A field of the runtime's Wave (layout.Wave) as a uniform value."""
        offset = layout.field_offset(name) + element * BITS[kind] // 8
        return Value(self._ir.emit(f"load {kind}, ptr {self.pointer(offset)}"), kind, False)

    def set_field(self, name: str, value: Value, element: int = 0) -> None:
        """Store a uniform value to a field of the runtime's Wave."""
        offset = layout.field_offset(name) + element * value.bits // 8
        self._ir.do(f"store {value.type} {value.name}, ptr {self.pointer(offset)}")

    def call(self, function: str, *arguments: int | Value, returns: str = "void") -> str:
        """Call a runtime function with the wave and uniform arguments; gives the result operand."""
        types = RUNTIME[function].split()
        if len(types) != len(arguments):
            raise ValueError(f"{function} takes {len(types)} arguments")
        parts = ["ptr %w"]
        for kind, argument in zip(types, arguments, strict=True):
            if isinstance(argument, Value):
                value = argument if kind == "ptr" else self._alu.resize(argument, kind)
                parts.append(f"{kind} {value.name}")
            else:
                parts.append(f"{kind} {argument}")
        self._ir.declarations[function] = (
            f"declare {returns} @{function}({', '.join(['ptr', *types])})")
        text = f"call {returns} @{function}({', '.join(parts)})"
        if returns == "void":
            self._ir.do(text)
            return ""
        return self._ir.emit(text)
