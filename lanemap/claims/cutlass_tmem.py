"""CUTLASS's traits of `tcgen05.ld` and `tcgen05.st`: the 74 SM100_TMEM_LOAD and STORE atoms.

cutlass_sm100_tmem.json holds their shapes and strides. Two layouts lead from (thread, bit of the
thread's registers) to a bit address of tensor memory.
"""

from __future__ import annotations

import json
import re
from functools import cache
from importlib.resources import files
from typing import Any

from lanemap.claims.claim import Level, Statement
from lanemap.claims.shape_stride import evaluate, size
from lanemap.claims.spaces import as_direction, fragment, tensor_memory
from lanemap.layout import LayoutMap

DATA = "cutlass_sm100_tmem.json"
LANE_BITS = 1 << 21
COLUMN_BITS = 32


@cache
def _atoms() -> dict[str, list[Any]]:
    text = files("lanemap.claims").joinpath(DATA).read_text(encoding="utf-8")
    atoms: dict[str, list[Any]] = json.loads(text)["atoms"]
    return atoms


def _map(match: re.Match[str]) -> LayoutMap:
    form = match["form"] + (".pack::16b" if match["halves"] else "")
    shape, stride, tmem_shape, tmem_stride = _atoms()[form]
    threads, bits = size(shape[0]), size(shape[1])
    reached = evaluate(tmem_shape, tmem_stride, size(tmem_shape) - 1)

    def source(lane: Any, register: Any, bit: Any) -> dict[str, Any]:
        value = lane + threads * (COLUMN_BITS * register + bit)
        address = evaluate(tmem_shape, tmem_stride, evaluate(shape, stride, value))
        inside = address % LANE_BITS
        return {
            "lane": address // LANE_BITS,
            "column": inside // COLUMN_BITS,
            "bit": inside % COLUMN_BITS,
        }

    columns = reached % LANE_BITS // COLUMN_BITS + 1
    tmem = tensor_memory(reached // LANE_BITS + 1, columns)
    registers = fragment(bits // COLUMN_BITS)
    return as_direction(match["op"], LayoutMap.from_function(registers, tmem, source))


STATEMENTS = (
    Statement(
        "CUTLASS, TMEM copy traits",
        "NVIDIA/cutlass at 7107b05, include/cute/atom/copy_traits_sm100.hpp, "
        "SM100_TMEM_LOAD_* and SM100_TMEM_STORE_*",
        Level.HW_CI,
        r"tcgen05\.(?P<op>ld|st)\.(?P<form>\w+\.x\d+)(?P<halves>\.(?:pack|unpack)::16b)?",
        _map,
    ),
)
