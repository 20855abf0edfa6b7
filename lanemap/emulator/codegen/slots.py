"""Register slots in the wave; each is read at most once per block."""

from __future__ import annotations

from lanemap.emulator.codegen.element_types import BITS, integer_of
from lanemap.emulator.codegen.emitter import Emitter
from lanemap.emulator.codegen.ops import Operand
from lanemap.emulator.codegen.pending import Pending
from lanemap.emulator.codegen.plan import BlockPlan
from lanemap.emulator.codegen.values import Register, Value


class Slots:
    """The current values of registers: loaded from their slots, or written in this block."""

    def __init__(self, plan: BlockPlan, ir: Emitter, pending: Pending) -> None:
        """Begin with nothing read."""
        self._plan, self._ir, self._pending = plan, ir, pending
        self._values: dict[Register, Value] = {}
        self._defined: set[Register] = set()

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

    def refilled(self, register: Register) -> None:
        """A call wrote the register in its slot, in all lanes and without undefined bits."""
        self._values.pop(register, None)
        self._defined.add(register)

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
        operand = self._from_slot(register, ir.load(kind, offset, 4))
        defined = plan.clean(register) or register in self._defined
        if defined or not plan.shadowed(register):
            return Value(operand, register.type, register.lanes)
        shadow = self.shadow_type(register)
        undefined = self._from_slot(register, ir.load(shadow, offset + size, 4))
        origin = None
        if ir.precise:
            origin = ir.load(ir.typed("i32", register.lanes), offset + 2 * size, 4)
        return Value(operand, register.type, register.lanes, undefined, origin)

    def shadow_type(self, register: Register) -> str:
        """The type of the undefined bits in the slot."""
        if register.type == "i1":
            return self.type_of(register)[0]
        return self._ir.typed(integer_of(register.type), register.lanes)

    def _from_slot(self, register: Register, operand: Operand) -> Operand:
        if register.type != "i1":
            return operand
        return (
            self._ir.unpack(operand)
            if register.lanes
            else self._ir.cast("trunc", "i8", operand, "i1")
        )

    def to_slot(self, register: Register, operand: Operand) -> Operand:
        """A value of the register's type as its slot holds it."""
        if register.type != "i1":
            return operand
        return (
            self._ir.ballot(operand)
            if register.lanes
            else self._ir.cast("zext", "i1", operand, "i8")
        )
