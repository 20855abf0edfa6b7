"""Inputs to code generation of one block: the part of a program that the Builder sees."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lanemap.emulator.codegen.values import Register
from lanemap.emulator.codegen.watch import Watch

if TYPE_CHECKING:
    from lanemap.emulator.runtime.signature import Signature


@dataclass(frozen=True, slots=True)
class BlockPlan:
    """One block, and what is known about registers at its beginning and end.

    `block` is its number, `first` the number of its first operation of `operations`; `precise` code
    tracks the undefined bits of loads and origins; `watch` is what it tells those who count.
    `slots` are byte offsets in the wave of the registers that live across blocks; `functions` are
    those of the runtime. `mask_full`: all lanes execute where it begins. The rest of the plain
    fields is the program's (see Program). `bits` numbers the registers for three sets: those that
    may be read later, those without undefined bits where the block begins, and those that have room
    for undefined bits in their slots.
    """

    block: int
    first: int
    operations: int
    lanes: int
    precise: bool
    masked: bool
    mask_registers: tuple[Register, ...] | None
    asynchronous: bool
    mask_full: bool
    functions: Mapping[str, Signature]
    slots: Mapping[Register, int]
    bits: Mapping[Register, int]
    live_out_set: int
    clean_set: int
    shadowed_set: int
    watch: Watch = Watch.NOTHING
    written: str = ""

    def live_out(self, register: Register) -> bool:
        """May a later block (or the host) read the register?"""
        return bool(self.live_out_set & self.bits[register]) or self.holds_mask(register)

    def clean(self, register: Register) -> bool:
        """Is the register without undefined bits wherever the block begins?"""
        return bool(self.clean_set & self.bits[register])

    def shadowed(self, register: Register) -> bool:
        """Does some block begin with the register live and not provably defined?"""
        return bool(self.shadowed_set & self.bits[register])

    def holds_mask(self, register: Register) -> bool:
        """Is it one of the registers that say which lanes execute?"""
        return bool(self.mask_registers) and register in (self.mask_registers or ())
