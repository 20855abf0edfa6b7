"""nvfp4_gemm on the emulator, against NumPy; strict asks for all fences."""

from __future__ import annotations

import ctypes
import json
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import lanemap
from lanemap.benching.build import sources
from lanemap.benching.find import benchmarks, host
from lanemap.cli import main
from lanemap.devices import cublaslt
from lanemap.errors import LanemapError, UserError
from lanemap.quantization.formats import FORMATS
from lanemap.toolchain import ptxas
from lanemap_kernels.nvfp4_gemm.kernel import KERNEL
from lanemap_kernels.nvfp4_gemm.problem import OUTPUTS, Problem
from lanemap_kernels.nvfp4_gemm.reference import wrong
from lanemap_kernels.nvfp4_gemm.tiling import PAIRS, SINGLE, TILES, Tiling, choose
from tests.emulator.ptx import cute_dsl_cases
from tests.emulator.runtime import sums
from tests.kernels.blackwell import mutated
from tests.kernels.block_scaled import integers, launched, normal
from tests.sampled import sampled

#: Every instruction, output and tile once.
QUICK = [("nvfp4", "float16", SINGLE[1]), ("mxfp4", "bfloat16", SINGLE[0]),
         ("mxfp8_e4m3", "float32", SINGLE[2]), ("nvfp4", "bfloat16", PAIRS[0]),
         ("mxfp8_e5m2", "float16", PAIRS[1])]  # fmt: skip
CASES = sampled(
    product(FORMATS, OUTPUTS, TILES),
    QUICK,
    lambda each: f"{each[0]}-{each[1]}-{each[2].cluster_m}x{each[2].columns}",
)


@pytest.mark.parametrize(("name", "output", "tiling"), CASES)
def test_exact_on_small_integers(name: str, output: str, tiling: Tiling) -> None:
    """Tails in every dimension, a batch, more tiles than CTAs; a pair's second CTA has rows."""
    rows = 300 if tiling.cluster_m == 2 else 150
    problem = Problem(rows, 200, 288 if FORMATS[name].packed else 304, 2, name, output)
    a, b, expected = integers(problem)
    text = KERNEL.ptx(problem, tiling)
    c = launched(text, problem, tiling, a, b, strict=True, multiprocessors=3)
    np.testing.assert_array_equal(c, expected)


@pytest.mark.slow
@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("tiling", [*TILES, Tiling(128, 2), Tiling(128, 2, 2)], ids=str)
def test_many_turns_through_every_stage(name: str, tiling: Tiling) -> None:
    """Both accumulators are used again, and so are all stages; a single row; K of one step."""
    for shape in ((700, 584, 1376, 1), (1, 8, 32, 3), (129, 72, 2080, 2)):
        problem = Problem(*shape, name)
        a, b, expected = integers(problem)
        text = KERNEL.ptx(problem, tiling)
        c = launched(text, problem, tiling, a, b, strict=True, multiprocessors=2)
        np.testing.assert_array_equal(c, expected)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(24))
def test_any_sizes_that_alignment_allows(seed: int) -> None:
    rng = np.random.default_rng(seed)
    name, output = rng.choice(list(FORMATS)), rng.choice(OUTPUTS)
    k, n = (32 if FORMATS[name].packed else 16), (4 if output == "float32" else 8)
    problem = Problem(
        int(rng.integers(1, 400)),
        n * int(rng.integers(1, 70)),
        k * int(rng.integers(1, 40)),
        int(rng.integers(1, 4)),
        str(name),
        str(output),
    )
    tiling = TILES[seed % len(TILES)]
    a, b, expected = integers(problem, seed)
    c = launched(
        KERNEL.ptx(problem, tiling),
        problem,
        tiling,
        a,
        b,
        strict=True,
        multiprocessors=int(rng.integers(1, 9)),
    )
    np.testing.assert_array_equal(c, expected)


