"""Register reads and writes by operations."""

from __future__ import annotations

from collections.abc import Iterable

from lanemap.emulator.codegen.arithmetic import Arithmetic
from lanemap.emulator.codegen.calls import Runtime
from lanemap.emulator.codegen.checks import Checks
from lanemap.emulator.codegen.emitter import Emitter
from lanemap.emulator.codegen.masks import Masks
from lanemap.emulator.codegen.ops import Operand
from lanemap.emulator.codegen.pending import Pending
from lanemap.emulator.codegen.plan import BlockPlan
from lanemap.emulator.codegen.slots import Slots
from lanemap.emulator.codegen.values import Register, Value


class Registers:
    """Reads, masked writes, and the slots that are live out of a block."""

    def __init__(
        self,
        plan: BlockPlan,
        ir: Emitter,
        alu: Arithmetic,
        runtime: Runtime,
        pending: Pending,
        slots: Slots,
        masks: Masks,
        checks: Checks,
    ) -> None:
        """Begin with nothing written."""
        self._plan, self._ir, self._alu = plan, ir, alu
        self._runtime, self._pending, self._slots = runtime, pending, slots
        self._masks, self._checks = masks, checks
        self._written: dict[Register, None] = {}

    # -- reading and writing -----------------------------------------------------------------------
    def read(self, register: Register) -> Value:
        """The register's value; a hazard where an asynchronous operation has it pending."""
        return self._slots.read(register)

    def peek(self, register: Register) -> Value:
        """Read the register's value without a pending check; the result may not be used."""
        return self._slots.current(register)

    def write(self, register: Register, value: Value) -> None:
        """Write the register: in the active lanes, or as a uniform value."""
        if value.type != register.type:
            raise ValueError(f"{register.name} has type {register.type}, not {value.type}")
        if value.lanes and not register.lanes:
            raise ValueError(f"{register.name} is uniform, the value is not")
        self._pending.touch(register, writes=True)
        holds_mask = self._plan.holds_mask(register)
        if holds_mask:
            # undefined bits of the mask are a hazard here and now, so that it is defined after
            value = self._checks.require_defined(value, "execution mask")
        if register.lanes:
            value = self._into_lanes(register, self._ir.spread(value))
        self._slots.set(register, value)
        self._written[register] = None
        if holds_mask:
            self._masks.changed()

    def write_issued(self, register: Register, value: Value) -> None:
        """Write a register that an asynchronous operation fills (to be followed by `issue`)."""
        with self._pending.untouched():
            self.write(register, value)

    def refilled(self, registers: Iterable[Register]) -> None:
        """A call wrote these registers where they lie, in all lanes, and defined them.

        They live where the block begins, and the block has not read or written them before the
        call.
        """
        for register in registers:
            self._slots.refilled(register)

    def _into_lanes(self, register: Register, value: Value) -> Value:
        """The register's value after a write to the lanes that execute.

        In a program that is not masked, inactive lanes of the block never read the register here:
        only a guard masks the write, and `_keep` leaves the slots of inactive lanes alone. Where
        the guard is undefined, so are the bits that the write would change.
        """
        mask = self._masks.active() if self._plan.masked else self._masks.guard
        fresh = self._slots.known(register) is None and register not in self._plan.slots
        if mask is None or fresh:
            return value
        flags = self._ir.spread(mask)
        if mask.type != "i1":
            flags = Value(self._ir.unpack(mask.operand), "i1", True)
        return self._alu.select(flags, value, self._slots.current(register))

    # -- the end of the block ----------------------------------------------------------------------
    def flush(self) -> None:
        """Store the registers that later blocks may read."""
        for register in self._written:
            if self._plan.live_out(register):
                self._flush(register, self._slots.current(register))
        self._written.clear()

    def _flush(self, register: Register, value: Value) -> None:
        ir, slots = self._ir, self._slots
        offset = self._plan.slots[register]
        kind, size = slots.type_of(register)
        operand = slots.to_slot(register, ir.operand(value, register.lanes))
        store = self._keep if register.lanes else self._store
        store(offset, kind, operand)
        if not self._plan.shadowed(register):
            if value.undefined is not None:
                raise RuntimeError(
                    f"{register.name} is undefined after block {self._plan.block} "
                    "against the analysis"
                )
            return
        shadow = slots.to_slot(register, ir.undefined_or_zero(value, register.lanes))
        store(offset + size, slots.shadow_type(register), shadow)
        if ir.precise:
            numbers = ir.typed("i32", register.lanes)
            store(offset + 2 * size, numbers, ir.origin_of(value, register.lanes))

    def _store(self, offset: int, kind: str, operand: Operand) -> None:
        self._ir.store(kind, operand, offset, 4)

    def _keep(self, offset: int, kind: str, operand: Operand) -> None:
        """Store a vector (or an integer that is a mask) to a slot, in the lanes that run here."""
        ir = self._ir
        base = None if self._plan.masked else self._masks.active()
        if base is None:
            self._store(offset, kind, operand)
            return
        if kind == ir.mask_type:
            old = ir.load(kind, offset, 4)
            differ = ir.binary("xor", kind, old, operand)
            change = ir.binary("and", kind, differ, base.operand)
            self._store(offset, kind, ir.binary("xor", kind, old, change))
            return
        lanes, old = ir.unpack(base.operand), ir.load(kind, offset, 4)
        self._store(offset, kind, ir.select(ir.typed("i1", True), lanes, kind, operand, old))
