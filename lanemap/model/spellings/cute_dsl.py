"""Operations of CuTe DSL: tcgen05.Ld32x32bOp(tcgen05.Repetition.x32), warp.LdMatrix8x8x16bOp.

NVIDIA CUTLASS, Python DSL, cute.nvgpu: the classes of each module and their parameters.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from lanemap.model.spellings import cute, ptx
from lanemap.model.spellings.pasted import Pasted
from lanemap.model.spellings.reading import Reading
from lanemap.model.tcgen05_ldst import SHAPES

_MODULE = r"(?:(?P<module>tcgen05|warpgroup|warp|cpasync)\.(?:\w+\.)*)?"
_OP = re.compile(_MODULE + r"(?P<name>\w+Op)\b(?P<arguments>.*)", re.S)
_KIND = re.compile(r"SmemLayoutAtomKind\.(K|MN)_(INTER|SW32|SW64|SW128_32B|SW128)\b")
_COPIES = {
    "Cp128x256bOp": "128x256b", "Cp128x128bOp": "128x128b", "Cp4x256bOp": "4x256b",
    "Cp4x32x128bOp": "32x128b.warpx4", "Cp2x64x128b0213Op": "64x128b.warpx2::02_13",
    "Cp2x64x128b0123Op": "64x128b.warpx2::01_23",
}  # fmt: skip
_MATRICES = {
    "LdMatrix8x8x16bOp": "ldmatrix.m8n8", "StMatrix8x8x16bOp": "stmatrix.m8n8",
    "LdMatrix16x16x8bOp": "ldmatrix.m16n16", "StMatrix16x8x8bOp": "stmatrix.m16n8",
    "LdMatrix8x16x8bOp": "ldmatrix.m8n16",
}  # fmt: skip
_TCGEN05 = {
    "MmaF16BF16Op": "f16", "MmaTF32Op": "tf32", "MmaI8Op": "i8", "MmaFP8Op": "f8f6f4",
    "MmaF8F6F4Op": "f8f6f4", "MmaMXF8Op": "mxf8f6f4", "MmaMXF8F6F4Op": "mxf8f6f4",
    "MmaMXF4Op": "mxf4", "MmaMXF4NVF4Op": "mxf4nvf4", "SM103MmaMXF4Op": "mxf4",
    "SM103MmaMXF4NVF4Op": "mxf4nvf4", "MmaF16BF16SparseOp": "f16", "MmaFP8SparseOp": "f8f6f4",
}  # fmt: skip
_HALF, _FP8 = ("f16", "bf16"), ("e4m3", "e5m2")
_WARPGROUP: dict[str, tuple[int, tuple[str, ...]]] = {
    "MmaF16BF16Op": (16, _HALF), "MmaF8Op": (32, _FP8), "MmaFP8Op": (32, _FP8),
    "MmaI8Op": (32, ("s8", "u8")),
}  # fmt: skip
_WARP: dict[str, tuple[int, tuple[str, ...]]] = {
    "MmaF16BF16Op": (16, _HALF), "MmaTF32Op": (8, ("tf32",)), "MmaFP8Op": (32, _FP8),
    "MmaMXF8Op": (32, _FP8), "MmaMXF8F6F4Op": (32, (*_FP8, "e3m2", "e2m3", "e2m1")),
    "MmaMXF4Op": (64, ("e2m1",)), "MmaMXF4NVF4Op": (64, ("e2m1",)),
}  # fmt: skip
_TYPES = {"float16": "f16", "bfloat16": "bf16", "float8e4m3fn": "e4m3", "float8e5m2": "e5m2"}


def read(pasted: Pasted) -> Iterator[Reading]:
    """Read an operation, or the kind of a layout."""
    if kind := _KIND.search(pasted.text):
        yield from cute.tiles(kind[1], kind[2], None)
    elif match := _OP.search(pasted.text):
        for name in _instructions(match):
            yield from ptx.read(Pasted.of(name))


def _instructions(match: re.Match[str]) -> Iterator[str]:
    name, arguments = match["name"], match["arguments"]
    if move := re.fullmatch(r"(Ld|St)(32x32b|16x64b|16x128b|16x256b|16x32bx2)Op", name):
        yield from _moves(move[1].lower(), move[2], arguments)
    elif name in _COPIES:
        yield f"tcgen05.cp.cta_group::1.{_COPIES[name]}"
    elif name in _MATRICES:
        yield from _matrices(_MATRICES[name], arguments)
    elif re.match(r"Copy(Reduce)?BulkTensor", name):
        yield "cp.async.bulk.tensor"
    else:
        yield from _products(match["module"], name, arguments)


def _moves(op: str, shape: str, arguments: str) -> Iterator[str]:
    count = re.search(r"\bx(\d+)\b", arguments)
    powers = (f"x{times}" for times in SHAPES[shape].repetitions())
    half = "PACK_16b" in arguments
    modifier = (".pack::16b" if op == "ld" else ".unpack::16b") if half else ""
    for number in [count[0]] if count else powers:
        yield f"tcgen05.{op}.sync.aligned.{shape}.{number}{modifier}.b32"


def _matrices(instruction: str, arguments: str) -> Iterator[str]:
    count = re.search(r"num_matrices\s*=\s*(\d)|\b(\d)\s*\)?$", arguments)
    trans = ".trans" if re.search(r"transpose\s*=\s*True|\(\s*True", arguments) else ""
    trans = trans if "m8n8" in instruction else ".trans" if "m8n16" not in instruction else ""
    kinds = {"m8n8": ("b16",), "m8n16": ("b8x16.b6x16_p32", "b8x16.b4x16_p64")}
    for kind in kinds.get(instruction.partition(".")[2], ("b8",)):
        for number in [count[1] or count[2]] if count else ("1", "2", "4"):
            yield f"{instruction}.x{number}{trans}.{kind}"


def _products(module: str | None, name: str, arguments: str) -> Iterator[str]:
    sparse = "Sparse" in name
    if module in (None, "tcgen05") and name in _TCGEN05:
        yield f"tcgen05.mma{'.sp' if sparse else ''}.kind::{_TCGEN05[name]}"
    if module in (None, "warpgroup") and name in _WARPGROUP:
        depth, kinds = _WARPGROUP[name]
        for kind in _given(kinds, arguments):
            result = "s32" if name == "MmaI8Op" else "f32"
            yield f"wgmma.mma_async.sync.aligned.m64n64k{depth}.{result}.{kind}.{kind}"
    if module in (None, "warp") and name.replace("Sparse", "") in _WARP:
        depth, kinds = _WARP[name.replace("Sparse", "")]
        size = re.search(r"\(\s*16\s*,\s*8\s*,\s*(\d+)\s*\)", arguments)
        depth = int(size[1]) if size else depth * (2 if sparse else 1)
        for kind in _given(kinds, arguments):
            narrow = ".kind::f8f6f4" if len(kind) == 4 and kind.startswith("e") else ""
            op = "mma.sp" if sparse else "mma.sync"
            yield f"{op}.aligned.m16n8k{depth}.row.col{narrow}.f32.{kind}.{kind}.f32"


def _given(kinds: tuple[str, ...], arguments: str) -> tuple[str, ...]:
    """The type of A that the first argument names; all of them where there is none."""
    words = re.findall(r"\w+", arguments.lower())
    named = [_TYPES[word] for word in words if _TYPES.get(word) in kinds]
    return (named[0],) if named else kinds
