"""Control transfer at the end of a basic block."""

from __future__ import annotations

from lanemap.emulator.codegen.arithmetic import Arithmetic
from lanemap.emulator.codegen.calls import Runtime
from lanemap.emulator.codegen.checks import Checks
from lanemap.emulator.codegen.emitter import Emitter
from lanemap.emulator.codegen.registers import Registers
from lanemap.emulator.codegen.values import Value
from lanemap.emulator.runtime import abi


class Flow:
    """Ends of a block."""

    def __init__(
        self, ir: Emitter, alu: Arithmetic, runtime: Runtime, checks: Checks, registers: Registers
    ) -> None:
        """Begin with no terminator."""
        self._ir, self._alu, self._runtime = ir, alu, runtime
        self._checks, self._registers = checks, registers
        #: Whether the block has an end.
        self.finished = False

    def leave(self, block: Value, status: int | Value) -> None:
        """End the block; the wave continues at a block number computed at run time."""
        self._registers.flush()
        self._runtime.set_field("block", block)
        self._ir.leave(status.operand if isinstance(status, Value) else f"{status:d}")
        self.finished = True

    def goto(self, block: int, status: int = abi.Run.ON) -> None:
        """End the block; the wave continues at `block`, after `status` (abi.Run) is handled."""
        self.leave(self._ir.constant("i32", block), status)

    def branch(self, condition: Value, then: int, otherwise: int) -> None:
        """End the block with a uniform branch; an undefined condition is a hazard."""
        self._checks.require_defined(condition, "branch")
        target = self._alu.select(
            Value(condition.operand, "i1", False),
            self._ir.constant("i32", then),
            self._ir.constant("i32", otherwise),
        )
        self.leave(target, abi.Run.ON)

    def end_with(self, function: str, *arguments: int | Value) -> None:
        """End the block with a function of the runtime that says what the wave does next."""
        self._registers.flush()
        self._ir.leave(self._runtime.call(function, *arguments))
        self.finished = True

    def host(self, next_block: int) -> None:
        """End the block; the operation's `host` function runs before the wave goes on."""
        self._runtime.set_field("host_instruction", self._ir.constant("i32", self._runtime.index))
        self.goto(next_block, abi.Run.HOST)
