"""CUDA C++ as people write it: whole programs with main(), launches and headers of the host.

The programs in cuda/ are of our own writing, each with the features that published files of its
family have. nvcc compiles them, a kernel of each runs on the emulator, and NumPy judges it.
"""

from __future__ import annotations

import re
import struct
import warnings
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import pytest

import lanemap
from lanemap.devices import kernel_names
from lanemap.devices.emulator import EmulatorDevice
from lanemap.errors import MissingEnvironment, UserError
from tests.programs.case import HERE, Case, Empty
from tests.sampled import sampled

RANDOM = np.random.default_rng(7)
F32 = np.float32
INCLUDE = str(HERE / "cuda" / "include")


def uniform(*shape: int, dtype: Any = F32) -> Any:
    return RANDOM.random(shape).astype(dtype)


def integers(high: int, count: int, dtype: Any = np.int32) -> Any:
    return RANDOM.integers(0, high, count).astype(dtype)


def stencil(x: Any, coefficients: Any) -> Any:
    padded = np.pad(x, 4)
    found = coefficients[0] * x
    for i in range(1, 5):
        found += coefficients[i] * (padded[4 - i : 4 - i + x.size] + padded[4 + i : 4 + i + x.size])
    return found.astype(F32)


def reduced(x: Any, *_: Any) -> dict[int, Any]:
    blocks = x.reshape(-1, 4, 256).transpose(1, 0, 2).reshape(4, -1)
    return {1: blocks.sum(1, dtype=np.float64).astype(F32)}


def product(a: Any, b: Any, c: Any, m: int, n: int, k: int, alpha: float, beta: float) -> Any:
    return {2: (alpha * (a.reshape(m, k) @ b.reshape(k, n)) + beta * c.reshape(m, n)).reshape(-1)}


def softmax(x: Any, *_: Any) -> dict[int, Any]:
    rows = x.astype(np.float64)
    powers = np.exp(rows - rows.max(1, keepdims=True))
    return {1: (powers / powers.sum(1, keepdims=True)).astype(x.dtype).reshape(-1)}


def forces(position: Any, velocity: Any, step: float, count: int) -> dict[int, Any]:
    p = position[:, :3].astype(np.float64)
    d = p[None] - p[:, None]
    inverse = ((d**2).sum(-1) + 1e-9) ** -1.5
    moved = velocity.copy()
    moved[:, :3] += (step * (d * inverse[..., None]).sum(1)).astype(F32)
    return {1: moved}


def mandelbrot(image: Empty, width: int, height: int, low: bytes, high: bytes) -> dict[int, Any]:
    x, y = np.meshgrid(np.arange(width, dtype=F32), np.arange(height, dtype=F32))
    c = (F32(-2) + x * F32(3) / F32(width)) + 1j * (F32(-1) + y * F32(2) / F32(height))
    z, count = np.zeros_like(c), np.zeros(c.shape, np.uint8)
    for _ in range(64):
        inside = (z.real**2 + z.imag**2) < 4
        count[inside] += 1
        z[inside] = z[inside] ** 2 + c[inside]
    pixels = [count, count * 2, 255 - count, np.full_like(count, 255)]
    return {0: np.stack(pixels, -1).astype(np.uint8).reshape(-1)}


def csr(rows: int, columns: int) -> tuple[Any, ...]:
    dense = RANDOM.random((rows, columns)) * (RANDOM.random((rows, columns)) < 0.3)
    starts = np.concatenate([[0], np.cumsum((dense != 0).sum(1))]).astype(np.int32)
    where = np.nonzero(dense)
    return dense, starts, where[1].astype(np.int32), dense[where]


def histogram(data: Any, *_: Any) -> dict[int, Any]:
    return {1: np.bincount(data, minlength=256).astype(np.uint32)}


def norm(x: Any, *_: Any) -> dict[int, Any]:
    return {0: (x / x.sum(dtype=np.float64)).astype(F32)}


