"""ss_gemm and ts_gemm on the emulator, against NumPy in float64."""

from __future__ import annotations

import json
import shutil
from itertools import product
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import pytest

import lanemap
from lanemap import paths
from lanemap.benching.arrays import adopted
from lanemap.benching.find import host
from lanemap.benching.gemm.choice import choose, ranked
from lanemap.benching.gemm.problem import Epilogue, FinishedProblem, Problem
from lanemap.benching.gemm.product import Products
from lanemap.benching.gemm.reference import wrong
from lanemap.benching.gemm.tiling import Tiling, forms, tilings
from lanemap.errors import UserError
from lanemap.records.files import read_record
from lanemap.toolchain import ptxas
from tests.emulator.runtime import sums
from tests.kernels.operands import integers
from tests.records.rows import file_text
from tests.sampled import sampled

KERNELS = ("ss_gemm", "ts_gemm")
TYPES = {
    "bfloat16": ml_dtypes.bfloat16, "float16": np.float16, "float8_e4m3fn": ml_dtypes.float8_e4m3fn,
    "float32": np.float32,
}  # fmt: skip
#: How wgmma adds products of a type, and the type's name, in `sums`.
WGMMA = {
    "bfloat16": ("wgmma f16", "bf16"), "float16": ("wgmma f16", "f16"),
    "float8_e4m3fn": ("wgmma e4m3", "e4m3"),
}  # fmt: skip
#: Tails in every dimension; a single row.
SHAPES = ((300, 520, 208), (1, 8, 1040))


def computed(name: str, problem: Problem, a: Any, b: Any, tiling: Tiling | None = None) -> Any:
    device = lanemap.open_device("sm_90a", device="emulator")
    products = Products((host(name).KERNEL,))
    plan = products.plan(
        a,
        b,
        out_dtype=problem.output,
        accumulation=problem.accumulation,
        device=device,
        tiling=tiling,
    )
    return plan(a, b)


def launched(
    text: str, name: str, problem: Problem, tiling: Tiling, arrays: Any, multiprocessors: int
) -> None:
    """Launch a text on as many CTAs as there are SMs."""
    device = lanemap.open_device("sm_90a", device="emulator")
    operands = [adopted(device, *each) for each in zip(arrays, "ABC", strict=True)]
    host(name).KERNEL.launch(
        device, device.load(text), problem, tiling, *operands, multiprocessors
    ).run()


EXACT = [
    (name, element, output)
    for name in KERNELS
    for element in ("bfloat16", "float16", "float8_e4m3fn")
    for output in ("own", "float32")
]


#: Each element, with C of its own type.
@pytest.mark.parametrize(("name", "element", "output"), sampled(EXACT, 3))
def test_exact_on_small_integers(name: str, element: str, output: str) -> None:
    own = "bfloat16" if element == "float8_e4m3fn" else element
    for shape in SHAPES:
        m, n, k = shape
        problem = Problem(m, n, k, element, own if output == "own" else output)
        a, b, expected = integers(problem)
        np.testing.assert_array_equal(computed(name, problem, a, b), expected)


SMALL = Tiling(columns=64, stages=8, cluster_m=1, consumers=1)
#: Tiles that end within a box, with one to eight CTAs that share B, or A, or both, one and two
#: consumers.
TILES = (
    Tiling(), Tiling(columns=128, stages=6), Tiling(columns=128, stages=8, consumers=1), SMALL,
    Tiling(columns=224), Tiling(columns=96, stages=5, cluster_m=4, consumers=1),
    Tiling(columns=80, stages=7, cluster_m=1), Tiling(stages=2, cluster_m=4),
    Tiling(columns=128, stages=4, cluster_n=2), Tiling(columns=64, cluster_m=4, cluster_n=2),
    Tiling(columns=48, stages=6, cluster_m=1, cluster_n=4), Tiling(columns=64, cluster_m=8),
    Tiling(columns=96, stages=3, cluster_n=2, blocks=2),
)  # fmt: skip


