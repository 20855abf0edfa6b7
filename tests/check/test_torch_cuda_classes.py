"""Classes of `torch.cuda` stay classes, though the emulator has no counterpart of some."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from lanemap.errors import UserError
from tests.check.test_torch_cuda import Gpu, redirected

torch: Any = pytest.importorskip("torch")


@pytest.fixture
def gpu() -> Iterator[Gpu]:
    yield from redirected("raise")


def test_classes_of_torch_cuda_are_classes(gpu: Gpu) -> None:
    """Libraries name them as bases and ask isinstance when they are imported."""
    names = ["CUDAGraph", "graph", "MemPool", "ExternalStream", "Stream", "Event", "device",
             "device_of", "StreamContext", "Generator"]  # fmt: skip
    for name in names:
        known = getattr(torch.cuda, name, None) or getattr(torch, name)
        assert isinstance(known, type) and not isinstance(3, known), name
        assert issubclass(type("Own", (known,), {}), known)
    assert isinstance(torch.cuda.current_stream(), torch.cuda.Stream)
    assert torch.cuda.graphs.CUDAGraph is torch.cuda.CUDAGraph

    class Recorded(torch.cuda.CUDAGraph):  # type: ignore[misc]
        pass

    with pytest.raises(UserError, match=r"torch\.cuda\.CUDAGraph has no counterpart"):
        Recorded()