COEFFICIENTS = np.array([-2.5, 1.5, -0.25, 0.125, 0.0625], F32)
TOTAL = uniform(1000)
HALVES = uniform(64, 32, dtype=np.float16), uniform(32, 32, dtype=np.float16)
CASES = [
    Case("managed.cu", "count", 2, 64, [np.arange(100, dtype=F32), np.int32(100)], lambda *_: {},
         after={"total": np.array([105], np.int32), "table": np.array([0, 2, 4, 6], F32)}),
    Case("reduce.cu", "reduce<256>", 4, 256, [uniform(8192), Empty(4), np.uint64(8192)], reduced),
    Case("scan_cub.cu", "blockScan", 1, 128,
         [integers(50, 512), Empty(512, np.int32), Empty(1, np.int32)],
         lambda x, *_: {1: np.cumsum(x, dtype=np.int32) - x,
                        2: x.sum(keepdims=True, dtype=np.int32)}),
    Case("transpose.cu", "transposeTiled", (2, 3), (32, 8), [Empty(6144), uniform(96, 64)],
         lambda _, x: {0: x.T.reshape(-1)}),
    Case("transpose.cu", "transposeNaive", (2, 3), (32, 8), [Empty(6144), uniform(96, 64)],
         lambda _, x: {0: x.T.reshape(-1)}),
    Case("histogram.cu", "histogram", 4, 256,
         [integers(256, 8192, np.uint8), np.zeros(256, np.uint32), np.uint32(8192)], histogram),
    Case("stencil.cu", "stencil_1d", 8, 128, [uniform(1000), Empty(1000), np.int32(1000)],
         lambda x, *_: {1: stencil(x, COEFFICIENTS)}, symbols={"c_coef": COEFFICIENTS},
         tolerance=1e-4),
    Case("matmul.cu", "matmul<16, float>", (5, 7), (16, 16),
         [uniform(5000), uniform(3500), uniform(7000), *map(np.int32, (100, 70, 50)),
          F32(2), F32(0.5)], product, shared_bytes=2048, tolerance=1e-4),
    Case("matmul.cu", "matmul<16, double>", (2, 2), (16, 16),
         [uniform(900, dtype=float), uniform(600, dtype=float), uniform(600, dtype=float),
          *map(np.int32, (30, 20, 30)), np.float64(2), np.float64(0.5)], product,
         shared_bytes=4096),
    Case("cooperative.cu", "tileSums", 2, 64, [integers(99, 128), Empty(8, np.int32)],
         lambda x, _: {1: x.reshape(8, 16).sum(1).astype(np.int32)}),
    Case("cooperative.cu", "normalize", 4, 128,
         [uniform(1000), np.zeros(1, F32), np.int32(1000)], norm, tolerance=1e-5),
    Case("warp_groups.cu", "tileMaxima", 2, 256, [integers(999, 512), Empty(8, np.int32)],
         lambda x, _: {1: x.reshape(8, 64).max(1)}),
    Case("streams.cu", "saxpy", 4, 256, [np.int32(1000), F32(2), uniform(1000), uniform(1000)],
         lambda n, a, x, y: {3: a * x + y}, after={"done": np.array([4], np.int32)}),
    Case("texture.cu", "untextured", 2, 64, [uniform(100), np.int32(100)],
         lambda x, _: {0: x / 2}),
    Case("shared_arrays.cu", "dot", 1, 128,
         [uniform(1000, dtype=float), uniform(1000, dtype=float), Empty(1, float),
          Empty(1, np.int32), np.int32(1000)],
         lambda a, b, *_: {2: np.array([a @ b]), 3: np.array([a.argmax()], np.int32)},
         shared_bytes=1536),
    Case("wmma_gemm.cu", "wmma_gemm", (2, 1), (64, 2),
         [*HALVES, Empty(2048), *map(np.int32, (64, 32, 32))],
         lambda a, b, *_: {2: (a.astype(F32) @ b.astype(F32).T).reshape(-1)}, tolerance=1e-4),
    Case("pipeline.cu", "batches", 1, 128, [uniform(6, 128), Empty(128), np.int32(6)],
         lambda x, *_: {1: x.sum(0)[::-1]}, tolerance=1e-5),
    Case("barrier.cu", "produce_consume", 1, 64,
         [integers(99, 128), Empty(128, np.int32), np.int32(128)], lambda x, *_: {1: 3 * x}),
    Case("softmax.cu", "softmax_kernel", 3, 128,
         [uniform(3, 512, dtype=ml_dtypes.bfloat16), Empty(1536, ml_dtypes.bfloat16),
          np.int32(512)], softmax, options=(f"-I{INCLUDE}", "-DSOFTMAX_THREADS=128"),
         tolerance=1e-2),
    Case("nbody.cu", "bodyForce", 2, 64,
         [uniform(128, 4), uniform(128, 4), F32(0.01), np.int32(128)], forces, shared_bytes=1024,
         options=("--use_fast_math",), tolerance=1e-3),
    Case("mandelbrot.cu", "mandelbrot", (2, 2), (16, 16),
         [Empty(32 * 24 * 4, np.uint8), np.int32(32), np.int32(24),
          F32([-2, -1]).tobytes(), F32([1, 1]).tobytes()], mandelbrot, options=("-fmad=false",)),
    Case("last_block.cu", "sum", 4, 128,
         [TOTAL, Empty(4), np.zeros(1), np.uint32(1000)],
         lambda x, *_: {2: np.array([x.sum(dtype=np.float64)])},
         after={"result": np.array([TOTAL.sum()], F32), "count": np.zeros(1, np.uint32)},
         tolerance=1e-5),
    Case("bitonic.cu", "bitonicSort", 1, 256, [integers(1 << 30, 256), np.int32(256)],
         lambda x, _: {0: np.sort(x)}, shared_bytes=1024),
    Case("cluster.cu", "clusterHistogram", 4, 128,
         [np.zeros(64, np.int32), integers(64, 1000), np.int32(1000), np.int32(32)],
         lambda bins, x, *_: {0: np.bincount(x, minlength=64).astype(np.int32)}, shared_bytes=128),
    Case("thrust_host.cu", "shift", 4, 128, [uniform(1000), F32(1), np.int32(1000)],
         lambda x, *_: {0: x * x + F32(1)}),
    Case("templates.cu", "scale<double>", 1, 64,
         [uniform(64, dtype=float), np.float64(3), np.int32(64)], lambda x, *_: {0: 3 * x}),
    Case("templates.cu", "scale<float, 4>", 1, 16, [uniform(64), F32(3), np.int32(64)],
         lambda x, *_: {0: 3 * x}),
    Case("latin1.cu", "somme", 1, 32, [integers(9, 32), Empty(32, np.int32)],
         lambda x, _: {1: np.cumsum(x).astype(np.int32)}),
    Case("byte_order_mark.cu", "somme", 1, 32, [integers(9, 32), Empty(32, np.int32)],
         lambda x, _: {1: np.cumsum(x).astype(np.int32)}),
]  # fmt: skip
#: One of each compiler, and what is worth seeing at every change; nvcc takes seconds for a file.
QUICK = ("reduce.cu", "stencil.cu", "templates.cu", "latin1.cu", "last_block.cu")