@pytest.mark.parametrize("name", sampled(FORMATS, {"nvfp4"}))
def test_normal_numbers_are_the_published_sums(name: str) -> None:
    """Bit-equal where exact fractions follow the rule; all within the derived tolerance."""
    problem = Problem(70, 72, 320, 1, name, "float32")
    a, b = normal(problem)
    c = launched(KERNEL.ptx(problem, SINGLE[2]), problem, SINGLE[2], a, b)[0]
    outside, used = wrong(problem, a, b, c[None])
    assert outside == 0
    assert used > 1e-6  # a tolerance that no error comes near would say nothing
    kind = problem.kind
    rule = {"nvfp4": "mxf4nvf4", "mxfp4": "mxf4"}.get(name, "mxf8f6f4")
    scale = "ue4m3" if name == "nvfp4" else "e8m0"
    element = "e2m1" if kind.packed else name.removeprefix("mxfp8_")
    rng = np.random.default_rng(0)
    for m, n in zip(rng.integers(0, 70, 12), rng.integers(0, 72, 12), strict=True):
        expected = 0.0
        for block in range(0, 320, 32 if not kind.packed else 64):
            k = slice(block, block + (64 if kind.packed else 32))
            blocks = slice(k.start // kind.block, k.stop // kind.block)
            rows = [each.elements().astype(float)[0, i, k].tolist() for each, i in ((a, m), (b, n))]
            scales = [
                each.scales.astype(float)[0, i, blocks].tolist() for each, i in ((a, m), (b, n))
            ]
            expected = sums.dot(
                rows[0],
                rows[1],
                expected,
                sums.RULES[f"tcgen05 {rule}"],
                (element, element),
                (scales[0], scales[1]),
                scale,
            )
        assert c[m, n] == expected


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "theirs", "depth"),
    [("nvfp4", "nvfp4", 256), ("mxfp4", "mxfp4", 256), ("mxfp8_e4m3", "mxfp8", 128)],
)
def test_a_kernel_of_cute_dsl_computes_the_same_bits(name: str, theirs: str, depth: int) -> None:
    """What NVIDIA's compiler made of the DSL's own layouts takes these scales to the same sums."""
    problem = Problem(*cute_dsl_cases.SCALED, 1, name, "float32")
    a, b = normal(problem, seed=4)
    operands = [(each.elements()[0], each.scales[0]) for each in (a, b)]
    for each, (_, factors) in zip((a, b), operands, strict=True):
        assert (each.atoms.reshape(-1) == cute_dsl_cases.in_blocks(factors).reshape(-1)).all()
    device = lanemap.open_device("sm_100a", "emulator")
    expected = cute_dsl_cases.multiply_scaled(
        device, theirs, "sm_100a", operands, (128, 128, depth)
    )
    for tiling in TILES:
        c = launched(KERNEL.ptx(problem, tiling), problem, tiling, a, b)[0]
        np.testing.assert_array_equal(c.view(np.uint32), expected.view(np.uint32))
    assert wrong(problem, a, b, c[None])[1] > 1e-4


@pytest.mark.parametrize("output", sampled(OUTPUTS, {"bfloat16"}))
def test_alpha_multiplies_in_f32(output: str) -> None:
    problem = Problem(40, 64, 64, 2, "nvfp4", output)
    a, b = normal(problem)
    c = launched(KERNEL.ptx(problem, SINGLE[2]), problem, SINGLE[2], a, b, alpha=0.3)
    whole = launched(
        KERNEL.ptx(Problem(40, 64, 64, 2, "nvfp4", "float32"), SINGLE[2]),
        Problem(40, 64, 64, 2, "nvfp4", "float32"),
        SINGLE[2],
        a,
        b,
    )
    np.testing.assert_array_equal(c, (whole * np.float32(0.3)).astype(c.dtype))
    assert wrong(problem, a, b, c, 0.3)[0] == 0
    assert wrong(problem, a, b, c, 0.31)[0] > 0


@pytest.mark.slow
@pytest.mark.parametrize("name", FORMATS)
def test_ptxas_accepts_every_form(name: str) -> None:
    for tiling in TILES:
        for output in OUTPUTS:
            text = KERNEL.ptx(Problem(8, 8, 32, 1, name, output), tiling)
            assert ptxas.assemble(text, "sm_100a")


