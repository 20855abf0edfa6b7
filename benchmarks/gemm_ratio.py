"""Times ss_gemm on an H200 beside cuBLASLt's best algorithm and PyTorch's product.

    python benchmarks/gemm_ratio.py --tries 10 --row results  # named and 60 random ones, and a row
    python benchmarks/gemm_ratio.py --random 0 --sustained   # large ones in long turns, too

Each side is a graph of launches; sides take turns. Cool: a turn is about a millisecond behind a
pause. Sustained: a turn is 0.15 seconds behind half as many, so that power sets the clock. Warm:
every launch has the same operands. Cold: launches go round copies, of more than twice the L2 cache
together.
cuBLASLt's side is the fastest of the first ten algorithms of its heuristic, by cool, warm launches.
A ratio is the library's time over ours: above 1 ours is faster. With --tries the fastest of so many
tiles stands beside the one that the estimate chooses. Products that --seconds leaves out are not in
the row.
"""

from __future__ import annotations

import argparse
import math
import random
import time
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import asdict
from itertools import chain, starmap
from pathlib import Path
from statistics import geometric_mean, median
from types import SimpleNamespace
from typing import Any

import numpy as np
import torch

import lanemap
from lanemap.benching.compiled import COMPILED
from lanemap.benching.find import host
from lanemap.benching.gemm.choice import ranked
from lanemap.benching.gemm.problem import TYPES, Problem
from lanemap.benching.gemm.tiling import Tiling
from lanemap.benching.gemm.tuning import tile_for
from lanemap.benching.launch import compile_ahead, multiprocessors, opened
from lanemap.benching.timing import compilers
from lanemap.devices import cublaslt
from lanemap.errors import UserError
from lanemap.records.files import write_records
from lanemap.records.schema import Record
from lanemap.toolchain import ptxas

TARGET, ROW, SMS = "sm_90a", "gemm_ratios", 132
NAMED = (
    (4096, 4096, 4096), (6144, 6144, 6144), (8192, 8192, 8192), (5120, 2304, 7168),
    (8192, 28672, 4096), (16384, 512, 512), (128, 4096, 7168), (777, 1160, 5000), (32, 4096, 4096),
    (1, 4096, 4096), (16, 4096, 14336), (64, 8192, 8192), (256, 256, 256), (512, 512, 512),
    (1024, 1024, 1024), (2048, 2048, 2048),
)  # fmt: skip
ALGORITHMS, L2_BYTES = 10, 50 << 20
COOL_SECONDS, PAUSE, SUSTAINED_SECONDS, ROUNDS = 1e-3, 0.01, 0.15, 5
#: Microseconds of a product from which on power limits long turns.
LARGE = 150
#: A millisecond: the host hands over a graph of 300 launches in less.
HELD_CYCLES = 2_000_000


def drawn(count: int, seed: int) -> list[tuple[int, int, int]]:
    """Return random products: sizes of every magnitude, up to about 70 GMAC."""
    rng, found = random.Random(seed), []
    while len(found) < count:
        m = round(2 ** rng.uniform(0, 14))
        n, k = (round(2 ** rng.uniform(6, 14) / 8) * 8 for _ in range(2))
        if m * n * k < 7 << 33:
            found.append((m, n, k))
    return found


def graph_of(enqueues: Sequence[Callable[[], None]], launches: int) -> Any:
    """Return a graph of launches that go round."""
    for enqueue in enqueues:
        enqueue()  # loads what a first launch loads
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        for i in range(launches):
            enqueues[i % len(enqueues)]()
    return graph


def seconds(graph: Any, replays: int = 1, held: int = HELD_CYCLES) -> float:
    """Return the seconds of replays, by events.

    The GPU spins for `held` cycles before: the host hands the graph over meanwhile, and that takes
    no part of the time.
    """
    begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    torch.cuda._sleep(held)
    begin.record()
    for _ in range(replays):
        graph.replay()
    end.record()
    end.synchronize()
    return begin.elapsed_time(end) / 1000


class Operands:
    """A, B and C of a product, several times, and what computes C of each."""

    def __init__(self, problem: Problem, copies: int) -> None:
        kind = getattr(torch, problem.element)
        self.sets = [
            (
                torch.randn(problem.m, problem.k, device="cuda", dtype=kind),
                torch.randn(problem.n, problem.k, device="cuda", dtype=kind),
                torch.empty(problem.m, problem.n, device="cuda", dtype=kind),
            )
            for _ in range(copies)
        ]
        self.workspace = torch.empty(cublaslt.WORKSPACE_BYTES, device="cuda", dtype=torch.uint8)

    def ours(self) -> list[Callable[[], None]]:
        """Launches of ss_gemm."""
        ss_gemm = lanemap.kernel("ss_gemm")
        return [lambda each=each: ss_gemm(*each) for each in self.sets]

    def torchs(self) -> list[Callable[[], None]]:
        """Launches of PyTorch's product."""
        return [lambda a=a, b=b, c=c: torch.mm(a, b.t(), out=c) for a, b, c in self.sets]

    def cublas(self, algorithm: int) -> list[Callable[[], None]]:
        """Launches of one of cuBLASLt's algorithms."""
        products = [
            cublaslt.Product(*(_array(each) for each in (a, b, c)), _array(self.workspace),
                             algorithm=algorithm)
            for a, b, c in self.sets
        ]  # fmt: skip
        return [lambda p=p: p.enqueue(torch.cuda.current_stream().cuda_stream) for p in products]


