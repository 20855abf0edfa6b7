"""How fast fmha's backward pass is on a GPU, in turns with PyTorch's, and how near to float32.

    python benchmarks/attention_backward.py [--rounds R] [--only NAME] [--row results]

Times are those of whole backward passes between two events, several of them one after another, on
one stream: medians of turns. TFLOP/s count five products for each pair that the mask shows. Errors
are norms of differences from PyTorch's gradients in float32, of some heads, divided by the norm of
these.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
import torch
from torch.nn.attention import SDPBackend, sdpa_kernel

import lanemap
from lanemap.benching.attention.differentiate import KERNELS, prepared
from lanemap.benching.attention.gradient import workspace
from lanemap.benching.attention.problem import ALL, Problem
from lanemap.benching.compiled import COMPILED
from lanemap.benching.find import host
from lanemap.benching.launch import compile_ahead, loaded, opened
from lanemap.benching.timing import compilers
from lanemap.records.files import write_records
from lanemap.records.schema import Record
from lanemap.toolchain import ptxas

TARGET, ROW = "sm_90a", "attention_gradients"

PROBLEMS = tuple(
    Problem(16384 // length, length, length, 2048 // dim, 2048 // dim, dim, ALL, right)
    for dim in (128, 64)
    for right in (ALL, 0)
    for length in (1024, 4096, 16384)
)
(KERNEL,) = [each for each in KERNELS if each.target == TARGET]
#: Ours, ours with a fixed order of additions, and PyTorch's by one of its libraries.
OURS, FIXED, CUDNN, FLASH = "lanemap", "deterministic", "cudnn", "flash"
LIBRARIES = {CUDNN: SDPBackend.CUDNN_ATTENTION, FLASH: SDPBackend.FLASH_ATTENTION}
#: Milliseconds of the passes between two events, and how many keys are compared with float32.
_AT_ONCE_MS, _COMPARED = 30.0, 4096


class Case:
    """One problem with PyTorch's tensors, and what computes its gradients."""

    def __init__(self, device: Any, problem: Problem) -> None:
        """Make the operands, and run the forward kernel."""
        p = problem
        torch.manual_seed(0)
        kind = getattr(torch, p.element)

        def normal(length: int, heads: int) -> Any:
            shape = (p.batch, length, heads, p.head_dim)
            return torch.randn(shape, device="cuda", dtype=torch.float32).to(kind)

        self.problem = p
        self.q, self.d_o = normal(p.queries, p.heads), normal(p.queries, p.heads)
        self.k, self.v = normal(p.keys, p.kv_heads), normal(p.keys, p.kv_heads)
        self.o, self.sums = lanemap.kernel("fmha")(self.q, self.k, self.v, causal=p.causal)
        self.results = [torch.empty_like(each) for each in (self.q, self.k, self.v)]
        self._device, self._kept = device, list[Any]()

    def own(self, deterministic: bool) -> Callable[[], Any]:
        """Return what puts a pass of ours on PyTorch's stream, and returns the gradients."""
        tiling, p = KERNEL.choose(self.problem, deterministic), self.problem
        sizes = workspace(p, tiling)
        scratch = [torch.empty((1, count), device="cuda") for count in sizes]
        arrays = (self.q, self.k, self.v, self.o, self.sums, self.d_o, *self.results)
        module = loaded(self._device, KERNEL.ptx(p, tiling))
        launches = prepared(
            KERNEL, self._device, module, p, tiling, arrays, scratch, p.head_dim**-0.5
        )
        self._kept += [scratch, launches]
        enqueues = [each.enqueue() for each in launches]

        def work() -> Any:
            stream = torch.cuda.current_stream().cuda_stream
            for each in enqueues:
                each(stream)
            return self.results

        return work

    def library(self, backend: SDPBackend) -> Callable[[], Any] | None:
        """Return PyTorch's backward pass by one of its libraries; None if it has none."""
        p = self.problem
        q, k, v = (
            each.detach().transpose(1, 2).requires_grad_() for each in (self.q, self.k, self.v)
        )
        try:
            with sdpa_kernel([backend]):
                o = torch.nn.functional.scaled_dot_product_attention(
                    q, k, v, is_causal=p.causal, enable_gqa=p.heads != p.kv_heads
                )
        except RuntimeError:
            return None
        d_o = self.d_o.transpose(1, 2)
        return lambda: torch.autograd.grad(o, (q, k, v), d_o, retain_graph=True)

    def errors(self, gradients: Any, heads: int = 2) -> list[float]:
        """Return the errors of dQ, dK and dV, (batch, length, heads, ..), of some heads of K."""
        p, found = self.problem, []
        group = p.heads // p.kv_heads
        right = [torch.zeros(3), torch.zeros(3)]
        for head in range(min(heads, p.kv_heads)):
            of = slice(head * group, (head + 1) * group)
            q, d_o = (x[0, :, of].float().transpose(0, 1) for x in (self.q, self.d_o))
            k, v = (x[0, :, head].float()[None] for x in (self.k, self.v))
            q, k, v = (x.requires_grad_() for x in (q, k, v))
            logits = q @ k.mT * p.head_dim**-0.5
            if p.causal:
                seen = torch.ones(p.queries, p.keys, dtype=torch.bool, device="cuda").tril()
                logits = logits.masked_fill(~seen, float("-inf"))
            exact = torch.autograd.grad(logits.softmax(-1) @ v, (q, k, v), d_o)
            mine = (gradients[0][0, :, of].transpose(0, 1), *(
                each[0, :, head][None] for each in gradients[1:]))  # fmt: skip
            for i, (a, b) in enumerate(zip(mine, exact, strict=True)):
                right[0][i] += float((a.float() - b).square().sum())
                right[1][i] += float(b.square().sum())
            del logits, exact
        found = (right[0] / right[1]).sqrt().tolist()
        return [float(f"{each:.2e}") for each in found]


