"""Tensors of PyTorch and streams in a launch: they do what is meant, or are named."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import lanemap
from lanemap.errors import UserError

torch = pytest.importorskip("torch")

#: Each thread adds 1 to its element.
PTX = """.version 8.5
.target sm_90a
.address_size 64
.visible .entry add(.param .u64 x)
{
  .reg .b64 %rd<3>;
  .reg .b32 %r<2>;
  .reg .f32 %f<2>;
  ld.param.u64 %rd1, [x];
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %rd2, %r1, 4;
  add.s64 %rd1, %rd1, %rd2;
  ld.global.f32 %f1, [%rd1];
  add.f32 %f1, %f1, 0f3F800000;
  st.global.f32 [%rd1], %f1;
  ret;
}
"""


class Stream:
    """As PyTorch's and CuPy's have their handle."""

    def __init__(self, **handle: Any) -> None:
        self.__dict__.update(handle)


def test_a_tensor_of_the_host_is_read_and_written_in_place() -> None:
    device = lanemap.open_device("sm_90a", "emulator")
    kernel = device.load(PTX)["add"]
    x = torch.arange(64, dtype=torch.float32)
    kernel(1, 32, [x[32:]])
    assert x.tolist() == [*range(32), *range(33, 65)]
    kernel[1, 64](x, stream=Stream(cuda_stream=7))
    assert x.tolist() == [*range(1, 33), *range(34, 66)]
    with pytest.raises(lanemap.Hazard, match="0 bytes past the end of array"):
        kernel(1, 65, [x])


@pytest.mark.parametrize("stream", [None, 0, np.int64(3), Stream(cuda_stream=7), Stream(ptr=9)])
def test_a_launch_takes_a_stream(stream: Any) -> None:
    device = lanemap.open_device("sm_90a", "emulator")
    x = device.zeros(32, np.float32)
    device.load(PTX)["add"](1, 32, [x], stream=stream)
    assert x.get().tolist() == [1.0] * 32


def test_what_is_no_stream_or_no_argument_is_named() -> None:
    device = lanemap.open_device("sm_90a", "emulator")
    kernel = device.load(PTX)["add"]
    x = device.zeros(32, np.float32)
    for stream in ("first", 1.5, True, object()):
        with pytest.raises(UserError, match="is not a stream of PyTorch or CuPy, nor"):
            kernel(1, 32, [x], stream=stream)
    with pytest.raises(UserError, match="argument 0 of add is a Python Stream: .* pass stream=.."):
        kernel(1, 32, [Stream()])
    with pytest.raises(UserError, match="meta"):
        kernel(1, 32, [torch.empty(32, device="meta")])
