"""What tests of nvfp4_gemv share: operands, a reference of their own, launches of given texts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

import lanemap
import lanemap.benching
from lanemap_kernels.nvfp4_gemv.arrays import arrays_of
from lanemap_kernels.nvfp4_gemv.kernel import launch
from lanemap_kernels.nvfp4_gemv.problem import Problem
from lanemap_kernels.nvfp4_gemv.tiling import Tiling

#: OCP Microscaling Formats specification v1.0, table 5: e2m1 in the order of its codes.
E2M1 = np.array([0, 0.5, 1, 1.5, 2, 3, 4, 6, -0.0, -0.5, -1, -1.5, -2, -3, -4, -6])


def e4m3(codes: Any) -> Any:
    """Values of e4m3 without a sign: the same, 5.3.1; subnormal where the exponent is 0."""
    exponent, fraction = codes >> 3, (codes & 7) / 8.0
    normal = (1 + fraction) * 2.0 ** (exponent.astype(np.float64) - 7)
    return np.where(exponent > 0, normal, fraction * 2.0**-6)


def values(packed: Any, scales: Any) -> Any:
    """Elements, the low four bits first, times their block's scale."""
    both = np.stack([E2M1[packed & 15], E2M1[packed >> 4]], axis=-1)
    elements = both.reshape(*packed.shape[:-1], -1)
    return elements * np.repeat(e4m3(scales), 16, axis=-1)


@dataclass(frozen=True)
class Operands:
    """Bytes in the order of memory: a (L, M, K / 2), b (L, 1, K / 2), scales (.., K / 16)."""

    a: Any
    b: Any
    sfa: Any
    sfb: Any

    def contest(self, atoms: bool) -> tuple[Any, Any, Any, Any]:
        """The arrays as the contest's reference has them: L comes last."""
        matrices = [each.transpose(1, 2, 0) for each in (self.a, self.b)]
        if not atoms:
            return *matrices, *(each.transpose(1, 2, 0) for each in (self.sfa, self.sfb))
        return *matrices, contest_atoms(self.sfa), contest_atoms(self.sfb)

    def product(self) -> tuple[Any, Any]:
        """A b in float64, and the sums of the terms' magnitudes, (M, L)."""
        a, b = values(self.a, self.sfa), values(self.b, self.sfb)[:, 0]
        return np.einsum("lmk,lk->ml", a, b), np.einsum("lmk,lk->ml", np.abs(a), np.abs(b))

    def rounded(self) -> Any:
        """A b as fp16, (M, L), where sums are exact."""
        return self.product()[0].astype(np.float16)