@pytest.mark.parametrize(
    ("name", "tiling"),
    sampled(
        [
            (name, tiling)
            for tiling in TILES
            for name in KERNELS
            if tiling.blocks <= host(name).KERNEL.blocks
        ],
        5,
    ),
)
def test_tiles_and_several_turns(name: str, tiling: Tiling) -> None:
    """More cluster tiles than clusters, so that the pipeline goes on from tile to tile."""
    problem = Problem(700, 1304, 264)
    a, b, expected = integers(problem)
    c = np.empty((problem.m, problem.n), ml_dtypes.bfloat16)
    launched(host(name).KERNEL.ptx(problem, tiling), name, problem, tiling, (a, b, c), 4)
    np.testing.assert_array_equal(c, expected)


#: Tiles of few rows of A, one CTA, two and four that share them.
FEW = (
    Tiling(32, 16, 1, 1, consumers=1, a_rows=8),
    Tiling(16, 9, 1, 2, consumers=1, a_rows=16),
    Tiling(48, 6, 1, 4, consumers=1, a_rows=32),
)


@pytest.mark.parametrize(
    ("name", "tiling"), sampled([(name, tiling) for tiling in FEW for name in KERNELS], 3)
)
def test_rows_that_are_not_loaded_are_zeros(name: str, tiling: Tiling) -> None:
    """Shared memory is undefined at first, so that a row that nothing wrote is a hazard."""
    problem = Problem(tiling.a_rows - 3, 520, 264)
    a, b, expected = integers(problem)
    c = np.empty((problem.m, problem.n), ml_dtypes.bfloat16)
    launched(host(name).KERNEL.ptx(problem, tiling), name, problem, tiling, (a, b, c), 4)
    np.testing.assert_array_equal(c, expected)


#: Tiles of C transposed: of 8 columns, seventeen eights in two stores, several turns of clusters,
#: 192 rows; with k in two parts and in four. The last three are of C itself, with k in
#: parts and slices of 24 columns, and two on an SM.
TRANSPOSED = (
    Tiling(8, 8, 1, consumers=1, swapped=1), Tiling(136, 4, 2, swapped=1),
    Tiling(128, 4, 1, consumers=3, swapped=1),
    Tiling(48, 4, 1, consumers=1, swapped=1, cluster_k=2),
    Tiling(64, 4, 1, swapped=1, cluster_k=4), Tiling(96, 4, 1, cluster_k=4),
    Tiling(64, 4, 1, consumers=3, cluster_k=2), Tiling(144, 3, 2, consumers=1, resident=2),
)  # fmt: skip


@pytest.mark.parametrize(
    ("name", "tiling"), sampled([(name, tiling) for tiling in TRANSPOSED for name in KERNELS], 4)
)
def test_tiles_of_c_transposed(name: str, tiling: Tiling) -> None:
    """Rows of tiles are columns of C; both end within a tile."""
    after = Epilogue(True, "relu")
    problem = FinishedProblem(300, 520, 264, after=after)
    a, b, expected = integers(problem)
    bias = np.arange(problem.n, dtype=np.float32) % 9 - 4
    expected = np.maximum(expected.astype(np.float32) + bias, 0).astype(expected.dtype)
    c = np.full((problem.m, problem.n), np.nan, ml_dtypes.bfloat16)
    device: Any = lanemap.open_device("sm_90a", device="emulator", strict=True)
    operands = [adopted(device, *each) for each in zip((a, b, c), "ABC", strict=True)]
    made = host(name).KERNEL
    module = device.load(made.ptx(problem, tiling))
    own = device.array(bias.astype(ml_dtypes.bfloat16))
    made.launch(device, module, problem, tiling, *operands, 4, bias=own).run()
    np.testing.assert_array_equal(c, expected)


@pytest.mark.parametrize(
    ("sides", "tiling"), sampled([("A", Tiling()), ("B", TRANSPOSED[-2]), ("AB", None)], 2)
)
def test_operands_that_lie_transposed_are_not_copied(sides: str, tiling: Tiling | None) -> None:
    """Rows end within a box of 64, and k within a stage."""
    problem = Problem(200, 264, 328)
    a, b, expected = integers(problem)
    a, b = (
        np.ascontiguousarray(each.T).T if name in sides else each
        for name, each in zip("AB", (a, b), strict=True)
    )
    device = lanemap.open_device("sm_90a", device="emulator", strict=True)
    plan = Products((host("ss_gemm").KERNEL,)).plan(a, b, device=device, tiling=tiling)
    assert not any(plan.copies)
    np.testing.assert_array_equal(plan(a, b), expected)


