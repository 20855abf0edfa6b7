"""Hashes of what ss_gemm, ts_gemm and fp8_gemm for sm_90a compute on a GPU.

The emulator adds as the rule in the row `tensor_cores` says. Sums of these inputs
depend on what is cut off, where a sum is kept, and in which order the kernel goes through k.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from lanemap.benching.arrays import Operand
from lanemap.benching.find import host
from lanemap.benching.gemm.problem import OUTPUTS, TYPES, Problem
from lanemap.benching.gemm.scales import BLOCK, scales_in
from lanemap.benching.gemm.tiling import Tiling
from lanemap.benching.launch import Launch
from lanemap.conformance import kernel_bytes
from lanemap.conformance.kernel_bytes import CTAS, nearly_normal
from lanemap.devices import Device

NAME, KIND = "kernel_products", "products"
#: Kernels with the types of A and B and the accumulations that they have.
FORMS = (
    ("ss_gemm", "bfloat16", "fast"),
    ("ss_gemm", "float16", "fast"),
    ("ss_gemm", "float8_e4m3fn", "fast"),
    ("ss_gemm", "float8_e4m3fn", "two_level"),
    ("ts_gemm", "bfloat16", "fast"),
    ("ts_gemm", "float16", "fast"),
    ("ts_gemm", "float8_e4m3fn", "fast"),
    ("fp8_gemm", "float8_e4m3fn", "two_level"),
)
#: M, N and K, and whether C is f32: tails in every dimension, whole tiles, and a deep sum.
SHAPES = ((300, 520, 1104, True), (128, 256, 4096, False), (64, 64, 16384, True))
INPUTS = ("normal", "wide", "cancelling")
#: Exponents of the factors of wide inputs: finite in the type, and their sums finite in C.
_EXPONENTS = {"bfloat16": (-20, 20), "float16": (-10, 4), "float8_e4m3fn": (-6, 6)}
#: Columns at the end of cancelling inputs that do not cancel.
_LAST = 16


@dataclass(frozen=True)
class Product(kernel_bytes.Case):
    """One product; every other tile of a CTA goes through k backward.

    Attributes:
        kernel: Name of its folder in kernels/.
        problem: Sizes and types.
        tiling: The tile; each shape has another one.
        inputs: One of `INPUTS`.
        seed: Seed of the inputs.
    """

    result: ClassVar[str] = "c"
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
        """Return the kernel's text; see `Case`."""
        return str(host(self.kernel).KERNEL.ptx(self.problem, self.tiling))

    def operands(self) -> Mapping[str, npt.NDArray[Any]]:
        """Return A (M, K) and B (N, K).

        Normal inputs are nearly N(0, 1). Wide ones are multiplied by random powers of two.
        Cancelling ones are wide, each product comes again negated half a row later, and small ones
        stand last.
        """
        problem, source = self.problem, np.random.PCG64(self.seed)
        low, high = _EXPONENTS[problem.element]
        half = (problem.k - _LAST) // 2
        found = {}
        for name, rows, sign in (("a", problem.m, -1), ("b", problem.n, 1)):
            values = nearly_normal(source.random_raw(rows * problem.k).reshape(rows, problem.k))
            last = values[:, 2 * half :] / 64
            if self.inputs != "normal":
                drawn = source.random_raw(values.size) % np.uint64(high - low + 1)
                values = np.ldexp(values, drawn.astype(np.int32).reshape(values.shape) + low)
            if self.inputs == "cancelling":
                values[:, half : 2 * half] = sign * values[:, :half]
                values[:, 2 * half :] = last
            found[name] = values.astype(np.float32).astype(TYPES[problem.element].dtype)
        return {**found, **self._scales(source)}

    def _scales(self, source: np.random.PCG64) -> dict[str, npt.NDArray[np.float32]]:
        """Return scales of blocks of A and B of 1/16 to 32, if the kernel has them."""
        p = self.problem
        if self.kernel != "fp8_gemm":
            return {}
        blocks, found = -(-p.k // BLOCK), {}
        for name, rows in (("a_scales", p.m), ("b_scales", -(-p.n // BLOCK))):
            drawn = source.random_raw(rows * blocks).reshape(rows, blocks)
            exponents = (drawn % np.uint64(9)).astype(np.int32) - 4
            mantissas = 1 + (drawn >> np.uint64(40)).astype(np.float64) / 2**24
            found[name] = np.ldexp(mantissas, exponents).astype(np.float32)
        return found

    def unwritten(self) -> npt.NDArray[Any]:
        """Return C before the launch; see `Case`."""
        return np.full((self.problem.m, self.problem.n), np.nan, TYPES[self.problem.output].dtype)

    def launch(
        self, device: Any, module: Any, operands: Sequence[Operand], result: Operand
    ) -> Launch:
        """Return the launch; see `Case`."""
        kernel, (a, b, *others) = host(self.kernel).KERNEL, operands
        scales = tuple(scales_in(each.array) for each in others) or None
        launch: Launch = kernel.launch(
            device, module, self.problem, self.tiling, a, b, result, CTAS, bias=scales
        )
        return launch

    def described(self) -> dict[str, Any]:
        """Return what the row says of the product; see `Case`."""
        return {"kernel": self.kernel, **asdict(self.problem), "tile": asdict(self.tiling)}


#: Tiles of CTAs that share nothing.
SMALL = (
    Tiling(columns=64, stages=8, cluster_m=1, consumers=1),
    Tiling(columns=128, stages=6, cluster_m=1),
)
#: Those of fp8_gemm: one in parts of its columns, one of one consumer, and one that clusters share.
SCALED = (
    Tiling(columns=256, stages=4, cluster_m=1),
    Tiling(columns=128, stages=8, cluster_m=1, consumers=1),
    Tiling(columns=64, stages=8, cluster_m=1, shared=1),
)

#: Other forms of ss_gemm's tiles, each of a product: widths of no multiple of 16, which only C
#: transposed has, boxes in stages, three consumers, two blocks of rows, sums that are waited for.
OTHERS = (
    (290, 504, 1104, Tiling(136, 6, 2, 2, swapped=1)),
    (150, 504, 1104, Tiling(152, 6, 1, swapped=1, once=1)),
    (300, 520, 1096, Tiling(168, 4, 1, consumers=3, swapped=1)),
    (290, 520, 1104, Tiling(144, 4, 1, blocks=2, swapped=1)),
    (60, 56, 8200, Tiling(64, 8, 1, consumers=1, shared=2, once=1)),
    (120, 88, 4104, Tiling(96, 6, 1, cluster_k=2, shared=2, once=1)),
    (130, 248, 4104, Tiling(136, 6, 2, swapped=1, shared=2, once=1)),
)


def cases() -> list[Product]:
    """Return all products; those that share a text stand together."""
    found: list[Product] = []
    for kernel, element, accumulation in FORMS:
        wide = Tiling(columns=128, stages=6) if accumulation == "two_level" else Tiling()
        tiles = SCALED if kernel == "fp8_gemm" else (wide, *SMALL)
        for (m, n, k, single), tiling in zip(SHAPES, tiles, strict=True):
            output = "float32" if single else OUTPUTS[element][0]
            problem = Problem(m, n, k, element, output, accumulation)
            for inputs in INPUTS:
                found.append(Product(kernel, problem, tiling, inputs, len(found)))
    for m, n, k, tiling in OTHERS:
        problem = Problem(m, n, k)
        for inputs in INPUTS:
            found.append(Product("ss_gemm", problem, tiling, inputs, len(found)))
    return found


def observe(device: Device) -> tuple[Mapping[str, Any], int]:
    """Run all products on the GPU; see `kernel_bytes.observe`."""
    return kernel_bytes.observe(device, cases(), KIND)
