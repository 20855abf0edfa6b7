"""`lanemap time` for a target whose GPU nobody timed for lanemap: bounds by published rates."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from lanemap.cli.output import console, show_json
from lanemap.errors import UserError
from lanemap.targets import TARGETS
from lanemap.targets.definition import Rates
from lanemap.timing.launch import WARP

if TYPE_CHECKING:
    from lanemap.cli.launching import FileLaunch
    from lanemap.devices.emulator import Counts

#: Targets with published rates of which others timed some instructions, and what those leave out.
LEFT_OUT = {
    "sm_100a": "what others published of a B200 (tcgen05.mma, tensor copies, cp.async and "
    "distances in L2, github.com/SemiAnalysisAI/microbench-blackwell) leaves out arithmetic, "
    "shared memory, mbarriers, loads of tensor memory, rates of L2 and memory, and launches",
}
#: The type whose rate a kind of tcgen05.mma has (PTX ISA, tcgen05.mma: .kind).
_KINDS = {
    "kind::f16": "float16", "kind::f8f6f4": "float8_e4m3fn", "kind::mxf8f6f4": "float8_e4m3fn",
    "kind::mxf4": "float4_e2m1fn", "kind::mxf4nvf4": "float4_e2m1fn",
}  # fmt: skip


@dataclass(frozen=True)
class Bounds:
    """What a launch takes at least.

    Attributes:
        name: What was launched.
        target: The instruction set.
        microseconds: By part of the GPU.
        unknown: Instructions of which no rate is published.
    """

    name: str
    target: str
    microseconds: Mapping[str, float]
    unknown: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """For programs: no prediction, and no interval."""
        rates = _rates(self.target)
        return {
            "evidence": "published",
            "target": self.target,
            "gpu": TARGETS[self.target].gpu.name,
            "citation": rates.citation,
            "microseconds_at_least": dict(self.microseconds),
            "interval": None,
            "unknown": list(self.unknown),
            "left_out": LEFT_OUT[self.target],
        }


def of_kernel(name: str, problem: str, target: str) -> Bounds:
    """Bounds of a problem that one of kernels/ computes.

    Raises:
        UserError: there is no such kernel or problem, or it has hazards.
        MissingEnvironment: a compiler is not here.
    """
    import lanemap
    from lanemap.benching.benchmark import parsed
    from lanemap.benching.counting import observe
    from lanemap.benching.find import benchmarks

    benchmark = benchmarks(name, target)[0]
    asked = parsed(benchmark.default, problem) if problem else benchmark.default
    found = observe(benchmark, lanemap.open_device(target, "emulator"), asked)
    return Bounds(name, target, found["bounds"]["microseconds"])


def of_file(launch: FileLaunch, target: str) -> Bounds:
    """Bounds of a launch of a file's kernel.

    Raises:
        UserError: the launch has hazards.
        MissingEnvironment: a compiler is not here.
    """
    from lanemap.cli.launching import open_for

    device: Any = open_for(launch.file, target, "emulator", "raise", False, None)
    _, name, run = launch.prepared(device)
    with device.count() as counts:
        run()
    found, unknown = _by_counts(counts, _rates(target))
    if not found:
        raise UserError(f"nothing that {name} does on {target} has a published rate")
    return Bounds(name, target, found, unknown)


def _by_counts(counts: Counts, rates: Rates) -> tuple[dict[str, float], tuple[str, ...]]:
    """Seconds, times a million, by part; and matrix instructions without a rate."""
    seconds = {"tensor cores": 0.0}
    unknown: set[str] = set()
    for each in counts.instructions:
        parts = each.opcode.split(".")
        kind = next((_KINDS[part] for part in parts if part in _KINDS), None)
        if each.products and kind is None:
            unknown.add(".".join(parts[:2]))
        elif each.products:
            seconds["tensor cores"] += 2 * each.products / rates.flops[str(kind)]
    traffic = counts.traffic()
    moved = {place: own.bytes for place, own in traffic.items()}
    shared = sum(n for (space, _), n in moved.items() if space == "shared")
    special = counts.by_kind().get("special function")
    seconds["shared memory"] = shared / rates.shared_bytes
    seconds["special functions"] = WARP * special.waves / rates.special_functions if special else 0
    if rates.tensor_memory_bytes is not None:
        for way, rate in zip(("load", "store"), rates.tensor_memory_bytes, strict=True):
            seconds[f"tensor memory, {way}s"] = moved.get(("tensor", way), 0) / rate
    return {name: 1e6 * n for name, n in seconds.items() if n}, tuple(sorted(unknown))


def _rates(target: str) -> Rates:
    found = TARGETS[target].rates
    assert found is not None
    return found


def show(found: Bounds, as_json: bool) -> None:
    """Print bounds, every line marked as published."""
    if as_json:
        show_json(found.to_json())
        return
    out, rates = console(), _rates(found.target)
    gpu = TARGETS[found.target].gpu.called
    lines = [f"no prediction of {found.name} on {gpu}, and no interval: {LEFT_OUT[found.target]}"]
    for part, least in sorted(found.microseconds.items(), key=lambda each: -each[1]):
        lines.append(f"{part}: {least:,.3g} us at least")
    if found.unknown:
        lines.append(f"no rate of {', '.join(found.unknown)} is known")
    lines.append(f"rates: {rates.citation}")
    for line in lines:
        out.print(f"published: {line}", markup=False, soft_wrap=True)
