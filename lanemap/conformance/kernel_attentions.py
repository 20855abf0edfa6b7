"""Hashes of what fmha for sm_90a computes on a GPU.

`ex2.approx` of the GPU is not rounded correctly, so weights differ in their last bits. Here all
logits are integers and the scale is one of base 2, so that weights are powers of two, which the GPU
computes exactly. O then depends on masks, on the order of tiles, on when O is rescaled, and on how
the tensor core adds. Slopes and sinks are integers, too, and a soft cap sees 0 or what is so large
that its tanh is 1. log_sum_exp, which ends in `lg2.approx`, is left out.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from lanemap.benching.arrays import Operand
from lanemap.benching.attention.additions import Additions
from lanemap.benching.attention.attend import heads_together
from lanemap.benching.attention.kernel import Arrays, AttentionKernel
from lanemap.benching.attention.problem import ALL, Problem
from lanemap.benching.attention.tiling import Tiling
from lanemap.benching.gemm.problem import TYPES
from lanemap.benching.launch import Launch
from lanemap.conformance import kernel_bytes
from lanemap.conformance.kernel_bytes import CTAS, nearly_normal
from lanemap.devices import Device

NAME, KIND = "kernel_attentions", "problems"
KERNEL = AttentionKernel()
#: Of the logits, so that a weight is a power of two.
SCALE = math.log(2)
#: What Q is multiplied by: logits near each other, and far enough apart that O is rescaled.
INPUTS = {"near": 1, "far": 4}
_FP8, _F16 = "float8_e4m3fn", "float16"
_LENGTHS = "150x200/1x300/30x0/119x140"
#: Tiles of all kinds, every mask and type, several lengths.
FORMS: tuple[tuple[Problem, Tiling], ...] = (
    (Problem(2, 300, 520, 2, 2, 128), Tiling(128)),
    (Problem(2, 300, 520, 2, 1, 128, ALL, 0), Tiling(128)),
    (Problem(1, 300, 720, 2, 2, 128, element=_F16), Tiling(176, q_stages=1, turns=False)),
    (Problem(1, 520, 520, 2, 2, 64), Tiling(64, consumers=4, registers=(112, 24))),
    (Problem(1, 300, 300, 4, 2, 64, ALL, 0, _F16), Tiling(128, stages=3)),
    (Problem(1, 600, 600, 2, 1, 64, 150, 0), Tiling(128, consumers=3, registers=(160, 32))),
    (Problem(4, 300, 640, 2, 1, 64, 100, 30, lengths=_LENGTHS), Tiling(128, stages=3)),
    (Problem(2, 200, 520, 2, 1, 128, ALL, 0, _FP8),
     Tiling(128, registers=(232, 40), turns=False)),
    (Problem(1, 200, 520, 2, 2, 64, element=_FP8),
     Tiling(128, registers=(232, 40), turns=False)),
    (Problem(1, 300, 520, 2, 1, 96, ALL, 0), Tiling(128)),
    (Problem(1, 200, 520, 2, 2, 192, element=_F16), Tiling(112, q_stages=1)),
    (Problem(1, 200, 520, 4, 2, 192, 300, 0, value_dim=128), Tiling(128, q_stages=1)),
    (Problem(2, 300, 300, 2, 1, 256, ALL, 0), Tiling(80, q_stages=1)),
    (Problem(1, 200, 520, 2, 1, 96, ALL, 0, _FP8),
     Tiling(128, registers=(232, 40), turns=False)),
    (Problem(1, 200, 520, 2, 1, 192, ALL, 0, _FP8, value_dim=128),
     Tiling(128, q_stages=1, registers=(232, 40), turns=False)),
    (Problem(1, 300, 520, 2, 1, 64, ALL, 0, added="alibi+sinks"), Tiling(128)),
    (Problem(2, 300, 520, 2, 1, 128, element=_F16, added="softcap+sinks"), Tiling(128)),
    (Problem(4, 300, 640, 2, 1, 128, 100, 30, _FP8, _LENGTHS, added="softcap+alibi+sinks"),
     Tiling(128, registers=(232, 40), turns=False)),
    (Problem(1, 400, 520, 2, 1, 64, ALL, 0, _FP8), Tiling(128, consumers=3, registers=(160, 32))),
    (Problem(1, 400, 520, 2, 2, 128, element=_FP8),
     Tiling(96, consumers=3, registers=(160, 32), turns=False)),
    (Problem(1, 400, 520, 2, 1, 192, ALL, 0, _FP8, value_dim=128),
     Tiling(96, consumers=3, q_stages=1, registers=(160, 32))),
)  # fmt: skip
#: In base 2: what a logit is capped at, ALiBi's slopes and the sinks of two heads.
CAP, SLOPES, SINKS = 4, (1, 2), (3, -1)


@dataclass(frozen=True)
class Attention(kernel_bytes.Case):
    """One problem.

    Attributes:
        problem: Sizes and types.
        tiling: The tile.
        inputs: One of `INPUTS`.
        seed: Seed of the inputs.
    """

    result: ClassVar[str] = "o"
    problem: Problem
    tiling: Tiling
    inputs: str
    seed: int

    @property
    def name(self) -> str:
        """It says everything but what the tile has beside its size."""
        p, t = self.problem, self.tiling
        size = f"{p.lengths or f'{p.batch}x{p.queries}x{p.keys}'} heads {p.heads}/{p.kv_heads}"
        dims = f"{p.head_dim}/{p.value_dim}" if p.value_dim else f"{p.head_dim}"
        added = f"{p.added} " if p.added else ""
        return (
            f"{p.element} {dims} window {p.left},{p.right} {size} {added}tile {t.rows}x{t.columns} "
            f"{self.inputs}"
        )

    def ptx(self) -> str:
        """Return the kernel's text; see `Case`."""
        return KERNEL.ptx(self.problem, self.tiling)

    def _rows(self) -> tuple[int, int]:
        """Rows of a head dimension of Q and O, and of K and V."""
        p = self.problem
        queries, keys = (sum(lengths) for lengths in zip(*p.sequences, strict=True))
        return queries * p.heads, keys * p.kv_heads

    def operands(self) -> Mapping[str, npt.NDArray[Any]]:
        """Return Q and K of small integers, most of them zero, and V of nearly N(0, 1)."""
        source = np.random.PCG64(self.seed)
        queries, keys = self._rows()
        found = {}
        # Of 48 numbers one is -1 and one is 1 in Q, of 6 in K.
        for name, rows, rare in (("q", queries, 48), ("k", keys, 6), ("v", keys, 0)):
            row = self.problem.values if name == "v" else self.problem.head_dim
            words = source.random_raw(rows * row)
            if rare:
                drawn = (words % np.uint64(rare)).astype(np.int64)
                values = (drawn == 1).astype(np.float64) - (drawn == 2)
                values *= INPUTS[self.inputs] if name == "q" else 1
            else:
                values = nearly_normal(words)
            kind = TYPES[self.problem.element].dtype
            shaped = values.reshape(rows, row)
            found[name] = shaped.astype(np.float32).astype(kind)
        return found

    def unwritten(self) -> npt.NDArray[Any]:
        """Return O before the launch; see `Case`."""
        p = self.problem
        return np.full((self._rows()[0], p.values), np.nan, TYPES[p.output].dtype)

    def launch(
        self, device: Any, module: Any, operands: Sequence[Operand], result: Operand
    ) -> Launch:
        """Return the launch; see `Case`."""
        p = self.problem
        sums = device.zeros((self._rows()[0],), np.float32)
        ones = np.ones((p.batch, p.kv_heads), np.float32)
        descales = [Operand(device.array(ones), 4) for _ in range(3 if p.element_bytes == 1 else 0)]
        q, k, v = operands
        arrays = Arrays(q, k, v, result, Operand(sums, 4), tuple(descales))
        softcap = CAP * SCALE if "softcap" in p.additions else 0
        numbers = {"alibi": SLOPES, "sinks": SINKS}
        slopes, sinks = (
            Operand(device.array(np.float32(np.array(each) * SCALE)), 4)
            if name in p.additions else None
            for name, each in numbers.items()
        )  # fmt: skip
        return KERNEL.launch(
            device, module, p, self.tiling, arrays, 16 * softcap or SCALE, CTAS, heads_together(p),
            Additions(softcap, slopes, sinks),
        )  # fmt: skip

    def described(self) -> dict[str, Any]:
        """Return what the row says of the problem; see `Case`."""
        tile = {name: str(value) for name, value in asdict(self.tiling).items()}
        return {"problem": asdict(self.problem), "tile": tile}


def cases() -> list[Attention]:
    """Return all problems; those that share a text stand together."""
    forms = [(problem, tiling, inputs) for problem, tiling in FORMS for inputs in INPUTS]
    return [Attention(*form, seed) for seed, form in enumerate(forms)]


def observe(device: Device) -> tuple[Mapping[str, Any], int]:
    """Run all problems on the GPU; see `kernel_bytes.observe`."""
    return kernel_bytes.observe(device, cases(), KIND)