@pytest.mark.parametrize(
    "case",
    sampled(CASES, lambda case: case.file in QUICK, lambda case: f"{case.file}-{case.entry}"),
)
def test_a_kernel_of_a_program_is_right_and_clean(case: Case) -> None:  # fmt: skip
    device = case.run("sm_90a", "cuda")
    assert not device.hazards


def program(name: str, **options: Any) -> tuple[EmulatorDevice, Any]:
    device = lanemap.open_device("sm_90a", "emulator")
    try:
        return device, device.compile(HERE / "cuda" / name, **options)
    except MissingEnvironment as missing:
        pytest.skip(str(missing))


def refusal(name: str, **options: Any) -> str:
    with pytest.raises(UserError) as raised:
        program(name, **options)
    return str(raised.value)


@pytest.mark.slow
def test_structs_and_closures_are_passed_by_value() -> None:
    device, module = program("spmv.cu")
    dense, starts, columns, values = csr(16, 50)
    x, y = device.array(uniform(50, dtype=float)), device.empty(16, float)
    held = [device.array(each) for each in (starts, columns, values)]
    matrix = np.array([each.address for each in held], np.uint64).tobytes()
    module["sparse::spmv<int, double>"](4, 128, [matrix, x, y, np.int32(16)])
    np.testing.assert_allclose(y.get(), dense @ x.get())
    device, module = program("lambda.cu")
    out = device.empty(1000, F32)
    closure = struct.pack("<Qfi", out.address, 3.0, 0)
    (kernel,) = module
    module[kernel](8, 128, [np.int32(1000), closure])
    assert out.get().tolist() == [3.0 * i for i in range(1000)]


