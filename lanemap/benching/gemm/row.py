"""A kernel's row of times: kind `kernel_times`."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from lanemap.benching.gemm.kernel import GemmKernel
from lanemap.benching.gemm.measure import Bench, Effort
from lanemap.benching.gemm.problem import Problem
from lanemap.benching.gemm.tiling import tilings
from lanemap.devices import cublaslt
from lanemap.records.schema import Record
from lanemap.toolchain import nvrtc, ptxas

INPUTS = (
    "N(0, 1); turns of the kernel and of the library in one run, each after a lead-in of half its "
    "length that is not timed; launches replayed from a CUDA graph"
)
Told = Callable[[dict[str, Any]], None]


def observe(
    kernel: GemmKernel, device: Any, problems: Iterable[Problem], effort: Effort, tell: Told,
    command: str,
) -> Record:  # fmt: skip
    """Time products on a GPU, and return the row.

    Args:
        kernel: What is timed.
        device: A GPU.
        problems: The products.
        effort: How long each is measured.
        tell: Called with each product's part when it is there.
        command: What was asked for.

    Raises:
        UserError: the kernel or the library cannot compute a product.
        MissingEnvironment: the library or a compiler is not here.
    """
    before = dict(device.environment())
    products = []
    for problem in problems:
        products.append(Bench(kernel, device, problem).row(effort))
        tell(products[-1])
    findings = {
        "command": command,
        "inputs": INPUTS,
        "library": f"cuBLASLt {cublaslt.version()}, the first algorithm of its heuristic",
        "compiler": f"NVRTC {'.'.join(map(str, nvrtc.version()))}, ptxas {ptxas.version()}",
        "products": products,
    }
    environment = {"before": before, "after": dict(device.environment())}
    return Record(
        kernel.name, kernel.target, device.name, "silicon", (), findings, environment=environment,
        kind="kernel_times",
    )  # fmt: skip


def sweep(
    kernel: GemmKernel, device: Any, problem: Problem, effort: Effort, tell: Told
) -> list[dict[str, Any]]:
    """Time every tile that can compute a product."""
    rows = []
    for tiling in tilings(problem):
        rows.append(Bench(kernel, device, problem, tiling).row(effort))
        tell(rows[-1])
    return rows
