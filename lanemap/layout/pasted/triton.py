"""Triton's and Gluon's layouts as people paste them.

    #ttg.linear<{register = [[0, 1], [8, 0]], lane = [[0, 2], ..], warp = [], block = []}>
    LinearLayout.from_bases([("register", [[0, 1], ..]), ..], ["dim0", "dim1"], [16, 16], False)
    - register=1 -> (0, 1)                              what Triton prints of a LinearLayout
    gl.DistributedLinearLayout(reg_bases=[..], lane_bases=[..], ..., shape=[16, 16])
    #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1],
                  order = [1, 0]}>                      BlockedLayout of Gluon too
    #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
    #ttg.shared_linear<{offset = [[0, 1], ..]}, alignment = 16>
    #ttg.nvidia_mma<{..}>, #ttg.amd_mfma<{..}>, #ttg.dot_op<{..}>       see triton_matrices

A basis is the image of one bit of an input; the image of several is their XOR (Triton,
include/triton/Tools/LinearLayout.h). Blocked and swizzled layouts are those of
TritonGPUAttrDefs.td.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from lanemap.errors import UserError
from lanemap.layout.cells import IntArray, LayoutMap, Space
from lanemap.layout.pasted.triton_matrices import Tile, bases_of, tile_of
from lanemap.layout.pasted.words import Words

WHAT = "layout of Triton or Gluon"
MATRICES = ("nvidia_mma", "amd_mfma", "dot_op")
AXES = {1: ("row",), 2: ("row", "column")}
#: Names of inputs, by those of attributes and of Gluon's arguments.
INPUTS = {
    "register": "register", "reg_bases": "register", "lane": "lane", "lane_bases": "lane",
    "warp": "warp", "warp_bases": "warp", "block": "block", "block_bases": "block",
    "offset": "offset", "offset_bases": "offset",
}  # fmt: skip
#: The axes of the registers, the slowest first.
ORDER = ("block", "warp", "lane", "register")
#: Parts of a register, which `lanemap emit --as triton` names: bits of the value, lowest first.
PARTS = ("bit", "nibble", "byte", "half", "word")
MOST_BITS = 22
_PRINTED = re.compile(r"^\s*-\s*\w+\s*(=\s*1\s*->|is a size 1 dimension)", re.MULTILINE)
_STEP = re.compile(r"^[\s-]*(\w+)\s*=\s*(\d+)\s*->\s*\(([-\d,\s]*)\)\s*$")
_ALONE = re.compile(r"^[\s-]*(\w+) is a size 1 dimension\s*$")
_OUTPUTS = re.compile(r"^\s*where out dims are:\s*\[(.*)\]\s*$")

Bases = Mapping[str, Sequence[Sequence[int]]]


def is_triton(text: str) -> bool:
    """Whether a text looks like a layout of Triton or Gluon."""
    start = text.lstrip()
    name = re.match(r"#?[\w.]*", start)
    return bool(
        _PRINTED.search(text)
        or start.startswith(("#ttg", "#blocked", "#linear", "#shared", "{", "#triton_gpu"))
        or (name and name[0].split(".")[-1] in _NAMED)
        or "LinearLayout" in start[:40]
    )


def read(text: str, shape: tuple[int, int] | None = None) -> LayoutMap:
    """Read a layout: which element of the tensor each register or shared element holds.

    Args:
        text: The layout.
        shape: Rows and columns of the tensor, for layouts that do not say them.

    Raises:
        UserError: The text is no such layout, or one that is not linear over its bits.
    """
    if _PRINTED.search(text):
        return _linear(*_printed(text), text)
    words = Words(text, WHAT)
    if words.next == "{":
        kind = "linear"
    else:
        kind = _NAMED.get(words.take().split(".")[-1].lstrip("#"), "")
        if kind == "linear" and words.skip(".from_bases"):
            kind = "from_bases"
    if not kind:
        known = ", ".join(dict.fromkeys(_NAMED))
        raise UserError(f"{text.split('<')[0].split('(')[0]!r} is no layout that can be read: "
                        f"of Triton and Gluon these are {known}")  # fmt: skip
    if kind == "from_bases":
        return _python(words, text)
    opened = words.take() if words.next in ("<", "(") else ""
    fields = words.fields()
    if opened:
        words.expect(">" if opened == "<" else ")")
    words.end()
    if kind in MATRICES:
        tile = tile_of(kind, fields)
        wanted = list(shape or tile.sizes)
        _powers("the shape", wanted)
        return _linear(bases_of(tile, wanted), wanted, "")
    makers: dict[str, Any] = {"blocked": _blocked, "swizzled": _swizzled}
    if kind in makers:
        found: LayoutMap = makers[kind](fields, shape, words)
        return found
    bases = {INPUTS[name]: value for name, value in fields.items() if name in INPUTS}
    if not bases:
        raise words.wrong("it names no bases of register, lane, warp or offset")
    return _linear(bases, fields.get("shape", ()), text)


_NAMED = {
    "linear": "linear", "DistributedLinearLayout": "linear", "LinearLayout": "linear",
    "LinearLayout.from_bases": "from_bases", "from_bases": "from_bases",
    "shared_linear": "linear", "SharedLinearLayout": "linear",
    "blocked": "blocked", "BlockedLayout": "blocked",
    "nvidia_mma": "nvidia_mma", "NVMMADistributedLayout": "nvidia_mma",
    "amd_mfma": "amd_mfma", "AMDMFMALayout": "amd_mfma",
    "dot_op": "dot_op", "DotOperandLayout": "dot_op",
    "swizzled_shared": "swizzled", "SwizzledSharedLayout": "swizzled", "shared": "swizzled",
}  # fmt: skip


def _printed(text: str) -> tuple[dict[str, list[list[int]]], tuple[int, ...]]:
    """Bases and output sizes out of what Triton prints."""
    bases: dict[str, list[list[int]]] = {}
    sizes: tuple[int, ...] = ()
    for number, line in enumerate(text.splitlines(), 1):
        step, alone, outputs = _STEP.match(line), _ALONE.match(line), _OUTPUTS.match(line)
        if step:
            own = bases.setdefault(step[1], [])
            if int(step[2]) != 1 << len(own):
                raise UserError(
                    f"line {number} of the layout: {step[1]}={step[2]} was expected to be "
                    f"{step[1]}={1 << len(own)}"
                )
            own.append([int(part) for part in step[3].split(",")])
        elif alone:
            bases.setdefault(alone[1], [])
        elif outputs:
            sizes = tuple(int(each) for each in re.findall(r"size (\d+)", outputs[1]))
        elif line.strip():
            raise UserError(f"line {number} of the layout is not understood: {line.strip()!r}")
    known = {name: value for name, value in bases.items() if name in INPUTS}
    if not known:
        raise UserError(f"the layout's inputs are {', '.join(bases)}, not register, lane, warp")
    return known, sizes


def _python(words: Words, text: str) -> LayoutMap:
    """`from_bases([("register", [[0, 1]]), ..], ["dim0", "dim1"], [16, 16], False)`."""
    words.expect("(")
    words.expect("[")

    def pair() -> tuple[str, Any]:
        words.expect("(")
        name = _quoted(words)
        words.expect(",")
        value = words.nested()
        words.expect(")")
        return name, value

    bases = dict(words.items("]", pair))
    sizes: Any = ()
    while words.skip(","):
        if words.skip("["):
            if words.next in ('"', "'"):
                words.items("]", lambda: _quoted(words))
            else:
                sizes = words.items("]", words.integer)
        elif words.next == ")":
            break
        else:
            words.take()
    words.expect(")")
    words.end()
    parts = [image for name in PARTS for image in bases.pop(name, ())]
    bases["register"] = (*parts, *bases.get("register", ()))
    unknown = [name for name in bases if name not in INPUTS]
    if unknown:
        raise UserError(f"the layout's input {unknown[0]!r} is not one of {', '.join(ORDER)}")
    return _linear(bases, sizes, text)


def _quoted(words: Words) -> str:
    mark = words.take()
    if mark not in ('"', "'"):
        words.at -= 1
        raise words.wrong("a name in quotes was expected")
    name = words.take()
    words.expect(mark)
    return name


def _linear(bases: Bases, sizes: Sequence[int], text: str) -> LayoutMap:
    """The map of a linear layout."""
    bases, sizes = _without_ones(bases, sizes)
    images = [image for own in bases.values() for image in own]
    rank = len(images[0]) if images else len(sizes) or 1
    if any(not hasattr(image, "__len__") or len(image) != rank for image in images):
        raise UserError(f"each basis must have {rank} coordinates, as the first one has")
    if rank not in AXES:
        raise UserError(f"a layout of {rank} dimensions cannot be drawn; one or two can")
    if len(images) > MOST_BITS:
        raise UserError(f"a layout of {len(images)} bases has too many cells to be shown")
    largest = [max([image[at] for image in images], default=0) for at in range(rank)]
    wanted = [1 << each.bit_length() for each in largest]
    if sizes:
        if len(sizes) != rank or any(s < w for s, w in zip(sizes, wanted, strict=True)):
            raise UserError(f"the shape {list(sizes)} is too small for bases up to {largest}")
        wanted = list(sizes)
    if "offset" in bases:
        destination = Space("offset", (("offset", 1 << len(bases["offset"])),))
        inputs: tuple[str, ...] = ("offset",)
    else:
        inputs = tuple(name for name in ORDER if name in ("lane", "register") or bases.get(name))
        axes = tuple((name, 1 << len(bases.get(name, ()))) for name in inputs)
        destination = Space("register", axes)
    grid = destination.grid()
    coordinates = [np.zeros(destination.size, np.int64) for _ in range(rank)]
    for name in inputs:
        for bit, image in enumerate(bases.get(name, ())):
            for at in range(rank):
                coordinates[at] ^= (grid[name] >> bit & 1) * image[at]
    source = Space("matrix", tuple(zip(AXES[rank], wanted, strict=True)))
    table = source.index(**dict(zip(AXES[rank], coordinates, strict=True)))
    return LayoutMap(destination, source, np.asarray(table).reshape(-1))


def _without_ones(bases: Bases, sizes: Sequence[int]) -> tuple[Bases, Sequence[int]]:
    """Without the dimensions of size 1 that a layout has beyond two."""
    if len(sizes) <= max(AXES) or any(len(i) != len(sizes) for own in bases.values() for i in own):
        return bases, sizes
    kept = [at for at, size in enumerate(sizes) if size > 1]
    found = {name: [[image[at] for at in kept] for image in own] for name, own in bases.items()}
    return found, [sizes[at] for at in kept]


def _pairs(fields: Mapping[str, Any], words: Words, *names: str) -> list[tuple[int, ...]]:
    """Lists of one length, each under its name in MLIR or in Gluon."""
    found = []
    for name in names:
        snake = re.sub(r"(CTA|[A-Z])", lambda m: "_" + m[0].lower(), name)
        value = fields.get(name, fields.get(snake))
        if not isinstance(value, tuple) or not value:
            raise words.wrong(f"it has no {name} (a list),")
        found.append(value)
    if len({len(each) for each in found}) != 1 or len(found[0]) not in AXES:
        raise UserError(f"{', '.join(names)} must have one or two numbers each, all the same")
    return found


def _powers(name: str, values: Sequence[int]) -> None:
    for value in values:
        if not isinstance(value, int) or value < 1 or value & (value - 1):
            raise UserError(f"{name} has {value}, but Triton's sizes are powers of two")


def _blocked(fields: Mapping[str, Any], shape: tuple[int, int] | None, words: Words) -> LayoutMap:
    each, threads, warps, order = _pairs(
        fields, words, "sizePerThread", "threadsPerWarp", "warpsPerCTA", "order"
    )
    for name, values in (
        ("sizePerThread", each),
        ("threadsPerWarp", threads),
        ("warpsPerCTA", warps),
    ):
        _powers(name, values)
    rank = len(order)
    if sorted(order) != list(range(rank)):
        raise UserError(f"order {list(order)} is no order of {rank} dimensions")
    tile = [a * b * c for a, b, c in zip(each, threads, warps, strict=True)]
    wanted = list(shape or tile)[:rank]
    _powers("the shape", wanted)
    sized = (("register", each), ("lane", threads), ("warp", warps))
    steps = [(name, at, sizes[at]) for name, sizes in sized for at in order]
    bases = bases_of(Tile(steps, again=tuple(order)), wanted)
    return _linear(bases, wanted, "")


def _swizzled(fields: Mapping[str, Any], shape: tuple[int, int] | None, words: Words) -> LayoutMap:
    """Which element each offset of shared memory holds."""
    numbers = []
    for name in ("vec", "perPhase", "maxPhase"):
        snake = re.sub(r"[A-Z]", lambda m: "_" + m[0].lower(), name)
        value = fields.get(name, fields.get(snake))
        if not isinstance(value, int):
            raise words.wrong(f"it has no {name},")
        _powers(name, (value,))
        numbers.append(value)
    vec, per_phase, most_phase = numbers
    order = fields.get("order", (1, 0))
    if order not in ((1, 0), (0, 1)):
        raise UserError(f"order {order} is not of two dimensions; only such tiles can be drawn")
    rows, columns = shape or ((per_phase * most_phase, vec * most_phase)[:: 1 if order[0] else -1])
    _powers("the shape", (rows, columns))
    slow, fast = (rows, columns) if order[0] else (columns, rows)
    offset = np.arange(rows * columns, dtype=np.int64)
    line, place = offset // fast, offset % fast
    phase = line // per_phase % most_phase
    held = (place // vec ^ phase) * vec + place % vec
    if held.size and int(held.max()) >= fast:
        raise UserError(
            f"lines of {fast} elements are too short for maxPhase {most_phase} of vec {vec}"
        )
    coordinates = (line, held) if order[0] else (held, line)
    return _shared(coordinates, rows, columns, slow, fast)


def _shared(
    coordinates: tuple[IntArray, IntArray], rows: int, columns: int, slow: int, fast: int
) -> LayoutMap:
    source = Space("matrix", (("row", rows), ("column", columns)))
    table = source.index(row=coordinates[0], column=coordinates[1])
    destination = Space("offset", (("line", slow), ("element", fast)))
    return LayoutMap(destination, source, np.asarray(table).reshape(-1))
