"""Half types on the GPU accumulate in f32, as CUDA's kernels do; float64 is the judge."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.check.test_torch_cuda import Gpu, redirected

torch: Any = pytest.importorskip("torch")
F: Any = torch.nn.functional
HALF = [torch.float16, torch.bfloat16]


@pytest.fixture
def gpu() -> Iterator[Gpu]:
    yield from redirected("raise")


def gradients(x: Any) -> tuple[Any, ...]:
    """Those of layer_norm: of the input, the weight and the bias."""
    leaves = [x.clone(), torch.ones_like(x[0]), torch.zeros_like(x[0])]
    for each in leaves:
        each.requires_grad_()
    out = F.layer_norm(leaves[0], x.shape[1:], leaves[1], leaves[2])
    out.backward(x.detach())
    return tuple(each.grad for each in leaves)


#: Of positive elements, so that nothing cancels.
OPERATIONS: dict[str, Callable[[Any], Any]] = {
    "sum": lambda x: x.sum(0),
    "sum of a type": lambda x: x.sum(0, dtype=x.dtype),
    "mean": lambda x: x.mean(0),
    "variance": lambda x: x.var(0),
    "norm": lambda x: x.norm(dim=0),
    "softmax": lambda x: x.softmax(0),
    "logsumexp": lambda x: x.logsumexp(0),
    "cumsum": lambda x: x.cumsum(0),
    "mm": lambda x: x.T @ x,
    "mm out": lambda x: torch.mm(x.T, x, out=x.new_empty(0, 0)),
    "bmm": lambda x: torch.bmm(x.T[None], x[None]),
    "addmm": lambda x: torch.addmm(x[0], x.T, x),
    "addmm in place": lambda x: x.new_ones(x.shape[1], x.shape[1]).addmm_(x.T, x),
    "conv1d": lambda x: F.conv1d(x.T[None], x[None, :64].transpose(1, 2)),
    "index_add": lambda x: x.new_zeros(1, x.shape[1]).index_add_(
        0, torch.zeros(len(x), dtype=torch.int64, device=x.device), x
    ),
    "bias of layer_norm": lambda x: gradients(x)[2],
}


@pytest.mark.parametrize("kind", HALF)
@pytest.mark.parametrize("name", OPERATIONS)
def test_a_result_is_rounded_once(gpu: Gpu, name: str, kind: Any) -> None:
    chance = torch.Generator().manual_seed(1)
    x = (0.05 + 0.05 * torch.rand(1500, 48, generator=chance)).to(kind)
    exact = OPERATIONS[name](x.double())
    got = OPERATIONS[name](x.cuda())
    assert got.is_cuda and got.dtype == kind and got.shape == exact.shape
    # Half a unit in the last place, and some of the f32 sum's.
    bound = exact.abs() * torch.finfo(kind).eps * 0.52
    assert bool(((got.cpu().double() - exact).abs() <= bound).all())


def test_the_statistics_of_layer_norm_are_f32(gpu: Gpu) -> None:
    """As CUDA's kernel returns them (layer_norm_kernel.cu: mean and rstd have the acc type)."""
    x = torch.rand(5, 8, dtype=torch.float16, device="cuda")
    out, mean, rstd = torch.native_layer_norm(x, (8,), None, None, 1e-5)
    assert [each.dtype for each in (out, mean, rstd)] == [torch.float16, *[torch.float32] * 2]
    assert torch.allclose(mean[:, 0], x.float().mean(1), rtol=1e-6)


def test_what_is_written_in_place_stays_what_it_is(gpu: Gpu) -> None:
    x = torch.ones(4, 4, dtype=torch.bfloat16, device="cuda")
    into, part = torch.empty(4, 4, dtype=torch.bfloat16, device="cuda"), x[:2, :2]
    assert torch.mm(x, x, out=into) is into and into.tolist() == [[4] * 4] * 4
    assert part.addmm_(x[2:, :2], x[:2, 2:]) is part and x[0].tolist() == [3, 3, 1, 1]
    total = torch.sum(x, dtype=torch.float32)
    assert (total.dtype, total.item()) == (torch.float32, 4 * 3 + 12)


def test_operators_of_a_script_get_what_they_are_given(gpu: Gpu) -> None:
    seen = []
    with torch.library._scoped_library("lanemap_half", "FRAGMENT") as library:
        library.define("total(Tensor x) -> Tensor")

        def total(x: Any) -> Any:
            seen.append(x.dtype)
            return x.float().sum()

        library.impl("total", total, "CPU")
        x = torch.ones(3, dtype=torch.float16, device="cuda")
        assert torch.ops.lanemap_half.total(x).item() == 3
    assert seen == [torch.float16]
