"""LLVM's intrinsics for NVIDIA's GPUs, and MLIR's operations: llvm.nvvm.*, nvvm.*, nvgpu.*.

LLVM, NVPTX Usage and IntrinsicsNVVM.td. A product whose D is f32 is named by the type of A alone,
one of integers by those of A and B where they differ, and one of f16 by those of D and C.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from lanemap.model.spellings import ptx
from lanemap.model.spellings.pasted import Pasted
from lanemap.model.spellings.reading import Reading

_NAME = re.compile(r"(?:llvm\.nvvm|(?<![\w.])nvvm|nvgpu)\.([\w.]+)")
_INTEGERS = ("s8", "u8", "s4", "u4", "b1")


def read(pasted: Pasted) -> Iterator[Reading]:
    """Read an intrinsic or an operation, wherever it is in the text."""
    match = _NAME.search(pasted.text.lower())
    if match is None:
        return
    word = match[1]
    for name in _instructions(word):
        yield from ptx.read(Pasted.of(name))


def _instructions(word: str) -> Iterator[str]:
    if word.startswith("mma.") and "m" in word:
        yield from _mma(word)
    elif word.startswith(("wmma.m", "wmma.")):
        yield from _wmma(word)
    elif word.startswith("tcgen05."):
        yield from _tcgen05(word)
    elif word.startswith(("ldmatrix", "stmatrix", "movmatrix")):
        yield re.sub(r"\.p\d+(i\d+)?$|\.v\d\w+$", "", word)
    elif word.startswith(("cp.async.bulk.tensor", "tma.async")) and "prefetch" not in word:
        yield "cp.async.bulk.tensor"
    elif word.startswith(("wgmma.mma", "warpgroup.mma")):
        for kind in ("f16", "bf16", "tf32", "e4m3", "s8"):
            depth = 256 // {"tf32": 32, "e4m3": 8, "s8": 8}.get(kind, 16)
            d = "s32" if kind == "s8" else "f32"
            yield f"wgmma.mma_async.sync.aligned.m64n64k{depth}.{d}.{kind}.{kind}"


def _mma(word: str) -> Iterator[str]:
    parts = [part for part in word.split(".") if part not in ("satfinite", "cloned")]
    shape = next((part for part in parts if re.fullmatch(r"m\d+n\d+k\d+", part)), "")
    types = [part for part in parts if part in ptx.TYPES]
    majors = [part for part in parts if part in ("row", "col")] or ["row", "col"]
    four = _four(types)
    if not shape or not four:
        return
    narrow = ".kind::f8f6f4" if any(part.startswith(("mxf", "f8f6f4")) for part in parts) else ""
    op = "mma.sp" if parts[1] == "sp" else "mma.sync"
    yield f"{op}.aligned.{shape}.{'.'.join(majors)}{narrow}.{'.'.join(four)}"


def _four(types: list[str]) -> list[str]:
    """The types of D, A, B and C."""
    if len(types) == 4:
        return types
    if types and types[0] in _INTEGERS:
        return ["s32", types[0], types[-1], "s32"]
    if types in (["bf16"], ["tf32"]):
        return ["f32", types[0], types[0], "f32"]
    if types == ["f64"]:
        return ["f64"] * 4
    if len(types) == 2:
        return [types[0], "f16", "f16", types[1]]
    return []


def _wmma(word: str) -> Iterator[str]:
    match = re.match(r"wmma\.(m\d+n\d+k\d+)\.(load|store|mma)\.(.*)", word)
    if match is None:
        return
    shape, verb, rest = match.groups()
    parts = [part for part in rest.split(".") if part not in ("stride", "satfinite")]
    types = [part for part in parts if part in ptx.TYPES]
    if verb != "mma" and len(types) == 1:
        yield f"wmma.{verb}.{parts[0]}.sync.aligned.row.{shape}.{types[0]}"
    elif verb == "mma" and (four := _four(types)):
        yield f"wmma.mma.sync.aligned.row.col.{shape}.{'.'.join(four)}"


def _tcgen05(word: str) -> Iterator[str]:
    name = re.sub(r"\.v\d+i32$|\.i32$", "", word)
    number = re.search(r"\.cg([12])\b", name)
    if name.startswith("tcgen05.mma"):
        form = "tcgen05.mma" + (".ws" if ".ws" in name else "") + (".sp" if ".sp" in name else "")
        kinds = re.findall(r"mxf8f6f4|mxf4nvf4|mxf4", name)
        kind = f".kind::{kinds[0]}" if kinds else ""
        yield f"{form}{f'.cta_group::{number[1]}' if number else ''}{kind}"
    elif name.startswith("tcgen05.cp"):
        shape = re.sub(r"_warpx2_(\d\d)_(\d\d)", r".warpx2::\1_\2", name)
        shape = shape.replace("_warpx4", ".warpx4").removeprefix("tcgen05.cp.")
        shape = re.sub(r"\.cg[12]$", "", shape)
        yield f"tcgen05.cp.cta_group::{number[1] if number else 1}.{shape}"
    elif name.startswith("tcgen05.shift"):
        yield "tcgen05.shift.cta_group::1.down"
    else:
        yield name