@pytest.mark.slow
def test_a_program_prints_and_asserts(capsys: pytest.CaptureFixture[str]) -> None:
    device, module = program("print.cu")
    x = device.array(np.arange(64, dtype=F32))
    module["hello"](2, 32, [x, np.int32(64)])
    lines = capsys.readouterr().out.splitlines()
    assert lines == [f"Hello from block {i // 32}, thread {i % 32}: x[{i}] = {i}.00"
                     for i in range(0, 64, 16)]  # fmt: skip
    with pytest.raises(lanemap.Hazard, match="assertion `i < n`"):
        module["hello"](2, 32, [x, np.int32(63)])


@pytest.mark.slow
def test_what_cannot_be_compiled_or_run_is_named() -> None:
    assert refusal("blas.cu").endswith(
        "blas.cu:2: cublas_v2.h is not here: pip install nvidia-cublas brings it"
    )
    assert "curand_kernel.h is not here: pip install nvidia-curand" in refusal("random_walk.cu")
    assert "torch_like.h:4: " in (found := refusal("softmax.cu", options=[f"-I{INCLUDE}"]))
    assert "(reached from " in found and "softmax.cu:5)" in found
    _, module = program("texture.cu")
    with pytest.raises(UserError, match=r"texture\.cu\.ptx:\d+: `tex\.2d.*` is not supported"):
        module["rescale"]


def test_an_error_of_nvcc_is_a_sentence_with_the_line(tmp_path: Path) -> None:
    kernel = "#include <cstdio>\n__global__ void k(int* x) {\n  *x = y;\n}\n"
    text = kernel + "int main() { k<<<1, 1>>>(0); }\n"
    file = tmp_path / "my kernel.cu"
    file.write_text(text)
    device, _ = program("templates.cu")
    with pytest.raises(UserError) as raised:
        device.compile(file)
    assert str(raised.value) == f'{file}:3: identifier "y" is undefined'
    for options, words in (
        (["-arch=sm_80"], "option '-arch=sm_80' is not one that lanemap passes to nvcc"),
        (["-I", str(tmp_path / "none")], "does not exist"),
        (["-D"], "option -D needs a value"),
    ):
        with pytest.raises(UserError, match=words):
            device.compile(file, options=options)


def test_a_constant_that_nothing_wrote_is_named() -> None:
    device, module = program("stencil.cu")
    assert module.note.endswith("stencil.cu has host code, so nvcc compiles it; main() is not run")
    arguments = [device.array(uniform(128)), device.empty(128, F32), np.int32(128)]
    with pytest.warns(RuntimeWarning, match=r"^stencil_1d reads constant .* zeros: c_coef; write"):
        module["stencil_1d"](1, 128, arguments)
    assert not arguments[1].get().any()
    module = device.compile(HERE / "cuda" / "stencil.cu")
    coefficients = module.symbol("c_coef", F32)
    coefficients[1:3] = [1, 2]
    assert coefficients.get()[1:3].tolist() == [1, 2]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        module["stencil_1d"](1, 128, arguments)
    with pytest.raises(UserError, match="`c_coef` has 20 bytes, which float64 does not fill"):
        module.symbol("c_coef", float)
    with pytest.raises(UserError, match="there is no variable 'coef'; the variables are c_coef"):
        module.symbol("coef")


def test_instances_that_nobody_launches() -> None:
    device, module = program("templates.cu")
    assert list(module) == ["plain"] and not module.note, "NVRTC compiles it"
    assert "scale<float>" not in module
    with pytest.raises(UserError, match="there is no kernel 'scale'; the kernels are plain"):
        module["scale"]
    with pytest.raises(UserError, match="instances 'scale<int>' must be a sequence of str"):
        device.compile("__global__ void k() {}\n", instances="scale<int>")
    _, module = program("templates.cu", instances=["scale<int>", "scale<float, 2>"])
    assert {"scale<int>", "scale<float, 2>", "plain"} <= {
        kernel_names.source_name(each).replace("scale<int, 1>", "scale<int>") for each in module
    }
    said = refusal("reduce.cu", instances=["reduce<64>"])
    assert said.endswith('reduce.cu has no kernel `reduce<64>`; give all arguments of its template '
                         '(cannot deduce "auto" type)')  # fmt: skip
    text = "__device__ int seen;\ntemplate <class T> __global__ void k(T *x) { *x = seen++; }\n"
    module = device.compile(text)
    with pytest.raises(UserError, match=r"has variables \(seen\): name it when you compile"):
        module["k<int>"]
    module = device.compile(text, instances=["k<int>"])
    x = device.array(np.array([9], np.int32))
    for count in range(2):
        module["k<int>"](1, 1, [x])
        assert x.get()[0] == count
    assert module.symbol("seen").get().tolist() == [2]


