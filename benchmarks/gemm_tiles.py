"""Times tiles of ss_gemm on random products on a GPU; an estimate is fitted to the row.

    python benchmarks/gemm_tiles.py compile FOLDER           # compiles all that is timed
    python benchmarks/gemm_tiles.py time FOLDER LINES        # a line of JSON for each product
    python benchmarks/gemm_tiles.py row LINES.. results      # makes a row of the lines
    python -m tools.gemm_estimate results                    # fits, and writes the other row

`time` goes on behind the last line that is there. A launch that never ended is told by the file
LINES.trying, which names a tile; one of its kind is not tried again.

`row --known ROW` adds the lines to those of an earlier row, which is moved away first. Rows of
gemm_ratio.py may stand among the lines.

Each time is the median of three graphs of launches, with warm and with cold operands (see
gemm_ratio.py). Of each kind of tile (transposed, shared, ..) the best by the present estimate is
timed if it may be fast, and some at random. Beside them stands cuBLASLt's best of ten algorithms.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import astuple, fields
from pathlib import Path
from typing import Any

from gemm_ratio import L2_BYTES, NAMED, Operands, best_algorithm, drawn, graph_of, seconds

from lanemap.benching.compiled import COMPILED
from lanemap.benching.find import host
from lanemap.benching.gemm.choice import estimated, product_of
from lanemap.benching.gemm.problem import Problem
from lanemap.benching.gemm.tiling import Tiling, tilings
from lanemap.benching.launch import compile_ahead, multiprocessors, opened
from lanemap.records.files import read_record, write_records
from lanemap.records.schema import Record
from lanemap.toolchain import ptxas

TARGET, PROBE, SMS = "sm_90a", "tile_times", 132
#: Launches of a graph; graphs of which the median is taken; random tiles of a product, and those
#: that should be fastest.
LAUNCHES, GRAPHS, AT_RANDOM, FIRST = 10, 3, 4, 8
#: In which the host hands over so short a graph.
HELD_CYCLES = 500_000
#: How much slower than the best one by the estimate a tile may be; tiles of a product.
SLOWEST, MOST = 1.4, 34
#: Microseconds of a product that heats the GPU, and how much slower a library makes a GPU hot.
LONG, HOT = 150, 1.03


def kind(tiling: Tiling) -> tuple[int | bool, ...]:
    """Return what tiles of one kind have in common."""
    sharing = tiling.cluster_m, tiling.cluster_n, tiling.cluster_k
    rows = tiling.consumers, tiling.blocks
    return tiling.swapped, tiling.shared, tiling.resident, *rows, *sharing


def candidates(problem: Problem, most: int = MOST) -> list[Tiling]:
    """Return the tiles to time."""
    every = estimated(problem, SMS, tilings(problem, SMS))
    best = [each for cycles, each in every if cycles < SLOWEST * every[0][0]]
    kinds: dict[Any, Tiling] = {}
    for tiling in best:
        kinds.setdefault(kind(tiling), tiling)
    rng = random.Random(f"{problem.m} {problem.n} {problem.k}")
    some = rng.sample(best, min(AT_RANDOM, len(best)))
    first = list(dict.fromkeys([*best[:FIRST], *kinds.values()]))[: most - AT_RANDOM]
    return list(dict.fromkeys([*first, *some]))


def timed(sides: Sequence[Callable[[], None]]) -> list[float]:
    """Return microseconds of a launch with warm and with cold operands."""
    found = []
    for used in (1, len(sides)):
        launches = max(used, LAUNCHES)
        graph = graph_of(sides[:used], launches)
        seconds(graph, held=HELD_CYCLES)
        times = [seconds(graph, held=HELD_CYCLES) / launches * 1e6 for _ in range(GRAPHS)]
        found.append(round(statistics.median(times), 3))
    return found


def measured(problem: Problem, tiles: Sequence[Tiling], trying: Path) -> dict[str, Any]:
    """Return a product's times in microseconds.

    Raises:
        AssertionError: a tile computes something else than PyTorch does.
    """
    copies = min(max(2, math.ceil(2 * L2_BYTES / problem.least_bytes) + 1), 12)
    operands, rows = Operands(problem, copies), []
    library = timed(operands.cublas(best_algorithm(operands)))
    a, b, c = operands.sets[0]
    exact = a.float() @ b.float().t()
    for tiling in tiles:
        trying.write_text(json.dumps([kind(tiling), repr(problem), repr(tiling)]))
        plan = host("ss_gemm").CALLS.plan(a, b, c, tiling=tiling)
        sides = [lambda s=s, plan=plan: plan.compute(s[:2], s[2]) for s in operands.sets]
        c.fill_(math.nan)
        sides[0]()
        error = ((c.float() - exact).abs().max() / exact.abs().max()).item()
        assert error < 0.02, (problem, tiling, error)
        rows.append([*astuple(tiling), *timed(sides)])
    return {"m": problem.m, "n": problem.n, "k": problem.k, "library": library, "tiles": rows}


def records(path: Path) -> list[Any]:
    """Return what the lines of a file say; none if there is no file."""
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def time_all(todo: dict[Problem, list[Tiling]], folder: Path, lines: Path, budget: float) -> None:
    """Write a line for each product that has none yet; stop after so many seconds."""
    device, start = opened(TARGET, "cuda"), time.monotonic()
    assert multiprocessors(device) == SMS
    trying = lines.with_suffix(".trying")
    hung = lines.with_suffix(".hung")
    if trying.exists():
        with hung.open("a") as file:
            file.write(trying.read_text() + "\n")
    left_out = [each[0] for each in records(hung)]
    done = [each["problem"] for each in records(lines)]
    with COMPILED.using(folder), lines.open("a") as file:
        for problem, tiles in todo.items():
            shape = [problem.m, problem.n, problem.k]
            if shape in done:
                continue
            if time.monotonic() - start > budget:
                print("stopped before", *shape)
                return
            kept = [each for each in tiles if list(kind(each)) not in left_out]
            own = measured(problem, kept, trying)
            before = {"problem": shape, "environment": dict(device.environment())}
            file.write(json.dumps(before | own) + "\n")
            file.flush()
            best = min(own["tiles"], key=lambda row: row[-2] * row[-1])
            print(*shape, own["library"], best, flush=True)
    trying.unlink(missing_ok=True)


def joined(products: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return one entry for each product, with the later times of what was timed twice.

    Earlier times count by what the library took then and takes now: the GPU was another one, or as
    warm as it was. Of long products no time counts of a GPU so hot that the library was slow.
    """
    least: dict[Problem, float] = {}
    for each in products:
        problem = product_of(each)
        least[problem] = min(least.get(problem, math.inf), each["library"][0])
    found: dict[Problem, dict[str, Any]] = {}
    for each in products:
        problem = product_of(each)
        if LONG < each["library"][0] > HOT * least[problem]:
            continue
        before = found.get(problem, {"tiles": [], "library": each["library"]})
        pairs = zip(each["library"], before["library"], strict=True)
        warm, cold = (now / then for now, then in pairs)
        earlier = [[*own[:-2], own[-2] * warm, own[-1] * cold] for own in before["tiles"]]
        tiles = {tuple(own[:-2]): own for own in (*earlier, *each["tiles"])}
        rounded = [[*own[:-2], *(round(time, 3) for time in own[-2:])] for own in tiles.values()]
        found[problem] = {**each, "tiles": rounded}
    return list(found.values())


