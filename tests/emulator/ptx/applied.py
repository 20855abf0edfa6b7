"""One instruction on rows of operands, and rules on Python's integers to hold it to."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tests import ptx


def applied(
    text: str, kinds: Sequence[str], columns: Sequence[NDArray[Any]], out: str = "b32"
) -> NDArray[np.uint64]:
    """What an instruction on {d}, {0}, {1}, .. makes of each row of the columns, as bits.

    Args:
        text: The instruction, or several; a predicate `%p` is there, and registers of the operands.
        kinds: The register type of each operand.
        columns: Each operand's bits.
        out: The register type of the result.
    """
    count = len(columns[0])
    rows = -(-count // 32) * 32
    data = np.zeros((rows, len(columns)), np.uint64)
    data[:count] = np.stack([column.astype(np.uint64) for column in columns], 1)
    names = {str(i): f"%o{i}" for i in range(len(kinds))}
    body = f".reg .pred %p; .reg .b64 %at, %q, %wide; .reg .b32 %i, %t; .reg .{out} %d;\n"
    body += "".join(f".reg .{kind} %o{i};" for i, kind in enumerate(kinds))
    body += "\nmov.u32 %i, %ctaid.x; mov.u32 %t, %tid.x; mad.lo.u32 %i, %i, 32, %t;"
    body += f"\nmad.wide.u32 %at, %i, {8 * len(columns)}, %given;"
    for i, kind in enumerate(kinds):
        body += f" ld.global.b{kind[1:]} %o{i}, [%at + {8 * i}];"
    words = text.format(*names.values(), d="%d")
    body += f"\n{words}\nmad.wide.u32 %at, %i, 8, %out; st.global.b{out[1:]} [%at], %d;"
    source = ptx.entry(body, "given out", target="sm_100a")
    *_, got = ptx.launch(source, data, np.zeros(rows, np.uint64), grid=rows // 32)
    return got[:count]


def pairs(values: Sequence[int]) -> list[NDArray[np.uint64]]:
    """Every pair of values, as two columns."""
    both = itertools.product(values, repeat=2)
    return [np.array(column, np.uint64) for column in zip(*both, strict=True)]


def signed(value: int, bits: int = 32) -> int:
    return value - (1 << bits) if value >> (bits - 1) & 1 else value


def each(rule: Callable[..., int], columns: Sequence[NDArray[Any]], bits: int = 32) -> list[int]:
    """A rule on Python's integers, cut to bits."""
    rows = zip(*[column.tolist() for column in columns], strict=True)
    return [rule(*row) & (1 << bits) - 1 for row in rows]
