"""ldmatrix, stmatrix and movmatrix (NVIDIA PTX ISA, Warp-level Matrix Instructions).

The model's layout map of the variant gives the data movement (lanemap/model/ldmatrix.py).
"""

from __future__ import annotations

from lanemap.emulator.codegen.builder import Builder
from lanemap.emulator.ptx.lower.runtime import gate
from lanemap.emulator.ptx.lower.statement import Statement
from lanemap.emulator.ptx.lower.table import Emit, instruction
from lanemap.emulator.runtime import abi

#: A row of a matrix in shared memory, which must be aligned to its size.
ROW_BYTES = 16
#: Element width of the accesses in the bank rules (lanemap/model/banks.py).
BANK_ELEMENT_BITS = 16


def _variant(s: Statement, verb: str) -> tuple[str, int, int, int]:
    """Take the modifiers; return the model's name, rows, registers and the state space."""
    for word in ("sync", "aligned"):
        s.choice(word)
    kind = s.type("b16 b8 b6x16_p32 b4x16_p64")
    if kind != "b16":
        s.names.require("matrices of bytes")
    if "_p" in kind:  # elements of 6 and 4 bits, which a load widens to bytes
        kind = f"{s.choice('b8x16')}.{kind}"
    space = abi.Space.SHARED if s.choice("shared shared::cta", "") else abi.Space.GENERIC
    shape = s.choice("m8n8 m16n16 m8n16 m16n8")
    count = int(s.choice("x1 x2 x4")[1:])
    trans = ".trans" if s.flag("trans") else ""
    name = f"{verb}.sync.aligned.{shape}.x{count}{trans}.shared.{kind}"
    rows = count * (16 if shape == "m16n16" else 8)
    registers = count * (2 if shape == "m16n16" else 1)
    return name, rows, registers, space


@instruction(
    "ldmatrix",
    "ldmatrix.sync.aligned.shape.num{.trans}{.space}.type r, [p]",
    cite="PTX ISA, Warp-level Matrix Load Instruction: ldmatrix",
    gate=True,
)
def ldmatrix(s: Statement) -> Emit:
    """Rows of shared memory, spread over the warp."""
    name, rows, registers, space = _variant(s, "ldmatrix")
    destinations = s.destinations("b32", registers)
    address = s.address(space)
    table = s.names.table(name)
    s.undefines = s.defines = True

    def emit(b: Builder) -> None:
        gate(b, None)
        b.memory.set_addresses(address.read(b))
        b.runtime.call(
            "lm_ptx_matrix_load",
            b.index,
            space,
            rows,
            ROW_BYTES,
            ROW_BYTES,
            BANK_ELEMENT_BITS,
            registers,
            table,
        )
        for row, destination in enumerate(destinations):
            destination.write(b, b.rows.load(row, not b.plan.precise))

    return emit


@instruction(
    "stmatrix",
    "stmatrix.sync.aligned.shape.num{.trans}{.space}.type [p], r",
    cite="PTX ISA, Warp-level Matrix Store Instruction: stmatrix",
    gate=True,
    needs="stmatrix",
)
def stmatrix(s: Statement) -> Emit:
    """Store registers of the warp to rows of shared memory."""
    name, rows, registers, space = _variant(s, "stmatrix")
    address = s.address(space)
    sources = s.sources("b32", registers)
    table = s.names.table(name)

    def emit(b: Builder) -> None:
        gate(b, None)
        b.memory.set_addresses(address.read(b))
        b.rows.store(0, [source.read(b) for source in sources])
        b.runtime.call(
            "lm_ptx_matrix_store",
            b.index,
            space,
            rows,
            ROW_BYTES,
            ROW_BYTES,
            BANK_ELEMENT_BITS,
            registers,
            table,
        )

    return emit


@instruction(
    "movmatrix",
    "movmatrix.sync.aligned.m8n8.trans.b16 d, a",
    cite="PTX ISA, Warp-level Matrix Transpose Instruction: movmatrix",
    gate=True,
)
def movmatrix(s: Statement) -> Emit:
    """An 8x8 matrix of halves, transposed between registers."""
    for word in ("sync", "aligned", "m8n8", "trans"):
        s.choice(word)
    s.type("b16")
    d, x = s.destination("b32"), s.source("b32")
    table = s.names.table(s.instruction.name)

    def emit(b: Builder) -> None:
        gate(b, None)
        b.rows.store(0, [x.read(b)])
        b.runtime.call("lm_ptx_matrix_move", b.index, table)
        d.write(b, b.rows.load(0, not b.plan.precise))

    return emit
