"""A problem on the emulator: its checks, its counted work, and the bound by published rates."""

from __future__ import annotations

import re
from typing import Any

from lanemap.benching import build
from lanemap.benching.benchmark import Benchmark, Check, Problem, axes
from lanemap.errors import UserError
from lanemap.targets import TARGETS

#: Instructions whose bytes are told apart, and what they are called.
_MOVERS = {
    "cp.async.bulk.tensor": "TMA", "cp.async.bulk": "bulk copies", "wgmma": "wgmma",
    "tcgen05.mma": "tcgen05.mma", "tcgen05.cp": "tcgen05.cp", "tcgen05.ld": "tcgen05.ld",
    "tcgen05.st": "tcgen05.st",
}  # fmt: skip
#: The code that warps of every role execute.
EVERY_ROLE = "all"
#: Lines of a kernel's source that begin a role.
_ROLE = re.compile(r"^\s*// Role: (\w+)\.")


def observe(benchmark: Benchmark, device: Any, problem: Problem) -> dict[str, Any]:
    """Compute a problem on the emulator; return its checks, its counted work and its bounds.

    Raises:
        UserError: a hazard, a problem that the kernel does not support, or a device that counts
            nothing because the emulator answers there as HIP.
        MissingEnvironment: a compiler is not here.
    """
    if not hasattr(device, "count"):
        raise UserError(
            "HIP runs on the emulator here, which neither times nor counts through it; use "
            "--device emulator"
        )
    case = benchmark.case(device, problem)
    checks: list[Check] = []
    for inputs in case.inputs:
        case.fill(inputs)
        if checks:
            case.run()
        else:
            with device.count() as counts:
                case.run()
        checks.append(case.check(inputs))
    counted = work(counts, benchmark)
    limits = benchmark.limits(problem, counted)
    return {
        "target": benchmark.target,
        "problem": axes(problem),
        "tile": dict(case.tile),
        "checks": [vars(each) for each in checks],
        "work": counted,
        "bounds": {
            "evidence": "published",
            "gpu": TARGETS[benchmark.target].gpu.name,
            "citation": benchmark.citation,
            "microseconds": limits,
            "limiter": max(limits, key=lambda each: limits[each]),
            "tflops": problem.flops / max(limits.values()) / 1e6,
            "others_published": benchmark.others_published,
        },
    }


def roles(benchmark: Benchmark) -> list[tuple[int, str]]:
    """Return the lines of a skeleton at which the instructions of a role begin, in order."""
    texts = build.sources(benchmark.kernel, benchmark.target)
    found = [(1, EVERY_ROLE)]
    for number, line in enumerate(texts[benchmark.skeleton].splitlines(), 1):
        match = _ROLE.match(line)
        if match:
            found.append((number, match[1]))
    return found


def role_of(source: str, skeleton: str, starts: list[tuple[int, str]]) -> str:
    """Return which warps execute an instruction, by the lines that it was inlined at.

    The outermost line of a role says it: a skeleton may be called in its own file, and a role may
    call what stands there outside of all roles.
    """
    for line in re.findall(rf"{re.escape(skeleton)}:(\d+)", source):
        role = [name for start, name in starts if start <= int(line) or start == 1][-1]
        if role != EVERY_ROLE:
            return role
    return EVERY_ROLE


def _way(direction: str) -> str:
    return "from" if direction == "load" else "to"


def work(counts: Any, benchmark: Benchmark) -> dict[str, Any]:
    """Return counted work.

    Instructions (of warps or waves) by role and class; bytes by memory, and by who moves them;
    waits by what is waited for; passes that bank conflicts cost, by opcode.
    """
    starts, skeleton = roles(benchmark), benchmark.skeleton
    by_role: dict[str, dict[str, int]] = {}
    moved: dict[str, int] = {}
    conflicts: dict[str, int] = {}
    for one in counts.instructions:
        kinds = by_role.setdefault(role_of(one.source, skeleton, starts), {})
        kinds[one.kind] = kinds.get(one.kind, 0) + one.executed.waves
        mover = next((name for head, name in _MOVERS.items() if one.opcode.startswith(head)), None)
        for (space, direction), traffic in one.traffic.items():
            if mover is not None:
                key = f"{mover} {_way(direction)} {space}"
                moved[key] = moved.get(key, 0) + traffic.bytes
            if traffic.conflicts:
                conflicts[one.opcode] = conflicts.get(one.opcode, 0) + traffic.conflicts
    spaces = {f"{space} {way}": one.bytes for (space, way), one in counts.traffic().items()}
    return {
        "instructions": {role: dict(sorted(kinds.items())) for role, kinds in by_role.items()},
        "bytes": moved | spaces,
        "flops": counts.matrix_flops,
        "waits": {each.reason: each.waits for each in counts.waits},
        "conflicts": conflicts,
    }