def of_ratios(path: Path) -> list[dict[str, Any]]:
    """Return the times of a row of gemm_ratio.py: one tile of each product."""
    found = []
    for each in read_record(path).findings["products"]:
        warm, cold = each["warm"], each["cold"]
        tile = [*astuple(Tiling(**each["tile"])), round(warm[0], 3), round(cold[0], 3)]
        own = {"library": [round(warm[1], 3), round(cold[1], 3)], "tiles": [tile]}
        found.append({name: each[name] for name in "mnk"} | own)
    return found


def row(files: Sequence[Path], out: Path, known: Path | None) -> None:
    """Write the row of the lines of files, or of rows of ratios, and of a row that is known."""
    found, places = [], []
    for file in files:
        if file.suffix == ".json":
            found += of_ratios(file)
            places.append(read_record(file).environment["after"])
            continue
        lines = [each for each in records(file) if each["tiles"]]
        places += [each.pop("environment") for each in lines]
        found += [{name: each[name] for name in each if name != "problem"} for each in lines]
    earlier = read_record(known) if known else None
    findings = {
        "command": "python benchmarks/gemm_tiles.py time FOLDER LINES",
        "compiler": f"ptxas {ptxas.version()}",
        "library": "cuBLASLt, the best of ten algorithms",
        "columns": [*(each.name for each in fields(Tiling)), "warm", "cold"],
        "products": joined([*(earlier.findings["products"] if earlier else ()), *found]),
    }
    begin = earlier.environment["before"] if earlier else places[0]
    environment = {"before": begin, "after": places[-1]}
    record = Record(PROBE, TARGET, "cuda", "silicon", (), findings, environment, kind=PROBE)
    print(*write_records([record], out))


def main() -> None:
    """Compile the tiles, time them, or write the row."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--random", type=int, default=170, help="random products")
    parser.add_argument("--seed", type=int, default=1001)
    parser.add_argument("--seconds", type=float, default=1e9, help="stop after so many")
    parser.add_argument("--products", type=Path, help="JSON of [M, N, K] instead of these")
    parser.add_argument("--most", type=int, default=MOST, help="tiles of a product")
    parser.add_argument("--known", type=Path, help="an earlier row, whose times are kept")
    parser.add_argument("what", choices=("compile", "time", "row"))
    parser.add_argument("paths", type=Path, nargs="+")
    given = parser.parse_args()
    if given.what == "row":
        row(given.paths[:-1], given.paths[-1], given.known)
        return
    shapes = [*NAMED, *drawn(given.random, given.seed)]
    if given.products:
        shapes = json.loads(given.products.read_text())
    todo = {each: candidates(each, given.most) for each in (Problem(*shape) for shape in shapes)}
    wanted = list(dict.fromkeys(each for tiles in todo.values() for each in tiles))
    print(f"{len(todo)} products, {sum(map(len, todo.values()))} times, {len(wanted)} texts")
    if given.what == "time":
        time_all(todo, *given.paths, given.seconds)
        return
    kernel, some = host("ss_gemm").KERNEL, Problem(64, 64, 64)  # a text depends on no size
    compile_ahead([lambda t=t: kernel.ptx(some, t) for t in wanted], TARGET)
    print(COMPILED.write(*given.paths, ptxas.version()), "files")


if __name__ == "__main__":
    main()
