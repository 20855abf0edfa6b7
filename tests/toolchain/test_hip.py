"""HIP sources as people write them: compiled by our headers, run on the emulator, held to NumPy."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import numpy.typing as npt
import pytest

import lanemap
from lanemap.errors import UserError
from lanemap.toolchain import hip
from tests.sampled import sampled

SOURCES = Path(__file__).parent / "hip"
Array = npt.NDArray[Any]


@pytest.fixture(scope="module")
def algorithms() -> Any:
    """The device, and the kernels of algorithms.hip with a tile of 16."""
    device = lanemap.open_device("gfx950", "emulator")
    return device, device.compile(SOURCES / "algorithms.hip", options=["-O3", "-DTILE=16"])


def launch(
    opened: Any, kernel: str, grid: Any, block: Any, arguments: Sequence[Any], shared: int = 0
) -> list[Array]:
    """Launch with arrays copied to the device; all of them come back."""
    device, module = opened
    values = [device.array(a) if isinstance(a, np.ndarray) else a for a in arguments]
    module[kernel](grid, block, values, shared)
    return [v.get() for v in values if hasattr(v, "get")]


def test_elements_and_tiles(algorithms: Any) -> None:
    random = np.random.default_rng(1)
    x, y = random.random((2, 100), np.float32)
    saxpy = next(e for e in algorithms[1].entries if "saxpyIf" in e)
    args = [np.float32(3), x, y, np.uint32(100)]
    assert np.allclose(launch(algorithms, saxpy, 2, 64, args)[1], 3 * x + y)
    a, b = random.random((2, 32, 32), np.float32)
    out = launch(algorithms, "multiply", (2, 2), (16, 16), [a, b, np.zeros_like(a), np.int32(32)])
    assert np.allclose(out[2], a @ b, rtol=1e-5)
    image = random.random((16, 16), np.float32)
    padded = np.pad(image, 1)
    around = [padded[i : i + 16, j : j + 16] for i in range(3) for j in range(3)]
    weights = (1, 2, 1, 0, 0, 0, -1, -2, -1)
    expected = sum(w * part for w, part in zip(weights, around, strict=True))
    out = launch(algorithms, "convolve", (2, 2), (8, 8), [image, image * 0, *[np.int32(16)] * 2])
    assert np.allclose(out[1], expected, atol=1e-5)
    rows = random.random((64, 4), np.float32)
    columns = rows.reshape(16, 4, 4).transpose(0, 2, 1).reshape(64, 4)
    assert (launch(algorithms, "transpose", 1, 64, [rows, rows * 0])[1] == 2 * columns).all()


def test_sorts_and_sums(algorithms: Any) -> None:
    random = np.random.default_rng(2)
    data = random.integers(0, 256, 3000).astype(np.uint8)
    out = launch(
        algorithms, "histogram", 3, 128, [data, np.zeros(256, np.uint32), np.int32(3000)], 1024
    )
    assert (out[1] == np.bincount(data, minlength=256)).all()
    values = random.integers(-1000, 1000, 128).astype(np.int32)
    expected, size = np.sort(values), 2
    while size <= 128:
        distance = size // 2
        while distance:
            args = [values, np.uint32(distance), np.uint32(size)]
            (values,) = launch(algorithms, "bitonic_step", 1, 128, args)
            distance //= 2
        size *= 2
    assert (values == expected).all()
    x = random.integers(0, 100, 256).astype(np.float32)
    out = launch(algorithms, "prefix_sum", 1, 128, [x, x * 0, np.int32(256)], 1024)
    assert (out[1] == np.cumsum(x) - x).all()
    many = random.integers(0, 100, 2000).astype(np.float64)
    out = launch(algorithms, "reduce", 2, 256, [many, np.zeros(1), np.int32(2000)])
    assert out[1] == many.sum()
    logits = random.normal(size=(4, 50)).astype(np.float32)
    shifted = np.exp(logits.astype(float) - logits.max(1, keepdims=True))
    out = launch(algorithms, "softmax", 1, 128, [logits, logits * 0, np.int32(50)])
    assert np.allclose(out[1], shifted / shifted.sum(1, keepdims=True), rtol=1e-6)


def test_graphs_and_votes(algorithms: Any) -> None:
    random = np.random.default_rng(3)
    first = distance = random.integers(1, 100, (16, 16)).astype(np.uint32)
    for through in range(16):
        args = [distance, np.uint32(through)]
        (distance,) = launch(algorithms, "floyd_warshall", (2, 2), (8, 8), args)
    expected = first.copy()
    for k in range(16):
        inner = np.minimum(expected, expected[:, k : k + 1] + expected[k : k + 1])
        inner[k], inner[:, k] = expected[k], expected[:, k]
        expected = inner
    assert (distance == expected).all()
    x = random.integers(0, 9, 128).astype(np.int32)
    out = launch(algorithms, "votes", 2, 64, [x, np.zeros(2, np.uint64), np.zeros(128, np.int32)])
    for wave, values in enumerate(x.reshape(2, 64).tolist()):
        odd = [value & 1 for value in values]
        assert int(out[1][wave]) == sum(bit << lane for lane, bit in enumerate(odd))
        for lane, value in enumerate(values):
            low = (value & -value).bit_length()
            counted = sum(odd[:lane]) + 100 * any(v > 6 for v in values) + 1000
            counted += 10000 * (32 - value.bit_length()) + 1000000 * low
            assert int(out[2][64 * wave + lane]) == counted


def test_names_of_kernels(algorithms: Any) -> None:
    with pytest.raises(
        UserError, match="several kernels are called 'saxpy'; name one: saxpy<float>, saxpy"
    ):
        algorithms[1]["saxpy"]
    assert algorithms[1]["multiply"].name == "_Z8multiplyILj16EEvPKfS1_Pfi"


LANGUAGE = """
#include <hip/hip_runtime.h>
#include <cassert>
using u32 = std::uint32_t;
extern "C" __global__ void integers(const u32* x, const u32* y, u32* o, int n) {
  int i = threadIdx.x;
  assert(n == 64);
  o[i] = __brev(x[i]); o[n + i] = __byte_perm(x[i], y[i], 0x5140);
  o[2 * n + i] = __umulhi(x[i], y[i]);
  o[3 * n + i] = __funnelshift_l(x[i], y[i], i); o[4 * n + i] = __popc(x[i]) + std::max(3, i);
  o[5 * n + i] = (u32)__umul64hi((unsigned long long)x[i] << 32, (unsigned long long)y[i] << 32);
  o[6 * n + i] = __float2int_rz(__uint2float_rn(x[i] >> 8)); o[7 * n + i] = __clzll(x[i]);
  o[8 * n + i] = gridDim.x + 10 * blockDim.x + 10000 * blockDim.y + (dim3(blockDim)).z;
}
extern "C" __global__ void atomics(int* o, u32* u, float* f, double* d, unsigned long long* l) {
  int i = threadIdx.x;
  atomicAdd(o, i); atomicSub(o + 1, i); atomicMax(o + 2, i); atomicMin(o + 3, -i);
  atomicAnd(o + 4, ~(i & 1)); atomicOr(o + 5, i); atomicXor(o + 6, i); atomicExch(o + 7, 7);
  atomicCAS(o + 8, 0, 5); atomicInc(u, 9); atomicDec(u + 1, 9); atomicAdd(f, (float)i);
  unsafeAtomicAdd(f + 1, 0.5f); atomicMax(f + 2, (float)i); atomicAdd(d, 0.25);
  atomicAdd(l, 1ull << 40);
  atomicAdd_system(o + 9, 1); atomicMin(d + 1, -(double)i);
}
extern "C" __global__ void moves(const float* x, float* o, int n) {
  int i = threadIdx.x;
  o[i] = __shfl_up(x[i], 3, 16); o[n + i] = __shfl_down(x[i], 5, 32);
  o[2 * n + i] = __shfl(x[i], 70);
  o[3 * n + i] = __shfl_xor(x[i], 9); o[4 * n + i] = (float)__shfl_xor((double)x[i], 32);
  o[5 * n + i] = __syncthreads_count(x[i] > 0.5f);
  o[6 * n + i] = (float)__shfl((short)i, i + 1, 8);
}
"""


@pytest.mark.parametrize("level", sampled(["-O2", "-O0"], 2))
def test_functions_of_the_language(level: str) -> None:
    device = lanemap.open_device("gfx950", "emulator")
    opened = device, device.compile(LANGUAGE, options=[level])
    x, y = np.random.default_rng(4).integers(0, 2**32, (2, 64)).astype(np.uint32)
    out = launch(opened, "integers", 3, 64, [x, y, np.zeros((9, 64), np.uint32), np.int32(64)])[2]
    for i, (a, b) in enumerate(zip(x.tolist(), y.tolist(), strict=True)):
        both = b << 32 | a
        octets = both.to_bytes(8, "little")
        assert out[:, i].tolist() == [
            int(f"{a:032b}"[::-1], 2),
            int.from_bytes(bytes(octets[k] for k in (0, 4, 1, 5)), "little"),
            a * b >> 32,
            both << i % 32 >> 32 & 0xFFFFFFFF,
            a.bit_count() + max(3, i),
            a * b & 0xFFFFFFFF,
            a >> 8,
            64 - a.bit_length(),
            3 + 640 + 10000 + 1,
        ]
    out = launch(
        opened,
        "atomics",
        1,
        64,
        [
            np.array([0, 0, 5, -5, -1, 0, 0, 0, 0, 0], np.int32),
            np.array([3, 3], np.uint32),
            np.zeros(3, np.float32),
            np.zeros(2),
            np.zeros(1, np.uint64),
        ],
    )
    whole = sum(range(64))
    assert out[0].tolist() == [whole, -whole, 63, -63, -2, 63, 0, 7, 5, 64]
    up, down = 3, 3
    for _ in range(64):
        up, down = (0 if up >= 9 else up + 1), (9 if down == 0 or down > 9 else down - 1)
    assert out[1].tolist() == [up, down]
    assert (out[2].tolist(), out[3].tolist()) == ([whole, 32, 63], [16, -63])
    assert int(out[4][0]) == 64 << 40
    r = np.random.default_rng(5).random(64).astype(np.float32)
    out = launch(opened, "moves", 1, 64, [r, np.zeros((7, 64), np.float32), np.int32(64)])[1]
    lane = np.arange(64)
    froms = [
        np.where(lane % 16 < 3, lane, lane - 3), np.where(lane % 32 > 26, lane, lane + 5),
        np.full(64, 6), lane ^ 9, lane ^ 32,
    ]  # fmt: skip
    assert (out[:5] == r[np.array(froms)]).all()
    assert (out[5] == (r > 0.5).sum()).all()
    assert (out[6] == lane // 8 * 8 + (lane + 1) % 8).all()


NARROW = """
#include <hip/hip_runtime.h>
#include <hip/hip_fp16.h>
#include <hip/hip_bf16.h>
#include <hip/hip_fp8.h>
#include <hip/hip_complex.h>
extern "C" __global__ void narrow(const float* x, unsigned short* h, unsigned short* b,
                                  unsigned char* e4, unsigned char* e5, unsigned short* toward) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  h[i] = __half_as_ushort(__float2half(x[i]));
  b[i] = __bfloat16_as_ushort(__float2bfloat16(x[i]));
  e4[i] = __hip_fp8_e4m3(x[i]).__x;
  e5[i] = __hip_fp8_e5m2(x[i]).__x;
  toward[i] = __half_as_ushort(__float2half_rz(x[i]));
}
extern "C" __global__ void widen(float* e4, float* e5, __half2* sums, __hip_bfloat162* products) {
  int i = threadIdx.x;
  __hip_fp8_e4m3 a; __hip_fp8_e5m2 b;
  a.__x = i; b.__x = i;
  e4[i] = a; e5[i] = (float)b;
  __half2 p = __floats2half2_rn(0.1f * i, 3);
  sums[i] = __hfma2(p, p, __half2half2(__float2half(0.5f)));
  __hip_bfloat162 q = __floats2bfloat162_rn(0.1f * i, 3);
  products[i] = q * q;
}
extern "C" __global__ void both_halves(__half2* h, __hip_bfloat162* b, hipFloatComplex* z) {
  unsafeAtomicAdd(h, __floats2half2_rn(1, threadIdx.x));
  unsafeAtomicAdd(b, __floats2bfloat162_rn(0.5f, -1));
  const hipFloatComplex i = make_hipFloatComplex(0, 1), w = hipCfmaf(z[threadIdx.x], i, i);
  memcpy(z + 16 + threadIdx.x, &w, sizeof(w));
}
"""


@pytest.mark.parametrize("target", ["gfx942", "gfx950"])
def test_narrow_types_are_those_of_ml_dtypes(target: str) -> None:
    device = lanemap.open_device(target, "emulator")
    fnuz = "_fnuz" if target == "gfx942" else ""
    opened = device, device.compile(re.sub(r"\b__hip_fp8_e[45]m\d", rf"\g<0>{fnuz}", NARROW))
    random = np.random.default_rng(6)
    x = np.ldexp(random.uniform(-2, 2, 4096), random.integers(-20, 17, 4096)).astype(np.float32)
    x[:4] = 0, -0.0, 448, 464  # 464 lies between the largest e4m3 and what would come next
    outs = [np.zeros(4096, t) for t in (np.uint16, np.uint16, np.uint8, np.uint8, np.uint16)]
    _, half, brain, e4, e5, toward = launch(opened, "narrow", 16, 256, [x, *outs])
    with np.errstate(over="ignore"):
        assert (half == x.astype(np.float16).view(np.uint16)).all()
        near = x.astype(np.float16)
    beyond = np.abs(near.astype(np.float64)) > np.abs(x)
    inward = np.where(beyond, np.nextafter(near, np.float16(0)), near)
    assert (toward == inward.view(np.uint16)).all()
    assert (brain == x.astype(ml_dtypes.bfloat16).view(np.uint16)).all()
    kinds: Any = ((ml_dtypes.float8_e4m3fn, 448), (ml_dtypes.float8_e5m2, 57344))
    if fnuz:
        kinds = ((ml_dtypes.float8_e4m3fnuz, 240), (ml_dtypes.float8_e5m2fnuz, 57344))
    fp8 = ((e4, *kinds[0]), (e5, *kinds[1]))
    for bits, kind, most in fp8:
        assert (bits == np.clip(x, -most, most).astype(kind).view(np.uint8)).all()
    i = np.arange(256)
    outs = [np.zeros(256, np.float32), np.zeros(256, np.float32), np.zeros((256, 2), np.float16),
            np.zeros((256, 2), ml_dtypes.bfloat16)]  # fmt: skip
    wide4, wide5, sums, products = launch(opened, "widen", 1, 256, outs)
    octets = i.astype(np.uint8)
    for found, kind in ((wide4, kinds[0][0]), (wide5, kinds[1][0])):
        assert np.array_equal(found, octets.view(kind).astype(np.float32), equal_nan=True)
    tenth = np.float32(0.1) * i.astype(np.float32)
    h = tenth.astype(np.float16).astype(np.float64)
    assert (sums[:, 0] == (h * h + 0.5).astype(np.float16)).all() and (sums[:, 1] == 9.5).all()
    b = tenth.astype(ml_dtypes.bfloat16).astype(np.float32)
    assert (products[:, 0] == (b * b).astype(ml_dtypes.bfloat16)).all()
    assert (products[:, 1] == 9).all()
    z = np.zeros(32, np.complex64)
    z[:16] = random.normal(size=16) + 1j * random.normal(size=16)
    outs = [np.zeros(2, np.float16), np.zeros(2, ml_dtypes.bfloat16), z.view(np.float32)]
    halves, brains, numbers = launch(opened, "both_halves", 1, 16, outs)
    assert (halves.tolist(), brains.astype(float).tolist()) == ([16, 120], [8, -16])
    assert np.allclose(numbers.view(np.complex64)[16:], z[:16] * 1j + 1j, rtol=1e-6)


def test_a_source_that_includes_nothing_has_the_language(tmp_path: Path) -> None:
    device = lanemap.open_device("gfx950", "emulator")
    module = device.compile(
        'extern "C" __global__ void roots(float* x) {\n'
        "  x[blockIdx.x * blockDim.x + threadIdx.x] = sqrtf(gridDim.x * threadIdx.x);\n}\n"
    )
    x = device.zeros(128, np.float32)
    module["roots"](2, 64, [x])
    assert (x.get() == np.sqrt(np.tile(2 * np.arange(64), 2).astype(np.float32))).all()


def test_a_hazard_in_a_function_of_ours_names_the_sources_line(tmp_path: Path) -> None:
    (tmp_path / "sum.hip").write_text(
        "#include <hip/hip_runtime.h>\n"
        "__global__ void sum(float* x) {\n"
        "  const float y = tanhf(x[threadIdx.x]);\n"
        "  atomicAdd(x + 64, y);\n}\n"
    )
    device = lanemap.open_device("gfx950", "emulator", hazards="report")
    device.compile(tmp_path / "sum.hip")["sum"](1, 64, [device.zeros(64, np.float32)])
    said = {str(hazard) for hazard in device.hazards}
    assert said and all("sum.hip:4`" in each and "outside" in each for each in said), said


HEAD = "#include <hip/hip_runtime.h>\n"


@pytest.mark.parametrize(
    ("source", "options", "sentence"),
    sampled([
        ("#include <hipcub/hipcub.hpp>\n", [], r"mine\.hip:2: hipcub/hipcub\.hpp is a header of"),
        ("__global__ void k(int* x) { *x = __builtin_amdgcn_nothing(3); }\n", [],
         r":2: use of undeclared identifier '__builtin_amdgcn_nothing'$"),
        ("float host(float);\n__global__ void k(float* x) { *x = host(*x); }\n", [],
         r"hip:3: no matching function for call to 'host' \(call to __host__ function from "),
        ('#include "bad.h"\n', ["-Iinclude"],
         r"bad\.h:1: unknown type name 'nonsense' \(reached from .*mine.hip:2\)$"),
        ("", ["-Inowhere"], "include folder nowhere does not exist"),
        ("", ["-o", "x"], "option '-o' is not one that lanemap passes to clang"),
        ("", ["-D"], "option -D needs a value"),
        ("__device__ float other(float);\n__global__ void k(float* x) { *x = other(*x); }\n", [],
         r"does not define _Z5otherf"),
    ], lambda case: case[1] or "hipcub" in case[0]),
)  # fmt: skip
def test_what_clang_refuses_is_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, source: str, options: list[str], sentence: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "include").mkdir()
    (tmp_path / "include/bad.h").write_text("nonsense x;\n")
    path = tmp_path / "mine.hip"
    path.write_text(HEAD + source)
    device = lanemap.open_device("gfx950", "emulator")
    with pytest.raises(UserError, match=sentence) as caught:
        device.compile(path, options=options)["k"]
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("target", ["gfx942", "gfx90a"])
def test_an_instruction_of_another_target_is_named(target: str, tmp_path: Path) -> None:
    path = tmp_path / "mine.hip"
    path.write_text(
        f"{HEAD}typedef _Float16 V __attribute__((ext_vector_type(8)));\n"
        "typedef float R __attribute__((ext_vector_type(4)));\n"
        "__global__ void k(R* r, V v) {\n"
        "  *r = __builtin_amdgcn_mfma_f32_16x16x32_f16(v, v, *r, 0, 0, 0);\n}\n"
    )
    lanemap.open_device("gfx950", "emulator").compile(path)
    said = (
        r"mine\.hip:5: '__builtin_amdgcn_mfma_f32_16x16x32_f16' is not for this target: it needs "
    )
    with pytest.raises(UserError, match=f"{said}clang's feature gfx950-insts; .*--target"):
        lanemap.open_device(target, "emulator").compile(path)


def test_host_names_are_hips_own() -> None:
    """The names and numbers of HIP's host API, as hip-python has them from ROCm's headers."""
    hip_python = pytest.importorskip("hip").hip
    text = "".join(
        (hip.HEADERS / f"hip/hip_{part}.h").read_text() for part in ("api_types", "runtime_api")
    )
    kinds = "hipError_t hipMemcpyKind hipFuncAttribute hipDeviceAttribute_t hipMemoryAdvise"
    for kind in (
        *kinds.split(),
        "hipFuncCache_t",
        "hipLimit_t",
        "hipStreamCaptureMode",
        "hipMemoryType",
    ):
        body = re.search(rf"enum {kind} \{{(.*?)\}}", text, re.DOTALL)
        assert body is not None
        for name, number in re.findall(r"(hip\w+)(?: = (\d+))?", body[1]):
            if name in ("hipErrorMemoryAllocation", "hipErrorInitializationError"):
                continue  # older names of other errors, which hip-python leaves out
            own = getattr(getattr(hip_python, kind), name)
            assert not number or int(own) == int(number), name
    names = re.findall(r"CALL\((hip\w+)", text)
    assert len(names) > 90
    assert [name for name in names if not hasattr(hip_python, name)] == []
