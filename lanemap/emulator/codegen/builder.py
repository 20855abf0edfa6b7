"""The Builder: emits the LLVM IR of one basic block; instruction semantics are written with it.

One Builder emits one block's function, `i32 block(ptr %w)`. A front end gives each Operation an
`emit(builder)` that reads registers and memory, computes, and writes with the Builder's parts. The
parts mask the writes, propagate undefined bits, and report hazards with the operation's line; see
docs/emulator.md. Each part depends only on the parts above it.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator

from lanemap.emulator.codegen.calls import Runtime
from lanemap.emulator.codegen.checks import Checks
from lanemap.emulator.codegen.emitter import Emitter
from lanemap.emulator.codegen.executions import Executions
from lanemap.emulator.codegen.floats import FloatArithmetic
from lanemap.emulator.codegen.flow import Flow
from lanemap.emulator.codegen.lanes import Lanes
from lanemap.emulator.codegen.masks import Masks
from lanemap.emulator.codegen.memory import Memory
from lanemap.emulator.codegen.pending import Pending
from lanemap.emulator.codegen.plan import BlockPlan
from lanemap.emulator.codegen.registers import Registers
from lanemap.emulator.codegen.rows import Rows
from lanemap.emulator.codegen.slots import Slots
from lanemap.emulator.codegen.values import Value


class Builder:
    """The parts that emit the code of one block.

    Attributes:
        plan: Facts about the block.
        ir: Operations of LLVM IR, constants, undefined bits.
        alu: Computation on values.
        lanes: Masks of lanes, and moves between lanes.
        runtime: Calls of the runtime, and the wave's fields.
        pending: Asynchronous operations and waits for them.
        masks: The lanes that execute.
        executions: Reports of executions to observers.
        rows: Values of every lane handed to the runtime and back.
        checks: Hazards.
        registers: Reads and writes.
        memory: Loads, stores, atomics.
        flow: Ends of the block.
    """

    def __init__(self, plan: BlockPlan) -> None:
        """Begin the function of a block."""
        self.plan = plan
        self.ir = ir = Emitter(plan.lanes, plan.precise)
        self.alu = alu = FloatArithmetic(ir)
        self.lanes = lanes = Lanes(ir)
        self.runtime = runtime = Runtime(ir, alu, plan.first, plan.functions)
        self.pending = pending = Pending(plan, runtime)
        slots = Slots(plan, ir, pending)
        self.masks = masks = Masks(plan, alu, lanes, runtime, slots)
        pending.narrowed = masks.narrowed
        self.executions = Executions(plan.watch, plan.block, alu, runtime, masks)
        self.rows = rows = Rows(ir, alu, runtime, masks)
        self.checks = checks = Checks(ir, alu, runtime, masks, rows)
        self.registers = registers = Registers(
            plan, ir, alu, runtime, pending, slots, masks, checks
        )
        self.memory = Memory(ir, alu, runtime, masks, rows, checks)
        self.flow = Flow(ir, alu, runtime, checks, registers)

    def begin(self) -> None:
        """Open the block: count its operations."""
        executed = self.runtime.field("executed", "i64")
        count = self.ir.constant("i64", self.plan.operations)
        self.runtime.set_field("executed", self.alu.add(executed, count))

    def operation(self, emit: Callable[[Builder], None], silent: bool, late: bool) -> None:
        """Emit the next operation of the block; see `operation.Operation`."""
        self.executions.begin(silent)
        if not late:
            self.executions.tell()
        emit(self)
        if not self.executions.told and not self.flow.finished:
            self.executions.tell()
        self.runtime.index += 1

    @contextlib.contextmanager
    def guarded(self, condition: Value) -> Iterator[None]:
        """In the `with` block, only lanes where the i1 `condition` holds are active.

        Where its bits are undefined, so is what is written to registers there; that anything else
        depends on them, such as a store, is a hazard.
        """
        with self.masks.guarded(condition, lambda: self.checks.require_defined(condition, "guard")):
            yield

    @property
    def index(self) -> int:
        """Number of the operation being emitted, counted over the entry."""
        return self.runtime.index
