"""The rules that an H200 obeys beside mmasim's models of Hopper, written by others.

mmasim (PyPI, MIT) needs torch, and a C++ compiler when it is imported.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from lanemap.conformance.tensor_cores import inputs, lowering
from lanemap.conformance.tensor_cores.kernels import source
from lanemap.conformance.tensor_cores.kinds import FORMATS, KINDS, Kind
from lanemap.conformance.tensor_cores.trial import Runner
from lanemap.devices import open_device
from lanemap.targets import TARGETS

DOTS = 1 << 9


def _modeled(kind: Kind) -> bool:
    """Whether mmasim models a kind: no integers, no FP8 of mma.sync on Hopper, no other forms."""
    plain = not kind.form and FORMATS[kind.a].exponent and kind.products == 1
    return bool(plain and not lowering.is_split(kind))


def simulated(kind: Kind, cores: str, operands: Sequence[Any]) -> Any:
    """D by mmasim's model of a kind on a generation of tensor cores: codes [tile, row, column]."""
    sim = pytest.importorskip("mmasim.nv_ptx.sim", exc_type=Exception)
    torch = pytest.importorskip("torch")
    types = {"f16": torch.float16, "bf16": torch.bfloat16, "tf32": torch.float32,
             "f32": torch.float32, "f64": torch.float64, "e4m3": torch.float8_e4m3fn,
             "e5m2": torch.float8_e5m2}  # fmt: skip
    signed = {8: np.int8, 16: np.int16, 32: np.int32, 64: np.int64}
    a, b, c = (
        torch.from_numpy(np.ascontiguousarray(codes).view(signed[FORMATS[name].bits])).view(
            types[name]
        )
        for codes, name in zip(operands, (kind.a, kind.b, kind.c), strict=True)
    )
    _, _, name = kind.name.removeprefix("mma.").partition(".")
    model, f = (
        getattr(sim, "WGMMA" if kind.family == "wgmma" else "MMA")(cores, name),
        FORMATS[kind.d],
    )
    found = torch.stack([model(a[t], b[t].T, c[t]) for t in range(len(a))])
    integers = {16: torch.int16, 32: torch.int32, 64: torch.int64}[f.bits]
    return found.view(integers).numpy().view(f.dtype)


def chunk(kind: Kind, number: int) -> tuple[Any, ...]:
    """Part of a chunk of operands."""
    tiles = max(DOTS // kind.dots, 1) * kind.products
    return tuple(each[:tiles] for each in inputs.chunk(kind, number))


def equal(kind: Kind, theirs: Any, ours: Any) -> bool:
    """Whether codes of D are equal; mmasim does not say which NaN of f64 is the result."""
    if FORMATS[kind.d].bits == 64:
        both = np.isnan(theirs.view(np.float64)) & np.isnan(ours.view(np.float64))
        theirs, ours = np.where(both, 0, theirs), np.where(both, 0, ours)
    return bool(np.array_equal(theirs, ours))


@pytest.mark.parametrize("name", [name for name, kind in KINDS.items() if _modeled(kind)])
def test_mmasim_gives_the_same_bits(name: str) -> None:
    kind, operands = KINDS[name], chunk(KINDS[name], 7)
    assert equal(kind, simulated(kind, "Hopper", operands), lowering.predicted(kind, *operands))


def _on(target: str) -> list[Kind]:
    """The kinds of mma.sync that ptxas takes for a target and that mmasim models for its cores."""
    isa = pytest.importorskip("mmasim.nv_ptx.isa_mma", exc_type=Exception)
    names = set(isa.mma_shape_and_type[TARGETS[target].tensor_cores])
    kinds = (kind for kind in KINDS.values() if kind.family == "mma.sync" and not kind.modifier)
    return [kind for kind in kinds if kind.name.removeprefix("mma.sync.") in names]


@pytest.mark.parametrize(
    "target", ["sm_75", "sm_80", "sm_86", "sm_89", "sm_90a", "sm_100a", "sm_120a"]
)
def test_the_emulator_adds_as_mmasim_says_of_each_generation(target: str) -> None:
    """Where FP8 is converted to f16, mmasim has no model, for it models machine instructions."""
    device = open_device(target, device="emulator")
    for kind in _on(target):
        if kind.products == 4 and (target != "sm_75" or kind.c != kind.d):
            continue  # ptxas makes FFMA of it; not emulated
        operands = chunk(kind, 3)
        text = source(kind).replace(".target sm_90a", f".target {target}")
        ours = Runner(device, kind, text).run(*operands)
        assert equal(kind, simulated(kind, TARGETS[target].tensor_cores, operands), ours), kind.name
