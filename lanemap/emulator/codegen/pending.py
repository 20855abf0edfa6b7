"""Registers pending on asynchronous operations, and the waits for those operations."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence

from lanemap.emulator.codegen.calls import Runtime
from lanemap.emulator.codegen.plan import BlockPlan
from lanemap.emulator.codegen.values import Register


class Pending:
    """Asynchronous operations of one block: issues, waits and register uses (runtime/pending.c).

    A segment begins where the block begins and after each wait; the runtime checks at once the
    tracked registers that a segment touches.
    """

    def __init__(self, plan: BlockPlan, runtime: Runtime) -> None:
        """Begin with nothing issued."""
        self._asynchronous, self._runtime = plan.asynchronous, runtime
        self._written = plan.written
        self._segment = plan.first
        self._issued: set[int] = set()
        self._ignores = False
        #: Tracked registers by the number of the operation with which their segment begins.
        self.segments: dict[int, set[int]] = {}

    def begin(self) -> None:
        """Open the block's first segment."""
        if self._asynchronous:
            self._runtime.call("lm_segment", self._segment)
            self.segments.setdefault(self._segment, set())

    def touch(self, register: Register, writes: bool = False) -> None:
        """Note an access to the register, which is a hazard while it is pending."""
        if register.tracked < 0 or self._ignores:
            return
        if writes and self._written:
            self._runtime.call(self._written, self._runtime.index, register.tracked)
            return
        if register.tracked in self._issued:
            self._runtime.call("lm_touch_pending", self._runtime.index, register.tracked)
        self.segments.setdefault(self._segment, set()).add(register.tracked)

    @contextlib.contextmanager
    def untouched(self) -> Iterator[None]:
        """In the `with` block, writes belong to an asynchronous operation; `issue` must follow."""
        previous, self._ignores = self._ignores, True
        try:
            yield
        finally:
            self._ignores = previous

    def issue(self, counter: int, registers: Sequence[Register], space: int = 2,
              out_of_order: bool = False) -> None:
        """The registers (consecutive `tracked` numbers) are pending until a wait on `counter`.

        Call it after the registers were written. `space` 0 or 1 ties the latest access there to the
        same completion, so that a barrier before the wait does not order it; abi.ISSUED_COPY the
        latest copy to shared memory, whose bytes are pending for the wave too; abi.ISSUED_APART the
        latest access of global memory, which a barrier before the wait does not order either.
        """
        first = registers[0].tracked if registers else 0
        self._runtime.call("lm_issue", counter, self._runtime.index, first, len(registers), space,
                           int(out_of_order))
        self._issued.update(register.tracked for register in registers)

    def may_be_pending(self, register: Register) -> None:
        """The register may have become pending here: later accesses are checked one by one."""
        self._issued.add(register.tracked)

    def wait(self, counter: int, allowed: int) -> None:
        """Wait until at most `allowed` operations of `counter` are outstanding."""
        self._runtime.call("lm_wait", counter, allowed)

    def begin_segment(self) -> None:
        """Begin a segment after the waits of an operation; later accesses are checked again."""
        self._segment = self._runtime.index + 1
        self._issued.clear()
        self._runtime.call("lm_segment", self._segment)
        self.segments.setdefault(self._segment, set())
