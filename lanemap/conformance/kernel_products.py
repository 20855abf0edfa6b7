"""Products of the kernels for sm_90a on the emulator and on a GPU, byte for byte.

The emulator adds as the rule in the row `tensor_cores` says. Sums of these inputs depend on every
part of that rule: what is cut off, where a sum is kept, and in which order k is gone through.
"""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

import lanemap
from lanemap.benching.arrays import Operand
from lanemap.benching.find import host
from lanemap.benching.gemm.problem import OUTPUTS, TYPES, Problem
from lanemap.benching.gemm.tiling import TILINGS, Tiling
from lanemap.devices import Device
from lanemap.errors import LanemapError
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
    """Nearly N(0, 1): sums of 8 numbers of 16 bits, the same with every version of NumPy."""
    words = source.random_raw(2 * shape[0] * shape[1]).astype("<u8").view("<u2")
    sums = words.reshape(*shape, 8).sum(2, dtype=np.int64) - 4 * 65535
    normal: npt.NDArray[np.float64] = sums / (65536 * (8 / 12) ** 0.5)
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


def compute(device: Any, module: Any, case: Case) -> npt.NDArray[Any]:
    """Return C of one launch; an element that the kernel did not write is NaN."""
    problem, arrays = case.problem, operands(case)
    output = TYPES[problem.output].dtype
    c = device.array(np.full((problem.m, problem.n), np.nan, output), name="C")
    a, b = (
        Operand(device.array(each, name=name), each.strides[0])
        for each, name in zip(arrays, "AB", strict=True)
    )
    host(case.kernel).KERNEL.launch(
        device, module, problem, case.tiling, a, b, Operand(c, problem.n * output.itemsize),
        CTAS,
    ).run()  # fmt: skip
    return np.asarray(c.get())


def _once(device: Device, module: Any, case: Case) -> tuple[str, str]:
    """Return the hash of C, and why there is none; one of them is empty."""
    try:
        return source_hash(compute(device, module, case).tobytes()), ""
    except LanemapError as error:
        return "", str(error)


def emulate(same: Sequence[Case]) -> list[tuple[str, str]]:
    """Run products that share a text on the emulator; see `_once`."""
    device = lanemap.open_device(TARGET, "emulator")
    module = device.load(same[0].ptx())
    return [_once(device, module, each) for each in same]


def _made(same: Sequence[Case]) -> tuple[str, bytes, list[tuple[str, str]]]:
    """Return the text of products, its cubin, and what the emulator computes."""
    text = same[0].ptx()
    return text, ptxas.assemble(text, TARGET), emulate(same)


def groups() -> list[list[Case]]:
    """Return all products by their text."""
    every = cases()
    return [every[i : i + len(INPUTS)] for i in range(0, len(every), len(INPUTS))]


def observe(device: Device) -> tuple[Mapping[str, Any], int]:
    """Run everything on both devices; return the findings and how many products disagree.

    Args:
        device: The GPU.

    Raises:
        UserError: NVRTC or ptxas refuses a text.
        MissingEnvironment: one of them is not here.
    """
    products, disagreeing = [], []
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(os.cpu_count(), mp_context=context) as pool:
        for same, (text, cubin, emulated) in zip(groups(), pool.map(_made, groups()), strict=True):
            module = device.load(cubin)
            for case, mine in zip(same, emulated, strict=True):
                runs = [_once(device, module, case) for _ in range(TIMES)]
                products.append(_row(case, text, mine[1], *runs[0]))
                if mine[1] or runs != [mine] * TIMES:
                    disagreeing.append(case.name)
                    print(f"{case.name}: differs {mine[1] or runs[0][1]}", flush=True)
    print(f"{len(products)} products ran {TIMES} times each; {len(disagreeing)} differ", flush=True)
    compiler = f"NVRTC {'.'.join(map(str, nvrtc.version()))}, ptxas {ptxas.version()}"
    findings = {
        "runs": TIMES, "compiler": compiler, "products": products, "disagreements": disagreeing,
    }  # fmt: skip
    return findings, len(disagreeing)


def _row(case: Case, text: str, wrong: str, output: str, failed: str) -> dict[str, Any]:
    """What the row says of one product."""
    return {
        "name": case.name,
        "kernel": case.kernel,
        **asdict(case.problem),
        "tile": asdict(case.tiling),
        "inputs": case.inputs,
        "ptx": source_hash(text),
        "a": source_hash(operands(case)[0].tobytes()),
        "b": source_hash(operands(case)[1].tobytes()),
        "c": output or None,
        "errors": [wrong, failed],
    }
