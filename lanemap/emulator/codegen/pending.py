"""Registers pending on asynchronous operations, and the waits for those operations."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Mapping, Sequence

from lanemap.emulator.codegen.calls import Runtime
from lanemap.emulator.codegen.plan import BlockPlan
from lanemap.emulator.codegen.values import Register, Value

#: As an argument of the runtime: whichever lanes there are.
ALL_LANES = -1


class Pending:
    """What a block issues, waits for and uses of asynchronous operations (memory_model/pending.c).

    A segment begins where the block begins, after each wait, and where an operation waits for room
    in its counter; the runtime checks at once the tracked registers that a segment touches, before
    the first of them. Registers of a guarded instruction are checked by themselves, since no lane
    may execute it.
    """

    def __init__(self, plan: BlockPlan, runtime: Runtime) -> None:
        """Begin with nothing issued."""
        self._asynchronous, self._runtime = plan.asynchronous, runtime
        self._written = plan.written
        #: The operation with which the segment begins; None before its first register.
        self._segment: int | None = None
        self._issued: set[int] = set()
        self._ignores = False
        #: The lanes that a guard leaves, None without one: Masks.narrowed.
        self.narrowed: Callable[[], Value | None] = lambda: None
        #: Tracked registers by the number of the operation with which their segment begins.
        self.segments: dict[int, set[int]] = {}

    def touch(self, register: Register, writes: bool = False) -> None:
        """Note an access to the register, which is a hazard while it is pending."""
        if register.tracked < 0 or self._ignores:
            return
        if self._segment is None:
            self._segment = self._runtime.index
            if self._asynchronous:
                self._runtime.call("lm_segment", self._segment)
        lanes, index = self.lanes(), self._runtime.index
        if writes and self._written:
            self._runtime.call(self._written, index, register.tracked, lanes)
            return
        guarded = isinstance(lanes, Value)
        if guarded or register.tracked in self._issued:
            self._runtime.call("lm_touch_pending", index, register.tracked, lanes)
        if guarded:
            return
        self.segments.setdefault(self._segment, set()).add(register.tracked)

    def lanes(self) -> Value | int:
        """The lanes that a guard leaves to the operation, as an argument of the runtime."""
        lanes = self.narrowed()
        return ALL_LANES if lanes is None else lanes

    @contextlib.contextmanager
    def untouched(self) -> Iterator[None]:
        """In the `with` block, writes belong to an asynchronous operation; `issue` must follow."""
        previous, self._ignores = self._ignores, True
        try:
            yield
        finally:
            self._ignores = previous

    def issue(
        self,
        counter: int,
        registers: Sequence[Register],
        space: int = 2,
        out_of_order: bool = False,
    ) -> None:
        """The registers (consecutive `tracked` numbers) are pending until a wait on `counter`.

        Call it after the registers were written; twice for what counts on two counters. `space` 0
        or 1 ties the latest access there to the same completion, so that a barrier before the wait
        does not order it; abi.ISSUED_COPY the latest copy to shared memory, whose bytes are pending
        for the wave too; abi.ISSUED_APART the latest access of global memory that went APART,
        likewise.
        """
        first = registers[0].tracked if registers else 0
        self._runtime.call(
            "lm_issue",
            counter,
            self._runtime.index,
            first,
            len(registers),
            space,
            int(out_of_order),
        )
        self._issued.update(register.tracked for register in registers)

    def may_be_pending(self, register: Register) -> None:
        """The register may have become pending here: later accesses are checked one by one."""
        self._issued.add(register.tracked)

    def make_room(self, capacities: Mapping[int, int]) -> None:
        """Begin an operation that counts on these counters, which hold so many at most.

        It is issued only when its counters have room, so older operations may be known to be over.
        """
        for counter, capacity in capacities.items():
            self._runtime.call("lm_make_room", counter, capacity)
        self.begin_segment()

    def wait(self, counter: int, allowed: int) -> None:
        """Wait until at most `allowed` operations of `counter` are outstanding."""
        self._runtime.call("lm_wait", counter, allowed)

    def begin_segment(self) -> None:
        """Begin a segment after waits; later accesses are checked again."""
        self._segment = None
        self._issued.clear()
