"""Hashes of what the kernels for sm_90a compute on a GPU; tests hold the emulator to them.

The emulator adds as the rule in the row `tensor_cores` says. Sums of these inputs
depend on what is cut off, where a sum is kept, and in which order the kernel goes through k.
"""

from __future__ import annotations

import os
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from lanemap.benching.arrays import Operand
from lanemap.benching.find import host
from lanemap.benching.gemm.problem import OUTPUTS, TYPES, Problem
from lanemap.benching.gemm.tiling import TILINGS, Tiling
from lanemap.devices import Device
from lanemap.records.hashes import source_hash
from lanemap.toolchain import nvrtc, ptxas

TARGET = "sm_90a"
#: How often the GPU runs each product: all runs must give the same bytes.
TIMES = 3
#: CTAs that compute: few, so that each takes several tiles, every other one backward in k.
CTAS = 4
#: Kernels with the types of A and B and the accumulations that they have.
FORMS = (
    ("ss_gemm", "bfloat16", "fast"),
    ("ss_gemm", "float16", "fast"),
    ("ss_gemm", "float8_e4m3fn", "fast"),
    ("ss_gemm", "float8_e4m3fn", "two_level"),
    ("ts_gemm", "bfloat16", "fast"),
    ("ts_gemm", "float16", "fast"),
    ("ts_gemm", "float8_e4m3fn", "fast"),
)
#: M, N and K, and whether C is f32: tails in every dimension, whole tiles, and a deep sum.
SHAPES = ((300, 520, 1104, True), (128, 256, 4096, False), (64, 64, 16384, True))
INPUTS = ("normal", "wide", "cancelling")
#: Exponents of the factors of wide inputs: finite in the type, and their sums finite in C.
_EXPONENTS = {"bfloat16": (-20, 20), "float16": (-10, 4), "float8_e4m3fn": (-6, 6)}
#: Columns at the end of cancelling inputs that do not cancel.
_LAST = 16


@dataclass(frozen=True)
class Case:
    """One product.

    Attributes:
        kernel: Of the folder kernels/.
        problem: Sizes and types.
        tiling: The tile; each shape has another one.
        inputs: One of `INPUTS`.
        seed: Of the inputs.
    """

    kernel: str
    problem: Problem
    tiling: Tiling
    inputs: str
    seed: int

    @property
    def name(self) -> str:
        """It says everything but the tile."""
        p = self.problem
        size = f"{p.m}x{p.n}x{p.k}"
        return f"{self.kernel} {p.element} {p.accumulation} {size} {p.output} {self.inputs}"

    def ptx(self) -> str:
        """Return the kernel's text; see `GemmKernel.ptx`."""
        return str(host(self.kernel).KERNEL.ptx(self.problem, self.tiling))


def cases() -> list[Case]:
    """Return all products; those that share a text stand together."""
    found: list[Case] = []
    for kernel, element, accumulation in FORMS:
        large = TILINGS[2] if accumulation == "two_level" else TILINGS[0]
        for (m, n, k, single), tiling in zip(SHAPES, (large, TILINGS[6], TILINGS[3]), strict=True):
            output = "float32" if single else OUTPUTS[element][0]
            problem = Problem(m, n, k, element, output, accumulation)
            for inputs in INPUTS:
                found.append(Case(kernel, problem, tiling, inputs, len(found)))
    return found


def _normal(source: Any, shape: tuple[int, int]) -> npt.NDArray[np.float64]:
    """Nearly N(0, 1): sums of 4 numbers of 16 bits, the same with every version of NumPy."""
    words = source.random_raw(shape[0] * shape[1]).astype("<u8").view("<u2")
    sums = words.reshape(*shape, 4).sum(2, dtype=np.int64) - 2 * 65535
    normal: npt.NDArray[np.float64] = sums / (65536 * (4 / 12) ** 0.5)
    return normal