def contest_atoms(scales: Any) -> Any:
    """Scales (L, rows, K / 16) as (32, 4, rows / 128, 4, K / 64, L), place by place.

    Source: gpu-mode/reference-kernels at 0a89b14, problems/nvidia/nvfp4_gemv/reference.py: scale
    (i, j) lies at [i % 32, i % 128 // 32, i // 128, j % 4, j // 4] of a view of memory whose order
    is (L, rows / 128, K / 64, 32, 4, 4).
    """
    batches, rows, columns = scales.shape
    memory = np.zeros((batches, -(-rows // 128), -(-columns // 4), 32, 4, 4), np.uint8)
    view = memory.transpose(3, 4, 1, 5, 2, 0)
    i, j, batch = np.meshgrid(*(np.arange(n) for n in (rows, columns, batches)), indexing="ij")
    view[i % 32, i % 128 // 32, i // 128, j % 4, j // 4, batch] = scales[batch, i, j]
    return view


def drawn(m: int, k: int, batches: int = 1, seed: int = 0) -> Operands:
    """All codes of e2m1; scales over 14 binary orders, subnormal ones and zero among them."""
    rng = np.random.default_rng([m, k, batches, seed])

    def codes(rows: int, columns: int, most: int) -> Any:
        return rng.integers(0, most, (batches, rows, columns), np.uint8)

    return Operands(
        codes(m, k // 2, 256), codes(1, k // 2, 256), codes(m, k // 16, 112), codes(1, k // 16, 48)
    )


def exact(m: int, k: int, batches: int = 1, seed: int = 0) -> Operands:
    """All codes of e2m1 with scales 1 and 2: sums are less than 2^24 quarters, so exact in f32."""
    given = drawn(m, k, batches, seed)
    rng = np.random.default_rng(seed)

    def scales(like: Any) -> Any:
        return rng.choice(np.array([0x38, 0x40], np.uint8), like.shape)

    return Operands(given.a, given.b, scales(given.sfa), scales(given.sfb))


def has_gpu() -> bool:
    """Whether PyTorch can use an NVIDIA GPU here."""
    try:
        import torch
    except ImportError:
        return False
    return bool(torch.cuda.is_available())


def wrong_in_a_graph(chains: int, replays: int) -> int:
    """Elements of c that differ from exact ones, of launches by a graph of PyTorch on a GPU.

    In each chain a kernel of PyTorch writes the operands of a product just before it, and the bytes
    of its c are the b of another product just after it. Earlier values, or later ones, are wrong.
    """
    import torch

    gemv = lanemap.kernel("nvfp4_gemv")
    given = [(exact(512, 2048, 4, seed), exact(512, 2048, 4, 9)) for seed in range(chains)]
    first, second = (
        [torch.empty_like(torch.from_numpy(each), device="cuda") for each in vars(one).values()]
        for one in given[0]
    )
    values, expected = [], []
    for one, other in given:
        c = one.rounded()
        bytes_of_c = np.ascontiguousarray(c.T)[:, None].view(np.uint8)
        after = Operands(other.a, bytes_of_c, other.sfa, other.sfb).rounded()
        values.append([torch.from_numpy(each).cuda() for each in vars(one).values()])
        expected.append([torch.from_numpy(each).cuda() for each in (c, after)])
    for to, numbers in zip(second, vars(given[0][1]).values(), strict=True):
        to.copy_(torch.from_numpy(numbers))

    def chain(number: int, wrong: Any) -> None:
        for to, numbers in zip(first, values[number], strict=True):
            torch.add(numbers, 0, out=to)
        c = gemv(*(each.permute(1, 2, 0) for each in first))
        b = c.permute(2, 1, 0).contiguous().view(torch.uint8)
        a, _, sfa, sfb = second
        after = gemv(*(each.permute(1, 2, 0) for each in (a, b, sfa, sfb)))
        for found, right in zip((c, after), expected[number], strict=True):
            wrong += (found[:, 0] != right).sum()

    wrong = torch.zeros((), dtype=torch.int64, device="cuda")
    graph = torch.cuda.CUDAGraph()
    side = torch.cuda.Stream()
    with torch.cuda.stream(side):
        chain(0, wrong)  # compiles
    side.synchronize()
    with torch.cuda.graph(graph):
        for number in range(chains):
            chain(number, wrong)
    for _ in range(replays):
        graph.replay()
    return int(wrong)


def launched(
    text: str,
    problem: Problem,
    tiling: Tiling,
    operands: Operands,
    target: str,
    *,
    strict: bool = False,
    multiprocessors: int = 132,
) -> Any:
    """c (M, L) of a text on so many SMs; no element of c is defined before."""
    device: Any = lanemap.open_device(target, device="emulator", strict=strict)
    c = np.empty((problem.batches, problem.m, 1), np.float16).transpose(1, 2, 0)
    _, arrays = arrays_of(*operands.contest(problem.scales == "atoms"), c, problem.impl)
    here = type(arrays)(
        **{
            name: device.adopt(array, name=name, **({"defined": False} if name == "c" else {}))
            for name, array in vars(arrays).items()
        }
    )
    launch(device, device.load(text), problem, tiling, here, multiprocessors).run()
    return c[:, 0]
