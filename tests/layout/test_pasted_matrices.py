"""Layouts of matrix instructions as Triton prints them, held to Triton's own conversion."""

from __future__ import annotations

import json
import subprocess
import sys
from itertools import product
from typing import Any

import numpy as np
import pytest

from lanemap.layout import pasted as pasted_layouts
from lanemap.layout.pasted import triton
from lanemap.model import variant
from lanemap.probing.compare.lowering import hold

gluon = pytest.importorskip("triton.experimental.gluon.language")
amd = pytest.importorskip("triton.experimental.gluon.language.amd")


def nvidia(version: int, shape: list[int], warps: list[int]) -> tuple[str, Any]:
    text = (
        f"#ttg.nvidia_mma<{{versionMajor = {version}, versionMinor = 0, warpsPerCTA = {warps}, "
        f"instrShape = {shape}}}>"
    )
    own = gluon.NVMMADistributedLayout([version, 0], warps_per_cta=warps, instr_shape=shape)
    return text, own


def mfma(shape: list[int], transposed: bool, warps: list[int]) -> tuple[str, Any]:
    text = (
        f"#ttg.amd_mfma<{{version = 4, warpsPerCTA = {warps}, instrShape = {shape}, "
        f"isTransposed = {str(transposed).lower()}}}>"
    )
    return text, amd.AMDMFMALayout(4, shape, transposed, warps)


WARPS = ([4, 1], [2, 2], [1, 4])
RESULTS = [nvidia(2, [16, 8], warps) for warps in WARPS]
RESULTS += [nvidia(3, [16, n, 16], warps) for n in (8, 64, 128) for warps in ([4, 1], [4, 2])]
RESULTS += [
    mfma(shape, transposed, warps)
    for shape in ([32, 32, 16], [16, 16, 32])
    for transposed in (True, False)
    for warps in WARPS
]
OPERANDS = [
    (f"#ttg.dot_op<{{opIdx = {number}, parent = {text}, kWidth = {width}}}>",
     gluon.DotOperandLayout(number, own, width))
    for (text, own), number in product(RESULTS, (0, 1))
    if "versionMajor = 3" not in text or number == 0
    for width in ((4, 8) if "mfma" in text else (1, 2, 4))
]  # fmt: skip
SHAPES = ((128, 128), (32, 64), (16, 16), (256, 64))


#: Run in a process of its own: what Triton's binding leaves behind when it ends is its own affair.
CONVERT = """
import json, sys
from triton._C.libtriton import gluon_ir, ir
from triton.experimental.gluon.language import DotOperandLayout, NVMMADistributedLayout
from triton.experimental.gluon.language.amd import AMDMFMALayout

context = ir.context()
ir.load_dialects(context)
builder = gluon_ir.GluonOpBuilder(context)
layouts, shapes = json.load(sys.stdin)
print(json.dumps([
    [repr(builder.to_linear_layout(eval(each)._to_ir(builder), shape)) for shape in shapes]
    for each in layouts
]))
"""


def test_every_layout_is_what_triton_converts_it_to() -> None:
    """Text of MLIR and of Gluon, for tensors that are larger and smaller than the tile."""
    layouts = [*RESULTS, *OPERANDS]
    done = subprocess.run(
        [sys.executable, "-c", CONVERT],
        input=json.dumps([[repr(own) for _, own in layouts], SHAPES]),
        capture_output=True,
        text=True,
        check=True,
    )
    compared = 0
    for (text, own), converted in zip(layouts, json.loads(done.stdout), strict=True):
        for shape, linear in zip(SHAPES, converted, strict=True):
            wanted = triton.read(linear)
            for written in (text, repr(own)):
                read = triton.read(written, shape)
                assert read.destination == wanted.destination, (written, shape)
                assert np.array_equal(read.table, wanted.table), (written, shape)
                compared += 1
    assert compared > 500


def test_an_operand_of_triton_is_the_instructions() -> None:
    """One warp's dot operand of mma.sync is A of m16n8k16, which an H200 showed."""
    parent = nvidia(2, [16, 8], [1, 1])[0]
    pasted = pasted_layouts.read(f"#ttg.dot_op<{{opIdx = 0, parent = {parent}, kWidth = 2}}>")
    a = variant("mma.sync.m16n8k16.f16:A")
    assert hold(a.name, a.map, pasted).first is None
    wrong = pasted_layouts.read(
        f"#ttg.dot_op<{{opIdx = 0, parent = {parent}, kWidth = 1}}>", (16, 16)
    )
    assert hold(a.name, a.map, wrong).first is not None
