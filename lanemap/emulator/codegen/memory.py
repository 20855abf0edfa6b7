"""Memory accesses; all go through the runtime."""

from __future__ import annotations

from collections.abc import Sequence

from lanemap.emulator.codegen.arithmetic import Arithmetic
from lanemap.emulator.codegen.calls import Runtime
from lanemap.emulator.codegen.checks import Checks
from lanemap.emulator.codegen.emitter import Emitter
from lanemap.emulator.codegen.masks import Masks
from lanemap.emulator.codegen.rows import Rows
from lanemap.emulator.codegen.values import Value
from lanemap.emulator.runtime import abi, layout


def _kind(relaxed: bool, scope: int) -> int:
    return (abi.AccessKind.RELAXED if relaxed else 0) | scope


class Memory:
    """Loads, stores and atomics of the active lanes."""

    def __init__(
        self,
        ir: Emitter,
        alu: Arithmetic,
        runtime: Runtime,
        masks: Masks,
        rows: Rows,
        checks: Checks,
    ) -> None:
        """Emit accesses as calls to `runtime`."""
        self._ir, self._alu, self._runtime = ir, alu, runtime
        self._masks, self._rows, self._checks = masks, rows, checks

    def set_addresses(self, address: Value) -> None:
        """Give every lane's address (i32 or i64) to the runtime; undefined bits are a hazard."""
        address = self._checks.require_defined(address, "address")
        wide = self._alu.zext(self._ir.spread(address), "i64")
        place = layout.field_offset("address")
        self._ir.store(self._ir.typed("i64", True), wide.operand, place, 64)

    def load(
        self,
        space: int,
        address: Value,
        size: int,
        *,
        align: int = 1,
        relaxed: bool = False,
        scope: int = 0,
        defined: bool = False,
    ) -> list[Value]:
        """Load `size` bytes (1, 2 or whole 32-bit words) a lane: i32 words, zero-extended.

        `space` is one of abi.Space. `align` > 1 makes misalignment a hazard. `relaxed` marks
        atomic or volatile accesses, which may race; `scope` those that are so only within their
        CTA (abi.AccessKind.NARROW) or cluster (CLUSTER), and those that go APART. `defined`
        promises that memory is (parameters).
        """
        self.set_addresses(address)
        kind = _kind(relaxed, scope)
        self._runtime.call(
            "lm_load", self._runtime.index, space, self._masks.active64(), size, align, 0, kind
        )
        known = defined or not self._ir.precise
        return [self._rows.load(row, known) for row in range((size + 3) // 4)]

    def load_uniform(
        self, space: int, address: Value, size: int, *, align: int = 4, scope: int = 0
    ) -> list[Value]:
        """Load `size` bytes at one uniform address: uniform i32 words; `scope` as of a load."""
        self._checks.require_defined(address, "address")
        wide = self._alu.zext(Value(address.operand, address.type, False), "i64")
        self._runtime.set_field("address", wide)
        self._runtime.call("lm_load_uniform", self._runtime.index, space, size, align, 0, scope)
        return [self._rows.load_uniform(row) for row in range((size + 3) // 4)]

    def store(
        self,
        space: int,
        address: Value,
        values: Sequence[Value],
        size: int,
        *,
        align: int = 1,
        relaxed: bool = False,
        scope: int = 0,
        copy: bool = False,
    ) -> None:
        """Store the low `size` bytes of i32 words; undefined bits go to memory with them.

        `copy`: a wait completes it, for the wave too; tell Pending.issue of abi.ISSUED_COPY after.
        """
        self.set_addresses(address)
        kind = _kind(relaxed, scope) | (abi.AccessKind.COPY if copy else 0)
        if self._rows.store(0, values, optional=True):
            kind |= abi.AccessKind.DEFINED
        self._runtime.call(
            "lm_store", self._runtime.index, space, self._masks.active64(), size, align, 0, kind
        )

    def load_chunks(
        self, address: Value, size: int, registers: int, table: int, *, align: int
    ) -> list[Value]:
        """Every lane reads `size` bytes of shared memory; the layout map says which lane gets what.

        `table` is the number of a program table made by `gather_table`. All lanes take part; gives
        `registers` i32 values (transposing reads).
        """
        with self._masks.all_lanes():
            self.set_addresses(address)
            self._runtime.call(
                "lm_gather_chunks", self._runtime.index, size, registers, align, 0, table
            )
        return [self._rows.load(row, not self._ir.precise) for row in range(registers)]

    def atomic(
        self,
        space: int,
        operation: str,
        address: Value,
        operand: Value,
        compare: Value | None = None,
        *,
        align: int = 1,
        flags: int = 0,
    ) -> Value:
        """Read-modify-write of i32/i64 (float operations: the bits of f32/f64): the old value.

        `operation` is the name of an abi.Atomic in lower case; `compare` is for cas, after which
        `compared` gives it anew. `flags`: a scope as of a load, APART, and ACQUIRE_ON_READ.
        """
        self.set_addresses(address)
        self._rows.store(0, [operand])
        if compare is not None:
            self._rows.store(2, [compare])
        self._runtime.call(
            "lm_atomic",
            self._runtime.index,
            space,
            self._masks.active64(),
            operand.bits // 8,
            align,
            0,
            2,
            abi.Atomic[operation.upper()],
            flags,
        )
        known = not self._ir.precise
        low = self._rows.load(0, known)
        return low if operand.bits == 32 else self._alu.join(low, self._rows.load(1, known))

    def compared(self, bits: int) -> Value:
        """The value that the last cas compared with, of 32 or 64 bits.

        A value that was read in a race is defined now: if it was not what was there, nothing was
        stored.
        """
        known = not self._ir.precise
        low = self._rows.load(2, known)
        return low if bits == 32 else self._alu.join(low, self._rows.load(3, known))