@pytest.mark.parametrize("name", KERNELS)
def test_operands_are_read_after_earlier_work_of_the_stream(name: str) -> None:
    """A launch begins before that ends, and waits; so do later ones, once all is copied."""
    kernel, problem, tiling = host(name).KERNEL, Problem(64, 64, 128), SMALL
    text = kernel.ptx(problem, tiling)
    device: Any = lanemap.open_device("sm_90a", device="emulator")
    arrays = [np.zeros(size, ml_dtypes.bfloat16) for size in ((64, 128), (64, 128), (64, 64))]
    operands = [adopted(device, *each) for each in zip(arrays, "ABC", strict=True)]
    assert kernel.launch(device, device.load(text), problem, tiling, *operands, 4).overlaps
    wait, begin = (text.index(f"griddepcontrol.{word};") for word in ("wait", "launch_dependents"))
    before = text[:wait]
    assert wait < begin and "cp.async.bulk.tensor.2d" in text
    assert not any(word in before for word in ("ld.global", "st.global", "cp.async.bulk"))


def test_few_rows_are_loaded_only_where_a_has_no_more() -> None:
    for m in (1, 8, 9, 33, 48, 49):
        problem = Problem(m, 4096, 4096, "bfloat16", "float32")
        found = {each.a_rows for each in tilings(problem, 132)} - {0}
        assert found == ({min(rows for rows in (8, 16, 32, 48) if rows >= m)} if m < 49 else set())


