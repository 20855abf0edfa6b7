"""A product on the emulator: its check, its counted work, and the bound by published rates."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import numpy as np

from lanemap import paths
from lanemap.benching.gemm.kernel import GemmKernel
from lanemap.benching.gemm.measure import inputs
from lanemap.benching.gemm.problem import TYPES, Problem
from lanemap.benching.gemm.product import multiprocessors, run
from lanemap.benching.gemm.reference import wrong

#: What a kernel without a given product computes on the emulator.
DEFAULT = Problem(1024, 1024, 1024)
#: Instructions of the tensor core and of its memory.
_TENSOR_CORE = ("wgmma", "tcgen05.mma", "tcgen05.ld", "tcgen05.st")
#: Lines of a kernel's skeleton that begin a role.
_ROLE = re.compile(r"^\s*// Role: (\w+)\.")


@dataclass(frozen=True)
class Rates:
    """What a vendor publishes of a GPU.

    Attributes:
        gpu: Its name.
        flops: A second, dense, by the bytes of an element.
        bytes: Of memory, a second.
        citation: Where.
    """

    gpu: str
    flops: dict[int, float]
    bytes: float
    citation: str


#: Dense rates: the documents give those of sparse matrices, which are twice as high.
PUBLISHED = {
    "sm_90a": Rates(
        "NVIDIA H200", {2: 989.5e12, 1: 1979e12}, 4.8e12,
        "NVIDIA H200 Tensor Core GPU datasheet, H200 SXM",
    ),
    "sm_100a": Rates(
        "NVIDIA B200", {2: 2250e12, 1: 4500e12}, 8e12,
        "NVIDIA Blackwell Architecture Technical Brief, HGX B200",
    ),
}  # fmt: skip


def roles(skeleton: str) -> list[tuple[int, str]]:
    """Return the lines of a skeleton at which the instructions of a role begin, in order."""
    text = (paths.find("kernels") / "include" / skeleton).read_text()
    found = [(1, "all")]
    for number, line in enumerate(text.splitlines(), 1):
        match = _ROLE.match(line)
        if match:
            found.append((number, match[1]))
    return found


def role_of(source: str, skeleton: str, starts: list[tuple[int, str]]) -> str:
    """Return which warps execute an instruction, by the lines that it was inlined at."""
    frames = re.findall(rf"{re.escape(skeleton)}:(\d+)", source)
    line = int(frames[-1]) if frames else 0
    return [name for start, name in starts if start <= line or start == 1][-1]


def observe(kernel: GemmKernel, device: Any, problem: Problem) -> dict[str, Any]:
    """Compute a product; return its check, its counted work and its bounds.

    Raises:
        UserError: a hazard, or a product that no kernel supports.
        MissingEnvironment: NVRTC is not here.
    """
    tiling = kernel.choose(problem, multiprocessors(device))
    output = TYPES[problem.output].dtype
    c = np.empty((problem.m, problem.n), output)
    a, b = inputs(problem, 0, False)
    with device.count() as counts:
        run(kernel, device, problem, a, b, c, tiling, fresh=True)
    outside, used = wrong(problem, a, b, c, kernel.target)
    a, b = inputs(problem, 1, True)
    exact = a.astype(np.float64) @ b.astype(np.float64).T
    run(kernel, device, problem, a, b, c, tiling, fresh=True)
    return {
        "problem": vars(problem),
        "tile": {
            name: value if isinstance(value, str) else int(value)
            for name, value in vars(tiling).items()
        },
        "outside": outside,
        "used": used,
        "exact": bool((c == exact.astype(output)).all()),
        "work": work(counts, kernel.skeleton),
        "bounds": bounds(kernel.target, problem, counts.matrix_flops),
    }


def work(counts: Any, skeleton: str) -> dict[str, Any]:
    """Return counted work: instructions by warp role and class, bytes by who moves them, waits."""
    starts = roles(skeleton)
    by_role: dict[str, dict[str, int]] = {}
    moved = {"TMA from global": 0, "TMA to global": 0}
    for one in counts.instructions:
        kinds = by_role.setdefault(role_of(one.source, skeleton, starts), {})
        kinds[one.kind] = kinds.get(one.kind, 0) + one.executed.waves
        for (space, direction), traffic in one.traffic.items():
            way = "from" if direction == "load" else "to"
            if one.opcode.startswith("cp.async.bulk.tensor") and space == "global":
                moved[f"TMA {way} global"] += traffic.bytes
            for family in _TENSOR_CORE:
                if one.opcode.startswith(family):
                    key = f"{family} {way} {space}"
                    moved[key] = moved.get(key, 0) + traffic.bytes
    shared = {f"shared {way}": one.bytes for (space, way), one in counts.traffic().items()
              if space == "shared"}  # fmt: skip
    return {
        "instructions": {role: dict(sorted(kinds.items())) for role, kinds in by_role.items()},
        "bytes": moved | shared,
        "flops": counts.matrix_flops,
        "waits": {each.reason: each.waits for each in counts.waits},
        "conflicts": sum(one.conflicts for one in counts.traffic().values()),
    }


def bounds(target: str, problem: Problem, flops: int) -> dict[str, Any]:
    """Return the least times that published rates allow, and which of them limits.

    Args:
        target: An instruction set.
        problem: Whose bytes are read once and written once at least.
        flops: Counted, which whole tiles make more than the product's own.
    """
    rates = PUBLISHED[target]
    tensor = flops / rates.flops[TYPES[problem.element].bytes] * 1e6
    memory = problem.least_bytes / rates.bytes * 1e6
    return {
        "evidence": "published",
        "gpu": rates.gpu,
        "citation": rates.citation,
        "tensor_core_us": tensor,
        "memory_us": memory,
        "limiter": "tensor cores" if tensor >= memory else "memory",
    }
