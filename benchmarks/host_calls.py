"""What calls of kernels cost the host on a GPU, beside PyTorch's own: microseconds of a call.

    python benchmarks/host_calls.py [--json] [--row results] [--compiled DIR]

Calls of a known shape are made one after another and not waited for; the medians are of rounds,
between which the GPU is. Its own work is shorter than what the host takes. "this thread" is what a
backward pass takes without the thread that PyTorch hands it to.
"""

from __future__ import annotations

import argparse
import json
import platform
import time
from collections.abc import Callable, Mapping
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from statistics import median
from typing import Any

import torch
from torch.nn.attention import SDPBackend, sdpa_kernel

import lanemap
import lanemap.operators
from lanemap.benching.attention.differentiate import KERNELS as GRADIENTS
from lanemap.benching.attention.problem import ALL, Problem
from lanemap.benching.compiled import COMPILED
from lanemap.benching.find import benchmarks, host
from lanemap.benching.launch import assembled, opened
from lanemap.benching.timing import compilers
from lanemap.records.files import write_records
from lanemap.records.schema import Record

TARGET, ROW = "sm_90a", "host_calls"
CALLS, ROUNDS = 100, 9
#: Batch, queries and keys, heads, head dimension; a product; rows, columns, k and groups.
SHAPE, PRODUCT, GROUPS = (1, 512, 8, 128), (256, 256, 256), (512, 256, 256, 4)
#: Of decode: keys, heads of Q, heads of K and V, head dimension.
CACHE = (1024, 32, 8, 128)
LIBRARIES = {"flash": SDPBackend.FLASH_ATTENTION, "cuDNN": SDPBackend.CUDNN_ATTENTION}


def microseconds(work: Callable[[], Any]) -> float:
    """Return the median time of a call."""
    found = []
    for _ in range(ROUNDS + 1):
        torch.cuda.synchronize()
        begin = time.perf_counter()
        for _ in range(CALLS):
            work()
        found.append((time.perf_counter() - begin) / CALLS * 1e6)
    torch.cuda.synchronize()
    return median(found[1:])


def normal(*shape: int) -> torch.Tensor:
    """Return N(0, 1) in bf16."""
    return torch.randn(shape, device="cuda", dtype=torch.bfloat16)


def products() -> dict[str, Callable[[], Any]]:
    """Calls of ss_gemm and of PyTorch's product."""
    m, n, k = PRODUCT
    a, b = normal(m, k), normal(n, k)
    ss_gemm = lanemap.kernel("ss_gemm")
    return {
        "ss_gemm": lambda: ss_gemm(a, b),
        "ss_gemm, operator": lambda: torch.ops.lanemap.ss_gemm(a, b),
        "torch.mm": lambda: torch.mm(a, b.t()),
    }


def attentions() -> dict[str, Callable[[], Any]]:
    """Calls of fmha, forward, backward and both."""
    q, k, v, d_o = (normal(*SHAPE) for _ in range(4))
    fmha, operator = lanemap.kernel("fmha"), torch.ops.lanemap.fmha
    backward: Any = getattr(fmha, "backward")  # noqa: B009 - functions have none for mypy
    o, sums = fmha(q, k, v, causal=True)
    needing = [each.clone().requires_grad_() for each in (q, k, v)]

    def both() -> None:
        found, _ = operator(*needing, causal=True)
        torch.autograd.grad(found, needing, d_o)

    return {
        "fmha": lambda: fmha(q, k, v, causal=True),
        "fmha, operator": lambda: operator(q, k, v, causal=True),
        "fmha, operator, with gradients to come": lambda: operator(*needing, causal=True),
        "fmha's backward": lambda: backward(d_o, q, k, v, o, sums, causal=True),
        "fmha, operator, forward and backward": both,
        "fmha, operator, forward and backward, this thread": _in_this_thread(both),
    }


def nothing() -> dict[str, Callable[[], Any]]:
    """What PyTorch itself costs: an allocation, and a Function that does nothing."""

    class Nothing(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, q: Any, k: Any, v: Any) -> Any:
            ctx.save_for_backward(q, k, v)
            return q.detach()

        @staticmethod
        def backward(ctx: Any, *grads: Any) -> Any:
            return ctx.saved_tensors

    needing, d_o = [normal(*SHAPE).requires_grad_() for _ in range(3)], normal(*SHAPE)

    def both() -> None:
        torch.autograd.grad(Nothing.apply(*needing), needing, d_o)

    return {
        "torch.empty": lambda: torch.empty(SHAPE, dtype=torch.bfloat16, device="cuda"),
        "a Function of Python, forward and backward": both,
        "a Function of Python, forward and backward, this thread": _in_this_thread(both),
    }


def _in_this_thread(work: Callable[[], Any]) -> Callable[[], Any]:
    def alone() -> None:
        with torch.autograd.set_multithreading_enabled(False):
            work()

    return alone


