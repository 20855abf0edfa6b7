"""The rules that an H200 obeys beside mmasim's models of Hopper, written by others.

mmasim (PyPI, MIT) needs torch, and a C++ compiler when it is imported.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from lanemap.conformance.tensor_cores import inputs, lowering
from lanemap.conformance.tensor_cores.kinds import FORMATS, KINDS, Kind

DOTS = 1 << 9


def _modeled(kind: Kind) -> bool:
    """Whether mmasim models a kind: no integers, no FP8 of mma.sync on Hopper, no other forms."""
    plain = not kind.form and FORMATS[kind.a].exponent and kind.products == 1
    return bool(plain and not lowering.is_split(kind))


def model(kind: Kind) -> Any:
    """mmasim's model of a kind."""
    sim = pytest.importorskip("mmasim.nv_ptx.sim", exc_type=Exception)
    _, _, name = kind.name.removeprefix("mma.").partition(".")
    return getattr(sim, "WGMMA" if kind.family == "wgmma" else "MMA")("Hopper", name)


def outcome(kind: Kind, number: int) -> tuple[Any, Any]:
    """What mmasim and our reference say of part of a chunk: codes [tile, row, column]."""
    torch = pytest.importorskip("torch")
    types = {"f16": torch.float16, "bf16": torch.bfloat16, "tf32": torch.float32,
             "f32": torch.float32, "f64": torch.float64, "e4m3": torch.float8_e4m3fn,
             "e5m2": torch.float8_e5m2}  # fmt: skip
    tiles = max(DOTS // kind.dots, 1)
    operands = tuple(each[:tiles] for each in inputs.chunk(kind, number))
    signed = {8: np.int8, 16: np.int16, 32: np.int32, 64: np.int64}
    a, b, c = (
        torch.from_numpy(np.ascontiguousarray(codes).view(signed[FORMATS[name].bits])).view(
            types[name]
        )
        for codes, name in zip(operands, (kind.a, kind.b, kind.c), strict=True)
    )
    simulated, f = model(kind), FORMATS[kind.d]
    found = torch.stack([simulated(a[t], b[t].T, c[t]) for t in range(tiles)])
    integers = {16: torch.int16, 32: torch.int32, 64: torch.int64}[f.bits]
    return found.view(integers).numpy().view(f.dtype), lowering.predicted(kind, *operands)


@pytest.mark.parametrize("name", [name for name, kind in KINDS.items() if _modeled(kind)])
def test_mmasim_gives_the_same_bits(name: str) -> None:
    theirs, ours = outcome(KINDS[name], 7)
    if FORMATS[KINDS[name].d].bits == 64:  # it does not say which NaN of f64 is the result
        both = np.isnan(theirs.view(np.float64)) & np.isnan(ours.view(np.float64))
        theirs, ours = np.where(both, 0, theirs), np.where(both, 0, ours)
    assert np.array_equal(theirs, ours), int((theirs != ours).sum())
