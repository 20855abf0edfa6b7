"""What calls of kernels cost the host on a GPU, beside PyTorch's own: microseconds of a call.

    python benchmarks/host_calls.py [--json]

Calls of a known shape are made one after another and not waited for; the medians are of rounds,
between which the GPU is. Its own work is shorter than what the host takes. "this thread" is what a
backward pass takes without the thread that PyTorch hands it to.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable
from statistics import median
from typing import Any

import torch
from torch.nn.attention import SDPBackend, sdpa_kernel

import lanemap
import lanemap.operators

CALLS, ROUNDS = 100, 9
#: Batch, queries and keys, heads, head dimension; and a product.
SHAPE, PRODUCT = (1, 512, 8, 128), (256, 256, 256)
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


def main() -> None:
    """Print a line for each call."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    found = {name: microseconds(work) for name, work in (products() | attentions()).items()}
    for name, backend in LIBRARIES.items():
        with sdpa_kernel([backend]):
            found |= {f"SDPA by {name}, {each}": microseconds(work)
                      for each, work in library().items()}  # fmt: skip
    if given.json:
        print(json.dumps({"gpu": torch.cuda.get_device_name(), "microseconds": found}))
        return
    for name, each in found.items():
        print(f"{each:8.1f} us  {name}")


if __name__ == "__main__":
    main()
