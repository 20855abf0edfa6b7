"""fmha for sm_100a on the emulator, in strict mode, against NumPy in float64."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import lanemap
from lanemap import paths
from lanemap.benching.attention.blackwell import BlackwellTiling, columns
from lanemap.benching.attention.problem import Problem
from lanemap.benching.counting import observe
from lanemap.benching.find import benchmarks, host
from lanemap.cli import main
from lanemap.emission.copies import plan_copy
from lanemap.errors import UserError
from lanemap.toolchain import ptxas
from tests.kernels.attention import BLACKWELL_FP8_STEP, TYPES, check, operands
from tests.kernels.attention_sm_100a import KERNEL, computed, launched
from tests.kernels.blackwell import mutated
from tests.sampled import sampled

NONE, CAUSAL, WINDOW = (-1, -1), (-1, 0), (200, 60)
D128 = BlackwellTiling(stages=3)


def used(problem: Problem, seed: int = 0, **options: Any) -> float:
    """The part of the tolerance that the kernel's answer uses."""
    arrays = operands(problem, seed)
    answers = computed(problem, arrays, **options)
    return check(problem, arrays, answers, problem.head_dim**-0.5, step=BLACKWELL_FP8_STEP)


#: Tails of queries and keys, grouped heads, a batch, one tile of queries of two; head dimension,
#: mask and type change from one to the next.
QUICK = [
    Problem(1, 300, 333, 2, 2, 128, *NONE, "bfloat16"),
    Problem(2, 70, 270, 4, 2, 64, *CAUSAL, "float16"),
    Problem(1, 300, 700, 3, 1, 64, *WINDOW, "bfloat16"),
    Problem(2, 150, 270, 2, 1, 128, *CAUSAL, "float8_e4m3fn"),
    Problem(1, 300, 333, 2, 2, 64, *WINDOW, "float8_e4m3fn"),
]


@pytest.mark.parametrize("problem", sampled(QUICK, [*QUICK[:2], QUICK[-1]]))
def test_attention_is_that_of_float64(problem: Problem) -> None:
    """On two SMs, so that a CTA goes on from tile to tile."""
    # A tolerance that no error comes near would say nothing.
    assert used(problem, multiprocessors=2) > 1e-3


@pytest.mark.slow
@pytest.mark.parametrize("element", ["bfloat16", "float16", "float8_e4m3fn"])
@pytest.mark.parametrize("window", [NONE, CAUSAL, WINDOW, (0, 0), (-1, 90), (130, -1)])
@pytest.mark.parametrize("head_dim", [64, 128])
def test_the_grid(head_dim: int, window: tuple[int, int], element: str) -> None:
    shapes = [(1, 1), (1, 300), (300, 1), (128, 128), (256, 384), (257, 511), (700, 260)]
    groups = [(1, 2, 1), (2, 4, 1), (1, 6, 2)]
    for seed, (queries, keys) in enumerate(shapes):
        batch, heads, shared = groups[seed % 3]
        problem = Problem(batch, queries, keys, heads, shared, head_dim, *window, element)
        used(problem, seed, multiprocessors=3)


@pytest.mark.parametrize("element", sampled(["bfloat16", "float16", "float8_e4m3fn"], 1))
def test_sequences_of_several_lengths(element: str) -> None:
    """Some without queries or keys; NaN before and after a sequence does not come into it."""
    lengths = "130x150/0x40/300x260/64x0/1x400"
    problem = Problem(5, 495, 850, 2, 1, 64, *NONE, element, lengths)
    arrays = operands(problem)
    o, log_sum = computed(problem, arrays, multiprocessors=2)
    check(problem, arrays, (o, log_sum), 0.125)
    q, k, v = (each.copy() for each in arrays)
    k[150:190], v[150:190], q[:130] = np.nan, np.nan, np.nan
    again, _ = computed(problem, (q, k, v), multiprocessors=2)
    assert np.isnan(np.asarray(again[:130], np.float32)).all()
    np.testing.assert_array_equal(again[130:], o[130:])


