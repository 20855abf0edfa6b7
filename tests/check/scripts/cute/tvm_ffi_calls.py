"""TVM-FFI: PyTorch's tensors are passed as they are, and a compiled object is loaded again."""

import tempfile
from pathlib import Path

import cutlass
import cutlass.cute as cute
import torch
from cuda.bindings import driver
from cutlass.cute.runtime import (
    from_dlpack,
    load_module,
    make_fake_compact_tensor,
    make_fake_stream,
)


@cute.kernel
def scale_kernel(x: cute.Tensor, y: cute.Tensor, factor: cutlass.Float32, n: cutlass.Int32):
    i = cute.arch.block_idx()[0] * 128 + cute.arch.thread_idx()[0]
    if i < n:
        y[i] = x[i] * factor


@cute.jit
def scale(
    x: cute.Tensor,
    y: cute.Tensor,
    factor: cutlass.Float32,
    n: cutlass.Int32,
    stream: driver.CUstream,
):
    grid = [cute.ceil_div(n, 128), 1, 1]
    scale_kernel(x, y, factor, n).launch(grid=grid, block=[128, 1, 1], stream=stream)


n = 1000
x = torch.randn(n, device="cuda")
y = torch.empty_like(x)
given = [make_fake_compact_tensor(cutlass.Float32, (cute.sym_int(),)) for _ in "xy"]
stream = make_fake_stream(use_tvm_ffi_env_stream=True)
compiled = cute.compile(scale, *given, 1.0, n, stream, options="--enable-tvm-ffi")
compiled(x, y, 3.0, n)
assert torch.equal(y, 3 * x)
compiled(from_dlpack(x, enable_tvm_ffi=True), y, 4.0, n)
assert torch.equal(y, 4 * x)

with tempfile.TemporaryDirectory() as folder:
    path = str(Path(folder) / "scale.o")
    compiled.export_to_c(path, "scaled")
    load_module(path, enable_tvm_ffi=True).scaled(x, y, 5.0, n)
assert torch.equal(y, 5 * x)

try:
    compiled(x.cpu(), y, 1.0, n)
except ValueError as error:
    assert "expected device_type=cuda" in str(error)
else:
    raise AssertionError("a tensor of the host was taken")

compiled(x, y, 1.0, n + 1)  # one element too many
print("right")