def operands(case: Case) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
    """Return A (M, K) and B (N, K).

    Normal inputs are nearly N(0, 1). Wide ones are multiplied by random powers of two. Cancelling
    ones are wide, each product comes again negated half a row later, and small ones stand last.
    """
    problem, source = case.problem, np.random.PCG64(case.seed)
    low, high = _EXPONENTS[problem.element]
    half = (problem.k - _LAST) // 2
    found = []
    for rows, sign in ((problem.m, -1), (problem.n, 1)):
        values = _normal(source, (rows, problem.k))
        last = values[:, 2 * half :] / 64
        if case.inputs != "normal":
            drawn = source.random_raw(values.size) % np.uint64(high - low + 1)
            values = np.ldexp(values, drawn.astype(np.int32).reshape(values.shape) + low)
        if case.inputs == "cancelling":
            values[:, half : 2 * half] = sign * values[:, :half]
            values[:, 2 * half :] = last
        found.append(values.astype(np.float32).astype(TYPES[problem.element].dtype))
    return found[0], found[1]


class Launcher:
    """One product on a device: operands there, and the launch.

    An element of C that the kernel did not write is NaN.
    """

    def __init__(self, device: Any, module: Any, case: Case) -> None:
        """Copy the operands to the device; `module` is what it loaded of the case's text."""
        problem, self.host = case.problem, operands(case)
        output = TYPES[problem.output].dtype
        self._empty = np.full((problem.m, problem.n), np.nan, output)
        self._c = device.array(self._empty, name="C")
        a, b = (
            Operand(device.array(each, name=name), each.strides[0])
            for each, name in zip(self.host, "AB", strict=True)
        )
        self._launch = host(case.kernel).KERNEL.launch(
            device, module, problem, case.tiling, a, b,
            Operand(self._c, self._empty.strides[0]), CTAS,
        )  # fmt: skip

    def run(self) -> npt.NDArray[Any]:
        """Launch, and return C."""
        self._c.set(self._empty)
        self._launch.run()
        return np.asarray(self._c.get())


def groups() -> list[list[Case]]:
    """Return all products by their text."""
    every = cases()
    return [every[i : i + len(INPUTS)] for i in range(0, len(every), len(INPUTS))]


def observe(device: Device) -> tuple[Mapping[str, Any], int]:
    """Run everything on the GPU; return the findings and how many products differ between runs.

    Tests compare the emulator with the row.

    Args:
        device: The GPU.

    Raises:
        UserError: NVRTC or ptxas refuses a text.
        MissingEnvironment: one of them is not here.
    """
    start, products, differing = time.monotonic(), [], []
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        texts = [same[0].ptx() for same in groups()]
        cubins = pool.map(lambda text: ptxas.assemble(text, TARGET), texts)
        made = list(zip(texts, cubins, strict=True))
    print(f"{len(made)} texts compiled: {time.monotonic() - start:.1f} s", flush=True)
    for same, (text, cubin) in zip(groups(), made, strict=True):
        module = device.load(cubin)
        for case in same:
            launcher = Launcher(device, module, case)
            runs = [source_hash(launcher.run().tobytes()) for _ in range(TIMES)]
            products.append(_row(case, text, launcher.host, runs[0]))
            if len(set(runs)) > 1:
                differing.append(case.name)
                print(f"{case.name}: differs between runs", flush=True)
    print(
        f"{len(products)} products ran {TIMES} times each, {len(differing)} differ between runs: "
        f"{time.monotonic() - start:.1f} s",
        flush=True,
    )
    compiler = f"NVRTC {'.'.join(map(str, nvrtc.version()))}, ptxas {ptxas.version()}"
    findings = {
        "runs": TIMES, "compiler": compiler, "products": products, "differing": differing,
    }  # fmt: skip
    return findings, len(differing)


def _row(case: Case, text: str, arrays: Sequence[npt.NDArray[Any]], c: str) -> dict[str, Any]:
    """What the row says of one product."""
    a, b = (source_hash(each.tobytes()) for each in arrays)
    return {
        "name": case.name,
        "kernel": case.kernel,
        **asdict(case.problem),
        "tile": asdict(case.tiling),
        "ctas": CTAS,
        "inputs": case.inputs,
        "ptx": source_hash(text),
        "a": a,
        "b": b,
        "c": c,
    }
