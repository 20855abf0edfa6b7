"""Code that reports executed instructions to observers of a launch (runtime/events.h).

Code generated for a launch without observers contains none of it.
"""

from __future__ import annotations

from lanemap.emulator.codegen.arithmetic import Arithmetic
from lanemap.emulator.codegen.calls import Runtime
from lanemap.emulator.codegen.masks import Masks
from lanemap.emulator.codegen.values import Value
from lanemap.emulator.codegen.watch import Watch


class Executions:
    """Reports the active lanes of each operation of one block.

    A block counts once how often it executed, and in how many lanes; an operation counts only by
    how many lanes it differs from its block.
    """

    def __init__(
        self, watch: Watch, block: int, alu: Arithmetic, runtime: Runtime, masks: Masks
    ) -> None:
        """Begin before the first operation of the block."""
        self._watch, self._block = watch, block
        self._alu, self._runtime, self._masks = alu, runtime, masks
        self._silent = self._told = True
        self._began: Value | None = None
        self._began_mask: Value | None = None

    def begin(self, silent: bool) -> None:
        """Begin an operation; a `silent` one is part of another and is not reported."""
        self._silent, self._told = silent, False

    @property
    def told(self) -> bool:
        """Whether the active lanes of the operation have been reported."""
        return self._told

    def tell(self, lanes: Value | None = None) -> None:
        """Report that the operation executes now, in the active lanes.

        With `lanes`, a uniform mask, only in those of them.
        """
        self._told = True
        if not self._watch:
            return
        if self._began is None:
            with self._masks.unguarded():
                self._began_mask = self._masks.active()
                self._began = self._masks.active64()
            if Watch.COUNT in self._watch:
                self._runtime.call("lm_count_block", self._block, self._began)
        if self._silent:
            return
        executing = self._began
        with self._masks.unchecked():
            if lanes is not None:
                executing = self._alu.zext(
                    self._alu.and_(lanes, self._masks.active_or_all()), "i64"
                )
            elif self._masks.active() is not self._began_mask:
                executing = self._masks.active64()
        if executing is not self._began and Watch.COUNT in self._watch:
            self._runtime.call("lm_count_lanes", self._runtime.index, executing, self._began)
        if Watch.ISSUE in self._watch:
            self._runtime.call("lm_tell_issue", self._runtime.index, executing)
