"""FlashAttention beside a kernel: which one is found, and how it is called; PyTorch is made up."""

from __future__ import annotations

import importlib
from contextlib import nullcontext
from types import SimpleNamespace
from typing import Any

import ml_dtypes
import numpy as np
import pytest

from lanemap.devices import flash_attention
from lanemap.devices.flash_attention import FlashAttention
from lanemap.errors import MissingEnvironment


class Tensor:
    """What is left of PyTorch's: a shape."""

    def __init__(self, shape: tuple[int, ...]) -> None:
        self.shape = shape

    def view(self, _: Any) -> Tensor:
        return self

    def transpose(self, first: int, second: int) -> Tensor:
        shape = list(self.shape)
        shape[first], shape[second] = shape[second], shape[first]
        return Tensor(tuple(shape))


def world(monkeypatch: pytest.MonkeyPatch, *installed: str) -> list[tuple[Any, ...]]:
    """Make PyTorch up, and these modules of FlashAttention; return the calls of the latter."""
    calls: list[tuple[Any, ...]] = []
    streams: list[int] = []
    cuda = SimpleNamespace(
        is_available=lambda: True, ExternalStream=streams.append, stream=lambda _: nullcontext()
    )
    torch = SimpleNamespace(
        cuda=cuda,
        bfloat16=None,
        as_tensor=lambda memory, device: Tensor(memory.__cuda_array_interface__["shape"]),
    )

    def find(name: str) -> Any:
        if name.startswith("torch"):
            return torch
        if name not in installed:
            raise ImportError(name)

        def attend(*operands: Tensor, causal: bool) -> None:
            calls.append((name, [each.shape for each in operands], causal, streams[-1]))

        return SimpleNamespace(flash_attn_func=attend)

    monkeypatch.setattr(importlib, "import_module", find)
    monkeypatch.setattr(flash_attention, "version", lambda package: "1.2")
    return calls


def made(causal: bool) -> FlashAttention:
    dtype = np.dtype(ml_dtypes.bfloat16)
    array: Any = SimpleNamespace(dtype=dtype, address=np.uint64(256))
    return FlashAttention(array, array, array, (2, 64, 3, 128), causal)


def test_the_newest_takes_batch_length_heads_dimension(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = world(monkeypatch, "flash_attn.cute", "flash_attn")
    found = made(True)
    assert found.name == "flash-attn-4 1.2"
    found.enqueue(77)
    assert calls == [("flash_attn.cute", [(2, 64, 3, 128)] * 3, True, 77)]


def test_an_older_one_is_found_where_it_is_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = world(monkeypatch, "flash_attn")
    found = made(False)
    assert found.name == "flash-attn 1.2"
    found.enqueue(5)
    assert calls == [("flash_attn", [(2, 64, 3, 128)] * 3, False, 5)]


def test_without_any_it_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    world(monkeypatch)
    with pytest.raises(MissingEnvironment, match="none of flash-attn-4, flash-attn is installed"):
        made(False)
