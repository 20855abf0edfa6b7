"""Softmax of rows with as many programs as the GPU runs at once; each takes several rows."""

import torch
import triton
import triton.language as tl
from triton.runtime import driver

DEVICE = triton.runtime.driver.active.get_active_torch_device()


@triton.jit
def softmax_kernel(
    out_ptr, in_ptr, in_stride, out_stride, rows, columns, BLOCK: tl.constexpr, STAGES: tl.constexpr
):
    """Do every num_programs-th row from the program's own number on."""
    column = tl.arange(0, BLOCK)
    inside = column < columns
    for row in tl.range(tl.program_id(0), rows, tl.num_programs(0), num_stages=STAGES):
        x = tl.load(in_ptr + row * in_stride + column, mask=inside, other=-float("inf"))
        power = tl.exp(x - tl.max(x, axis=0))
        tl.store(out_ptr + row * out_stride + column, power / tl.sum(power, axis=0), mask=inside)


def softmax(x: torch.Tensor) -> torch.Tensor:
    """Return the softmax of each row."""
    rows, columns = x.shape
    out = torch.empty_like(x)
    block, stages, warps = triton.next_power_of_2(columns), 2, 4
    properties = driver.active.utils.get_device_properties(DEVICE.index)
    kernel = softmax_kernel.warmup(
        out,
        x,
        x.stride(0),
        out.stride(0),
        rows,
        columns,
        BLOCK=block,
        STAGES=stages,
        num_warps=warps,
        grid=(1,),
    )
    kernel._init_handles()
    by_registers = properties["max_num_regs"] // (kernel.n_regs * properties["warpSize"] * warps)
    by_memory = properties["max_shared_mem"] // max(kernel.metadata.shared, 1)
    programs = min(properties["multiprocessor_count"] * min(by_registers, by_memory), rows)
    softmax_kernel[(programs, 1, 1)](
        out,
        x,
        x.stride(0),
        out.stride(0),
        rows,
        columns,
        BLOCK=block,
        STAGES=stages,
        num_warps=warps,
    )
    return out


if __name__ == "__main__":
    torch.manual_seed(0)
    x = torch.randn(157, 781, device=DEVICE)
    expected = torch.softmax(x.double(), axis=1).float()
    torch.testing.assert_close(softmax(x), expected, rtol=1e-5, atol=1e-7)
    print("the rows equal PyTorch's softmax in float64")