@pytest.mark.parametrize("head_dim", [64, pytest.param(128, marks=pytest.mark.slow)])
def test_one_key_is_its_value(head_dim: int) -> None:
    problem = Problem(1, 70, 1, 2, 1, head_dim)
    q, k, v = operands(problem)
    o, log_sum = computed(problem, (q, k, v))
    np.testing.assert_array_equal(o, np.broadcast_to(v, o.shape))
    logits = np.einsum("bshd,d->bhs", q.astype(np.float64), k[0, 0, 0].astype(np.float64))
    np.testing.assert_allclose(log_sum, logits * head_dim**-0.5, rtol=1e-5, atol=1e-5)


def test_queries_that_see_no_key_have_zeros() -> None:
    """Query i sees keys up to i + 100 - 700: two pairs of tiles see none, one sees some."""
    problem = Problem(1, 700, 100, 1, 1, 64, *CAUSAL, "float16")
    arrays = operands(problem)
    o, log_sum = computed(problem, arrays, multiprocessors=1)
    assert (np.asarray(o[:, :600], np.float32) == 0).all()
    assert np.isneginf(log_sum[..., :600]).all() and np.isfinite(log_sum[..., 600:]).all()
    check(problem, arrays, (o, log_sum), 0.125)


def test_large_logits_do_not_overflow() -> None:
    problem = Problem(1, 64, 400, 1, 1, 64)
    arrays = operands(problem, 5, 20)
    logits = np.einsum("bshd,bthd->bhst", *(a.astype(np.float64) for a in arrays[:2])) * 0.5
    assert logits.max() > 2000
    check(problem, arrays, computed(problem, arrays, scale=0.5), 0.5)


def rising(step: float, tiles: int = 6) -> tuple[Problem, Any, float]:
    """Logits in base 2 that are `step` higher in each tile of keys that is taken."""
    problem = Problem(1, 128, 128 * tiles, 1, 1, 64)
    q, k, v = (np.zeros(each.shape, np.float32) for each in operands(problem))
    q[..., 0] = 1
    k[..., 0] = -np.repeat(np.arange(tiles), 128)[:, None]  # the last tile comes first
    v[...] = np.random.default_rng(1).standard_normal(v.shape)
    arrays = tuple(each.astype(TYPES[problem.element]) for each in (q, k, v))
    return problem, arrays, step * float(np.log(2))


def rescales(counts: Any) -> int:
    """How often a warp rescaled 32 columns of O."""
    opcode = "tcgen05.st.sync.aligned.32x32b.x32.b32"
    return sum(one.executed.waves for one in counts.instructions if one.opcode == opcode)


