"""Operations and the basic blocks that they make up."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from lanemap.emulator.codegen.builder import Builder
from lanemap.emulator.codegen.values import Register
from lanemap.emulator.runtime import abi


@dataclass(slots=True)
class Operation:
    """One instruction.

    `emit` writes its semantics with a Builder. `reads` and `writes` name the registers that it may
    touch (for liveness and definedness). `undefines`: its results may be undefined although all it
    reads is defined (a load, in precise code). `partial`: it may leave lanes of what it writes as
    they were although all lanes execute. `fills_mask`: afterwards all lanes execute. `host` runs
    in Python after a block that ends with Flow.host; it returns what the kernel prints.
    """

    text: str
    line: int
    emit: Callable[[Builder], None]
    reads: tuple[Register, ...] = ()
    writes: tuple[Register, ...] = ()
    undefines: bool = False
    partial: bool = False
    fills_mask: bool = False
    waits: bool = False
    host: Callable[[abi.Wave], str | None] | None = None


@dataclass(slots=True)
class Block:
    """Operations first .. first + len(operations) - 1 of the entry; they run to the end."""

    index: int
    first: int
    operations: list[Operation]
    successors: tuple[int, ...]
