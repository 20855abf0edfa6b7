"""How MFMA adds products, by the generation of the matrix cores (`Target.tensor_cores`).

Evidence: published, by mmasim 2.1.1 (amd/sim.py) and arXiv 2511.10909, of dense instructions of
CDNA 2 and CDNA 3. They have no rule for SMFMAC, and none for CDNA 4: its sums are assumed to be
rounded once (docs/tensor-core-numerics.md). Integers are exact.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class MfmaSum:
    """How an instruction adds C and its products.

    Attributes:
        way: "once": all are added exactly, and rounded at the end. "fused": a fused multiply-add
            for each k, in order. "steps", "half steps", "trees": runtime/panel.h, SUM_STEPS,
            SUM_HALF_STEPS, SUM_TREES.
        block: Products of one step or tree.
    """

    way: Literal["once", "fused", "steps", "half steps", "trees"]
    block: int = 0


#: Products of one step of CDNA 3 by the type of A.
_STEPS = {"f16": 8, "bf16": 8, "xf32": 4}
_FP8_STEP = 16
ONCE, FUSED = MfmaSum("once"), MfmaSum("fused")


def mfma_sum(kind: str, cores: str, registers: int = 2) -> MfmaSum:
    """The rule of a dense instruction.

    Args:
        kind: The type of A: f64, f32, xf32, f16, bf16, fp8 or bf8; the formats of f8f6f4 are fp8,
            bf8, fp6, bf6 and fp4.
        cores: `Target.tensor_cores`.
        registers: Registers of A. Instructions that take bf16 from one register came with CDNA 1
            and add two products at once on CDNA 2 too.
    """
    if cores not in ("CDNA 2", "CDNA 3"):
        return ONCE
    if kind in ("f64", "f32"):
        return FUSED
    if cores == "CDNA 2":
        return MfmaSum("trees", 2 if kind == "bf16" and registers == 1 else 4)
    return MfmaSum("steps", _STEPS[kind]) if kind in _STEPS else MfmaSum("half steps", _FP8_STEP)
