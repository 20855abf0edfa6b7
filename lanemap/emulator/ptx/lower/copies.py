"""Copies between the two sides of a call: parameters in cells, registers and constants."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from lanemap.emulator.codegen.builder import Builder
from lanemap.emulator.codegen.element_types import BITS as LLVM_BITS
from lanemap.emulator.codegen.values import Register, Value
from lanemap.emulator.ptx.lower.cells import Cells, read_cells, write_cells
from lanemap.emulator.ptx.lower.names import Names
from lanemap.emulator.ptx.text.operand_text import OperandError
from lanemap.emulator.ptx.text.operands import Immediate
from lanemap.emulator.ptx.text.operands import Register as ParsedRegister
from lanemap.emulator.ptx.text.variables import Variable


@dataclass(frozen=True)
class Copy:
    """One value on its way, and the registers that it touches."""

    emit: Callable[[Builder], None]
    reads: tuple[Register, ...]
    writes: tuple[Register, ...]


def copies(
    names: Names, cells: Cells, sources: Sequence[object], targets: Sequence[object]
) -> list[Copy]:
    """Return the copies of arguments to parameters, or of results to where they are wanted.

    Raises:
        OperandError: the two sides do not fit.
    """
    if len(sources) != len(targets):
        raise OperandError(f"the call has {len(sources)} values for {len(targets)} parameters")
    return [_copy(names, cells, s, t) for s, t in zip(sources, targets, strict=True)]


def _copy(names: Names, cells: Cells, source: object, target: object) -> Copy:
    if isinstance(source, Variable) and isinstance(target, Variable):
        if source.size != target.size:
            raise OperandError(
                f"`{source.name}` of {source.size} bytes does not fit the parameter "
                f"`{target.name}` of {target.size}"
            )
        return _cell_by_cell(cells.of(source), cells.of(target))
    read, reads = _reader(names, cells, source)
    if isinstance(target, Variable):
        written = cells.of(target)
        kind = f"i{sum(LLVM_BITS[cell.type] for cell in written)}"

        def store(b: Builder) -> None:
            write_cells(b, written, b.alu.resize(read(b), kind))

        return Copy(store, reads, tuple(written))
    assert isinstance(target, ParsedRegister)
    register = names.register(target)
    return Copy(
        lambda b: b.registers.write(register, b.alu.resize(read(b), register.type)),
        reads,
        (register,),
    )


def _cell_by_cell(sources: list[Register], targets: list[Register]) -> Copy:
    def emit(b: Builder) -> None:
        for source, target in zip(sources, targets, strict=True):
            b.registers.write(target, b.registers.read(source))

    return Copy(emit, tuple(sources), tuple(targets))


def _reader(
    names: Names, cells: Cells, source: object
) -> tuple[Callable[[Builder], Value], tuple[Register, ...]]:
    if isinstance(source, Variable):
        parts = cells.of(source)
        return (lambda b: read_cells(b, parts)), tuple(parts)
    if isinstance(source, ParsedRegister):
        register = names.register(source)
        return (lambda b: b.registers.read(register)), (register,)
    if isinstance(source, Immediate):
        kind = "i32" if source.kind == "f32" else "i64"
        return (lambda b: b.ir.constant(kind, source.value)), ()
    raise OperandError(f"`{source}` cannot be passed to a function")