def library() -> dict[str, Callable[[], Any]]:
    """PyTorch's attention by the library that is chosen, likewise."""
    attend = torch.nn.functional.scaled_dot_product_attention
    q, k, v = (normal(*SHAPE).transpose(1, 2).requires_grad_() for _ in range(3))
    d_o = normal(*SHAPE).transpose(1, 2)

    def forward() -> Any:
        return attend(q, k, v, is_causal=True)

    def both() -> None:
        torch.autograd.grad(forward(), (q, k, v), d_o)

    return {
        "with gradients to come": forward,
        "forward and backward": both,
        "forward and backward, this thread": _in_this_thread(both),
    }


def decoding() -> dict[str, Callable[[], Any]]:
    """Calls of decode."""
    keys, heads, kv_heads, dim = CACHE
    q, (k, v) = normal(1, 1, heads, dim), (normal(1, keys, kv_heads, dim) for _ in range(2))
    decode, operator = lanemap.kernel("decode"), torch.ops.lanemap.decode
    return {"decode": lambda: decode(q, k, v), "decode, operator": lambda: operator(q, k, v)}


def grouped() -> dict[str, Callable[[], Any]]:
    """Calls of grouped_gemm."""
    m, n, k, groups = GROUPS
    a, b = normal(m, k), normal(groups, n, k)
    sizes = torch.full((groups,), m // groups, dtype=torch.int32, device="cuda")
    grouped_gemm, operator = lanemap.kernel("grouped_gemm"), torch.ops.lanemap.grouped_gemm
    return {
        "grouped_gemm": lambda: grouped_gemm(a, b, sizes),
        "grouped_gemm, operator": lambda: operator(a, b, sizes),
    }


def measured() -> dict[str, float]:
    """Return microseconds of all calls by name."""
    calls = products() | grouped() | decoding() | attentions() | nothing()
    found = {name: microseconds(work) for name, work in calls.items()}
    for name, backend in LIBRARIES.items():
        with sdpa_kernel([backend]):
            found |= {f"SDPA by {name}, {each}": microseconds(work)
                      for each, work in library().items()}  # fmt: skip
    return {name: round(each, 2) for name, each in found.items()}


def compile_only(folder: Path) -> int:
    """Compile what calls launch to a folder, without a GPU; return how many files there are."""
    device = opened(TARGET, "emulator")
    batch, length, heads, dim = SHAPE
    attention = Problem(batch, length, length, heads, heads, dim, ALL, 0)
    (fmha, *_), (gradient, *_) = host("fmha").KERNELS, GRADIENTS
    texts = [
        fmha.ptx(attention, fmha.choose(attention)),
        gradient.ptx(attention, gradient.choose(attention, False)),
    ]
    m, n, k, groups = GROUPS
    keys, heads, kv_heads, dim = CACHE
    others = {
        "ss_gemm": dict(zip("mnk", PRODUCT, strict=True)),
        "grouped_gemm": {"rows": m, "n": n, "k": k, "groups": groups},
        "decode": {"batch": 1, "queries": 1, "keys": keys, "heads": heads, "kv_heads": kv_heads,
                   "head_dim": dim, "page": 0, "lengths": ""},
    }  # fmt: skip
    for name, axes in others.items():
        (benchmark, *_) = benchmarks(name, TARGET)
        texts.append(benchmark.text(device, replace(benchmark.default, **axes)))
    for text in texts:
        assembled(text, TARGET)
    return COMPILED.write(folder, compilers())


def write_row(found: Mapping[str, float], before: Mapping[str, Any], folder: Path) -> None:
    """Write the row."""
    device = opened(TARGET, "cuda")
    findings = {
        "command": "python benchmarks/host_calls.py --row results",
        "library": f"cuDNN {torch.backends.cudnn.version()}, PyTorch {torch.__version__}",
        "processor": processor(),
        "microseconds": found,
    }
    environment = {"before": dict(before), "after": dict(device.environment())}
    record = Record(ROW, TARGET, "cuda", "silicon", (), findings, environment, kind=ROW)
    print(*write_records([record], folder))


def processor() -> str:
    """Return the name of the host's processor."""
    lines = Path("/proc/cpuinfo").read_text().splitlines()
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.machine()


def main() -> None:
    """Print a line for each call."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--compiled", type=Path, help="folder of --compile-only, to run from")
    parser.add_argument("--compile-only", type=Path, help="folder that gets all that is launched")
    parser.add_argument("--row", type=Path, help="folder of results that gets a row")
    given = parser.parse_args()
    if given.compile_only:
        print(compile_only(given.compile_only), "files")
        return
    before = opened(TARGET, "cuda").environment()
    with COMPILED.using(given.compiled) if given.compiled else nullcontext():
        found = measured()
    if given.row:
        write_row(found, before, given.row)
    if given.json:
        print(json.dumps({"gpu": torch.cuda.get_device_name(), "microseconds": found}))
        return
    for name, each in found.items():
        print(f"{each:8.1f} us  {name}")


if __name__ == "__main__":
    main()