def exchange(axis: str, first: int, second: int) -> Any:
    def change(columns: Any) -> None:
        found = columns[axis]
        found[first], found[second] = found[second], found[first]

    return change


def drop_replicas(columns: Any) -> None:
    """Lanes 32 to 63 get what the others have of rows 0 to 15 twice."""
    columns["lane"][5] = columns["lane"][4]


def exchange_ctas(columns: Any) -> None:
    """A CTA's scales are for rows of the other: bit 0 of the lane counts as its rank."""
    columns["lane"][0], columns["cta"][0] = columns["cta"][0], columns["lane"][0]


ONE, TWO = "tcgen05.mma.cta_group::1", "tcgen05.mma.cta_group::2"
REFUSED = {
    "the replicas of the copy": ("tcgen05_cp", "tcgen05.cp.32x128b.warpx4", drop_replicas),
    "the rows of the copy": (
        "tcgen05_cp", "tcgen05.cp.32x128b.warpx4", exchange("lane", 0, 1),
    ),
    "the blocks of SFA": (
        "scale_factors", f"{ONE}.m128.scale_vec::4X.id0:SFA", exchange("bit", 3, 4),
    ),
    "the rows of SFB": (
        "scale_factors", f"{ONE}.n128.scale_vec::4X.id0:SFB", exchange("lane", 2, 3),
    ),
    "the CTAs of SFB": (
        "scale_factors", f"{TWO}.m256.n128.scale_vec::4X.id0:SFB", exchange_ctas,
    ),
}  # fmt: skip


@pytest.mark.parametrize(
    "what",
    [pytest.param(w, marks=pytest.mark.slow if "SFA" in w or "rows" in w else ()) for w in REFUSED],
)
def test_maps_of_scales_that_do_not_fit_each_other_are_refused(tmp_path: Path, what: str) -> None:
    file, variant, change = REFUSED[what]
    results = mutated(tmp_path, f"sm_100a/emulator/{file}.json", variant, change)
    with pytest.raises(UserError, match="tcgen05.cp does not put scales where tcgen05.mma reads"):
        KERNEL.ptx(Problem(8, 8, 32), PAIRS[1] if TWO in variant else SINGLE[1], results)


def test_the_kernel_computes_by_the_fits(tmp_path: Path) -> None:
    """Made from a mutated observation of tcgen05.ld, it stores registers at other rows."""
    problem = Problem(128, 64, 64, output="float32")
    a, b, expected = integers(problem)
    results = mutated(
        tmp_path,
        "sm_100a/emulator/tcgen05_ld.json",
        "tcgen05.ld.32x32b.x32",
        exchange("lane", 3, 4),
    )
    c = launched(KERNEL.ptx(problem, SINGLE[2], results), problem, SINGLE[2], a, b)
    assert (c != expected).mean() > 0.2


def test_the_host_function_takes_arrays_as_they_are() -> None:
    torch = pytest.importorskip("torch")
    gemm = lanemap.kernel("nvfp4_gemm")
    a, b, expected = integers(Problem(140, 72, 64, output="float32"))
    views = [torch.from_numpy(each.data[0]).view(torch.float4_e2m1fn_x2) for each in (a, b)]
    scales = [torch.from_numpy(each.atoms).view(torch.float8_e4m3fn) for each in (a, b)]
    c = gemm(*views, *scales)
    assert c.dtype == torch.float16
    np.testing.assert_array_equal(c.numpy(), expected[0].astype(np.float16))
    # Rows further apart, a transposed batch, one vector of scales as cuBLAS takes them.
    wide = np.zeros((140, 2, 48), np.uint8)
    wide[:, :, :32] = a.data[0][:, None]
    both = wide.transpose(1, 0, 2)[..., :32]
    out = np.empty((2, 140, 72), np.float32)
    twice = [np.concatenate([each.atoms.reshape(-1)] * 2) for each in (a, b)]
    batch = both, np.stack([b.data[0]] * 2), *twice
    assert gemm(*batch, out, alpha=2) is out
    np.testing.assert_array_equal(out, [2 * expected[0]] * 2)
    # Alpha in memory, which one plan serves whatever it is.
    alpha = np.array([4], np.float32)
    plans = host("nvfp4_gemm").CALLS.plans
    gemm(*batch, out, alpha=alpha)
    before = len(plans)
    np.testing.assert_array_equal(out, [4 * expected[0]] * 2)
    alpha[:] = 0.5
    gemm(*batch, out, alpha=alpha)
    assert len(plans) == before
    np.testing.assert_array_equal(out, [expected[0] / 2] * 2)
    plan = gemm.plan(*batch, out_dtype="float32")  # type: ignore[attr-defined]
    np.testing.assert_array_equal(plan(*batch), [expected[0]] * 2)


