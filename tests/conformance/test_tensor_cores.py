"""The reference of how tensor cores add: against exact fractions, and the emulator against it."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np
import pytest

import lanemap
from lanemap.conformance.tensor_cores import (
    certificate,
    designs,
    inputs,
    kernels,
    lowering,
    trial,
)
from lanemap.conformance.tensor_cores.ieee import fma_f32, fma_f64
from lanemap.conformance.tensor_cores.kinds import FORMATS, KINDS, Kind, pack, unpack
from lanemap.conformance.tensor_cores.rule import Rule, multiply_add
from lanemap.conformance.tensor_cores.trial import Runner
from lanemap.model import mma_sync, tensor_sums, wgmma
from lanemap.paths import find
from lanemap.records.files import read_record
from lanemap.records.hashes import source_hash
from tests.sampled import sampled

from ..emulator.runtime import sums

ROW = find("results") / "sm_90a" / "cuda" / "tensor_cores.json"
#: Rules of the oracle (tests/emulator/runtime/sums.py) beside those of the reference.
ORACLES = {
    "mma.sync.m16n8k16.f32.f16.f16.f32": sums.RULES["wgmma f16"],
    "mma.sync.m16n8k8.f32.tf32.tf32.f32": sums.RULES["wgmma tf32"],
    "mma.sync.m16n8k16.f16.f16.f16.f16": sums.RULES["wgmma f16 to f16"],
    "mma.sync.m16n8k16.f32.bf16.bf16.f32": sums.Rule(4, 22),
    "wgmma.m64n8k32.f32.e4m3.e5m2": sums.RULES["wgmma e4m3"],
}


def _rule(oracle: sums.Rule) -> Rule:
    return Rule(
        oracle.block,
        oracle.fraction,
        zero=oracle.zero,
        bits=oracle.bits,
        rounding="nearest" if oracle.nearest else "truncate",
    )


@pytest.mark.parametrize("name", ORACLES)
def test_the_reference_gives_what_exact_fractions_give(name: str) -> None:
    kind, oracle, number = KINDS[name], ORACLES[name], 3
    a, b, c = (operand[:64] for operand in inputs.chunk(kind, number))
    types = (kind.d, kind.a, kind.b, kind.c)
    found = inputs.decoded(multiply_add(a, b, c, types, _rule(oracle)), kind.d)
    left, right, start = (inputs.decoded(*each) for each in ((a, kind.a), (b, kind.b), (c, kind.c)))
    odd = 0
    for tile in range(64):
        i, j = tile % kind.rows, tile % kind.columns
        exact = sums.dot(
            left[tile, i].tolist(),
            right[tile, j].tolist(),
            float(start[tile, i, j]),
            oracle,
            (kind.a, kind.b),
        )
        odd += not math.isfinite(exact)
        assert np.array_equal(found[tile, i, j], exact, equal_nan=True), (tile, exact)
    assert odd < 32


def test_what_is_neither_nearest_nor_in_first_is_as_defined() -> None:
    """One sum by hand: 8 + 2^-3 * 7/8 and -2^-3, at 3 bits below the exponent of 8."""
    a = np.array([[[8.0, 0.875, -1.0, 0.0]]], np.float16).view(np.uint16)
    b = np.array([[[1.0, 0.125, 0.125, 0.0]]], np.float16).view(np.uint16)
    c = np.array([[[0.0]]], np.float32).view(np.uint32)

    def result(**parameters: object) -> float:
        rule = Rule(4, **{"fraction": 3, **parameters})
        codes = multiply_add(a, b, c, ("f32", "f16", "f16", "f32"), rule)
        return float(codes.view(np.float32)[0, 0, 0])

    assert result() == 8.0  # units of 1: 8 + 0 - 0
    assert result(cut="floor") == 7.0  # 8 + 0 - 1
    assert result(fraction=6) == 7.875 + 0.0  # units of 1/8: 64 + 0 - 1
    assert result(fraction=6, cut="nearest") == 8.0  # 64 + 1 - 1
    assert result(fraction=9) == 8 + 7 / 64 - 1 / 8


def _exact(a: float, b: float, c: float, double: bool) -> float:
    """a * b + c rounded once, by integer division."""
    value = Fraction(a) * Fraction(b) + Fraction(c)
    return sums.Rule(
        1, 1, bits=53 if double else 24, nearest=True, smallest=-1022 if double else -126
    ).rounded(value)


def test_fused_multiply_adds_are_rounded_once() -> None:
    rng = np.random.default_rng(5)
    bits = rng.integers(0, 1 << 52, (3, 4000), np.uint64)
    fields = rng.integers(400, 640, (3, 4000)).astype(np.uint64)
    a, b, c = (bits | fields << np.uint64(52)).view(np.float64)
    a[::2] *= 2.0**-490  # subnormal results in part
    c[::3] = -(a * b)[::3] * (1 + rng.integers(-3, 4, len(c[::3])) * 2.0**-52)
    c[1::5] *= 2.0**-600
    found = fma_f64(a, b, c)
    wanted = [_exact(*each, True) for each in zip(a.tolist(), b.tolist(), c.tolist(), strict=True)]
    assert np.array_equal(found, np.array(wanted))
    assert ((np.abs(found) < 2.0**-1022) & (found != 0)).sum() > 100
    halves = [(rng.integers(-2048, 2048, 4000) * 2.0 ** rng.integers(-20, 5, 4000)) for _ in "ab"]
    x, y = (each.astype(np.float32) for each in halves)
    z = (rng.normal(size=4000) * 2.0 ** rng.integers(-40, 30, 4000)).astype(np.float32)
    single = fma_f32(x, y, z)
    wanted = [_exact(*each, False) for each in zip(x.tolist(), y.tolist(), z.tolist(), strict=True)]
    assert np.array_equal(single, np.array(wanted, np.float32))


def test_infinities_zeros_and_nan_of_fused_multiply_adds() -> None:
    inf, nan = math.inf, math.nan
    cases = [(1e300, 1e300, -inf, -inf), (inf, 0.0, 1.0, nan), (inf, 1.0, -inf, nan),
             (1e-200, -1e-200, 0.0, -0.0), (0.0, 5.0, -0.0, 0.0), (1e300, 1e10, 1.0, inf),
             (-0.0, 5.0, -0.0, -0.0), (3.0, 4.0, nan, nan)]  # fmt: skip
    a, b, c, wanted = (np.array(column) for column in zip(*cases, strict=True))
    found = fma_f64(a, b, c)
    assert np.array_equal(found, wanted, equal_nan=True)
    assert np.array_equal(np.signbit(found[3:7]), np.signbit(wanted[3:7]))


# -- places of operands ----------------------------------------------------------------------------
def _fragment(kind: Kind, operand: str) -> str:
    if kind.products == 4:
        major = {"a": "row.", "b": "col."}.get(operand, "")
        letter = operand.upper().replace("C", "D")
        return f"mma.sync.m8n8k4.{major}{getattr(kind, operand)}:{letter}"
    if kind.family == "wgmma":
        if operand == "a":
            return f"wgmma.m64k{kind.depth}.{kind.a}:A"
        return f"wgmma.m64n{kind.columns}.{getattr(kind, operand)}:D"
    letter = operand.upper().replace("C", "D")
    return f"mma.sync.{kind.shape}.{getattr(kind, operand)}:{letter}"


@pytest.mark.parametrize("name", KINDS)
def test_operands_lie_where_the_model_has_them(name: str) -> None:
    kind, models = (
        KINDS[name],
        {each.name: each for each in (*mma_sync.variants(), *wgmma.variants())},
    )
    for operand in "abcd":
        if kind.family == "wgmma" and operand in "ab" and kind.form != "registers":
            continue
        if kind.family == "wgmma" and operand == "b":
            continue
        places = kind.places(operand)
        bits = FORMATS[getattr(kind, operand)].bits
        source = models[_fragment(kind, operand)].build()
        axes = {"a": ("row", "k"), "b": ("column", "k")}.get(operand, ("row", "column"))
        coords = source.source.coords(source.table.reshape(-1))
        size = {"row": kind.rows, "column": kind.columns, "k": kind.depth}
        index = coords.get("product", 0) * size[axes[0]] + coords[axes[0]]
        cells = index * size[axes[1]] + coords[axes[1]]
        assert np.array_equal(cells.reshape(places.shape[0], -1)[:, ::bits], places), operand


def test_packing_is_undone_by_unpacking() -> None:
    kind = KINDS["mma.sync.m16n8k16.f16.f16.f16.f16"]
    c = inputs.chunk(kind, 1)[2][:5]
    words = pack(c, kind.places("c"), 16)
    assert words.shape == (5, 2, 32)
    assert np.array_equal(unpack(words, kind.places("c"), np.uint16), c.reshape(5, -1))


# -- certificates ----------------------------------------------------------------------------------
CERTIFIED = ("mma.sync.m16n8k8.f32.f16.f16.f32", "wgmma.m64n8k32.f32.e4m3.e4m3")


@pytest.mark.parametrize("name", sampled(CERTIFIED, 2))
def test_readings_leave_the_rule_that_made_them(name: str) -> None:
    kind = KINDS[name]
    rules, dots = certificate.grid(kind), designs.designed(kind)
    types = (kind.d, kind.a, kind.b, kind.c)
    of_silicon = lowering.published(kind)
    others = [replace(of_silicon, fraction=of_silicon.fraction - 1),
              replace(of_silicon, block=of_silicon.block // 2),
              replace(of_silicon, cut="floor"), replace(of_silicon, last=True),
              replace(of_silicon, normalized=True, subnormal="own"),
              replace(of_silicon, flush=True)]  # fmt: skip
    for rule in (of_silicon, *others):
        seen = multiply_add(dots[0][:, None], dots[1][:, None], dots[2][:, None, None], types, rule)
        left = certificate.surviving(kind, rules, dots, seen.reshape(-1))
        assert rule in [rules.rule(number) for number in left.tolist()]
        assert rule is not of_silicon or len(left) == 1


def test_a_partition_divides_what_results_divide() -> None:
    """On 40 rules: the parts are those of a table of all results."""
    kind = KINDS[CERTIFIED[0]]
    whole, dots = certificate.grid(kind), designs.designed(kind)
    few = tuple(operand[:96] for operand in dots)
    inner = {name: values[40:60] for name, values in whole.inner.items()}
    rules = certificate.Grid(whole.outer[5:60:30], inner)
    types = (kind.d, kind.a, kind.b, kind.c)
    rows = [
        multiply_add(
            few[0][:, None], few[1][:, None], few[2][:, None, None], types, rules.rule(n)
        ).tobytes()
        for n in range(rules.size)
    ]
    part = certificate.partition(kind, rules, few)
    assert part.parts == len(set(rows))
    assert part.single == sum(rows.count(row) == 1 for row in rows)
    for n, row in enumerate(rows):
        assert [rows[m] == row for m in range(rules.size)] == (part.part == part.part[n]).tolist()


def test_rules_that_differ_in_a_zero_nobody_sees_are_one() -> None:
    kind = KINDS["wgmma.m64n8k32.f16.e4m3.e5m2"]
    rule = lowering.published(kind)
    assert certificate.settled(kind, [replace(rule, zero=-14), rule]) == rule
    assert certificate.settled(kind, [replace(rule, zero=-8), rule]) is None  # 2^-25 < 2^(-8-13)
    assert certificate.settled(kind, [replace(rule, flush=True), rule]) is None
    assert certificate.settled(kind, []) is None


# -- what an H200 gave -----------------------------------------------------------------------------
EXECUTED = list(KINDS)


@cache
def row() -> dict[str, dict[str, Any]]:
    findings = read_record(ROW).findings
    return {each["name"]: each for each in findings["kinds"]}


@cache
def runner(name: str) -> Runner:
    device = lanemap.open_device("sm_90a", device="emulator")
    return Runner(device, KINDS[name], kernels.source(KINDS[name]))


def test_the_row_has_every_kind_and_nothing_disagrees() -> None:
    assert list(row()) == list(KINDS)
    for name, each in row().items():
        kind = KINDS[name]
        assert each["dots"] >= (10**6 if kind.form else 10**7), name
        assert each["unequal_chunks"] == 0, name
        assert (each["certificate"] is not None) == trial.certified(kind), name
        assert each["ptx"] == source_hash(kernels.source(kind)), name
        assert each["refuted"].keys() == lowering.alternatives(kind).keys(), name
        assert all(each["refuted"].values()), name
        if each["rule"]:
            rule = lowering.published(kind)
            assert each["rule"] == trial.written(rule), name
    assert trial.disagreements({"kinds": list(row().values())}) == 0


@pytest.mark.parametrize("name", EXECUTED)
def test_the_emulator_gives_the_bits_of_an_h200(name: str) -> None:
    operands = inputs.chunk(KINDS[name], 0)
    assert trial.digest(runner(name).run(*operands)) == row()[name]["first"]


@pytest.mark.slow
@pytest.mark.parametrize("name", EXECUTED)
def test_the_emulator_gives_the_bits_of_an_h200_in_more_chunks(name: str) -> None:
    """One group of chunks of each kind."""
    kind, outputs = KINDS[name], row()[name]["outputs"]
    group = sum(name.encode()) % len(outputs)
    numbers = range(group * trial.GROUP, (group + 1) * trial.GROUP)
    found = [trial.digest(runner(name).run(*inputs.chunk(kind, number))) for number in numbers]
    assert trial.grouped(found) == [outputs[group]]


@pytest.mark.parametrize("name", [name for name, kind in KINDS.items() if kind.a not in ("b1",)])
def test_the_model_has_the_rule_and_the_lowering_of_the_row(name: str) -> None:
    kind, found = KINDS[name], row()[name]
    machine = [line.split()[0] for line in found["sass"]]
    if kind.family == "wgmma":
        if found["rule"]:
            unit = tensor_sums.wgmma_unit(kind.a, kind.d, kind.depth)
            _agree(unit, found["rule"])
        assert sum(each.startswith(("HGMMA", "QGMMA", "IGMMA", "BGMMA")) for each in machine) == 1
        return
    model = tensor_sums.mma_lowering(kind.rows, kind.depth, kind.a, kind.d)
    tensor = [each for each in machine if each.startswith(("HMMA", "DMMA", "IMMA"))]
    if kind.a[1:] not in ("4", "8"):
        wanted = [each for each in model.machine if each != "FFMA"]
        assert tensor == wanted, (tensor, wanted)
        assert ("FFMA" in machine) == ("FFMA" in model.machine)
    assert tensor or model.chain
    if found["rule"]:
        steps = [
            np.flatnonzero([model.step_of(k) == n for k in range(kind.depth)]).tolist()
            for n in range(len(model.machine))
        ]
        assert steps == [each.tolist() for each in lowering.steps(kind)]
        _agree(tensor_sums.unit(model.operands or kind.a, kind.d, len(steps[0])), found["rule"])


def _agree(unit: tensor_sums.Unit, rule: dict[str, Any]) -> None:
    seen = (rule["block"], rule["fraction"], rule["zero"], rule["bits"])
    assert (unit.block, unit.fraction, unit.zero_exponent, unit.bits) == seen
    assert unit.nearest == (rule["rounding"] == "nearest") and not unit.fused
    assert (rule["cut"], rule["subnormal"]) == ("truncate", "smallest")
    assert rule["overflow"] and not (rule["normalized"] or rule["flush"] or rule["last"])


# -- judging ---------------------------------------------------------------------------------------
def test_readings_that_differ_are_counted() -> None:
    kind = KINDS["mma.sync.m16n8k16.s32.s8.u8.s32.satfinite"]
    results = [lowering.predicted(kind, *inputs.chunk(kind, number)) for number in range(3)]
    results[1] = results[1].copy()
    results[1][5, 3, 2] ^= 1
    chunks = [trial.digest(each) for each in results]
    readings = trial.Readings(kind.name, source_hash("cubin"), ["IMMA"], None, chunks)
    found = trial.findings([readings], compiler="13.0.88")
    assert found["kinds"][0]["unequal_chunks"] == 1 and trial.disagreements(found) == 1
    good = trial.Readings(kind.name, source_hash("cubin"), ["IMMA"], None, [chunks[0], chunks[2]])
    assert trial.findings([good], compiler="")["kinds"][0]["unequal_chunks"] == 1  # another chunk
    good = trial.Readings(kind.name, source_hash("cubin"), ["IMMA"], None, chunks[:1])
    assert trial.disagreements(trial.findings([good], compiler="13.0.88")) == 0


@pytest.mark.slow
def test_a_kind_without_a_rule_disagrees() -> None:
    """Designed dot products of a GPU that adds in no way of the class."""
    kind = KINDS[CERTIFIED[0]]
    dots = designs.designed(kind)
    types = (kind.d, kind.a, kind.b, kind.c)
    seen = multiply_add(
        dots[0][:, None], dots[1][:, None], dots[2][:, None, None], types, lowering.published(kind)
    ).reshape(-1)
    seen[100] ^= 1 << 20
    chunk = trial.digest(lowering.predicted(kind, *inputs.chunk(kind, 0)))
    readings = trial.Readings(kind.name, source_hash("cubin"), ["HMMA"], seen, [chunk])
    found = trial.findings([readings], compiler="13.0.88")
    assert found["kinds"][0]["certificate"]["left"] == 0
    assert found["kinds"][0]["rule"] is None and trial.disagreements(found) == 1