def milliseconds(work: Callable[[], Any], count: int) -> float:
    """Time of one of several passes."""
    start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    start.record()
    for _ in range(count):
        work()
    end.record()
    torch.cuda.synchronize()
    return float(start.elapsed_time(end)) / count


def measure(case: Case, rounds: int) -> dict[str, Any]:
    """Return times and errors of a problem, by who computes it."""
    p = case.problem
    works: dict[str, Callable[[], Any]] = {OURS: case.own(False), FIXED: case.own(True)}
    for name, backend in LIBRARIES.items():
        found = case.library(backend)
        if found is not None:
            works[name] = found
    row: dict[str, Any] = {
        "head_dim": p.head_dim, "causal": p.causal, "batch": p.batch, "heads": p.heads,
        "kv_heads": p.kv_heads, "length": p.queries,
        "flops": 10 * p.pairs * p.heads * p.head_dim, "milliseconds": {}, "errors": {},
    }  # fmt: skip
    times: dict[str, list[float]] = {name: [] for name in works}
    for name, work in works.items():
        gradients = work()
        torch.cuda.synchronize()
        if p.keys <= _COMPARED:
            own = name in (OURS, FIXED)
            row["errors"][name] = case.errors([x if own else x.transpose(1, 2) for x in gradients])
    counts = {
        name: max(1, round(_AT_ONCE_MS / milliseconds(work, 2))) for name, work in works.items()
    }
    order = list(works.items())
    for _ in range(rounds):
        # Power that was drawn before is paid for with the clock: who goes before whom takes turns.
        order.reverse()
        for name, work in order:
            milliseconds(work, counts[name])
            times[name].append(milliseconds(work, counts[name]))
    row["milliseconds"] = {name: round(median(each), 5) for name, each in times.items()}
    return row


def line(row: dict[str, Any]) -> str:
    """Return a line of the table."""
    times = row["milliseconds"]
    rates = "  ".join(f"{name} {row['flops'] / ms / 1e9:5.0f}" for name, ms in times.items())
    mask = "causal" if row["causal"] else "none"
    shape = f"D {row['head_dim']:3} {mask:6} {row['batch']:2} x {row['length']:5}"
    if CUDNN in times:
        ratios = [times[CUDNN] / times[name] for name in (OURS, FIXED)]
        rates += "  cuDNN over ours {:.3f}, deterministic {:.3f}".format(*ratios)
    return f"{shape}  TFLOP/s: {rates}  errors {row['errors']}"


def compile_only(folder: Path) -> int:
    """Compile all that is timed where no GPU is; return the files written."""
    forward = host("fmha").KERNELS[0]
    compile_ahead(
        [
            *(lambda p=p, fixed=fixed: KERNEL.ptx(p, KERNEL.choose(p, fixed))
              for p in PROBLEMS for fixed in (False, True)),
            *(lambda p=p: forward.ptx(p, forward.choose(p)) for p in PROBLEMS),
        ],
        TARGET,
    )  # fmt: skip
    return COMPILED.write(folder, compilers())


def time_all(rounds: int, only: str, folder: Path | None) -> None:
    """Print a line for each problem, and write a row of all."""
    device = opened(TARGET, "cuda")
    before, rows = dict(device.environment()), list[dict[str, Any]]()
    for problem in PROBLEMS:
        mask = "causal" if problem.causal else "none"
        if only not in ("", f"{problem.head_dim}/{mask}/{problem.queries}"):
            continue
        case = Case(device, problem)
        rows.append(measure(case, rounds))
        print(line(rows[-1]), flush=True)
        assert all(np.isfinite(each.float().sum().item()) for each in case.results)
    if folder and not only:
        findings = {
            "command": f"python benchmarks/attention_backward.py --rounds {rounds} --row results",
            "compiler": f"ptxas {ptxas.version()}",
            "library": f"cuDNN {torch.backends.cudnn.version()}, PyTorch {torch.__version__}",
            "problems": rows,
        }
        environment = {"before": before, "after": dict(device.environment())}
        record = Record(ROW, TARGET, "cuda", "silicon", (), findings, environment, kind=ROW)
        print(*write_records([record], folder))


def main() -> None:
    """Do what the command line says."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--only", default="", help="D/mask/length, such as 128/causal/4096")
    parser.add_argument("--compiled", type=Path, help="folder of --compile-only, to run from")
    parser.add_argument("--compile-only", type=Path, help="folder that gets all that is timed")
    parser.add_argument("--row", type=Path, help="folder of results that gets a row of all times")
    given = parser.parse_args()
    if given.compile_only:
        print(compile_only(given.compile_only), "files")
        return
    with COMPILED.using(given.compiled) if given.compiled else nullcontext():
        time_all(given.rounds, given.only, given.row)


if __name__ == "__main__":
    main()