@pytest.mark.parametrize(
    ("step", "bits", "every"),
    sampled([(3, 8, 3), (3, 0, 1), (9, 8, 1), (1, 8, 0)], {(3, 8, 3), (1, 8, 0)}),
)
def test_o_is_rescaled_only_where_the_maximum_grows_by_enough(
    step: float, bits: int, every: int
) -> None:
    """Of six tiles the first needs none: 5 with a growth of more than `bits` since the last one."""
    problem, arrays, scale = rising(step)
    counts: list[Any] = []
    tiling = replace(KERNEL.choose(problem), rescale_bits=bits)
    answers = computed(problem, arrays, tiling, scale, counts=counts)
    check(problem, arrays, answers, scale)
    assert rescales(counts[0]) == (4 * 2 * (5 // every) if every else 0)


def test_weights_without_the_special_function_unit() -> None:
    """Of two keys, whose logits are 0 and x in base 2: the sum is 1 + 2^x; all are polynomials."""
    problem = Problem(1, 256, 2, 1, 1, 64, *NONE, "float16")
    q, k, v = (np.zeros(each.shape, np.float16) for each in operands(problem))
    x = np.concatenate([-np.arange(192) / 96, -np.arange(64) * 2.0])
    q[0, :, 0, 0], k[0, 1, 0, 0], v[0, 1] = x, 1, 1
    tiling = replace(KERNEL.choose(problem), polynomial=16)
    o, log_sum = computed(problem, (q, k, v), tiling, float(np.log(2)))
    weight = np.exp2(q[0, :, 0, 0].astype(np.float64))
    seen = np.exp(log_sum[0, 0].astype(np.float64)) - 1
    assert (np.abs(seen - weight) <= 2.0**-18 * weight + 2.0**-22).all()
    assert (np.abs(seen - weight) > 2.0**-20 * weight)[:192].any()  # ex2.approx has 2^-22
    np.testing.assert_allclose(o[0, :, 0, 0], weight / (1 + weight), rtol=2.0**-10, atol=2.0**-24)


@pytest.mark.parametrize("polynomial", [0, pytest.param(16, marks=pytest.mark.slow)])
def test_infinities_and_nans(polynomial: int) -> None:
    """A logit of -inf hides its key; one of NaN makes its query's O and logarithm NaN."""
    problem = Problem(1, 128, 130, 1, 1, 64, *NONE, "bfloat16")
    q, k, v = (np.array(each) for each in operands(problem))
    q[0, :, 0, 0], k[0, 5, 0, 0] = 1, -np.inf
    q[0, 7, 0, 0] = np.nan
    tiling = replace(KERNEL.choose(problem), polynomial=polynomial)
    o, log_sum = (np.asarray(each, np.float32) for each in computed(problem, (q, k, v), tiling))
    assert np.isnan(o[0, 7]).all() and np.isnan(log_sum[0, 0, 7])
    others, left = np.arange(128) != 7, np.arange(130) != 5
    few = replace(problem, queries=127, keys=129)
    alone = q[:, others], k[:, left], v[:, left]
    check(few, alone, (o[:, others], log_sum[:, :, others]), 0.125)


def test_the_host_function_takes_a_device_of_sm_100a() -> None:
    problem = Problem(1, 64, 64, 1, 1, 64)
    arrays = operands(problem)
    device = lanemap.open_device("sm_100a", device="emulator")
    fmha = host("fmha").fmha
    check(problem, arrays, fmha(*arrays, softmax_scale=0.3, device=device), 0.3)


def test_loads_and_stores_are_those_of_the_planner() -> None:
    """P from a thread's row of S; two loads, because an instruction cannot have 128 registers."""
    text = KERNEL.ptx(Problem(1, 1, 1, 1, 1, 128), D128)
    found = re.findall(r"tcgen05\.(ld|st)\.sync\.aligned\.(\S+)\.b32", text)
    assert found.count(("ld", "32x32b.x64")) == 2 and found.count(("st", "32x32b.x64")) == 1
    stored = plan_copy("32x32b@d:128x128:f32", "a:128x128:bf16")
    assert stored
    for warp in stored.warps.values():
        assert [(f"{each.family.shape}.x{each.repeat}", each.lane) for each in warp.stores] == [
            ("32x32b.x64", 0)
        ]


@pytest.mark.parametrize(
    ("head_dim", "window", "element"),
    sampled(
        product((64, 128), (WINDOW, NONE, CAUSAL), ("bfloat16", "float8_e4m3fn")),
        {(64, WINDOW, "bfloat16"), (128, CAUSAL, "bfloat16"), (128, WINDOW, "float8_e4m3fn")},
    ),
)
def test_ptxas_accepts_every_form(head_dim: int, window: tuple[int, int], element: str) -> None:
    """Without a warning, and without a register that is spilled."""
    problem = Problem(1, 1, 1, 1, 1, head_dim, *window, element)
    text = KERNEL.ptx(problem, KERNEL.choose(problem))
    cubin, said = ptxas.judge(text, "sm_100a", ("--warn-on-spills",))
    assert cubin and said == []


def test_tensor_memory_is_as_readme_draws_it(capsys: pytest.CaptureFixture[str]) -> None:
    """README's command prints what README says, and the source has these columns."""
    text = (paths.find("kernels") / "fmha" / "README.md").read_text()
    (found,) = re.findall(r"^\$ lanemap (plan --budget .*)\n((?:.+\n)+)```", text, re.MULTILINE)
    assert main.run(found[0].split()) == 0
    assert capsys.readouterr().out == found[1]
    problem = Problem(1, 1, 1, 1, 1, 128)
    assert "\n".join(columns(problem, D128).lines()) + "\n" == found[1]
    header = KERNEL.headers(problem, D128, paths.find("results"))["budget.h"]
    firsts = re.findall(r"(\w)_column\(int half\) { return half \? (\d+) : (\d+)", header)
    assert firsts == [("s", "128", "0"), ("p", "128", "0"), ("o", "384", "256")]


def test_counted_work_and_the_bound() -> None:
    """Two tiles of queries and three of keys: products, exponentials and bytes by hand."""
    (benchmark,) = benchmarks("fmha", "sm_100a")
    device = lanemap.open_device("sm_100a", device="emulator")
    found = observe(benchmark, device, Problem(1, 256, 384, 1, 1, 64))
    work, roles = found["work"], found["work"]["instructions"]
    tiles = 2 * 3
    assert work["flops"] == tiles * 2 * 2 * 128 * 128 * 64
    assert roles["mma"]["matrix"] == tiles * (64 // 16 + 128 // 16)
    # S is loaded and P stored once for each tile; O is loaded once, because no factor is needed.
    assert work["bytes"]["tcgen05.ld from tensor"] == tiles * 128 * 128 * 4 + 256 * 64 * 4
    assert work["bytes"]["tcgen05.st to tensor"] == tiles * 128 * 64 * 4
    # Every instruction reads its part of A and B, and writes D: f32 of 128 x 128, and 128 x 64.
    read = (128 + 128) * 64 * 2 + 128 * 64 * 2
    assert work["bytes"]["tcgen05.mma from shared"] == tiles * read
    written = 4 * 128 * 128 * 4 + 8 * 128 * 64 * 4
    assert work["bytes"]["tcgen05.mma to tensor"] == tiles * written
    # 12 of 16 weights; for each row a factor a tile, a logarithm and the quotient.
    weights = tiles * 4 * 128 * 12 // 16
    assert weights < roles["softmax"]["special function"] <= weights + 8 * (3 + 2)
    limits = found["bounds"]["microseconds"]
    stored = tiles * (written + 128 * 64 * 4)
    assert limits["tensor memory"] == pytest.approx(stored / (148 * 8e6))
    assert (
        "1613" in found["bounds"]["others_published"]
        and "2512.02189" in found["bounds"]["citation"]
    )


@pytest.mark.slow
def test_the_bounds_are_those_of_readme() -> None:
    text = (paths.find("kernels") / "fmha" / "README.md").read_text()
    rows = re.findall(r"^\| (64|128) \| (none|causal) \| (.*) \| (\d+) \|$", text, re.MULTILINE)
    assert len(rows) == 4
    (benchmark,) = benchmarks("fmha", "sm_100a")
    device = lanemap.open_device("sm_100a", device="emulator")
    for dim, mask, cells, rate in rows:
        window = CAUSAL if mask == "causal" else NONE
        problem = Problem(1, 4096, 4096, 1, 1, int(dim), *window)
        bounds = observe(benchmark, device, problem)["bounds"]
        times = bounds["microseconds"]
        names = "tensor cores", "special functions", "shared memory", "tensor memory", "memory"
        said = [f"{times[name]:.2f}" for name in names]
        assert cells.split(" | ") == [*said, bounds["limiter"]]
        assert rate == f"{bounds['tflops']:.0f}"


@pytest.mark.slow
def test_registers_that_do_not_fit_each_other_are_refused(tmp_path: Path) -> None:
    """From a mutated row, in which registers 1 and 2 of tcgen05.st have each other's columns."""
    results = mutated(
        tmp_path, "sm_100a/emulator/tcgen05_st.json", "tcgen05.st.32x32b.x64", exchange
    )
    with pytest.raises(UserError, match="registers of S are not those of P"):
        KERNEL.ptx(Problem(1, 1, 1, 1, 1, 64), BlackwellTiling(), results)


@pytest.mark.slow
def test_the_kernel_computes_by_the_fits(tmp_path: Path) -> None:
    """From a mutated row of TMA's swizzle, in which two units of a line have exchanged places."""

    def change(columns: Any) -> None:
        columns["unit"][1], columns["unit"][2] = columns["unit"][2], columns["unit"][1]

    where = "sm_90a/cuda/tma_swizzle.json"
    results = mutated(tmp_path, where, "cp.async.bulk.tensor.swizzle_128b", change)
    problem = Problem(1, 128, 128, 1, 1, 64)
    arrays, tiling = operands(problem), KERNEL.choose(problem)
    o, _ = launched(KERNEL.ptx(problem, tiling, results), problem, tiling, arrays, 0.125)
    assert np.mean(o != computed(problem, arrays)[0]) > 0.01


def exchange(columns: Any) -> None:
    """Give registers 1 and 2 each other's columns."""
    columns["column"][1], columns["column"][2] = columns["column"][2], columns["column"][1]