@pytest.mark.slow
def test_objects_of_the_device_live_across_launches() -> None:
    device, module = program("shapes.cu")
    shapes, out = device.empty(64, np.uint64), device.empty(64, F32)
    sizes, count = device.array(np.arange(64, dtype=F32)), np.int32(64)
    module["create"](1, 64, [shapes, sizes, count])
    module["areas"](1, 64, [shapes, out, count])
    numbers = np.arange(64.0)
    expected = np.where(numbers % 2, np.pi, 1) * numbers**2
    np.testing.assert_allclose(out.get(), expected, 1e-6)
    module["destroy"](1, 64, [shapes, count])
    with pytest.raises(lanemap.Hazard, match="outside every allocation"):
        module["areas"](1, 64, [shapes, out, count])
    device, module = program("lists.cu")
    heads, sums = device.empty(64, np.uint64), device.empty(64, np.int32)
    module["build"](2, 32, [heads, np.int32(5)])
    module["sumAndFree"](2, 32, [heads, sums])
    assert sums.get().tolist() == [sum(100 * (i % 32) + k for k in range(5)) for i in range(64)]


HEAP = """
struct Four { int v[4]; };
__global__ void beyond(int* out) {
  Four* four = new Four;
  int* p = four->v;
  p[threadIdx.x + 1] = 2;
  out[threadIdx.x] = four->v[0];
}
__global__ void after(int* out) {
  int* p = (int*)malloc(8);
  p[0] = p[1] = 1;
  free(p);
  out[threadIdx.x] = p[threadIdx.x & 1];
}
__global__ void twice(int* out) {
  int* p = (int*)malloc(8);
  free(p);
  out[threadIdx.x] = 0;
  free(p);
}
__global__ void within(int* out) {
  int* p = (int*)malloc(8);
  free(p + 1);
}
__global__ void unwritten(int* out) {
  int* p = (int*)malloc(8);
  if (p[1]) out[0] = 1;
}
__global__ void fine(int* out) {
  delete (Four*)nullptr;
  int* p = new int[2];
  p[1] = threadIdx.x;
  out[threadIdx.x] = p[1] + (malloc(size_t(1) << 40) == nullptr);
  delete[] p;
}
"""


def test_misuse_of_the_heap_is_a_hazard() -> None:
    device, _ = program("templates.cu")
    module = device.compile(HEAP)
    out = device.empty(32, np.int32)
    for entry, words in {
        "beyond": r"source.cu:6`.* \(0 bytes past the end of object made at source.cu:4.* of 16 b",
        "after": r"source.cu:13`.* object made at source.cu:10.*, which was freed at source.cu:12",
        "twice": r"source.ptx:\d+: frees 0x\w+ \(CTA 0 warp 0 lane 0\), where no object begins",
        "within": r"frees 0x\w+4 \(CTA 0 warp 0 lane 0\), where no object begins",
        "unwritten": r"undefined bits .* decide the branch.* of object made at source.cu:26",
    }.items():
        with pytest.raises(lanemap.Hazard, match=words):
            module[entry](1, 32, [out])
    module["fine"](1, 32, [out])
    assert out.get().tolist() == [i + 1 for i in range(32)]


INLINED = """
#include <cub/block/block_reduce.cuh>
__global__ void k(const int* in, int* out) {
  __shared__ typename cub::BlockReduce<int, 64>::TempStorage shared;
  for (int i = 0; i < 2; ++i) {
    int sum = cub::BlockReduce<int, 64>(shared).Sum(in[64 * i + threadIdx.x]);
    if (threadIdx.x == 0) out[i] = sum;
  }
}
"""


@pytest.mark.slow
def test_a_hazard_in_a_library_begins_with_the_line_that_calls_it() -> None:
    device = lanemap.open_device("sm_90a", "emulator", "report")
    try:
        module = device.compile(INLINED)
    except MissingEnvironment as missing:
        pytest.skip(str(missing))
    module["k"](1, 64, [device.array(integers(9, 128)), device.empty(2, np.int32)])
    messages = [each.message() for each in device.findings]
    assert messages and all(re.search(r"ptx:\d+ \(source\.cu:6, in \w+\.cuh:\d+\)", each)
                            for each in messages), messages  # fmt: skip
    assert all(" // source.cu:6 inlines " in str(each) for each in device.hazards)