def _array(x: Any) -> Any:
    name = str(x.dtype).removeprefix("torch.")
    dtype = TYPES[name].dtype if name in TYPES else np.dtype(np.uint8)
    return SimpleNamespace(
        shape=tuple(x.shape), dtype=dtype, address=x.data_ptr(), nbytes=x.numel() * dtype.itemsize
    )


def cool(graphs: Sequence[Any], launches: int) -> list[float]:
    """Return microseconds of a launch of each graph, in turns behind pauses."""
    found: list[list[float]] = [[] for _ in graphs]
    for _ in range(ROUNDS):
        for graph, times in zip(graphs, found, strict=True):
            time.sleep(PAUSE)
            times.append(seconds(graph) / launches * 1e6)
    return [median(times) for times in found]


def sustained(graphs: Sequence[Any], launches: int, each: float) -> list[float]:
    """Return microseconds of a launch of each graph, in turns that power limits."""
    replays = max(1, round(SUSTAINED_SECONDS / (launches * each * 1e-6)))
    found: list[list[float]] = [[] for _ in graphs]
    for _ in range(3):
        for graph, times in zip(graphs, found, strict=True):
            seconds(graph, max(1, replays // 2))
            times.append(seconds(graph, replays) / (replays * launches) * 1e6)
    return [median(times) for times in found]


def best_algorithm(operands: Operands) -> int:
    """Return the number of cuBLASLt's fastest algorithm of the first ten."""
    times = []
    for number in range(ALGORITHMS):
        try:
            graph = graph_of(operands.cublas(number)[:1], 10)
        except UserError:
            break
        seconds(graph)
        times.append((min(seconds(graph) for _ in range(3)), number))
    return min(times)[1]


def measured(problem: Problem, with_sustained: bool, tries: int = 0) -> dict[str, Any]:
    """Return a product's times in microseconds; with `tries`, also of the fastest of some tiles."""
    copies = max(2, math.ceil(2 * L2_BYTES / problem.least_bytes) + 1)
    operands = Operands(problem, copies)
    a, b, c = operands.sets[0]
    lanemap.kernel("ss_gemm")(a, b, c)
    exact = a.float() @ b.float().t()
    error = ((c.float() - exact).abs().max() / exact.abs().max()).item()
    algorithm = best_algorithm(operands)
    sides = operands.ours(), operands.cublas(algorithm), operands.torchs()
    tried: dict[str, Any] = {}
    if tries:
        calls, own = host("ss_gemm").CALLS, host("ss_gemm").KERNEL
        plan = calls.plan(a, b, c, tries=tries)
        sides += ([lambda s=s: plan.compute(s[:2], s[2]) for s in operands.sets],)
        tried = {"tried": asdict(tile_for(own, problem, opened(TARGET, "cuda"), 1))}
    row: dict[str, Any] = {
        "m": problem.m, "n": problem.n, "k": problem.k, "error": error,
        "algorithm": algorithm, **tried,
    }  # fmt: skip
    for name, used in (("warm", 1), ("cold", copies)):
        guess = seconds(graph_of(sides[0][:used], used)) / used
        launches = min(max(used, 3, round(COOL_SECONDS / guess)), 300)
        graphs = [graph_of(side[:used], launches) for side in sides]
        for graph in graphs:
            seconds(graph)
        row[name] = cool(graphs, launches)
        if with_sustained and name == "warm" and row["warm"][0] >= LARGE:
            row["sustained"] = sustained(graphs, launches, row["warm"][0])
    return row


def line(row: dict[str, Any], tile: Any) -> str:
    """Return a line of the table."""

    def ratios(times: Sequence[float]) -> str:
        own = f" ({times[1] / times[3]:6.3f})" if len(times) > 3 else ""
        return f"{times[0]:9.1f} us {times[1] / times[0]:6.3f} {times[2] / times[0]:6.3f}{own}"

    shape = f"{row['m']} x {row['n']} x {row['k']}"
    parts = [f"{each} {ratios(row[each])}" for each in ("warm", "cold", "sustained") if each in row]
    told = f"{tile.rows}x{tile.columns} c{tile.cluster_m} s{tile.shared}"
    return f"{shape:22} {told:16} {'  '.join(parts)}  error {row['error']:.1e}"


def main() -> None:
    """Time the products, print a line for each, and the geometric means."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--random", type=int, nargs="+", default=[60], help="products of each seed")
    parser.add_argument("--seed", type=int, nargs="+", default=[32])
    parser.add_argument("--sustained", action="store_true", help="large ones in long turns, too")
    parser.add_argument("--no-named", action="store_true", help="random products alone")
    parser.add_argument("--tries", type=int, default=0, help="also the fastest of so many tiles")
    parser.add_argument("--compiled", type=Path, help="folder of --compile-only, to run from")
    parser.add_argument("--compile-only", type=Path, help="folder that gets all that is timed")
    parser.add_argument("--seconds", type=float, default=1e9, help="stop after so many")
    parser.add_argument("--row", type=Path, help="folder of results that gets a row of all times")
    given = parser.parse_args()
    draws = zip(given.random, given.seed, strict=True)
    shapes = [*(() if given.no_named else NAMED), *chain(*starmap(drawn, draws))]
    problems = [Problem(*shape) for shape in shapes]
    if given.compile_only:
        print(compile_only(problems, given.tries, given.compile_only), "files")
        return
    with COMPILED.using(given.compiled) if given.compiled else nullcontext():
        time_all(problems, given)


def tiles_of(problem: Problem, multiprocessors: int, tries: int) -> list[Tiling]:
    """Return the tile that is chosen for a product, then others that are tried."""
    possible = host("ss_gemm").KERNEL.possible(problem, multiprocessors)
    return ranked(problem, multiprocessors, possible)[: max(1, tries)]


def texts_of(tiles: Sequence[Sequence[Tiling]]) -> list[Callable[[], str]]:
    """Return what makes the text of each tile; a text depends on no size."""
    kernel, some = host("ss_gemm").KERNEL, Problem(64, 64, 64)
    every = dict.fromkeys(tile for each in tiles for tile in each)
    return [lambda tile=tile: kernel.ptx(some, tile) for tile in every]


def compile_only(problems: Sequence[Problem], tries: int, folder: Path) -> int:
    """Compile all that is timed for an H200, where none is; return the files written."""
    compile_ahead(texts_of([tiles_of(each, SMS, tries) for each in problems]), TARGET)
    return COMPILED.write(folder, compilers())


def time_all(problems: Sequence[Problem], given: argparse.Namespace) -> None:
    """Time products, print what is found, and write the row of those that there was time for."""
    device = opened(TARGET, "cuda")
    count, start, before = multiprocessors(device), time.time(), dict(device.environment())
    tiles = [tiles_of(problem, count, given.tries) for problem in problems]
    compile_ahead(texts_of(tiles), TARGET)
    print(f"{sum(map(len, tiles))} tiles there after {time.time() - start:.1f} s")
    print("ratios: cuBLASLt's best of ten, then PyTorch's, over ours", flush=True)
    rows: list[dict[str, Any]] = []
    for problem, (tile, *_) in zip(problems, tiles, strict=True):
        if time.time() - start > given.seconds:
            print(f"stopped after {len(rows)} of {len(problems)} products")
            break
        rows.append({**measured(problem, given.sustained, given.tries), "tile": asdict(tile)})
        print(line(rows[-1], tile), flush=True)
    tell(rows)
    drawn_there = len(rows) - (len(problems) - sum(given.random))
    if given.row and drawn_there >= 0:
        options = {"tries": [given.tries], "random": given.random, "seed": given.seed}
        asked = [f" --{name} {' '.join(map(str, each))}" for name, each in options.items()]
        asked += [" --sustained"] if given.sustained else []
        findings = {
            "command": f"python benchmarks/gemm_ratio.py{''.join(asked)} --row results",
            "compiler": f"ptxas {ptxas.version()}",
            "library": f"cuBLASLt, best of {ALGORITHMS} algorithms; PyTorch {torch.__version__}",
            "drawn": drawn_there, "seed": given.seed, "products": rows,
            **({"tries": given.tries} if given.tries else {}),
        }  # fmt: skip
        environment = {"before": before, "after": dict(device.environment())}
        record = Record(ROW, TARGET, "cuda", "silicon", (), findings, environment, kind=ROW)
        print(*write_records([record], given.row))


def tell(rows: Sequence[dict[str, Any]]) -> None:
    """Print geometric means of ratios."""
    for name in ("warm", "cold", "sustained"):
        ratios = [[row[name][i] / row[name][0] for row in rows if name in row] for i in (1, 2)]
        if ratios[0]:
            means = [geometric_mean(each) for each in ratios]
            print(
                f"{name}: geometric mean {means[0]:.3f} of cuBLASLt's best, {means[1]:.3f} of "
                f"PyTorch's; least {min(ratios[0]):.3f}"
            )


if __name__ == "__main__":
    main()
