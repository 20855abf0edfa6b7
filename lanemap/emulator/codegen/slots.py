"""Register slots in the wave; each is read at most once per block."""

from __future__ import annotations

from lanemap.emulator.codegen.calls import Runtime
from lanemap.emulator.codegen.emitter import Emitter
from lanemap.emulator.codegen.pending import Pending
from lanemap.emulator.codegen.plan import BlockPlan
from lanemap.emulator.codegen.values import BITS, Register, Value, integer_of


class Slots:
    """The current values of registers: loaded from their slots, or written in this block."""

    def __init__(self, plan: BlockPlan, ir: Emitter, runtime: Runtime, pending: Pending) -> None:
        """Begin with nothing read."""
        self._plan, self._ir, self._runtime, self._pending = plan, ir, runtime, pending
        self._values: dict[Register, Value] = {}

    def read(self, register: Register) -> Value:
        """The register's value; a hazard where an asynchronous operation has it pending."""
        self._pending.touch(register)
        return self.current(register)

    def current(self, register: Register) -> Value:
        """The register's value, pending or not."""
        value = self._values.get(register)
        if value is None:
            value = self._values[register] = self._load(register)
        return value

    def known(self, register: Register) -> Value | None:
        """The register's value if the block has read or written it."""
        return self._values.get(register)

    def set(self, register: Register, value: Value) -> None:
        """The register has this value from here on."""
        self._values[register] = value

    # -- layout of a slot: value, undefined bits, origins ------------------------------------------
    def type_of(self, register: Register) -> tuple[str, int]:
        """The type in the slot (a mask for i1 of every lane) and its bytes."""
        if register.type == "i1":
            return (self._ir.mask_type, self._ir.lanes // 8) if register.lanes else ("i8", 1)
        width = BITS[register.type] // 8
        return self._ir.typed(register.type, register.lanes), width * (
            self._ir.lanes if register.lanes else 1
        )

    def _load(self, register: Register) -> Value:
        ir, plan = self._ir, self._plan
        offset = plan.slots[register]
        kind, size = self.type_of(register)
        name = self._from_slot(
            register, ir.emit(f"load {kind}, ptr {self._runtime.pointer(offset)}, align 4")
        )
        if plan.clean(register) or not plan.shadowed(register):
            return Value(name, register.type, register.lanes)
        shadow = integer_of(register.type)
        kind = (
            ir.mask_type
            if kind == ir.mask_type
            else ("i8" if kind == "i8" else ir.typed(shadow, register.lanes))
        )
        at = self._runtime.pointer(offset + size)
        undefined = self._from_slot(register, ir.emit(f"load {kind}, ptr {at}, align 4"))
        origin = None
        if ir.precise:
            at = self._runtime.pointer(offset + 2 * size)
            origin = ir.emit(f"load {ir.typed('i32', register.lanes)}, ptr {at}, align 4")
        return Value(name, register.type, register.lanes, undefined, origin)

    def _from_slot(self, register: Register, name: str) -> str:
        ir = self._ir
        if register.type != "i1":
            return name
        if register.lanes:
            return ir.emit(f"bitcast {ir.mask_type} {name} to {ir.typed('i1', True)}")
        return ir.emit(f"trunc i8 {name} to i1")

    def to_slot(self, register: Register, name: str) -> str:
        """The operand `name`, a value of the register's type, as its slot holds it."""
        ir = self._ir
        if register.type != "i1":
            return name
        if register.lanes:
            return ir.emit(f"bitcast {ir.typed('i1', True)} {name} to {ir.mask_type}")
        return ir.emit(f"zext i1 {name} to i8")
