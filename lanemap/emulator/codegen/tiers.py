"""How much of a program is made at once, and when bytecode is compiled."""

from __future__ import annotations

from collections.abc import Sequence

#: Operations that one unit aims at: small enough to compile at once, large enough to load cheaply.
UNIT_OPERATIONS = 160
#: Operations that a block executes in bytecode before its unit is compiled (see
#: benchmarks/compile.py for what either costs).
BUDGET = 1 << 23


def units(block_sizes: Sequence[int]) -> list[range]:
    """Blocks of each unit: consecutive ones, about UNIT_OPERATIONS operations.

    `block_sizes` are the operations of each block of the program.
    """
    result, first, operations = [], 0, 0
    for number, size in enumerate(block_sizes):
        if operations and operations + size > UNIT_OPERATIONS:
            result.append(range(first, number))
            first, operations = number, 0
        operations += size
    result.append(range(first, len(block_sizes)))
    return result
