"""The active lanes during code generation."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator

from lanemap.emulator.codegen.arithmetic import Arithmetic
from lanemap.emulator.codegen.calls import Runtime
from lanemap.emulator.codegen.element_types import BITS
from lanemap.emulator.codegen.lanes import Lanes
from lanemap.emulator.codegen.plan import BlockPlan
from lanemap.emulator.codegen.slots import Slots
from lanemap.emulator.codegen.values import Value


class Masks:
    """The active lanes at the current point of code generation.

    They are those of the program's mask (its registers, or what the runtime keeps), narrowed by a
    guard.
    """

    def __init__(
        self, plan: BlockPlan, alu: Arithmetic, lanes: Lanes, runtime: Runtime, slots: Slots
    ) -> None:
        """Begin with the facts that the plan has for the beginning of the block."""
        self._alu, self._lanes, self._runtime, self._slots = alu, lanes, runtime, slots
        self._registers = plan.mask_registers
        self._type = f"i{plan.lanes}"
        self._full = plan.mask_full
        self._guard: Value | None = None
        self._check: Callable[[], object] | None = None
        self._base: Value | None = None
        self._base_known = False

    @property
    def guard(self) -> Value | None:
        """The i1 of every lane that narrows the mask, if one does; it may have undefined bits."""
        return self._guard

    def active(self) -> Value | None:
        """The active lanes as a uniform integer; None if all lanes are provably active."""
        if not self._base_known:
            self._base_known = True
            self._base = None if self._full else self._read()
        if self._guard is None:
            return self._base
        self._require_defined_guard()
        guard = self._lanes.ballot(self._guard)
        return guard if self._base is None else self._alu.and_(self._base, guard)

    def _require_defined_guard(self) -> None:
        """Check once that the guard is defined, in all lanes that it can mask off."""
        check, self._check = self._check, None
        if check is not None:
            guard, self._guard = self._guard, None
            check()
            self._guard = guard

    def _read(self) -> Value:
        if self._registers is None:
            return self._alu.trunc(self._runtime.field("active", "i64"), self._type)
        parts = [self._slots.read(register) for register in self._registers]
        return self._alu.join(*parts) if len(parts) == 2 else parts[0]

    def active_or_all(self) -> Value:
        """The active lanes as a uniform integer, never None.

        The last wave of a workgroup may have fewer lanes; those that do not exist never count.
        """
        mask = self.active()
        if mask is not None:
            return mask
        return self._alu.trunc(self._runtime.field("full", "i64"), self._type)

    def active64(self) -> Value:
        """The same as a defined i64, as the runtime takes it."""
        mask = self.active_or_all()
        return self._alu.zext(Value(mask.operand, mask.type, False), "i64")

    def narrowed(self) -> Value | None:
        """The active lanes as an i64 where a guard narrows them, else None.

        The guard may be undefined: this is for what is reported, and changes nothing.
        """
        if self._guard is None:
            return None
        with self.unchecked():
            return self.active64()

    def changed(self) -> None:
        """Note that a register of the mask was written."""
        self._base_known = False
        self._full = all(
            self._is_full(self._slots.known(register), BITS[register.type])
            for register in self._registers or ()
        )

    @staticmethod
    def _is_full(value: Value | None, bits: int) -> bool:
        return value is not None and value.constant == (1 << bits) - 1

    @contextlib.contextmanager
    def guarded(self, condition: Value, check: Callable[[], object]) -> Iterator[None]:
        """In the `with` block, only lanes where the i1 `condition` holds are active.

        `check` is called before anything but the write of a register depends on the guard.
        """
        previous = self._guard, self._check
        self._guard, self._check = condition, check
        try:
            yield
        finally:
            self._guard, self._check = previous

    @contextlib.contextmanager
    def unguarded(self) -> Iterator[None]:
        """In the `with` block, no guard narrows the mask."""
        previous, self._guard = self._guard, None
        try:
            yield
        finally:
            self._guard = previous

    @contextlib.contextmanager
    def unchecked(self) -> Iterator[None]:
        """In the `with` block, the guard may be undefined: no kernel effect depends on it."""
        previous, self._check = self._check, None
        try:
            yield
        finally:
            self._check = previous

    @contextlib.contextmanager
    def all_lanes(self) -> Iterator[None]:
        """In the `with` block, writes and accesses ignore the mask."""
        previous = self._base, self._base_known, self._guard
        self._base, self._base_known, self._guard = None, True, None
        try:
            yield
        finally:
            self._base, self._base_known, self._guard = previous
