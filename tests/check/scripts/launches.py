"""Ways to launch a kernel, each against PyTorch; the test reads what is printed."""

import math
import pathlib
import sys

import torch
import triton
import triton.language as tl
from triton.tools.tensor_descriptor import TensorDescriptor

DEVICE = triton.runtime.driver.active.get_active_torch_device()
assert sys.argv[1:4] == ["--size", "3", "--target"], "what follows the script is the script's"
assert __name__ == "__main__" and sys.modules["__main__"].DEVICE is DEVICE
properties = triton.runtime.driver.active.utils.get_device_properties(0)
print("SMs", properties["multiprocessor_count"], properties["max_shared_mem"])


def timed(*_, **__):
    raise AssertionError("what would time a kernel is not asked")


@triton.autotune(
    do_bench=timed,
    configs=[
        triton.Config({"BLOCK": 64}, num_warps=4),
        triton.Config({"BLOCK": 1024}, num_warps=4),
        triton.Config({"BLOCK": 1 << 16}, num_warps=4),
    ],
    key=["n"],
)
@triton.jit
def scale(x_ptr, o_ptr, n, factor, BLOCK: tl.constexpr):
    if BLOCK > 4096:
        tl.static_assert(False, "too large")
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(o_ptr + at, tl.load(x_ptr + at, at < n) * factor, at < n)


@triton.jit
def nested(pointers, numbers, half, bits: tl.constexpr, flag, byte, wide, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    total = numbers[0] + numbers[1][0] + half + bits + byte + (wide >> 32)
    if flag:
        total += 1000
    tl.store(pointers[1] + at, tl.load(pointers[0] + at) + total)


@triton.jit
def doubled(a, o, M: tl.constexpr, N: tl.constexpr):
    row, column = tl.program_id(0) * M, tl.program_id(1) * N
    o.store([row, column], a.load([row, column]) * 2)


@triton.jit
def tripled(a_ptr, o_ptr, m, n, M: tl.constexpr, N: tl.constexpr):
    a = tl.make_tensor_descriptor(a_ptr, shape=[m, n], strides=[n, 1], block_shape=[M, N])
    o = tl.make_tensor_descriptor(o_ptr, shape=[m, n], strides=[n, 1], block_shape=[M, N])
    row, column = tl.program_id(0) * M, tl.program_id(1) * N
    o.store([row, column], a.load([row, column]) * 3)


@triton.jit
def matmul(a_ptr, b_ptr, o_ptr, k, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    rows, columns = tl.arange(0, M), tl.arange(0, N)
    acc = tl.zeros((M, N), dtype=tl.float32)
    for start in range(0, k, K):
        ks = start + tl.arange(0, K)
        a = tl.load(a_ptr + rows[:, None] * k + ks[None, :])
        b = tl.load(b_ptr + ks[:, None] * N + columns[None, :])
        acc = tl.dot(a, b, acc)
    tl.store(o_ptr + rows[:, None] * N + columns[None, :], acc.to(tl.float16))


@triton.jit
def meet(count, o_ptr, N: tl.constexpr):
    tl.atomic_add(count, 1)
    while tl.atomic_add(count, 0) < N:
        pass
    tl.store(o_ptr + tl.program_id(0), N)


@triton.jit
def follow(x_ptr, o_ptr, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    tl.extra.cuda.gdc_wait()
    tl.store(o_ptr + at, tl.load(x_ptr + at) + 1)
    tl.device_print("program", tl.program_id(0))


x = torch.arange(10000, dtype=torch.float32, device=DEVICE)
out = torch.empty_like(x)
scale[lambda meta: (triton.cdiv(10000, meta["BLOCK"]),)](x, out, 10000, 1.5)
assert torch.equal(out, x * 1.5)
print("best", scale.best_config.kwargs["BLOCK"])
assert all(math.isnan(ms) for times in scale.configs_timings.values() for ms in times)

p, q = torch.arange(64, dtype=torch.float32, device=DEVICE), torch.empty(64, device=DEVICE)
nested[(1,)]((p, q), (3, (1,)), 0.5, 7, True, -2, 5 << 32, BLOCK=64)
assert torch.equal(q, p + 3 + 1 + 0.5 + 7 - 2 + 5 + 1000)

a = torch.arange(100 * 136, dtype=torch.float16, device=DEVICE).reshape(100, 136) % 64
b, c = torch.empty_like(a), torch.empty_like(a)
described = [TensorDescriptor(each, each.shape, each.stride(), [32, 64]) for each in (a, b)]
doubled[(4, 3)](*described, 32, 64)
assert torch.equal(b, a * 2)

sizes = []


def allocate(size, alignment, stream):
    sizes.append(size)
    return torch.empty(size, dtype=torch.int8, device=DEVICE)


triton.set_allocator(allocate)
tripled[(4, 3)](a, c, 100, 136, M=32, N=64)
assert torch.equal(c, a * 3) and len(sizes) == 1

left = torch.randint(-3, 4, (128, 96), device=DEVICE).half()
right = torch.randint(-3, 4, (96, 64), device=DEVICE).half()
product = torch.empty(128, 64, dtype=torch.float16, device=DEVICE)
for ctas in (1, 2):
    product.zero_()
    kernel = matmul[(1,)](left, right, product, 96, M=128, N=64, K=32, num_ctas=ctas)
    assert torch.equal(product, left @ right)
print("registers", kernel.n_regs, "spills", kernel.n_spills)
if len(sys.argv) > 4:
    pathlib.Path(sys.argv[4]).write_bytes(kernel.asm["cubin"])

count = torch.zeros(1, dtype=torch.int32, device=DEVICE)
seen = torch.empty(8, dtype=torch.int32, device=DEVICE)
meet[(8,)](count, seen, N=8, launch_cooperative_grid=True)
assert seen.tolist() == [8] * 8

one = torch.empty(32, device=DEVICE)
entered, left = [], []
triton.knobs.runtime.launch_enter_hook.add(lambda about: entered.append(about.get()["name"]))
triton.knobs.runtime.launch_exit_hook.add(lambda about: left.append(about.get()["name"]))
follow[(1,)](p, one, BLOCK=32, num_warps=1, launch_pdl=True)
assert entered == left == ["follow"]
assert torch.equal(one, p[:32] + 1)
follow[(0,)](p, one, BLOCK=32, num_warps=1)
compiled = doubled.warmup(*described, 32, 64, grid=(1,))
c.zero_()
compiled[(4, 3, 1)](described[0], TensorDescriptor(c, c.shape, c.stride(), [32, 64]), 32, 64)
assert torch.equal(c, a * 2)

times = triton.testing.do_bench(lambda: doubled[(4, 3)](*described, 32, 64), quantiles=[0.5, 0.2])
print("times", times)


@triton.testing.perf_report(
    triton.testing.Benchmark(
        x_names=["n"],
        x_vals=[2**i for i in range(10, 28)],
        line_arg="by",
        line_vals=["t", "p"],
        line_names=["Triton", "PyTorch"],
        plot_name="scaling",
        args={"again": 1},
    )
)
def benchmark(n, by, again):
    print("benchmark", n, by, again)
    ms = triton.testing.do_bench(lambda: x[:n] * 2)
    return n / ms


benchmark.run(show_plots=True, print_data=True)
