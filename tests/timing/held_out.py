"""Launches on which the model of `lanemap time` was not developed, by class, drawn by a number.

Predictions of these are committed before a GPU measures them, so never measure them to develop on
them. The emulator and a GPU get the same text. Which launches there are follows from SEED alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from lanemap.benching.attention.problem import Problem as Attention
from lanemap.benching.gemm.problem import Problem as Product
from lanemap.conformance.programs.pipelines import launch as pipeline_launch
from lanemap.conformance.programs.pipelines.shape import Shape
from lanemap.conformance.programs.pipelines.shape import shape as pipeline
from lanemap.conformance.programs.pipelines.text import text as pipeline_text
from lanemap.timing.launch import WARP
from lanemap.toolchain import nvrtc
from tests.emulator.ptx import cute_dsl_cases, triton_cases
from tests.emulator.ptx.cute_dsl.sizes import COLUMNS
from tests.emulator.ptx.triton_cases import BF16, E4M3
from tests.timing import random_cta
from tests.timing.executed import TARGET, Kernel, benchmark
from tests.timing.random_cta import RandomCta

SEED = 521941379
#: The numbers that drew the sets before, which the model has been developed on since, and whether
#: they had kernels of the CuTe DSL whose sizes are free, and products of kernels/.
BEFORE = {
    20261128: (False, True), 1928374: (True, True), 90776621: (True, False),
    24346373: (True, False), 55180347: (True, False),
}  # fmt: skip
DRAWN = random_cta.HERE / "drawn"
ONE, GEMM, ATTENTION = "one CTA without memory", "matrix products", "attention forward"
STREAM, SMALL, PIPELINE = "streaming and rows", "irregular or below 10 us", "one CTA, copies, wgmma"
#: Launches that differ in one thing: sign and size of the response count.
PAIR = "pairs"
#: Those of the matrix products whose rows are multiples of a line of L2.
ALIGNED = "aligned matrix products"
#: What may be wrong at most, by class: the median of |error| and the worst.
ASKED = {
    ONE: (0.02, 0.06),
    PIPELINE: (0.12, 0.35),
    GEMM: (0.06, 0.20),
    ALIGNED: (0.03, 0.08),
    ATTENTION: (0.05, 0.10),
    STREAM: (0.05, 0.12),
    SMALL: (0.12, 0.35),
}
_F16, _F32 = np.float16, np.float32
_TYPES = {"f16": _F16, "f32": _F32, "bf16": BF16}
Given = Callable[[Any], dict[str, Any]]


def _values(device: Any, *shape: int, kind: Any) -> Any:
    """Small numbers of either sign."""
    return device.array(np.resize(np.arange(-11, 12).astype(kind), shape))


def _indices(device: Any, count: int, below: int) -> Any:
    return device.array(np.random.default_rng(1).integers(0, below, count, np.int32))


def _one_cta(own: RandomCta) -> Kernel:
    def text() -> str:
        return nvrtc.compile_cuda(own.text, TARGET, name=own.entry)

    def launch(device: Any) -> Any:
        given = np.random.default_rng(3).integers(0, 1 << 32, random_cta.WORDS, np.uint32)
        out = device.zeros(random_cta.WORDS, np.uint32)
        clocks = device.zeros(2 * own.warps, np.int64)
        arguments = device.array(given), out, np.int32(own.turns), clocks
        device.load(text())[own.entry](1, WARP * own.warps, arguments)
        return np.diff(clocks.get().reshape(-1, 2))[:, 0]

    return Kernel(own.entry, text, launch, own.entry)


def _pipeline(own: Shape) -> Kernel:
    return Kernel(
        f"pipeline {own.number}",
        lambda: pipeline_text(own),
        lambda device: pipeline_launch.launch(device, own) and None,
    )


def _triton(compiled: triton_cases.Compiled, grid: tuple[int, ...], given: Given) -> Kernel:
    whole = (*grid, 1, 1)[:3]

    def launch(device: Any) -> None:
        compiled.launch(device, whole, **given(device))

    return Kernel(compiled.path.name, compiled.path.read_text, launch)


def _drawn(name: str, grid: tuple[int, ...], given: Given) -> Kernel:
    """A kernel of drawn/."""
    return _triton(triton_cases.Compiled(name, TARGET, DRAWN), grid, given)


def _stored(name: str, grid: tuple[int, ...], given: Given) -> Kernel:
    """A kernel of the emulator's corpus."""
    return _triton(triton_cases.Compiled(name, TARGET), grid, given)


