"""Times a kernel on a GPU, taking turns with a library; the row of kind `kernel_times`."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from statistics import median
from typing import TYPE_CHECKING, Any

from lanemap.benching.benchmark import Benchmark, Case, Problem, axes
from lanemap.benching.compiled import COMPILED
from lanemap.benching.launch import compile_ahead
from lanemap.benching.profiler import profiled, version
from lanemap.errors import UserError
from lanemap.records.hashes import source_hash
from lanemap.toolchain import nvrtc, ptxas

if TYPE_CHECKING:
    from lanemap.records.schema import Record

INPUTS = (
    "N(0, 1); turns of the kernel and of the library in one run, each after a lead-in of half its "
    "length that is not timed; launches {}. Warm: every launch has the same operands. Cold: "
    "launches go round copies of the operands, so that more than twice the bytes of the largest "
    "cache lie between two uses of one. Alone: the kernels' own times, with cold operands."
)
#: The part of a turn that goes before what is timed: clocks follow the power that a kernel draws.
_LEAD = 0.5
#: The part of a warm turn's time that a cold one takes.
_COLD = 0.5
#: Of a device copy that takes turns; launches of a kernel that is timed by itself.
_COPY_BYTES, _ALONE = 1 << 30, 40
#: Bytes between two uses of an operand that is cold, in caches that all of a GPU shares.
_CACHES_BETWEEN = 2
Told = Callable[[dict[str, Any]], None]
Enqueue = Callable[[int], None]


@dataclass(frozen=True)
class Effort:
    """How long to measure.

    Attributes:
        rounds: Turns of each side.
        seconds: Duration of the timed part of a turn.
        limit: Seconds for all problems: none is begun that would end later, if it takes as long as
            the longest one before; the first one, which also loads libraries, only counts for the
            second.
        profile: Whether Nsight Compute counts a launch of each problem, behind the limit.
    """

    rounds: int = 12
    seconds: float = 0.2
    limit: float = math.inf
    profile: bool = False


def observe(
    benchmark: Benchmark,
    device: Any,
    problems: Iterable[Problem],
    effort: Effort,
    tell: Told,
    command: str,
    keep: Callable[[Record], None] = lambda record: None,
) -> Record:
    """Time problems on a GPU, and return the row; it names those that there was no time for.

    Args:
        benchmark: The benchmark to time.
        device: A GPU.
        problems: The problems to compute.
        effort: How long each is measured.
        tell: Called with each problem's part when it is there.
        command: What was asked for.
        keep: Called with the row as it is after each problem.

    Raises:
        UserError: the kernel or the library cannot compute a problem, or there was time for none.
        MissingEnvironment: the library, a compiler or the profiler is not here.
    """
    start, before = time.monotonic(), dict(device.environment())
    profiler = version() if effort.profile else None
    problems, taken = list(problems), list[float]()
    rows: list[dict[str, Any]] = []
    _compile(benchmark, device, [(problem, None) for problem in problems])
    while len(rows) < len(problems):
        begun = time.monotonic()
        if begun - start + max(taken[1:] or taken, default=0) > effort.limit:
            break
        rows.append(row(benchmark, device, problems[len(rows)], effort))
        taken.append(time.monotonic() - begun)
        tell(rows[-1])
        keep(_record(benchmark, device, rows, problems[len(rows) :], command, before))
    if not rows:
        raise UserError(
            f"{benchmark.kernel} took {time.monotonic() - start:.0f} s before its first problem, "
            f"and --limit is {effort.limit:.0f} s; give more"
        )
    if profiler:
        for each, percent in zip(rows, profiled(benchmark, problems[: len(rows)]), strict=True):
            each["profile"] = {"by": profiler, "percent": percent}
    return _record(benchmark, device, rows, problems[len(rows) :], command, before)


def _record(
    benchmark: Benchmark,
    device: Any,
    rows: Sequence[Mapping[str, Any]],
    left: Sequence[Problem],
    command: str,
    before: Mapping[str, Any],
) -> Record:
    """Return the row of some problems, which names those that are left."""
    findings = {
        "command": command,
        "inputs": INPUTS.format("one by one" if device.name == "hip" else "replayed from a graph"),
        "compiler": _compiler(device),
        "problems": list(rows),
        **({"left": [axes(each) for each in left]} if left else {}),
    }
    from lanemap.records.schema import Record

    return Record(
        benchmark.kernel,
        benchmark.target,
        device.name,
        "silicon",
        (),
        findings,
        environment={"before": dict(before), "after": dict(device.environment())},
        kind="kernel_times",
    )


def _compiler(device: Any) -> str:
    if device.name == "hip":
        return str(device.environment()["assembler"])
    return COMPILED.compiler or compilers()


def compilers() -> str:
    """Return the versions of the compilers of CUDA C++ and PTX.

    Raises:
        MissingEnvironment: one of them is not here.
    """
    return f"NVRTC {'.'.join(map(str, nvrtc.version()))}, ptxas {ptxas.version()}"


def sweep(
    benchmark: Benchmark, device: Any, problem: Problem, effort: Effort, tell: Told
) -> list[dict[str, Any]]:
    """Time the tiles of a problem that its benchmark names."""
    rows, tiles = [], benchmark.tiles(problem)
    _compile(benchmark, device, [(problem, tile) for tile in tiles])
    for tile in tiles:
        rows.append(row(benchmark, device, problem, effort, tile))
        tell(rows[-1])
    return rows


def compile_only(
    benchmark: Benchmark, device: Any, problems: Iterable[Problem], tiles: bool
) -> None:
    """Compile what `observe` times of problems, or with `tiles` what `sweep` times.

    Args:
        benchmark: What would be timed.
        device: Any one of its target; as many SMs as the GPU has, since they decide the tile.
        problems: What would be computed.
        tiles: Whether all tiles are wanted that the benchmark names.

    Raises:
        UserError: a compiler refuses the source, or the kernel's code is not PTX.
        MissingEnvironment: a compiler is not here.
    """
    if not benchmark.target.startswith("sm_"):
        raise UserError(
            f"--compile-only writes cubins, but {benchmark.kernel} is for {benchmark.target}"
        )
    cases = [
        (problem, tile)
        for problem in problems
        for tile in (benchmark.tiles(problem) if tiles else [None])
    ]
    _compile(benchmark, device, cases)


def _compile(benchmark: Benchmark, device: Any, cases: Sequence[tuple[Problem, Any]]) -> None:
    """Compile what is timed before the first case, where a benchmark says what that is."""
    texts = [partial(benchmark.text, device, problem, tile) for problem, tile in cases]
    compile_ahead(texts, benchmark.target)


def row(
    benchmark: Benchmark, device: Any, problem: Problem, effort: Effort, tile: Any = None
) -> dict[str, Any]:
    """Return a problem's part of a row: checks, then times with warm and with cold operands.

    Raises:
        UserError: the kernel or the library cannot compute the problem, or the device times none.
        MissingEnvironment: the library or a compiler is not here.
    """
    if not hasattr(device, "burst"):
        raise UserError(f"device {device.name} cannot time launches")
    case = benchmark.case(device, problem, tile)
    checks = []
    for inputs in case.inputs:
        case.fill(inputs)
        case.run()
        checks.append(vars(case.check(inputs)))
    # Those that are never written again: every copy of the operands has the first kind of inputs.
    cases = [case, *_copies(benchmark, device, problem, tile)]
    for each in cases:
        each.fill(case.inputs[0])
    library = case.library()
    warm = turns(device, cases[:1], effort)
    shorter = Effort(effort.rounds, effort.seconds * _COLD)
    cold = turns(device, cases, shorter, _COPY_BYTES if benchmark.streams else 0)
    return {
        "problem": axes(problem),
        "tile": dict(case.tile),
        "text": source_hash(case.text),
        "flops": problem.flops,
        "bytes": problem.least_bytes,
        "library": library.name if library else None,
        **({"no_library": case.no_library} if case.no_library else {}),
        "checks": checks,
        "warm": warm,
        "cold": cold,
        **({"alone": _alone(device, cases)} if benchmark.streams else {}),
    }


def _copies(benchmark: Benchmark, device: Any, problem: Problem, tile: Any) -> list[Case]:
    """Return the problem as often again as it takes to push operands out of the caches."""
    environment = device.environment()
    cache = max(environment["l2_bytes"], environment.get("l3_bytes", 0))
    count = math.ceil(_CACHES_BETWEEN * cache / problem.least_bytes)
    return [benchmark.case(device, problem, tile) for _ in range(count)]


def _alone(device: Any, cases: Sequence[Case]) -> dict[str, Any]:
    """Return microseconds of kernels without what is between them; operands are cold.

    None begins before another ends, so that it does not wait for that itself.
    """
    libraries = [each for each in (case.library() for case in cases) if each is not None]
    rounds = -(-_ALONE // len(cases))
    apart = [case.apart() for case in cases]
    kernel, by = device.kernel_microseconds(apart, rounds)
    library = None
    if libraries:
        library, _ = device.kernel_microseconds([each.enqueue for each in libraries], rounds)
    return {"kernel": kernel, "library": library, "by": by}


def turns(
    device: Any, cases: Sequence[Case], effort: Effort, copy_bytes: int = 0
) -> dict[str, Any]:
    """Time launches that go round cases; return all sides, each turn's lead-in left out.

    With `copy_bytes` a device copy of so many bytes takes turns too.
    """
    libraries = [each for each in (case.library() for case in cases) if each is not None]
    others = list(zip(*(case.others() for case in cases), strict=True))
    theirs = [*([libraries] if libraries else []), *others]
    sides = [[case.enqueue() for case in cases]]
    sides += [[each.enqueue for each in same] for same in theirs]
    bursts = [device.burst(side) for side in sides]
    guess = max(burst.run(3)[0] for burst in bursts)
    launches = max(1, math.ceil(effort.seconds * 1000 / guess))
    counts = [launches] * len(bursts)
    if copy_bytes:
        bursts.append(device.copy(copy_bytes))
        counts.append(max(1, math.ceil(effort.seconds * 1000 / bursts[-1].run(1)[0])))
    seen: list[list[tuple[float, Mapping[str, Any]]]] = [[] for _ in bursts]
    for _ in range(effort.rounds):
        for burst, count, found in zip(bursts, counts, seen, strict=True):
            found.append(burst.run(count, lead=max(1, round(count * _LEAD))))
    found_sides = [_side(found) for found in seen]
    copy = {"bytes": 2 * copy_bytes, "side": found_sides.pop()} if copy_bytes else None
    ours, *rest = found_sides
    library = rest.pop(0) if libraries else None
    named = dict(zip((same[0].name for same in others), rest, strict=True))
    return {
        "operands": len(cases),
        "launches": launches,
        "kernel": ours,
        "library": library,
        "ratio": round(library["median"] / ours["median"], 4) if library else None,
        **({"device_copy": copy} if copy else {}),
        **({"others": named} if named else {}),
    }


def _side(seen: list[tuple[float, Mapping[str, Any]]]) -> dict[str, Any]:
    """Return one side's times and states as the schema has them."""
    clocks = [state["sm_clock_mhz"] for _, state in seen if "sm_clock_mhz" in state]
    power = [state["power_milliwatt"] for _, state in seen if "power_milliwatt" in state]
    reasons = {state["throttle_reasons"] for _, state in seen if "throttle_reasons" in state}
    times = [round(1000 * milliseconds, 3) for milliseconds, _ in seen]
    return {
        "microseconds": times,
        "median": round(median(times), 3),
        "sm_clock_mhz": float(median(clocks)) if clocks else None,
        "watt": round(median(power) / 1000, 1) if power else None,
        "throttle_reasons": sorted(reasons),
    }
