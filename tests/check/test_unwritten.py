"""What `torch.empty` left on the host is undefined on the GPU, unless somebody wrote it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from lanemap.check.findings import Stopped
from tests.check.test_torch_cuda import Gpu, redirected, undefined

torch: Any = pytest.importorskip("torch")


@pytest.fixture
def gpu() -> Iterator[Gpu]:
    yield from redirected("raise")


def made(fill: Callable[[Any], Any]) -> Any:
    x = torch.empty(4, dtype=torch.uint8)
    fill(x)
    return x


def part(x: Any) -> None:
    x[1:3] = 7


MOVES: dict[str, Callable[[Any], Any]] = {
    "to": lambda x: x.to("cuda"),
    "cuda": lambda x: x.cuda(),
    "pinned": lambda x: x.pin_memory().cuda(non_blocking=True),
    "another type": lambda x: x.to(torch.int32).cuda(),
    "another type there": lambda x: x.to("cuda", torch.int32),
    "copy_": lambda x: torch.zeros(4, dtype=torch.uint8, device="cuda").copy_(x),
    "a view": lambda x: x.view(2, 2).cuda().view(4),
}


@pytest.mark.parametrize("how", MOVES)
def test_what_nothing_wrote_is_undefined_on_the_gpu(gpu: Gpu, how: str) -> None:
    x = MOVES[how](torch.empty(4, dtype=torch.uint8))
    assert x.is_cuda and undefined(gpu, x) == [True] * 4
    with pytest.raises(Stopped, match="bytes that the host reads are undefined"):
        x.tolist()


def test_elements_that_were_written_are_defined(gpu: Gpu) -> None:
    x = made(part)
    assert undefined(gpu, x.cuda()) == [True, False, False, True]
    x[0] = x[3] = 1
    assert x.cuda().tolist() == [1, 7, 7, 1]


def from_numpy(x: Any) -> None:
    x.numpy()[:] = 3


def through_a_pointer(x: Any) -> None:
    import ctypes

    ctypes.memset(x.data_ptr(), 3, 4)


WRITERS: dict[str, Callable[[Any], Any]] = {
    "fill": lambda x: x.fill_(3),
    "random": lambda x: x.random_(),
    "in place": lambda x: x.zero_().add_(3),
    "out": lambda x: torch.add(torch.ones(4, dtype=torch.uint8), 2, out=x),
    "numpy": from_numpy,
    "numpy, in part": lambda x: x.numpy().__setitem__(0, 3),
    "a pointer": through_a_pointer,
    "the pattern itself": lambda x: x.fill_(0xA5),
}


@pytest.mark.parametrize("how", WRITERS)
def test_what_somebody_wrote_is_defined_on_the_gpu(gpu: Gpu, how: str) -> None:
    assert undefined(gpu, made(WRITERS[how]).cuda()) == [False] * 4


def test_the_host_may_use_them_as_it_likes(gpu: Gpu) -> None:
    x = torch.empty(4)
    assert len(x.tolist()) == 4 and not (x + 1).is_cuda and str(x)
    assert undefined(gpu, (x + 1).cuda()) == [False] * 4
    assert torch.empty(0).cuda().tolist() == []


def test_modules_and_their_parameters_are_defined(gpu: Gpu) -> None:
    model = torch.nn.Sequential(
        torch.nn.Linear(4, 8),
        torch.nn.LayerNorm(8),
        torch.nn.Embedding(5, 8),
        torch.nn.Conv1d(2, 3, 3),
        torch.nn.BatchNorm1d(3),
        torch.nn.LSTM(4, 4),
        torch.nn.MultiheadAttention(8, 2),
    )
    for each in (*model.cuda().parameters(), *model.buffers()):
        assert each.is_cuda and not any(undefined(gpu, each.detach()))