def test_d_of_fewer_columns_is_the_first_columns_of_d_of_256() -> None:
    """The kernels take D of every tile from that of 256 columns; the H200 observed these others."""
    row = read_record(paths.find("results") / "sm_90a" / "cuda" / "wgmma_d.json")
    observed = {each.variant: each.map.table for each in row.observations}

    def elements(columns: int) -> Any:
        """Row and column of each register's bits, by warp, lane and register."""
        table = observed[f"wgmma.m64n{columns}.f32:D"].reshape(4, 32, columns // 2, 32)
        return np.array(np.divmod(table // 32, columns))

    for columns in (8, 16, 64, 80, 128):
        np.testing.assert_array_equal(elements(columns), elements(256)[:, :, :, : columns // 2])


def test_tiles_that_waste_little_are_chosen() -> None:
    """On 132 SMs, by hand: 128 x 256 fills turns of 4096; few rows are columns of narrow tiles."""
    large = choose(Problem(4096, 4096, 4096), 132)
    assert (large.rows, large.columns, large.cluster_k) == (128, 256, 1)
    deep = choose(Problem(64, 128, 16384), 132)
    assert deep.shared or deep.cluster_k > 1
    for m in (1, 17, 40):
        few = choose(Problem(m, 4096, 4096), 132)
        assert few.swapped and few.columns <= 2 * -(-m // 8) * 8
    # An f32 C is never transposed, and no stage is shared by two of a cluster.
    assert not choose(Problem(1, 4096, 64, "bfloat16", "float32"), 132).swapped
    two_level = Problem(512, 512, 512, "float8_e4m3fn", accumulation="two_level")
    assert {each.columns for each in tilings(two_level, 132)} == {256, *range(128, 0, -8)}
    assert {each.columns for each in ranked(two_level, 132)} <= {256, *range(128, 0, -8)}


def test_every_product_has_a_tile() -> None:
    sizes = (1, 8, 100, 5000)
    for element, output in (("bfloat16", "bfloat16"), ("bfloat16", "float32")):
        for m, n, k in product(sizes, sizes, sizes):
            assert tilings(Problem(m, n, k, element, output), 132)


def test_every_tile_fits_an_sm() -> None:
    """232,448 bytes of shared memory (CUDA C++ Programming Guide, 9.0)."""
    for each in (*forms(), *tilings(Problem(5, 64, 64), 132)):
        assert each.shared_bytes <= (232448 if each.resident == 1 else 233472 // 2 - 1024)
        assert each.stages >= 2 and each.shared_bytes <= 232448
        assert each.columns % each.cluster_m == 0 and each.columns >= 8 * each.cluster_m


@pytest.mark.parametrize("name", sampled(KERNELS, 2))
def test_normal_numbers_are_the_sums_that_the_rules_say(name: str) -> None:
    """Bit-equal where exact fractions follow the rules; all within the derived tolerance."""
    rng = np.random.default_rng(1)
    for element in ("bfloat16", "float16", "float8_e4m3fn"):
        problem = Problem(200, 264, 1040, element, "float32")
        a = rng.standard_normal((200, 1040)).astype(TYPES[element])
        b = rng.standard_normal((264, 1040)).astype(TYPES[element])
        c = computed(name, problem, a, b, SMALL)  # whose k is whole
        outside, used = wrong(problem, a, b, c)
        assert outside == 0
        assert used > 1e-4  # a tolerance that no error comes near would say nothing
        rule, kind = WGMMA[element]
        for m, n in zip(rng.integers(0, 200, 6), rng.integers(0, 264, 6), strict=True):
            lines = [x[i].astype(float).tolist() for x, i in ((a, m), (b, n))]
            total = sums.dot(*lines, 0.0, sums.RULES[rule], (kind, kind))
            assert c[m, n] == total


def test_two_levels_are_nearer_to_float64_than_the_tensor_core_alone() -> None:
    rng = np.random.default_rng(2)
    a = rng.standard_normal((128, 4096)).astype(ml_dtypes.float8_e4m3fn)
    b = rng.standard_normal((128, 4096)).astype(ml_dtypes.float8_e4m3fn)
    exact = a.astype(np.float64) @ b.astype(np.float64).T
    errors = {}
    for accumulation in ("fast", "two_level"):
        problem = Problem(128, 128, 4096, "float8_e4m3fn", "float32", accumulation)
        c = computed("ss_gemm", problem, a, b, Tiling(columns=128, stages=6))
        assert wrong(problem, a, b, c)[0] == 0
        errors[accumulation] = float(np.abs(c - exact).max())
    assert errors["two_level"] < errors["fast"] / 4


def test_a_wrong_element_and_a_nan_are_outside_the_tolerance() -> None:
    problem = Problem(64, 64, 64, "bfloat16", "float32")
    rng = np.random.default_rng(3)
    a = rng.standard_normal((64, 64)).astype(ml_dtypes.bfloat16)
    b = rng.standard_normal((64, 64)).astype(ml_dtypes.bfloat16)
    c = (a.astype(np.float64) @ b.astype(np.float64).T).astype(np.float32)
    assert wrong(problem, a, b, c)[0] == 0
    c[3, 5] += 0.01
    c[7, 9] = np.nan
    assert wrong(problem, a, b, c)[0] == 2


@pytest.mark.parametrize("name", sampled(KERNELS, 2))
def test_ptxas_serializes_no_wgmma(name: str) -> None:
    kernel, fp8 = host(name).KERNEL, "float8_e4m3fn"
    problems = [Problem(256, 256, 256), Problem(256, 256, 256, fp8)]
    if name == "ss_gemm":
        problems.append(Problem(256, 256, 256, fp8, accumulation="two_level"))
    for problem in problems:
        # what shares tiles holds the loop of what does not, and more
        assert ptxas.remarks(kernel.ptx(problem, Tiling(shared=1)), "sm_90a") == []


def test_ptxas_remarks_are_seen() -> None:
    """A wgmma whose D is read before the wait makes ptxas serialize, and say so."""
    kernel = host("ss_gemm").KERNEL
    text = kernel.ptx(Problem(256, 256, 256), Tiling())
    broken = text.replace("wgmma.wait_group.sync.aligned 0;", "")
    assert broken != text
    assert any("C75" in remark for remark in ptxas.remarks(broken, "sm_90a"))


def mutated(folder: Path, variant: str, probe: str, change: Any) -> Path:
    """A copy of results/ in which the silicon row of a variant holds another map."""
    shutil.copytree(paths.find("results") / "sm_90a", folder / "sm_90a")
    path = folder / "sm_90a" / "cuda" / f"{probe}.json"
    row = json.loads(path.read_text())
    (found,) = [each for each in row["observations"] if each["variant"] == variant]
    change(found["map"]["columns"])
    path.write_text(file_text(row))
    return folder


def swap_columns(columns: Any) -> None:
    columns["lane"][0], columns["lane"][1] = columns["lane"][1], columns["lane"][0]


def swap_rows(columns: Any) -> None:
    columns["lane"][2], columns["lane"][3] = columns["lane"][3], columns["lane"][2]


def drop_swizzle(columns: Any) -> None:
    columns["line"] = [value & ~0x380 for value in columns["line"]]


D, A = "wgmma.m64n256.f32:D", "wgmma.m64k16.bf16:A"


@pytest.mark.parametrize(
    ("name", "variant", "probe", "change"),
    [
        ("ss_gemm", D, "wgmma_d", swap_rows),
        ("ss_gemm", "cp.async.bulk.tensor.swizzle_128b", "tma_swizzle", drop_swizzle),
        ("ts_gemm", A, "wgmma_a", swap_rows),
    ],
)
def test_a_kernel_computes_by_the_fits(
    tmp_path: Path, name: str, variant: str, probe: str, change: Any
) -> None:
    """Made from a mutated observation, it computes something else."""
    problem, tiling = Problem(128, 256, 64), Tiling(cluster_m=1)
    a, b, expected = integers(problem)
    results = mutated(tmp_path, variant, probe, change)
    c = np.zeros((128, 256), ml_dtypes.bfloat16)
    text = host(name).KERNEL.ptx(problem, tiling, results)
    launched(text, name, problem, tiling, (a, b, c), 1)
    assert (c != expected).mean() > 0.2


@pytest.mark.parametrize(
    ("name", "variant", "probe", "words"),
    [("ss_gemm", D, "wgmma_d", "stmatrix does not take D's registers row by row"),
     ("ts_gemm", A, "wgmma_a", "ldmatrix does not fill A's registers row by row")],
)  # fmt: skip
def test_maps_that_do_not_fit_each_other_are_refused(
    tmp_path: Path, name: str, variant: str, probe: str, words: str
) -> None:
    results = mutated(tmp_path, variant, probe, swap_columns)
    with pytest.raises(UserError, match=words):
        host(name).KERNEL.ptx(Problem(128, 256, 64), Tiling(), results)


@pytest.mark.parametrize(
    ("a", "b", "options", "words"),
    [
        ((8, 16), (8, 24), {}, "A @ B.T needs A of (M, K) and B of (N, K)"),
        ((8, 16), (8, 16), {"out_dtype": "float16"}, "C of dtype float16 is not supported"),
        ((8, 16), (8, 16), {"accumulation": "exact"}, "accumulation 'exact' is not one of"),
        ((8, 16), (8, 16), {"accumulation": "two_level"}, "two_level is for float8_e4m3fn"),
    ],
)
def test_what_is_not_supported_is_refused_in_a_sentence(
    a: Any, b: Any, options: Any, words: str
) -> None:
    operands = [np.zeros(shape, ml_dtypes.bfloat16) for shape in (a, b)]
    with pytest.raises(UserError) as refused:
        lanemap.kernel("ss_gemm")(*operands, **options)
    assert words in str(refused.value)


def test_an_unsupported_type_and_name_are_refused() -> None:
    ss_gemm = lanemap.kernel("ss_gemm")
    with pytest.raises(UserError, match="A and B are of dtype float64"):
        ss_gemm(np.zeros((8, 16)), np.zeros((8, 16)))
    with pytest.raises(UserError, match="there is no kernel 'ss_gem'; did you mean ss_gemm"):
        lanemap.kernel("ss_gem")


def test_rows_may_lie_apart() -> None:
    """Views of wider arrays; C as well."""
    problem = Problem(70, 80, 64)
    a, b, expected = integers(problem)
    wide = [np.zeros((70, 128), a.dtype), np.zeros((80, 96), b.dtype), np.zeros((70, 88), a.dtype)]
    wide[0][:, :64], wide[1][:, 32:] = a, b
    c = lanemap.kernel("ss_gemm")(wide[0][:, :64], wide[1][:, 32:], wide[2][:, :80])
    np.testing.assert_array_equal(c, expected)
    np.testing.assert_array_equal(wide[2][:, 80:], 0)


def test_pytorch_tensors() -> None:
    torch = pytest.importorskip("torch")
    a = torch.randint(-2, 3, (40, 64)).to(torch.bfloat16)
    b = torch.randint(-2, 3, (56, 64)).to(torch.bfloat16)
    c = lanemap.kernel("ss_gemm")(a, b, out_dtype="float32")
    assert c.dtype == torch.float32
    assert torch.equal(c, a.float() @ b.float().t())
