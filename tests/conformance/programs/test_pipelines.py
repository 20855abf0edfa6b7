"""Pipelines of asynchronous stages: what is in them; the emulator against an H200."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from lanemap.conformance.programs.pipelines.launch import inputs
from lanemap.conformance.programs.pipelines.shape import KINDS, LOADERS, WRITERS, shape
from lanemap.conformance.programs.pipelines.text import text
from lanemap.conformance.programs.pipelines.trial import COUNT, emulate
from lanemap.records.files import read_record
from lanemap.records.hashes import source_hash
from lanemap.toolchain import ptxas

ROW = Path(__file__).resolve().parents[3] / "results" / "sm_90a" / "cuda" / "pipelines.json"
SHAPES = tuple(shape(number) for number in range(COUNT))


def findings() -> Mapping[str, Any]:
    return read_record(ROW).findings


def test_programs_cover_every_choice() -> None:
    assert {each.loader for each in SHAPES} == set(LOADERS)
    assert {each.writer for each in SHAPES} == set(WRITERS)
    assert {each.product for each in SHAPES} == {None, *KINDS}
    for loader, ctas in itertools.product(("tma", "bulk"), (1, 2)):
        assert any((each.loader, each.ctas) == (loader, ctas) for each in SHAPES)
    products = [each for each in SHAPES if each.product]
    assert {each.swizzle for each in products} == {"32b", "64b", "128b"}
    choices = {(each.behind, each.from_registers) for each in products}
    assert choices == {(0, False), (0, True), (1, False)}


def test_row_is_of_these_programs_and_nothing_differed() -> None:
    found = findings()
    assert found["disagreements"] == []
    assert [each["name"] for each in found["programs"]] == [each.name for each in SHAPES]
    for each, seen in zip(SHAPES, found["programs"], strict=True):
        assert seen["ptx"] == source_hash(text(each))
        assert seen["inputs"] == source_hash(inputs(each).tobytes())
        assert seen["errors"] == ["", ""]


def _matches(number: int) -> None:
    assert emulate(number) == (findings()["programs"][number]["output"], "")


@pytest.mark.parametrize("number", range(0, 16))
def test_emulator_gives_the_bytes_of_an_h200(number: int) -> None:
    _matches(number)


@pytest.mark.slow
@pytest.mark.parametrize("number", range(16, COUNT))
def test_emulator_gives_the_bytes_of_an_h200_for_all(number: int) -> None:
    _matches(number)


@pytest.mark.parametrize("number", range(0, COUNT, 9))
def test_ptxas_accepts_the_programs(number: int) -> None:
    assert ptxas.assemble(text(SHAPES[number]), "sm_90a")


def test_inputs_of_products_are_finite() -> None:
    each = next(s for s in SHAPES if s.product and s.product.name == "f32.f16.f16")
    values = inputs(each).reshape(-1).view(np.float16)
    assert np.isfinite(values).all() and len(np.unique(values)) > 1000
