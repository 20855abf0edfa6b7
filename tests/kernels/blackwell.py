"""What tests of the kernels for sm_100a share: launches on the emulator, mutated rows."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import lanemap
from lanemap import paths
from lanemap.benching.arrays import adopted
from lanemap.benching.find import host
from lanemap.benching.gemm.blackwell import BlackwellTiling
from lanemap.benching.gemm.problem import TYPES, Problem
from tests.records.rows import file_text

#: What C has before, where it must be defined: no sum of the tests' small integers.
BEFORE = 77


def launched(
    text: str,
    name: str,
    problem: Problem,
    tiling: BlackwellTiling,
    a: Any,
    b: Any,
    *,
    strict: bool = False,
    multiprocessors: int = 148,
) -> Any:
    """C of a text on so many SMs; no element of C is defined before."""
    device: Any = lanemap.open_device("sm_100a", device="emulator", strict=strict)
    c = np.full((problem.m, problem.n), BEFORE, TYPES[problem.output].dtype)
    operands = adopted(device, a, "A"), adopted(device, b, "B"), adopted(device, c, "C", True)
    kernel = host(name).BLACKWELL
    kernel.launch(device, device.load(text), problem, tiling, *operands, multiprocessors).run()
    return c


def computed(
    name: str, problem: Problem, tiling: BlackwellTiling, a: Any, b: Any, **options: Any
) -> Any:
    """C by the kernel as it is."""
    text = host(name).BLACKWELL.ptx(problem, tiling)
    return launched(text, name, problem, tiling, a, b, **options)


def mutated(
    folder: Path, where: str, variant: str, change: Callable[[dict[str, list[int]]], None]
) -> Path:
    """A copy of results/ in which one row's map of a variant is another.

    Args:
        folder: For the copy.
        where: The row's file under results/.
        variant: Of the map.
        change: Of its columns.
    """
    for target in ("sm_90a", "sm_100a"):
        shutil.copytree(paths.find("results") / target, folder / target)
    path = folder / where
    row = json.loads(path.read_text())
    (found,) = [each for each in row["observations"] if each["variant"] == variant]
    change(found["map"]["columns"])
    path.write_text(file_text(row))
    return folder
