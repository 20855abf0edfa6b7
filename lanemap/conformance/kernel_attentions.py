"""Hashes of what fmha for sm_90a computes on a GPU; tests hold the emulator to them.

`ex2.approx` of the GPU is not rounded correctly, so weights differ in their last bits. Here all
logits are integers and the scale is one of base 2, so that weights are powers of two, which the GPU
computes exactly. O then depends on masks, on the order of tiles, on when O is rescaled, and on how
the tensor core adds. log_sum_exp, which ends in `lg2.approx`, is left out.
"""

from __future__ import annotations

import math
import os
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from lanemap.benching.arrays import Operand
from lanemap.benching.attention.attend import heads_together
from lanemap.benching.attention.kernel import Arrays, AttentionKernel
from lanemap.benching.attention.problem import ALL, Problem
from lanemap.benching.attention.tiling import Tiling
from lanemap.benching.gemm.problem import TYPES
from lanemap.devices import Device
from lanemap.records.hashes import source_hash
from lanemap.toolchain import nvrtc, ptxas

TARGET = "sm_90a"
KERNEL = AttentionKernel()
#: How often the GPU runs each problem: all runs must give the same bytes.
TIMES = 3
#: CTAs that compute: few, so that each takes several tiles.
CTAS = 4
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
)  # fmt: skip


@dataclass(frozen=True)
class Case:
    """One problem.

    Attributes:
        problem: Sizes and types.
        tiling: The tile.
        inputs: One of `INPUTS`.
        seed: Of the inputs.
    """

    problem: Problem
    tiling: Tiling
    inputs: str
    seed: int

    @property
    def name(self) -> str:
        """It says everything but what the tile has beside its size."""
        p, t = self.problem, self.tiling
        size = f"{p.lengths or f'{p.batch}x{p.queries}x{p.keys}'} heads {p.heads}/{p.kv_heads}"
        return (
            f"{p.element} {p.head_dim} window {p.left},{p.right} {size} tile {t.rows}x{t.columns} "
            f"{self.inputs}"
        )


def cases() -> list[Case]:
    """Return all problems; those that share a text stand together."""
    forms = [(problem, tiling, inputs) for problem, tiling in FORMS for inputs in INPUTS]
    return [Case(*form, seed) for seed, form in enumerate(forms)]


def operands(case: Case) -> list[npt.NDArray[Any]]:
    """Return Q and K of small integers, most of them zero, and V of nearly N(0, 1).

    They are the same with every version of NumPy.
    """
    problem, source = case.problem, np.random.PCG64(case.seed)
    rows = [sum(lengths) for lengths in zip(*problem.sequences, strict=True)]
    counts = [rows[0] * problem.heads, rows[1] * problem.kv_heads, rows[1] * problem.kv_heads]
    found = []
    for i, count in enumerate(counts):
        words = source.random_raw(count * problem.head_dim)
        if i < 2:
            # Of 48 numbers one is -1 and one is 1 in Q, of 6 in K.
            drawn = (words % np.uint64(48 if i == 0 else 6)).astype(np.int64)
            values = ((drawn == 1).astype(np.float64) - (drawn == 2)) * (
                INPUTS[case.inputs] if i == 0 else 1
            )
        else:
            sums = words.astype("<u8").view("<u2").reshape(-1, 4).sum(1, dtype=np.int64)
            values = (sums - 2 * 65535) / (65536 * (4 / 12) ** 0.5)
        kind = TYPES[problem.element].dtype
        found.append(values.reshape(count, problem.head_dim).astype(np.float32).astype(kind))
    return found


class Launcher:
    """One problem on a device: operands there, and the launch.

    An element of O that the kernel did not write is NaN.
    """

    def __init__(self, device: Any, module: Any, case: Case) -> None:
        """Copy the operands to the device; `module` is what it loaded of the case's text."""
        problem, self.host = case.problem, operands(case)
        output = TYPES[problem.output].dtype
        self._empty = np.full(self.host[0].shape, np.nan, output)
        self._o = device.array(self._empty, name="o")
        sums = device.zeros((len(self._empty),), np.float32)
        ones = np.ones((problem.batch, problem.kv_heads), np.float32)
        descales = [device.array(ones) for _ in range(3)] if problem.element_bytes == 1 else []
        q, k, v = (Operand(device.array(each), each.strides[0]) for each in self.host)
        arrays = Arrays(
            q, k, v, Operand(self._o, self._empty.strides[0]), Operand(sums, 4),
            tuple(Operand(each, 4) for each in descales),
        )  # fmt: skip
        self._launch = KERNEL.launch(
            device, module, problem, case.tiling, arrays, SCALE, CTAS, heads_together(problem)
        )

    def run(self) -> npt.NDArray[Any]:
        """Launch, and return O."""
        self._o.set(self._empty)
        self._launch.run()
        return np.asarray(self._o.get())


def observe(device: Device) -> tuple[Mapping[str, Any], int]:
    """Run everything on the GPU; return the findings and how many problems differ between runs.

    Tests compare the emulator with the row.

    Args:
        device: The GPU.

    Raises:
        UserError: NVRTC or ptxas refuses a text.
        MissingEnvironment: one of them is not here.
    """
    rows, differing = [], []
    every = cases()
    texts = list(dict.fromkeys(KERNEL.ptx(each.problem, each.tiling) for each in every))
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        cubins = pool.map(lambda text: ptxas.assemble(text, TARGET), texts)
        modules = dict(zip(texts, map(device.load, cubins), strict=True))
    for case in every:
        text = KERNEL.ptx(case.problem, case.tiling)
        launcher = Launcher(device, modules[text], case)
        runs = [source_hash(launcher.run().tobytes()) for _ in range(TIMES)]
        rows.append(_row(case, text, launcher.host, runs[0]))
        if len(set(runs)) > 1:
            differing.append(case.name)
            print(f"{case.name}: differs between runs", flush=True)
    print(f"{len(rows)} problems ran {TIMES} times each, {len(differing)} differ", flush=True)
    compiler = f"NVRTC {'.'.join(map(str, nvrtc.version()))}, ptxas {ptxas.version()}"
    findings = {
        "runs": TIMES, "compiler": compiler, "problems": rows, "differing": differing,
    }  # fmt: skip
    return findings, len(differing)


def _row(case: Case, text: str, arrays: Sequence[npt.NDArray[Any]], o: str) -> dict[str, Any]:
    """What the row says of one problem."""
    q, k, v = (source_hash(each.tobytes()) for each in arrays)
    tile = {name: str(value) for name, value in asdict(case.tiling).items()}
    return {
        "name": case.name, "problem": asdict(case.problem), "tile": tile, "ctas": CTAS,
        "inputs": case.inputs, "ptx": source_hash(text), "q": q, "k": k, "v": v, "o": o,
    }  # fmt: skip