def _about(name: str, folder: Any = DRAWN) -> dict[str, Any]:
    constants: dict[str, Any] = triton_cases.Compiled(name, TARGET, folder).constants
    return constants


# -- streaming, rows, irregular ------------------------------------------------------------------

#: Variants by what they do, with the types that they read and write.
_ELEMENTWISE = {
    "fused_f32": (_F32, _F32), "fused_bf16": (BF16, BF16), "swiglu_f16": (_F16, _F16),
    "length_f32": (_F32, _F16), "where_f32": (_F32, _F32),
}  # fmt: skip


def _elementwise(name: str, count: int) -> Kernel:
    kind, made = _ELEMENTWISE[name]

    def given(device: Any) -> dict[str, Any]:
        return {"x_ptr": _values(device, count, kind=kind), "n": count,
                "y_ptr": _values(device, count, kind=kind),
                "o_ptr": device.zeros(count, made)}  # fmt: skip

    return _drawn(name, (-(-count // _about(name)["BLOCK"]),), given)


def _rows(name: str, rows: int, columns: int) -> Kernel:
    kind = _TYPES[name.rpartition("_")[2]]

    def given(device: Any) -> dict[str, Any]:
        return {
            "x_ptr": _values(device, rows, columns, kind=kind), "columns": columns,
            "w_ptr": _values(device, columns, kind=kind),
            "o_ptr": device.zeros((rows, columns), _F32 if "log" in name else kind),
            "i_ptr": _indices(device, rows, rows),
            "half": columns // 2, "c_ptr": _values(device, columns, kind=kind),
            "s_ptr": _values(device, columns, kind=kind),
        }  # fmt: skip

    return _drawn(name, (rows,), given)


def _scatter(count: int, places: int) -> Kernel:
    def given(device: Any) -> dict[str, Any]:
        return {"x_ptr": _values(device, count, kind=_F32), "n": count,
                "i_ptr": _indices(device, count, places),
                "o_ptr": device.zeros(places, _F32)}  # fmt: skip

    return _drawn("scatter_add_f32", (-(-count // 512),), given)


def _columns(rows: int, columns: int) -> Kernel:
    def given(device: Any) -> dict[str, Any]:
        return {"x_ptr": _values(device, rows, columns, kind=_F16), "rows": rows,
                "columns": columns, "o_ptr": device.zeros(columns, _F32)}  # fmt: skip

    return _drawn("column_sums_f16", (columns // 128,), given)


def _transpose(m: int, n: int) -> Kernel:
    def given(device: Any) -> dict[str, Any]:
        return {"x_ptr": _values(device, m, n, kind=_F32), "m": m, "n": n,
                "o_ptr": device.zeros((n, m), _F32)}  # fmt: skip

    return _drawn("transpose_f32", (m // 64, n // 64), given)


def _gemv(rows: int, k: int) -> Kernel:
    def given(device: Any) -> dict[str, Any]:
        return {"a_ptr": _values(device, rows, k, kind=_F16), "k": k,
                "x_ptr": _values(device, k, kind=_F16),
                "o_ptr": device.zeros(rows, _F32)}  # fmt: skip

    return _drawn("gemv_f16", (rows // 4,), given)


def _cute(name: str, grid: int, threads: int, given: Callable[[Any], Sequence[Any]]) -> Kernel:
    """A kernel of the CuTe DSL, which is given each tensor as an address and a size."""
    path = cute_dsl_cases.HERE / f"{name}.{TARGET}.ptx"

    def launch(device: Any) -> None:
        held = given(device)  # until the launch is over
        arguments = [
            each
            if isinstance(each, np.generic)
            else each.pointer().address.to_bytes(8, "little")
            + int(np.prod(each.shape)).to_bytes(8, "little")
            for each in held
        ]
        cute_dsl_cases.launch(device, name, TARGET, (grid, 1, 1), threads, arguments, 0)

    return Kernel(path.name, path.read_text, launch)


def _cutes(draw: _Draw, large: bool) -> Iterator[tuple[str, Kernel]]:
    """Kernels of the CuTe DSL whose sizes are not in their text."""
    low, high = (1 << 22, 16 << 20) if large else (1 << 14, 1 << 19)
    count = draw.size(low, high, 128)
    yield (
        f"cute axpy {count}",
        _cute("axpy", count // 128, 128, lambda device: (
            _values(device, count, kind=_F32), _values(device, count, kind=_F32),
            np.int32(count), np.float32(1.25))),
    )  # fmt: skip
    halves = draw.size(low, high, 512)
    yield (
        f"cute square {halves}",
        _cute("square", halves // 512, 64, lambda device: (
            _values(device, halves, kind=_F16), device.zeros(halves, _F16))),
    )  # fmt: skip
    rows = max(draw.size(low, high) // COLUMNS // 4, 1)
    yield (
        f"cute softmax {rows}x{COLUMNS}",
        _cute("softmax", rows, 32, lambda device: (
            _values(device, rows, COLUMNS, kind=_F32), device.zeros((rows, COLUMNS), _F32))),
    )  # fmt: skip


# -- products and attention ----------------------------------------------------------------------


def _product(name: str, m: int, n: int, k: int, more: int = 0) -> Kernel:
    """Rows of the operands are `more` elements longer than k."""
    tile, pitch = _about(name), k + more

    def given(device: Any) -> dict[str, Any]:
        return {"a_ptr": _values(device, m, pitch, kind=_F16), "m": m, "n": n, "k": k,
                "b_ptr": _values(device, n, pitch, kind=_F16), "pitch": pitch,
                "o_ptr": device.zeros((m, n), _F16)}  # fmt: skip

    return _drawn(name, (m // tile["M"], n // tile["N"]), given)


def _by_pointers(name: str, kind: Any, made: Any, m: int, n: int, k: int) -> Kernel:
    tile = _about(name, triton_cases.HERE)

    def given(device: Any) -> dict[str, Any]:
        return {"a_ptr": _values(device, m, k, kind=kind), "m": m, "n": n, "k": k,
                "b_ptr": _values(device, n, k, kind=kind),
                "o_ptr": device.zeros((m, n), made)}  # fmt: skip

    return _stored(name, (-(-m // tile["M"]), -(-n // tile["N"])), given)


def _by_maps(name: str, m: int, n: int, k: int, programs: int = 0) -> Kernel:
    own = triton_cases.Compiled(name, TARGET)

    def given(device: Any) -> dict[str, Any]:
        arrays = {"a": _values(device, m, k, kind=_F16), "b": _values(device, n, k, kind=_F16),
                  "o": device.zeros((m, n), _F16)}  # fmt: skip
        maps = {key: own.described(device, key, each) for key, each in arrays.items()}
        return {**maps, "m": m, "n": n, "k": k}

    return _triton(own, (programs,) if programs else own.tiles(m, n), given)


def _attention(name: str, kind: Any, length: int, heads: int) -> Kernel:
    tile = _about(name, triton_cases.HERE)

    def given(device: Any) -> dict[str, Any]:
        shape = heads, length, tile["D"]
        return {
            **{key: _values(device, *shape, kind=kind) for key in ("q_ptr", "k_ptr", "v_ptr")},
            "o_ptr": device.zeros(shape, kind), "lse_ptr": device.zeros((heads, length), _F32),
            "length": length, "scale": np.float32(0.125),
        }  # fmt: skip

    return _stored(name, (-(-length // tile["M"]), heads), given)


# -- what is drawn -------------------------------------------------------------------------------


class _Draw:
    def __init__(self, seed: int) -> None:
        self._chance = np.random.default_rng(seed)

    def size(self, least: int, most: int, unit: int = 1) -> int:
        """A multiple of a unit; all magnitudes alike."""
        exponent = self._chance.uniform(np.log(least), np.log(most))
        return max(round(float(np.exp(exponent)) / unit), 1) * unit

    def one(self, *of: Any) -> Any:
        """One of some."""
        return of[int(self._chance.integers(len(of)))]


def _streams(draw: _Draw, large: bool) -> Iterator[tuple[str, Kernel]]:
    """Each kernel once: of at least some megabytes, or of microseconds."""
    for name in _ELEMENTWISE:
        count = draw.size(1 << 22, 24 << 20, 16) if large else draw.size(1 << 14, 1 << 19, 16)
        yield f"{name} {count}", _elementwise(name, count)
    for name, narrow, wide in (
        ("rms_norm_f16", 1024, 4096), ("rms_norm_f32", 256, 1024), ("gather_f16", 256, 1024),
        ("log_sum_f32", 2048, 16384), ("rotary_bf16", 64, 128),
    ):  # fmt: skip
        columns = draw.size(narrow, wide, 32)
        cells = draw.size(1 << 23, 24 << 20) if large else draw.size(1 << 16, 1 << 20)
        rows = max(cells // columns, 1)
        yield f"{name} {rows}x{columns}", _rows(name, rows, columns)
    low, high = (2048, 6144) if large else (192, 1024)
    m, n = draw.size(low, high, 64), draw.size(low, high, 64)
    yield f"transpose_f32 {m}x{n}", _transpose(m, n)
    m, n = draw.size(low, high, 32), draw.size(low, high, 128)
    yield f"column_sums_f16 {m}x{n}", _columns(m, n)
    m, n = draw.size(low, 2 * high, 4), draw.size(low, high, 512)
    yield f"gemv_f16 {m}x{n}", _gemv(m, n)
    if not large:
        for _ in range(2):
            count, places = draw.size(1 << 12, 1 << 18, 16), draw.size(1 << 6, 1 << 18)
            yield f"scatter_add_f32 {count} to {places}", _scatter(count, places)


def _products(draw: _Draw, own: bool) -> Iterator[tuple[str, Kernel]]:
    low, high = 256, 2304
    for name in ("product_128_128", "product_64_64", "product_128_256", "product_128_128_warps_8"):
        m, n, k = draw.size(low, high, 128), draw.size(low, high, 256), draw.size(low, high, 64)
        yield f"{name} {m}x{n}x{k}", _product(name, m, n, k)
    for name, kind, made in (
        ("matmul_e4m3", E4M3, _F32), ("matmul_imprecise_e4m3", E4M3, _F32),
        ("matmul_bf16", BF16, _F32), ("matmul_i8", np.int8, np.int32),
    ):  # fmt: skip
        m, n, k = (draw.size(low, high, 128) for _ in range(3))
        yield f"{name} {m}x{n}x{k}", _by_pointers(name, kind, made, m, n, k)
    for name, programs in (("matmul_described", 0), ("matmul_specialized", 0),
                           ("matmul_persistent", 132)):  # fmt: skip
        m, n, k = (draw.size(low, high, 64) for _ in range(3))
        yield f"{name} {m}x{n}x{k}", _by_maps(name, m, n, k, programs)
    if not own:
        yield from _more_products(draw, low, high)
        return
    for _ in range(3):
        m, n, k = (draw.size(384, 2560, draw.one(8, 128, 256)) for _ in range(3))
        yield f"ss_gemm {m}x{n}x{k}", benchmark("ss_gemm", Product(m, n, k))
    m, n, k = (draw.size(384, 2560, 128) for _ in range(3))
    yield f"ts_gemm {m}x{n}x{k}", benchmark("ts_gemm", Product(m, n, k))


def _more_products(draw: _Draw, low: int, high: int) -> Iterator[tuple[str, Kernel]]:
    """Products of other types, and two whose rows are 16 or 32 bytes longer."""
    for name, kind in (("matmul_f16", _F16), ("matmul_tf32", _F32)):
        m, n, k = (draw.size(low, high, 128) for _ in range(3))
        yield f"{name} {m}x{n}x{k}", _by_pointers(name, kind, _F32, m, n, k)
    for more in (8, 16):
        name = draw.one("product_128_128", "product_64_64", "product_128_256")
        m, n, k = draw.size(low, high, 128), draw.size(low, high, 256), draw.size(low, high, 64)
        yield f"{name} {m}x{n}x{k}, rows + {2 * more} B", _product(name, m, n, k, more)


def _attentions(draw: _Draw) -> Iterator[tuple[str, Kernel]]:
    for name, kind in (("attention_fp16_128", _F16), ("attention_bf16_64_causal", BF16),
                       ("attention_fp16_64", _F16), ("attention_bf16_128", BF16)):  # fmt: skip
        length, heads = draw.size(384, 3072, 64), draw.size(2, 16)
        yield f"{name} {length}x{heads}", _attention(name, kind, length, heads)
    for width in (64, 128, 64, 128):
        length, heads = draw.size(384, 3072, draw.one(1, 128)), draw.size(2, 16)
        causal = draw.one((), (-1, 0))
        name = f"fmha {length}x{heads}x{width}" + " causal" * bool(causal)
        yield name, benchmark("fmha", Attention(1, length, length, heads, heads, width, *causal))


def _pairs(draw: _Draw) -> Iterator[tuple[str, Kernel]]:
    m, n, k = draw.size(1024, 2048, 128), draw.size(1024, 2048, 256), draw.size(1024, 2048, 64)
    size = f"{m}x{n}x{k}"
    for what, name, more in (
        ("base", "product_128_128", 0), ("stages 2", "product_128_128_stages_2", 0),
        ("stages 4", "product_128_128_stages_4", 0), ("warps 8", "product_128_128_warps_8", 0),
        ("N 256", "product_128_256", 0), ("pitch + 16 B", "product_128_128", 8),
    ):  # fmt: skip
        yield f"product, {what}, {size}", _product(name, m, n, k, more)
    length, heads = draw.size(1024, 2048, 128), draw.size(4, 8)
    for width, count in ((64, 2 * heads), (128, heads)):
        problem = Attention(1, length, length, count, count, width)
        yield f"fmha, D {width}, {length}x{count}", benchmark("fmha", problem)
    own = next(each for each in map(pipeline, range(draw.size(1000, 9000), 1 << 20))
               if each.ctas == 1 and each.loader == "tma" and each.product is None
               and each.swizzle == "128b")  # fmt: skip
    for swizzle in ("128b", "none"):
        name = f"pipeline {own.number}, swizzle {swizzle}"
        yield name, _pipeline(replace(own, swizzle=swizzle))


#: By what they compare: the two launches of a pair, by how their names begin.
PAIRS = {
    "stages 3 to 2": ("product, base", "product, stages 2"),
    "stages 3 to 4": ("product, base", "product, stages 4"),
    "warps 4 to 8": ("product, base", "product, warps 8"),
    "N 128 to 256": ("product, warps 8", "product, N 256"),
    "pitch + 16 bytes": ("product, base", "product, pitch"),
    "D 64 to 128": ("fmha, D 64", "fmha, D 128"),
    "swizzle 128b to none": ("swizzle 128b", "swizzle none"),
}


def _all(seed: int, cute: bool = True, own: bool = True) -> dict[str, dict[str, Kernel]]:
    """By class and name; with `own`, products of kernels/ are among them."""
    draw = _Draw(seed)
    ctas = [RandomCta(draw.size(100, 100_000)) for _ in range(14)]
    numbers = [draw.size(100, 100_000) for _ in range(60)]
    pipelines = [each for each in map(pipeline, numbers) if each.ctas == 1][:10]
    found = {
        ONE: {f"random {own.number}": _one_cta(own) for own in ctas},
        PIPELINE: {f"pipeline {own.number}": _pipeline(own) for own in pipelines},
        STREAM: dict(_streams(draw, True)),
        SMALL: dict(_streams(draw, False)),
        GEMM: dict(_products(draw, own)),
        ATTENTION: dict(_attentions(draw)),
        PAIR: dict(_pairs(draw)),
    }
    if cute:
        found[STREAM] |= dict(_cutes(draw, True))
        found[SMALL] |= dict(_cutes(draw, False))
    return found


_CLASSES = _all(SEED, own=False)
HELD_OUT = {
    f"held_out {name}": kernel for kernels in _CLASSES.values() for name, kernel in kernels.items()
}
CLASSES = {f"held_out {name}": kind for kind, kernels in _CLASSES.items() for name in kernels}
#: The launches of the sets before, of which the first class reads its clocks.
_BEFORE = [_all(seed, *had) for seed, had in BEFORE.items()]
DRAWN_BEFORE = {
    f"drawn {name}": kernel
    for classes in _BEFORE
    for kernels in classes.values()
    for name, kernel in kernels.items()
}
CLOCKS_BEFORE = tuple(f"drawn {name}" for classes in _BEFORE for name in classes[ONE])