def test_what_cannot_be_computed_is_said_in_a_sentence() -> None:
    gemm = lanemap.kernel("nvfp4_gemm")
    a, b, _ = integers(Problem(64, 72, 64))
    plain = a.data[0], b.data[0], a.atoms, b.atoms
    for change, says in (
        ({0: plain[0].astype(np.int16)}, "A is of dtype int16; for nvfp4 it is uint8 or float4"),
        ({2: a.scales}, "SFA has 256 bytes; 1 x 1 x 1 atoms of 128x4 scales are 512"),
        ({1: plain[1][:, :16]}, "K and the batch must be the same"),
        ({0: plain[0][0]}, r"both must be \(rows, K\) or \(L, rows, K\)"),
        (
            {0: np.ones((64, 24), np.uint8), 1: np.ones((72, 24), np.uint8)},
            "K is 48; rows of nvfp4 must be a multiple of 16 bytes, that is of 32 elements",
        ),
        ({1: plain[1][:71], 3: b.atoms}, "leading dimension along N is 142 bytes"),
        ({2: np.repeat(a.atoms.reshape(-1), 2)[::2]}, "SFA is not contiguous"),
        ({0: np.zeros((64, 64), np.uint8)[:, ::2]}, "lie 2 apart"),
    ):
        with pytest.raises(UserError, match=says):
            gemm(*(change.get(i, each) for i, each in enumerate(plain)))
    with pytest.raises(UserError, match=r"alpha is float64 of \(1,\); it must be a number, or flo"):
        gemm(*plain, alpha=np.ones(1))
    with pytest.raises(UserError, match="C of dtype int8 is not one of float16"):
        gemm(*plain, out_dtype="int8")
    with pytest.raises(UserError, match="has no source for sm_90a; it has one for sm_100a"):
        gemm(*plain, device=lanemap.open_device("sm_90a", device="emulator"))
    with pytest.raises(
        UserError, match=r"out has shape \(64, 64\); it must have that of C, \(64, 72\)"
    ):
        gemm(*plain, np.empty((64, 64), np.float16))


