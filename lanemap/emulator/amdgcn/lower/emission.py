"""An instruction while its code is generated: the Builder, float modes, modifiers, constants."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from lanemap.emulator.amdgcn.lower.binding import Bound
from lanemap.emulator.amdgcn.text.module import Descriptor
from lanemap.emulator.codegen.builder import Builder
from lanemap.emulator.codegen.values import Register, Value
from lanemap.targets import Target


@dataclass(frozen=True)
class Mode:
    """The float modes of a wave (AMD CDNA4 ISA, 3.3.1, MODE register)."""

    flush_sources_32: bool = False
    flush_results_32: bool = False
    flush_sources_16_64: bool = False
    flush_results_16_64: bool = False
    dx10_clamp: bool = True
    ieee: bool = True
    fp16_overflow: bool = False

    @staticmethod
    def of(descriptor: Descriptor) -> Mode:
        """The mode that a kernel begins in."""
        narrow, wide = descriptor.float_denorm_mode_32, descriptor.float_denorm_mode_16_64
        return Mode(
            not narrow & 1,
            not narrow & 2,
            not wide & 1,
            not wide & 2,
            descriptor.dx10_clamp,
            descriptor.ieee_mode,
            descriptor.fp16_overflow,
        )

    def field(self, hwreg: int) -> int:
        """The bits of MODE that `hwreg(HW_REG_MODE, offset, size)` names."""
        offset, size = hwreg >> 6 & 31, (hwreg >> 11) + 1
        return self.bits() >> offset & (1 << size) - 1

    def bits(self) -> int:
        """The MODE register: round 3:0, denorm 7:4, dx10_clamp 8, ieee 9, fp16_ovfl 23."""
        narrow = (not self.flush_sources_32) | (not self.flush_results_32) << 1
        wide = (not self.flush_sources_16_64) | (not self.flush_results_16_64) << 1
        return (
            narrow << 4
            | wide << 6
            | self.dx10_clamp << 8
            | self.ieee << 9
            | self.fp16_overflow << 23
        )

    @staticmethod
    def of_bits(bits: int) -> Mode | None:
        """Return the mode of a MODE register; None if it does not round to nearest even."""
        if bits & 15:
            return None
        return Mode(
            not bits & 16,
            not bits & 32,
            not bits & 64,
            not bits & 128,
            bool(bits & 256),
            bool(bits & 512),
            bool(bits >> 23 & 1),
        )

    def flushes(self, kind: str, results: bool) -> bool:
        """Whether subnormals of a type are flushed to zero when read (or written)."""
        if kind == "f32":
            return self.flush_results_32 if results else self.flush_sources_32
        if kind in ("f16", "f64"):
            return self.flush_results_16_64 if results else self.flush_sources_16_64
        return False


class Emission:
    """One instruction while its code is generated.

    Attributes:
        b: The Builder.
        alu: The part of the Builder that computes on values.
        bound: The instruction.
        mode: The float modes.
        values: Numbers that link the instruction to its program: resolved expressions by the
            position of their operand, branch targets, tables.
        target: The target that executes it.
    """

    def __init__(
        self, b: Builder, bound: Bound, mode: Mode, values: dict[str, Any], target: Target
    ) -> None:
        self.b, self.bound, self.mode, self.values = b, bound, mode, values
        self.target = target
        self.alu = b.alu
        self.name = bound.definition.name
        self.extra = bound.definition.extra
        self.sopk = bound.definition.format.name == "SOPK"
        self._modifiers = bound.instruction.modifiers

    def modifier(self, name: str, default: int = 0) -> int:
        """The number of a modifier; a flag that is present is 1."""
        value = self._modifiers.get(name, default)
        if isinstance(value, (int, bool)):
            return int(value)
        return int(self.values[name])

    def bit(self, name: str, position: int, default: int = 0) -> int:
        """Element `position` of a list modifier such as op_sel."""
        found = self._modifiers.get(name)
        if not isinstance(found, tuple):
            return default
        return found[position] if position < len(found) else default

    def constant(self, kind: str, value: int) -> Value:
        """A constant of an LLVM type, the same in all lanes."""
        return self.b.ir.constant(kind, value)

    def jump(self, target: Value, status: int | Value) -> None:
        """End the block at a block number that is known when it runs."""
        self.b.flow.leave(target, status)

    def peek(self, register: Register) -> Value:
        """Read a register's value without a pending check; the result may not be used."""
        return self.b.registers.peek(register)
