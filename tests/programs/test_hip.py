"""HIP as people write it: whole programs for ROCm's compiler, without ROCm.

The programs in hip/ are of our own writing. clang compiles them, a kernel of each runs on the
emulator, and NumPy judges it.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import lanemap
from lanemap.errors import MissingEnvironment, UserError
from tests.programs.case import HERE, Case, Empty
from tests.sampled import sampled

RANDOM = np.random.default_rng(11)
F32 = np.float32


def uniform(*shape: int, dtype: Any = F32) -> Any:
    return RANDOM.random(shape).astype(dtype)


def convolved(x: Any, *_: Any) -> dict[int, Any]:
    windows = np.lib.stride_tricks.sliding_window_view(x, (5, 5))
    return {1: np.einsum("yxij,ij->yx", windows, MASK.reshape(5, 5)).reshape(-1).astype(F32)}


def fields(_: Empty, x: Any, *__: Any) -> dict[int, Any]:
    field = x >> 8 & 15
    return {0: (field | field << 8 | (x & 255) << 16).astype(np.uint32)}


def summed(x: Any, *_: Any) -> dict[int, Any]:
    parts = np.pad(x, (0, 1024 - x.size)).reshape(-1, 4, 128).transpose(1, 0, 2)
    return {1: parts.reshape(4, -1).sum(1, dtype=x.dtype)}


MASK = uniform(25)
SQUARE = uniform(64, 64)
WORDS = RANDOM.integers(0, 1 << 32, 1000, np.uint32)
CASES = [
    Case("vector_add.hip", "vector_add<float>", 4, 256,
         [uniform(1000), uniform(1000), Empty(1000), np.uint32(1000)], lambda a, b, *_: {2: a + b}),
    Case("macros_first.hip", "activate", 4, 256, [uniform(1000), np.int32(1000)],
         lambda x, _: {0: np.maximum(x * x - F32(0.5), 0)}, tolerance=1e-4),
    Case("bit_extract.hip", "bit_extract", 2, 256,
         [Empty(1000, np.uint32), WORDS, np.uint64(1000)], fields),
    Case("block_reduce.hip", "block_reduce<int, 128>", 4, 128,
         [RANDOM.integers(-99, 99, 1000).astype(np.int32), Empty(4, np.int32), np.uint32(1000)],
         summed),
    Case("convolution.hip", "convolution<5>", (4, 4), (8, 8),
         [uniform(36, 36), Empty(1024), np.array([32, 32], np.uint32).tobytes()], convolved,
         symbols={"d_mask": MASK}, after={"pixels": np.array([1024], np.uint32)}, tolerance=1e-4),
    Case("transpose.hip", "transpose_static", (8, 8), (8, 8), [Empty(4096), SQUARE, np.int32(64)],
         lambda _, x, __: {0: x.T.reshape(-1)}),
    Case("transpose.hip", "transpose_dynamic", (8, 8), (8, 8), [Empty(4096), SQUARE, np.int32(64)],
         lambda _, x, __: {0: x.T.reshape(-1)}, shared_bytes=256),
    Case("streams.hip", "axpy", 4, 256, [F32(2), uniform(1000), uniform(1000), np.int32(1000)],
         lambda a, x, y, _: {2: a * x + y}),
    Case("managed.hip", "count", 2, 64, [np.arange(100, dtype=F32), np.int32(100)], lambda *_: {},
         after={"total": np.array([105], np.int32), "table": np.array([0, 2, 4, 6], F32)}),
    Case("texture.hip", "plain", 1, 64, [Empty(64)], lambda _: {0: np.ones(64, F32)}),
]  # fmt: skip


TARGETS = ("gfx90a", "gfx942", "gfx950")


@pytest.mark.parametrize("case", sampled(CASES, 3, lambda case: f"{case.file}-{case.entry}"))
@pytest.mark.parametrize("target", TARGETS)
def test_a_kernel_of_a_program_is_right_and_clean(case: Case, target: str) -> None:
    assert not case.run(target, "hip").hazards


def compiled(source: Path | str, target: str = "gfx950") -> tuple[Any, Any]:
    device = lanemap.open_device(target, "emulator")
    try:
        return device, device.compile(source)
    except MissingEnvironment as missing:
        pytest.skip(str(missing))


@pytest.mark.parametrize("target", TARGETS)
def test_a_program_prints(target: str, capsys: pytest.CaptureFixture[str]) -> None:
    device, module = compiled(HERE / "hip" / "print.hip", target)
    x = device.array(np.arange(128, dtype=F32))
    module["hello"](2, 64, [x, np.uint64(0), np.int32(128)])
    assert capsys.readouterr().out.splitlines() == [
        f"block {i // 64} thread {i % 64}: x[{i}] = {i}.00, {'later' if i else 'first'}, {i << 33}%"
        for i in range(0, 128, 32)
    ]
    module["hello"](2, 64, [x, np.uint64(0), np.int32(0)])
    assert capsys.readouterr().out == ""


PRINTS = """
#include <hip/hip_runtime.h>
#include <cstdio>
__global__ void formats(const char* format, double d) {
  printf("%5d|%-4u|%x|%08.3f|%e|%c|%*d|%%|%p\\n", -7, 7u, 255, d, d, 'x', 6, 42, (void*)4096);
  printf(format, 1, d);
}
__global__ void endless(int n) { for (int i = 0; i < n; ++i) printf("%d\\n", i); }
"""


def test_formats_are_cs(capsys: pytest.CaptureFixture[str]) -> None:
    device, module = compiled(PRINTS)
    text = device.array(np.frombuffer(b"given %d %.1f\n\0", np.uint8))
    module["formats"](1, 1, [text, np.float64(2.5)])
    expected = "   -7|7   |ff|0002.500|2.500000e+00|x|    42|%|0x1000\n"  # as C prints them
    assert capsys.readouterr().out == expected + "given 1 2.5\n"
    with pytest.raises(UserError, match="endless.*: printf wrote more than 16777216 bytes"):
        module["endless"](64, 64, [np.int32(256)])


def test_what_lanemap_has_not_is_named() -> None:
    device, module = compiled(HERE / "hip" / "texture.hip")
    with pytest.raises(UserError, match=r"the emulator has no textures, and tex2D reads one"):
        module["sample"]
    for file, library in (("random.hip", "hipRAND"), ("scan.hip", "hipCUB")):
        with pytest.raises(
            UserError, match=rf"{file}:2: .* is a header of ROCm's {library}, which"
        ):
            device.compile(HERE / "hip" / file)


def test_objects_of_the_device_live_across_launches() -> None:
    device, module = compiled(HERE / "hip" / "shapes.hip")
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
    device, module = compiled(HERE / "hip" / "lists.hip")
    heads, sums = device.empty(64, np.uint64), device.empty(64, np.int32)
    module["build"](2, 32, [heads, np.int32(5)])
    module["sumAndFree"](2, 32, [heads, sums])
    assert sums.get().tolist() == [sum(100 * (i % 32) + k for k in range(5)) for i in range(64)]


HEAP = """
#include <hip/hip_runtime.h>
struct Four { int v[4]; };
__global__ void beyond(Four** out) {
  out[threadIdx.x] = new Four;
  out[threadIdx.x]->v[threadIdx.x + 1] = 2;
}
__global__ void after(int** out) {
  out[threadIdx.x] = (int*)malloc(8);
  out[threadIdx.x][0] = 1;
  __threadfence();
  free(out[threadIdx.x]);
  out[threadIdx.x] += out[threadIdx.x][0];
}
__global__ void twice(int** out) {
  out[threadIdx.x] = new int[2];
  __threadfence();
  delete[] out[threadIdx.x];
  if (threadIdx.x == 3) delete[] out[threadIdx.x];
}
__global__ void within(int** out) {
  out[threadIdx.x] = (int*)malloc(8);
  __threadfence();
  free(out[threadIdx.x] + 1);
}
__global__ void unwritten(int* out) {
  volatile int* p = (int*)malloc(8);
  if (p[1]) out[0] = 1;
}
__global__ void fine(int* out) {
  delete (Four*)nullptr;
  int* p = nullptr;
  if (threadIdx.x % 2) p = new int[2]{1, (int)threadIdx.x};
  out[threadIdx.x] = (p ? p[1] : 0) + (malloc(size_t(1) << 40) == nullptr);
  delete[] p;
}
"""


def test_misuse_of_the_heap_is_a_hazard() -> None:
    device, module = compiled(HEAP)
    for entry, words in {
        "beyond": r"source:6`.* \(0 bytes past the end of object made at source:5 #4 of 16 b",
        "after": r"source:13`.* object made at source:9 .*, which was freed at source:12",
        "twice": r"frees 0x\w+ \(CTA 0 wave 0 lane 3\), where no object begins",
        "within": r"frees 0x\w+4 \(CTA 0 wave 0 lane 0\), where no object begins",
        "unwritten": r"undefined bits .* of object made at source:27",
    }.items():
        with pytest.raises(lanemap.Hazard, match=words):
            module[entry](1, 64, [device.empty(64, np.uint64)])
    out = device.empty(64, np.int32)
    module["fine"](1, 64, [out])
    assert out.get().tolist() == [i % 2 * i + 1 for i in range(64)]


def test_a_function_of_the_source_comes_before_the_emulators() -> None:
    device, module = compiled(
        "#include <hip/hip_runtime.h>\n"
        "__device__ int pool[4];\n"
        'extern "C" __device__ __attribute__((noinline)) void* malloc(size_t) { return pool; }\n'
        "__global__ void k(int* out) { *(int*)malloc(4) = 7; *out = pool[0]; }\n"
    )
    out = device.empty(1, np.int32)
    module["k"](1, 1, [out])
    assert out.get()[0] == 7


BITS = """
#include <hip/hip_runtime.h>
__global__ void bits(const unsigned long long* x, unsigned long long* out) {
  unsigned long long v = x[threadIdx.x / 64 * 64 + threadIdx.x % 64];
  uint i = threadIdx.x, offset = i & 63, width = i >> 3 & 31;
  out[i] = __bitextract_u64(v, offset, width);
  out[i + 256] = __bitextract_u32((uint)v, offset, width);
  out[i + 512] = __bitinsert_u64(v, ~v, offset, width);
}
"""


def test_fields_of_bits_end_with_the_word() -> None:
    device, module = compiled(BITS)
    x = RANDOM.integers(0, 1 << 63, 256, np.uint64)
    out = device.empty(768, np.uint64)
    module["bits"](1, 256, [device.array(x), out])
    found = [int(each) for each in out.get()]
    for i, value in enumerate(map(int, x)):
        offset, width = i & 63, i >> 3 & 31
        mask = (1 << width) - 1
        assert found[i] == value >> offset & mask
        assert found[i + 256] == (value & 0xFFFFFFFF) >> (offset & 31) & mask
        kept = value & ~(mask << offset)
        assert found[i + 512] == (kept | (~value & mask) << offset) & (1 << 64) - 1