def test_debugging_prints_checkpoints_and_traps_on_a_wrong_descriptor(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("LANEMAP_DEBUG", "1")
    problem, tiling = Problem(128, 64, 64), SINGLE[2]
    a, b, expected = integers(problem)
    texts = sources("nvfp4_gemm", "sm_100a")
    np.testing.assert_array_equal(
        launched(KERNEL.compile(problem, tiling, texts), problem, tiling, a, b), expected
    )
    lines = capfd.readouterr().out.splitlines()
    assert sorted(line.split(":")[0] for line in lines) == ["epilogue", "load", "mma"]
    texts["nvfp4_gemm.cu"] = texts["nvfp4_gemm.cu"].replace("id << 4 |", "1 << 4 |")
    with pytest.raises(LanemapError, match="trap"):
        launched(KERNEL.compile(problem, tiling, texts), problem, tiling, a, b)
    assert "SFB's id in the instruction descriptor is 1, not 0" in capfd.readouterr().out


def test_a_tile_is_chosen_by_the_columns_that_take_turns() -> None:
    assert choose(Problem(128 * 148, 256, 64), 148) == PAIRS[0]
    assert choose(Problem(128 * 147, 256, 64), 147) == SINGLE[0]  # a pair leaves one SM idle
    assert choose(Problem(128, 128, 64), 148).columns == 64
    assert choose(Problem(128, 128, 64, 148), 148).columns == 128


def test_bench_counts_what_one_tile_takes(capsys: pytest.CaptureFixture[str]) -> None:
    """128 x 64 x 256: a stage of 128 + 64 rows of 128 bytes and 4 + 4 atoms, four products."""
    arguments = ["nvfp4_gemm", "--device", "emulator", "--problem", "m=128,n=64,k=256", "--json"]
    assert main.run(["bench", *arguments]) == 0
    (answer,) = json.loads(capsys.readouterr().out)
    (row,) = answer["problems"]
    assert [(each["elements"], each["outside"]) for each in row["checks"]] == [(8192, 0)] * 2
    work = row["work"]
    assert work["flops"] == 2 * 128 * 64 * 256
    moved = work["bytes"]
    assert moved["TMA from global"] == (128 + 64) * 128 + 8 * 512
    assert moved["tcgen05.cp from shared"] == 8 * 512
    assert moved["tcgen05.cp to tensor"] == 4 * 8 * 512  # a copy for the lanes of each warp
    assert moved["tcgen05.mma from shared"] == 4 * (128 + 64) * 32
    assert moved["tcgen05.ld from tensor"] == 128 * 64 * 4
    assert moved["TMA to global"] == 128 * 64 * 2
    roles = work["instructions"]
    assert set(roles) == {"all", "load", "mma", "epilogue"}
    assert (roles["load"]["copy"], roles["mma"]["matrix"]) == (4, 4)
    limits = row["bounds"]["microseconds"]
    assert limits["tensor cores"] == pytest.approx(2 * 128 * 64 * 256 / 9e9)
    assert limits["memory"] == pytest.approx(((128 + 64) * (128 + 16) + 128 * 64 * 2) / 8e6)


class Recorded:
    """cuBLASLt's functions, which keep what they are called with."""

    def __init__(self) -> None:
        self.attributes: dict[int, int] = {}
        self.layouts: list[tuple[int, ...]] = []

    def cublasLtMatmulDescSetAttribute(self, _: Any, which: int, value: Any, size: Any) -> int:
        raw = ctypes.string_at(value, size.value)
        self.attributes[which] = int.from_bytes(raw, "little")
        return 0

    def cublasLtMatrixLayoutCreate(self, _: Any, kind: int, *sizes: Any) -> int:
        self.layouts.append((kind, *(size.value for size in sizes)))
        return 0

    def cublasLtMatmulAlgoGetHeuristic(self, *arguments: Any) -> int:
        arguments[-1]._obj.value = 1
        return 0

    def __getattr__(self, name: str) -> Any:
        return lambda *_: 0


def test_the_library_is_told_where_scales_are(monkeypatch: pytest.MonkeyPatch) -> None:
    """Numbers of cublasLt.h: A_SCALE_POINTER 17, A_SCALE_MODE 31, VEC16_UE4M3 1, CUDA_R_4F_E2M1 33.

    Column-major, the library's first operand is B. No GPU has run this.
    """
    library = Recorded()
    monkeypatch.setattr(cublaslt, "_library", lambda: (library, ctypes.c_void_p()))
    monkeypatch.setattr(cublaslt, "version", lambda: 130002)
    (benchmark,) = benchmarks("nvfp4_gemm")
    device = lanemap.open_device("sm_100a", "emulator")
    case = benchmark.case(device, Problem(128, 64, 256))
    assert "cuBLASLt 130002" in case.library().name  # type: ignore[union-attr]
    maps = case.launch.arguments[2:4]
    sfa, sfb = (each.holds.address for each in maps)
    assert library.attributes == {3: 1, 17: sfb, 18: sfa, 31: 1, 32: 1}
    assert library.layouts == [(33, 256, 64, 256), (33, 256, 128, 256), (2, 64, 128, 64)]
    assert benchmark.case(device, Problem(8, 64, 256, 2)).library() is None
