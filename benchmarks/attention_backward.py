"""How fast fmha's backward pass is on a GPU, in turns with PyTorch's, and how near to float32.

    python benchmarks/attention_backward.py [--rounds R] [--deterministic] [--only NAME] [--json]

Times are those of whole backward passes between two events, several of them one after another, on
one stream: medians of turns. TFLOP/s count five products for each pair that the mask shows. Errors
are norms of differences from PyTorch's gradients in float32, of some heads, divided by the norm of
these.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from statistics import median
from typing import Any

import numpy as np
import torch
from torch.nn.attention import SDPBackend, sdpa_kernel

import lanemap
from lanemap.benching.attention.differentiate import KERNELS, prepared
from lanemap.benching.attention.gradient import workspace
from lanemap.benching.attention.problem import ALL, Problem
from lanemap.benching.launch import loaded, opened_for

PROBLEMS = tuple(
    Problem(16384 // length, length, length, 2048 // dim, 2048 // dim, dim, ALL, right)
    for dim in (128, 64)
    for right in (ALL, 0)
    for length in (1024, 4096, 16384)
)
LIBRARIES = {"cuDNN": SDPBackend.CUDNN_ATTENTION, "flash": SDPBackend.FLASH_ATTENTION}
#: Passes between two events.
_AT_ONCE_MS = 30.0


class Case:
    """One problem with PyTorch's tensors, and what computes its gradients."""

    def __init__(self, device: Any, problem: Problem, deterministic: bool) -> None:
        """Make the operands, and run the forward kernel."""
        p = problem
        torch.manual_seed(0)
        kind = getattr(torch, p.element)

        def normal(length: int, heads: int) -> Any:
            shape = (p.batch, length, heads, p.head_dim)
            return torch.randn(shape, device="cuda", dtype=torch.float32).to(kind)

        self.problem, self._deterministic = p, deterministic
        self.q, self.d_o = normal(p.queries, p.heads), normal(p.queries, p.heads)
        self.k, self.v = normal(p.keys, p.kv_heads), normal(p.keys, p.kv_heads)
        self.o, self.sums = lanemap.kernel("fmha")(self.q, self.k, self.v, causal=p.causal)
        self.results = [torch.empty_like(each) for each in (self.q, self.k, self.v)]
        (kernel,) = [each for each in KERNELS if each.target == device.target]
        tiling = kernel.choose(p, deterministic)
        self._scratch = tuple(
            torch.empty((1, count), device="cuda") for count in workspace(p, tiling)
        )
        arrays = (self.q, self.k, self.v, self.o, self.sums, self.d_o, *self.results)
        module = loaded(device, kernel.ptx(p, tiling))
        self._launches = prepared(
            kernel, device, module, p, tiling, arrays, self._scratch, p.head_dim**-0.5
        )
        self._enqueues = [each.enqueue() for each in self._launches]

    def run(self) -> None:
        """Put a backward pass on PyTorch's stream."""
        stream = torch.cuda.current_stream().cuda_stream
        for each in self._enqueues:
            each(stream)

    def parts(self) -> list[Callable[[], None]]:
        """Return the launches one by one; none where the order of additions is fixed.

        There the second launch would wait for turns that only the first one begins anew.
        """
        if self._deterministic:
            return []
        stream = torch.cuda.current_stream().cuda_stream
        return [lambda each=each: each(stream) for each in self._enqueues]  # type: ignore[misc]

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


def measure(case: Case, rounds: int, errors: bool) -> dict[str, Any]:
    """Return times and errors of a problem."""
    p = case.problem
    works: dict[str, Callable[[], Any]] = {"lanemap": case.run}
    for name, backend in LIBRARIES.items():
        found = case.library(backend)
        if found is not None:
            works[name] = found
    row: dict[str, Any] = {
        "D": p.head_dim, "mask": "causal" if p.causal else "none", "batch": p.batch,
        "heads": f"{p.heads}/{p.kv_heads}", "length": p.queries,
    }  # fmt: skip
    case.run()
    torch.cuda.synchronize()
    if errors:
        row["errors"] = {"lanemap": case.errors(case.results)}
        for name in works.keys() - {"lanemap"}:
            row["errors"][name] = case.errors([x.transpose(1, 2) for x in works[name]()])
    times: dict[str, list[float]] = {name: [] for name in works}
    count = max(1, round(_AT_ONCE_MS / milliseconds(case.run, 2)))
    for _ in range(rounds):
        for name, work in works.items():
            milliseconds(work, max(1, count // 2))
            times[name].append(milliseconds(work, count))
    flops = 10 * p.pairs * p.heads * p.head_dim
    for name, each in times.items():
        row[f"{name} ms"] = round(median(each), 4)
        row[f"{name} TFLOP/s"] = round(flops / median(each) / 1e9, 1)
    row["parts ms"] = [round(median(milliseconds(part, count) for _ in range(3)), 4)
                       for part in case.parts()]  # fmt: skip
    if "cuDNN" in times:
        row["ratio to cuDNN"] = round(median(times["cuDNN"]) / median(times["lanemap"]), 3)
    return row


def main() -> None:
    """Print a line for each problem."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--deterministic", action="store_true")
    parser.add_argument("--only", default="", help="D/mask/length, such as 128/causal/4096")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    device = opened_for([each.target for each in KERNELS], True)
    for problem in PROBLEMS:
        mask = "causal" if problem.causal else "none"
        if given.only not in ("", f"{problem.head_dim}/{mask}/{problem.queries}"):
            continue
        case = Case(device, problem, given.deterministic)
        row = measure(case, given.rounds, problem.queries <= 4096)
        print(json.dumps(row) if given.json else row, flush=True)
        assert all(np.isfinite(each.float().sum().item()) for each in case.results)


if __name__ == "__main__":
    main()
