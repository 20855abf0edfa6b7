"""Operands for instruction semantics: sources to read and destinations to write."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from lanemap.emulator.codegen.builder import Builder
from lanemap.emulator.codegen.element_types import BITS, integer_of
from lanemap.emulator.codegen.values import Register, Value
from lanemap.emulator.ptx.text.kinds import is_signed, llvm_type


@dataclass(frozen=True)
class Source:
    """A value of PTX type `kind`; `read` returns the LLVM type of that kind.

    `register` is where it lies, None for constants.
    """

    kind: str
    read: Callable[[Builder], Value]
    register: Register | None = None


@dataclass(frozen=True)
class Destination:
    """A place for a result of PTX type `kind`; `write` takes the LLVM type of that kind."""

    kind: str
    write: Callable[[Builder, Value], None]


def nowhere(kind: str) -> Destination:
    """The destination of `_`."""
    return Destination(kind, lambda b, value: None)


def register_source(register: Register, kind: str) -> Source:
    """Read a register that is at least as wide as the type."""
    target = llvm_type(kind)

    def read(b: Builder) -> Value:
        value = b.registers.read(register)
        return b.alu.bitcast(b.alu.trunc(value, integer_of(target)), target)

    return Source(kind, read, register)


def register_destination(register: Register, kind: str) -> Destination:
    """Write a register; a wider one is filled up with the sign, or zeros.

    PTX ISA, Operand Size Exceeding Instruction-Type Size.
    """
    signed = is_signed(kind)

    def write(b: Builder, value: Value) -> None:
        bits = b.alu.bitcast(value, integer_of(value.type))
        if BITS[register.type] > bits.bits:
            bits = b.alu.sext(bits, register.type) if signed else b.alu.zext(bits, register.type)
        b.registers.write(register, bits)

    return Destination(kind, write)


def constant_source(kind: str, bits: int) -> Source:
    """A constant, by its bits."""
    target = llvm_type(kind)
    return Source(kind, lambda b: b.ir.constant(target, bits))
