"""Operations and the basic blocks that they make up."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from lanemap.emulator.codegen.builder import Builder
from lanemap.emulator.codegen.values import Register
from lanemap.emulator.runtime import abi


class Heap(Protocol):
    """The objects that kernels make while they run, for operations of the host."""

    def allocate(self, size: int, name: str) -> int:
        """Return the address of a new object of undefined bytes; 0 if there is no room."""

    def free(self, address: int, where: str) -> bool:
        """Free an object; return whether there is one that begins at the address."""


@dataclass(slots=True)
class Operation:
    """One instruction.

    `emit` writes its semantics with a Builder. `reads` and `writes` name the registers that it may
    touch (for liveness and definedness). `undefines`: its results may be undefined although all it
    reads is defined (a load, in precise code). `defines`: but for that, they are defined although
    something it reads is not, because then it is a hazard, or stops code that is not precise.
    `partial`: it may leave lanes of what it writes as they were although all lanes execute.
    `fills_mask`: afterwards all lanes execute. `host` runs in Python after a block that ends with
    Flow.host; it returns what the kernel prints. `addresses` are those of `reads` that hold the
    address of an access, not that of an object that says what is accessed; `fetches`: registers
    that it loads from the kernel's parameters, each with its first byte there, if the registers of
    its address are those that the wave began with.

    For those who count: `kind` is the class of the instruction, in the front end's words; "" for
    what is only a part of another operation's instruction. `products`: multiplications of a matrix
    instruction, each with its addition. `uniform`: it executes once for the wave. `late`: it says
    itself which lanes execute it, and when (`Builder.executions`), because it may go back to the
    beginning of its block instead, or because a guard narrows its lanes.
    """

    text: str
    line: int
    emit: Callable[[Builder], None]
    reads: tuple[Register, ...] = ()
    writes: tuple[Register, ...] = ()
    undefines: bool = False
    defines: bool = False
    partial: bool = False
    fills_mask: bool = False
    waits: bool = False
    host: Callable[[abi.Wave, Heap], str | None] | None = None
    kind: str = ""
    products: int = 0
    uniform: bool = False
    late: bool = False
    addresses: tuple[Register, ...] = ()
    fetches: tuple[tuple[Register, int], ...] = ()


@dataclass(slots=True)
class Block:
    """Operations first .. first + len(operations) - 1 of the entry; they run to the end."""

    index: int
    first: int
    operations: list[Operation]
    successors: tuple[int, ...]
