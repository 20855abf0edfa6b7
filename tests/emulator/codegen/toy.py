"""A toy front end: programs built by hand from the core's own interface, for tests of the core."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal

import numpy as np

from lanemap.emulator.codegen.builder import Builder
from lanemap.emulator.codegen.operation import Block, Operation
from lanemap.emulator.codegen.program import Program
from lanemap.emulator.codegen.values import Register
from lanemap.emulator.host.cluster import Initial, Place
from lanemap.emulator.host.launcher import Launcher
from lanemap.emulator.host.memory import Allocation
from lanemap.emulator.host.settings import Settings
from lanemap.emulator.runtime import abi

V = [Register(f"v{n}", "i32", True, n) for n in range(16)]
S = [Register(f"s{n}", "i32", False, 512 + n) for n in range(16)]
EXEC = (Register("exec_lo", "i32", False), Register("exec_hi", "i32", False))
SCC = Register("scc", "i1", False)


def op(
    text: str,
    emit: Callable[[Builder], None],
    reads: Sequence[Register] = (),
    writes: Sequence[Register] = (),
    **more: bool,
) -> Operation:
    """An operation whose line is its number in the text (set by `entry`)."""
    return Operation(text, 0, emit, tuple(reads), tuple(writes), **more)


class ToyEntry:
    """One kernel: blocks of (operations, successors); v0 is the lane's number in the workgroup."""

    def __init__(
        self, blocks: Sequence[tuple[Sequence[Operation], tuple[int, ...]]], shared_bytes: int = 0
    ) -> None:
        self.name, self.printing, self.print_buffer = "toy", None, 0
        self.shared_bytes, self.private_bytes = shared_bytes, 0
        made, first = [], 0
        for index, (operations, successors) in enumerate(blocks):
            for offset, operation in enumerate(operations):
                operation.line = first + offset + 1
            made.append(Block(index, first, list(operations), successors))
            first += len(operations)
        self.program = Program(
            "toy",
            "toy.s",
            64,
            made,
            frozenset({V[0], S[0], S[1], *EXEC}),
            EXEC,
            True,
            True,
            False,
            counters={0: "vmcnt", 1: "lgkmcnt"},
            rules={0: "rule {}"},
        )

    def initial(self, place: Place) -> Initial:
        """v0: thread; s0, s1: address of the parameters."""
        return {
            V[0]: place.threads(64),
            S[0]: place.parameters & 0xFFFFFFFF,
            S[1]: place.parameters >> 32,
            EXEC[0]: 0xFFFFFFFF,
            EXEC[1]: 0xFFFFFFFF,
        }

    def resident(self, waves: int, shared_bytes: int) -> tuple[int, str]:
        """As many as the tests need."""
        return 4, "a toy"

    multiprocessors = 1
    parameters = ()

    def parameter_block(
        self, arguments: bytes, grid: object, block: object, shared_bytes: int
    ) -> bytes:
        """The arguments as they are."""
        return arguments


def load_pointer(b: Builder) -> None:
    """s[2:3] <- the first parameter."""
    low, high = b.memory.load_uniform(
        abi.Space.GLOBAL, b.alu.join(b.registers.read(S[0]), b.registers.read(S[1])), 8
    )
    b.registers.write(S[2], low)
    b.registers.write(S[3], high)


POINTER = {"reads": (S[0], S[1]), "writes": (S[2], S[3]), "undefines": True}


def store_v(register: Register) -> Operation:
    """out[thread] = register, where s[2:3] points."""

    def emit(b: Builder) -> None:
        base = b.alu.join(b.registers.read(S[2]), b.registers.read(S[3]))
        offset = b.alu.shl(b.alu.zext(b.registers.read(V[0]), "i64"), b.ir.constant("i64", 2))
        b.memory.store(abi.Space.GLOBAL, b.alu.add(base, offset), [b.registers.read(register)], 4)

    return op(f"store {register.name}", emit, (S[2], S[3], V[0], register))


def end(b: Builder) -> None:
    """End the wave."""
    b.flow.goto(0, abi.Run.END)


def run(
    entry: ToyEntry,
    threads: int = 64,
    groups: int = 1,
    hazards: Literal["raise", "report"] = "raise",
    **machine: int,
) -> tuple[np.ndarray, Launcher]:
    """Launch with one output of a word for each thread of a group; the words and the machine."""
    m = Launcher(Settings(hazards, **machine))
    out = m.memory.allocate(threads * 4)
    m.memory.write(out.base, bytes(threads * 4))
    m.launch(entry, (groups, 1, 1), (threads, 1, 1), out.base.to_bytes(8, "little"), 0)
    m.check_defined(out.base, threads * 4)
    return out.data[: threads * 4].view(np.uint32).copy(), m


def set_undefined(allocation: Allocation, bits: np.ndarray) -> None:
    """Make bits of an allocation undefined: a byte of `bits` for each of its bytes."""
    contents = allocation.contents
    contents.track_bits()
    assert contents.partial is not None
    contents.pages &= np.uint32(abi.PageState.FILLED)
    contents.partial[: len(bits)] = ~bits
    octets = np.packbits(bits == 0, bitorder="little")
    contents.defined.view(np.uint8)[: len(octets)] = octets
