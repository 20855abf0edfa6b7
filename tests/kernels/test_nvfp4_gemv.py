"""nvfp4_gemv on the emulator, against NumPy in float64."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import lanemap
from lanemap import paths
from lanemap.benching import find
from lanemap.benching.find import host
from lanemap.errors import LanemapError, UserError
from lanemap.records.files import read_record
from lanemap_kernels.nvfp4_gemv import kernel
from lanemap_kernels.nvfp4_gemv.kernel import form, ptx
from lanemap_kernels.nvfp4_gemv.problem import Problem
from lanemap_kernels.nvfp4_gemv.tiling import FmaTiling, MmaTiling, choose
from tests.kernels.blackwell import mutated
from tests.kernels.gemv import (
    Operands,
    contest_atoms,
    drawn,
    e4m3,
    exact,
    has_gpu,
    launched,
    wrong_in_a_graph,
)
from tests.sampled import sampled

#: The tests of the contest (gpu-mode/reference-kernels at 174ffdf, nvfp4_gemv/task.yml): M, K, L.
CONTEST = (
    (128, 256, 1), (128, 1536, 1), (128, 3072, 1), (256, 7168, 1), (2432, 4608, 2),
    (384, 7168, 2), (512, 512, 2), (512, 4096, 2), (512, 1536, 2),
)  # fmt: skip
#: Its timed problems, with fewer rows and matrices.
SAMPLED = ((64, 16384, 1), (256, 7168, 3), (256, 2048, 4))
SMALL = ((7, 1056, 2), (1, 32, 1), (130, 4064, 1), (300, 288, 3))
FORMS = (("fma", "sm_90a", False), ("fma", "sm_90a", True), ("fma", "sm_100a", False),
         ("mma", "sm_100a", True))  # fmt: skip


def multiplied(operands: Operands, impl: str, target: str, atoms: bool, **more: Any) -> Any:
    device: Any = lanemap.open_device(target, device="emulator")
    c = host("nvfp4_gemv").nvfp4_gemv(*operands.contest(atoms), impl=impl, device=device, **more)
    assert list(device.hazards) == []
    return c[:, 0]


def check(operands: Operands, c: Any, impl: str) -> float:
    """Assert that c is near; return the part of the tolerance that is used.

    A block's dot product is exact. Each further term is rounded once in f32, to nearest on CUDA
    cores and toward zero on the tensor core; c is rounded to f16, whose subnormal numbers are
    multiples of 2^-24.
    """
    product, magnitudes = operands.product()
    terms = operands.a.shape[2] / 8 * (2 if impl == "mma" else 1)
    spread = terms * 2.0**-24 * magnitudes
    bound = spread + np.maximum(2.0**-11 * (np.abs(product) + spread), 2.0**-25)
    used = np.abs(np.asarray(c, np.float64) - product) / bound
    assert used.max() <= 1
    return float(used.max())


@pytest.mark.parametrize(("impl", "target", "atoms"), FORMS)
@pytest.mark.parametrize("shape", sampled([(each,) for each in CONTEST], 5))
def test_the_contests_problems(
    shape: tuple[int, int, int], impl: str, target: str, atoms: bool
) -> None:
    """All of them in full, K and rows."""
    for seed in range(2 if shape == (256, 7168, 1) else 1):  # the contest has it twice
        operands = drawn(*shape, seed=seed)
        used = check(operands, multiplied(operands, impl, target, atoms), impl)
        assert used > 0.05  # a tolerance that no error comes near would say nothing


@pytest.mark.slow
@pytest.mark.parametrize(("impl", "target", "atoms"), FORMS)
def test_parts_of_large_problems(impl: str, target: str, atoms: bool) -> None:
    for shape in SAMPLED:
        operands = drawn(*shape)
        check(operands, multiplied(operands, impl, target, atoms), impl)


@pytest.mark.parametrize(("impl", "target", "atoms"), FORMS)
@pytest.mark.parametrize(
    "shape",
    sampled([(each,) for each in ((7, 1056, 2), (1, 32, 1), (130, 4064, 1), (300, 288, 3))], 4),
)
def test_exact_sums_are_exact(
    shape: tuple[int, int, int], impl: str, target: str, atoms: bool
) -> None:
    operands = exact(*shape)
    np.testing.assert_array_equal(multiplied(operands, impl, target, atoms), operands.rounded())


def test_both_decodings_give_the_same_bits() -> None:
    """dp4a of a table and fma of f16 pairs; scales that lie plainly and in atoms."""
    operands = drawn(256, 3072, 2)
    found = [multiplied(operands, *each) for each in FORMS[:3]]
    for each in found[1:]:
        np.testing.assert_array_equal(each.view(np.uint16), found[0].view(np.uint16))


@pytest.mark.parametrize("target", ["sm_90a", "sm_100a"])
def test_every_pair_of_elements_and_every_scale(target: str) -> None:
    """One block counts in each row, by its scale, and the first product in each block."""
    rows, blocks = np.arange(256), np.arange(32)
    a, b = np.zeros((1, 256, 256), np.uint8), np.zeros((1, 1, 256), np.uint8)
    sfa, sfb = np.zeros((1, 256, 32), np.uint8), np.full((1, 1, 32), 0x38, np.uint8)
    a[0, :, ::8] = (rows // 16)[:, None]
    b[0, 0, ::8] = blocks % 16
    sfa[0, rows, rows % 16] = 0x38
    pairs = Operands(a, b, sfa, sfb)
    np.testing.assert_array_equal(multiplied(pairs, "fma", target, False), pairs.rounded())
    a[:], b[:] = 0x22, 0x22  # all elements are 1
    sfa[:] = 0
    sfa[0, rows, rows % 32] = rows % 127
    scales = Operands(a, b, sfa, sfb)
    np.testing.assert_array_equal(multiplied(scales, "fma", target, False), scales.rounded())


def test_a_nan_of_a_scale_is_kept() -> None:
    operands = exact(8, 64)
    operands.sfa[0, 3, 1] = 0x7F
    for impl, target, atoms in FORMS:
        c = multiplied(operands, impl, target, atoms)
        assert np.isnan(c[3, 0]) and np.isfinite(np.delete(c, 3, 0)).all()


@pytest.mark.slow
@pytest.mark.parametrize("rows", [2, 4, 8])
@pytest.mark.parametrize("stages", [1, 3])
def test_every_division_of_fma(rows: int, stages: int) -> None:
    problem, operands = Problem(37, 2144, 3), exact(37, 2144, 3)
    for warps, split, groups in ((3, 3, 2), (4, 2, 128), (4, 1, 3)):
        tiling = FmaTiling(warps, split, rows, stages, 1, groups)
        text = ptx(form(problem, tiling, "sm_90a"))
        for count in (1, 5):
            c = launched(text, problem, tiling, operands, "sm_90a", multiprocessors=count)
            np.testing.assert_array_equal(c, operands.rounded())


@pytest.mark.parametrize("split", sampled([1, 2, 4, 8], {4}))
def test_every_division_of_mma(split: int) -> None:
    problem, operands = Problem(200, 4000, 2, "mma", "atoms"), exact(200, 4000, 2)
    tiling = MmaTiling(split, 2)
    text = ptx(form(problem, tiling, "sm_100a"))
    c = launched(text, problem, tiling, operands, "sm_100a", strict=True)
    np.testing.assert_array_equal(c, operands.rounded())


@pytest.mark.parametrize("target", ["sm_90a", "sm_100a"])
def test_memory_is_read_after_earlier_work_of_the_stream(target: str) -> None:
    """Launches begin before that ends, and so must later ones, which wait themselves."""
    device: Any = lanemap.open_device(target, device="emulator")
    for problem in (Problem(12, 2048, 2), Problem(128, 2048, scales="atoms")):
        (benchmark,) = find.benchmarks("nvfp4_gemv", target)
        case = benchmark.case(device, problem)
        assert case.launch.overlaps
        begin, wait = (
            case.text.index(f"griddepcontrol.{word};") for word in ("launch_dependents", "wait")
        )
        assert begin < wait < min(case.text.index(f"{word}.global") for word in ("ld", "st"))
        assert "ld.global.nc" not in case.text


@pytest.mark.skipif(not has_gpu(), reason="needs an NVIDIA GPU and PyTorch that can use it")
def test_streams_of_a_gpu_order_launches() -> None:
    assert wrong_in_a_graph(5, 20) == 0


def test_equal_inputs_give_equal_bits_on_any_number_of_sms() -> None:
    problem, operands = Problem(64, 3072, 2), drawn(64, 3072, 2)
    tiling = choose(problem, 132)
    text = ptx(form(problem, tiling, "sm_90a"))
    found = [
        launched(text, problem, tiling, operands, "sm_90a", multiprocessors=count)
        for count in (1, 3, 132)
    ]
    for each in found[1:]:
        np.testing.assert_array_equal(each.view(np.uint16), found[0].view(np.uint16))


def test_the_contests_padded_vectors_and_a_given_c() -> None:
    """The contest pads b and its scales to 128 rows, of which the first counts."""
    m, k, batches = 128, 512, 2
    operands = exact(m, k, batches)
    wide = exact(128, k, batches, 9)
    wide.a[:, :1], wide.sfa[:, :1] = operands.b, operands.sfb
    for impl, target, atoms in FORMS:
        a, _, sfa, _ = operands.contest(atoms)
        b, _, sfb, _ = wide.contest(atoms)
        c = np.empty((batches, m, 1), np.float16).transpose(1, 2, 0)
        device: Any = lanemap.open_device(target, device="emulator")
        given = host("nvfp4_gemv").nvfp4_gemv(a, b, sfa, sfb, c, impl=impl, device=device)
        assert given is c
        np.testing.assert_array_equal(c[:, 0], operands.rounded())


def test_a_call_of_known_layouts_makes_no_plan() -> None:
    plans = host("nvfp4_gemv").PLANS
    before, first, second = len(plans), exact(40, 512, 2), exact(40, 512, 2, 5)
    for operands in (first, second):
        c = lanemap.kernel("nvfp4_gemv")(*operands.contest(False))
        np.testing.assert_array_equal(c[:, 0], operands.rounded())
    assert len(plans) == before + 1
    plan = host("nvfp4_gemv").nvfp4_gemv.plan(*first.contest(False))
    np.testing.assert_array_equal(plan(*first.contest(False))[:, 0], first.rounded())
    with pytest.raises(UserError, match=r"^a is uint8 of \(39, 256, 2\) with strides"):
        plan(*exact(39, 512, 2).contest(False))


def test_tensors_of_pytorch() -> None:
    torch = pytest.importorskip("torch")
    operands = exact(64, 128)
    a, b, sfa, sfb = (
        torch.from_numpy(each.copy())
        for each in (operands.a, operands.b, operands.sfa, operands.sfb)
    )
    if hasattr(torch, "float4_e2m1fn_x2"):
        a, b = a.view(torch.float4_e2m1fn_x2), b.view(torch.float4_e2m1fn_x2)
    sfa, sfb = sfa.view(torch.float8_e4m3fn), sfb.view(torch.float8_e4m3fn)
    c = lanemap.kernel("nvfp4_gemv")(*(each.permute(1, 2, 0) for each in (a, b, sfa, sfb)))
    assert c.dtype == torch.float16
    np.testing.assert_array_equal(c[:, 0].numpy(), operands.rounded())


def test_atoms_of_scales_are_those_of_the_contest() -> None:
    scales = drawn(300, 1120, 2).sfa
    physical = lanemap.scale_atoms(scales)
    np.testing.assert_array_equal(contest_atoms(scales), physical.transpose(3, 4, 1, 5, 2, 0))
    assert e4m3(np.array([0x38, 0x7E, 0x01])).tolist() == [1, 448, 2.0**-9]


_MMA = "tcgen05.mma.cta_group::1"
_ARRIVE = "does not put scales where tcgen05.mma reads them"
#: A row, its variant, the columns of its map that are exchanged, and what is said, if anything is.
MUTATED = (
    ("sm_100a/emulator/tcgen05_ld.json", "tcgen05.ld.32x32b.x1", ("lane", 3, 4), ""),
    ("sm_100a/emulator/mma_d.json", f"{_MMA}.m128n8.f32:D", ("lane", 3, 4), ""),
    ("sm_90a/cuda/wgmma_descriptor.json", "shared.k_major.128b.8bit", ("byte", 10, 11),
     "which nothing had written"),
    ("sm_100a/emulator/scale_factors.json", f"{_MMA}.m128.scale_vec::4X.id0:SFA", ("bit", 3, 4),
     _ARRIVE),
    ("sm_100a/emulator/scale_factors.json", f"{_MMA}.n64.scale_vec::4X.id0:SFB", ("lane", 0, 1),
     _ARRIVE),
    ("sm_100a/emulator/tcgen05_cp.json", "tcgen05.cp.32x128b.warpx4", ("lane", 0, 1), _ARRIVE),
)  # fmt: skip


@pytest.mark.parametrize(("row", "variant", "columns", "said"), sampled(MUTATED, 6))
def test_a_mutated_row_spoils_the_kernel(
    row: str, variant: str, columns: tuple[str, int, int], said: str, tmp_path: Path
) -> None:
    """A kernel that takes its layouts from rows cannot be right with wrong ones."""
    axis, first, second = columns

    def exchange(found: dict[str, list[int]]) -> None:
        one = found[axis]
        one[first], one[second] = one[second], one[first]

    results = mutated(tmp_path, row, variant, exchange)
    problem, operands = Problem(128, 512, 1, "mma", "atoms"), exact(128, 512)
    tiling = MmaTiling(1, 2)
    made, texts = form(problem, tiling, "sm_100a"), kernel.sources("nvfp4_gemv", "sm_100a")

    def computed() -> Any:
        text = kernel.compile_texts(made, texts, results)
        return launched(text, problem, tiling, operands, "sm_100a")

    if said:
        with pytest.raises(LanemapError, match=said):
            computed()
    else:
        assert np.mean(computed() != operands.rounded()) > 0.2


def test_debugging_prints_checkpoints_and_traps(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """Printing threads are those of block 0; a field of a descriptor that is wrong is named."""
    monkeypatch.setenv("LANEMAP_DEBUG", "1")
    problem, operands = Problem(128, 512, 2, "mma", "atoms"), exact(128, 512, 2)
    made, texts = form(problem, MmaTiling(2), "sm_100a"), kernel.sources("nvfp4_gemv", "sm_100a")
    text = kernel.compile_texts(made, texts)
    c = launched(text, problem, MmaTiling(2), operands, "sm_100a")
    np.testing.assert_array_equal(c, operands.rounded())
    lines = capfd.readouterr().out.splitlines()
    assert sorted(line.split(":")[0] for line in lines) == ["epilogue", "load", "mma"]
    header = "blackwell_scaled.h"
    wrong = texts[header].replace("eight_rows >> 4 << 32", "eight_rows >> 3 << 32")
    text = kernel.compile_texts(made, {**texts, header: wrong})
    with pytest.raises(LanemapError, match="trap"):
        launched(text, problem, MmaTiling(2), operands, "sm_100a")
    assert "the descriptor's SBO is 256, not 128" in capfd.readouterr().out
    problem = Problem(128, 512, 2)
    text = kernel.compile_texts(
        form(problem, FmaTiling(2, 1), "sm_90a"), kernel.sources("nvfp4_gemv", "sm_90a")
    )
    launched(text, problem, FmaTiling(2, 1), operands, "sm_90a", multiprocessors=1)
    lines = capfd.readouterr().out.splitlines()
    assert [line for line in lines if "groups 0 to" in line] == [
        "fma: groups 0 to 32 of matrix 0",
        "fma: groups 0 to 32 of matrix 1",
    ]


def test_bad_operands_are_one_sentence() -> None:
    good = exact(8, 64).contest(False)
    a, b, sfa, sfb = good

    def refuse(words: str, *arrays: Any, **more: Any) -> None:
        with pytest.raises(UserError, match=words):
            host("nvfp4_gemv").nvfp4_gemv(*arrays, **more)

    refuse("must be \\(M, K / 2, L\\)", a[:, :, 0], b, sfa, sfb)
    refuse("to match a it must be \\(1, 32, 1\\)", a, b[:, :16], sfa, sfb)
    refuse("sfa has shape \\(8, 2, 1\\); it must be \\(8, 4, 1\\)", a, b, sfa[:, :2], sfb)
    refuse(
        "sfb has shape \\(1, 4, 1\\); in 128x4 atoms it must be",
        a,
        b,
        contest_atoms(np.zeros((1, 8, 4), np.uint8)),
        sfb,
    )
    refuse("impl 'tensor' is not one of fma, mma", *good, impl="tensor")
    refuse("impl mma reads scales in 128x4 atoms", *good, impl="mma")
    refuse("K is 16; it must be a multiple of 32", a[:, :8], b[:, :8], sfa[:, :1], sfb[:, :1])
    refuse("a is of float16; its elements must have one byte", a.astype(np.float16), b, sfa, sfb)
    refuse("sfa must be contiguous along K", a, b, np.asfortranarray(sfa), sfb)
    refuse("c is \\(8, 1, 1\\) of float32; it must be", *good, np.zeros((8, 1, 1), np.float32))
    refuse(
        "impl mma of nvfp4_gemv has no source",
        *exact(8, 64).contest(True),
        impl="mma",
        device=lanemap.open_device("sm_90a", device="emulator"),
    )


def _row() -> Any:
    return read_record(paths.find("results") / "sm_90a" / "cuda" / "nvfp4_gemv.json")


@pytest.mark.parametrize("most", sampled([1 << 20, 1 << 23], 2))
def test_an_h200_computed_the_same_bytes(most: int) -> None:
    """Of the row's small problems, with the operands that the row's run had."""
    device: Any = lanemap.open_device("sm_90a", device="emulator")
    (benchmark,) = find.benchmarks("nvfp4_gemv", "sm_90a")
    compared = 0
    for one in _row().findings["problems"]:
        problem = Problem(**{each.name: one["problem"][each.name] for each in fields(Problem)})
        if problem.m * problem.k * problem.batches > most:
            continue
        case = benchmark.case(device, problem)
        for check in one["checks"]:
            case.fill(check["inputs"])
            case.run()
            assert case.check(check["inputs"]).result == check["result"]
            compared += 1
    assert compared >= 4
