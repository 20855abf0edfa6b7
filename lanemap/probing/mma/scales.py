"""Scales of block-scaled mma.sync: which byte of which thread's register scales which block.

One element of an operand is one, all others are zero, and the other operand is ones. Every byte of
the operand's register of scales holds digits of its number, all scales of the other operand are
ones. So the elements of D that are not zero show the digits of the byte that scales the element.
Which row (or column) and k an element is, the products of the unscaled probe say.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from lanemap.layout import Space
from lanemap.probing.mma import kernel
from lanemap.probing.mma.forms import LANES, ONE, Form
from lanemap.probing.mma.fragments import names
from lanemap.probing.probe import State
from lanemap.probing.proof.certificates import Certificate
from lanemap.probing.tags.bits import NO_CELL, BitTags
from lanemap.probing.tags.digits import joined, split
from lanemap.probing.warp.tagged import UNREAD, Geometry, TaggedMoves, TagReading, Words
from lanemap.probing.wgmma.elements import codes
from lanemap.targets import probed

Integers = npt.NDArray[np.int64]
Images = npt.NDArray[np.uint32]
TARGETS = probed("block-scaled mma.sync")
BYTES, BASE, DIGITS = 4 * LANES, 16, 2
#: Blocks of k to what the instruction says of them, its type of scales, and the unscaled form.
BLOCKS = {
    1: ("mxf8f6f4.block_scale.scale_vec::1X", "ue8m0", Form(16, 32, "e4m3", "f32")),
    2: ("mxf4.block_scale.scale_vec::2X", "ue8m0", Form(16, 64, "e2m1", "f32")),
    4: ("mxf4nvf4.block_scale.scale_vec::4X", "ue4m3", Form(16, 64, "e2m1", "f32")),
}
#: First bytes that may be selected by the number of blocks, and threads of a quad by the operand
#: (PTX ISA, Block Scaling for mma.sync).
FIRST_BYTES, THREADS = {1: (0, 1, 2, 3), 2: (0, 2), 4: (0,)}, {"A": 2, "B": 4}


@dataclass(frozen=True)
class Scale:
    """The scales of an operand under one pair of selectors.

    Attributes:
        operand: "A" or "B".
        blocks: Blocks of k.
        byte: The selector byte-id.
        thread: The selector thread-id.
    """

    operand: str
    blocks: int
    byte: int
    thread: int

    @property
    def form(self) -> Form:
        """The unscaled form with the same elements."""
        return BLOCKS[self.blocks][2]

    @property
    def lines(self) -> int:
        """Rows of A, columns of B."""
        return 16 if self.operand == "A" else 8

    @property
    def variant(self) -> str:
        """Its name."""
        side = f"{'m' if self.operand == 'A' else 'n'}{self.lines}"
        selectors = f"byte{self.byte}.thread{self.thread}"
        return f"mma.sync.{side}.scale_vec::{self.blocks}X.{selectors}:SF{self.operand}"

    @property
    def instruction(self) -> str:
        """The instruction."""
        kind, scale, form = BLOCKS[self.blocks]
        types = f"f32.{form.kind}.{form.kind}.f32.{scale}"
        return f"mma.sync.aligned.{form.shape}.row.col.kind::{kind}.{types}"

    @property
    def entry(self) -> str:
        """The name of its kernel."""
        return re.sub(r"\W+", "_", self.variant)

    @property
    def geometry(self) -> Geometry:
        """The register of scales, and the scales of the matrix."""
        axis = "row" if self.operand == "A" else "column"
        scales = ((axis, self.lines), ("block", self.blocks), ("bit", 8))
        register = (("lane", LANES), ("register", 1), ("bit", 32))
        return Geometry(Space("register", register), Space("matrix", scales), 8)


def scales() -> Iterator[Scale]:
    """The scales of both operands under every legal pair of selectors."""
    for blocks, first in FIRST_BYTES.items():
        for operand, threads in THREADS.items():
            for byte in first:
                yield from (Scale(operand, blocks, byte, thread) for thread in range(threads))


def _loads(letter: str, words: int, number: str) -> list[str]:
    return [
        f"ld.param.u64 at, [{letter}]; mad.lo.u32 x, {number}, {words * LANES}, t;",
        "mad.wide.u32 at, x, 4, at;",
        *(f"ld.global.b32 {letter}_{i}, [at+{i * LANES * 4}];" for i in range(words)),
    ]


def text(scale: Scale) -> str:
    """The kernel: (images of A, of B, scales of A, of B, out); grid (elements, passes)."""
    form, selectors = scale.form, {"A": "{0, 0}", "B": "{0, 0}"}
    selectors[scale.operand] = f"{{{scale.byte}, {scale.thread}}}"
    a, b = (
        "{" + ", ".join(f"{letter}_{i}" for i in range(form.words(letter.upper()))) + "}"
        for letter in "ab"
    )
    lines = [
        f".visible .entry {scale.entry}(.param .u64 a, .param .u64 b, .param .u64 sa,",
        ".param .u64 sb, .param .u64 out) {",
        ".reg .b32 t, n, p, x, a_<4>, b_<2>, sa_<1>, sb_<1>; .reg .f32 d<4>, zero; .reg .b64 at;",
        "mov.u32 t, %tid.x; mov.u32 n, %ctaid.x; mov.u32 p, %ctaid.y; mov.f32 zero, 0f00000000;",
        *_loads("a", form.words("A"), "n"),
        *_loads("b", form.words("B"), "n"),
        *_loads("sa", 1, "p"),
        *_loads("sb", 1, "p"),
        f"{scale.instruction} {{d0, d1, d2, d3}}, {a}, {b}, {{zero, zero, zero, zero}}, "
        f"sa_0, {selectors['A']}, sb_0, {selectors['B']};",
        "mov.u32 x, %nctaid.x; mad.lo.u32 n, p, x, n;",
        f"ld.param.u64 at, [out]; mad.lo.u32 x, n, {4 * LANES}, t; mad.wide.u32 at, x, 4, at;",
        *(f"st.global.f32 [at+{i * LANES * 4}], d{i};" for i in range(4)),
        "ret; }\n",
    ]
    return "\n".join(lines)


def sources() -> dict[str, str]:
    """The text of the probe, by target."""
    body = "".join(map(text, scales()))
    return {target: kernel.HEAD.format(target=target) + body for target in TARGETS}


def unscaled() -> dict[str, str]:
    """The text of the products without scales, by target."""
    known = dict.fromkeys(form for _, _, form in BLOCKS.values())
    body = "".join(map(kernel.text, known))
    return {target: kernel.HEAD.format(target=target) + body for target in TARGETS}


def _elements(form: Form, operand: str, one_hot: bool, count: int) -> Images:
    """Words of an operand: uint32[count, word, lane], one element in each or ones."""
    bits, own, one = form.bits(operand), form.elements(operand), ONE[form.kind]
    held = np.zeros((count, form.words(operand), LANES), np.uint32)
    for element in range(own):
        word, value = element * bits // 32, np.uint32(one << element * bits % 32)
        for lane in range(LANES):
            held[lane * own + element if one_hot else slice(None), word, lane] |= value
    return held


def _scale_words(tagged: bool, kind: str) -> Images:
    """Words of scales in every pass: uint32[pass, lane]."""
    lane, byte = np.indices((LANES, 4))
    digits = np.array(split(lane * 4 + byte, BASE, DIGITS))
    if not tagged:
        digits = np.zeros_like(digits)
    code = 127 + digits if kind == "ue8m0" else codes("e4m3", 1 + digits)
    words = np.ascontiguousarray(code.astype(np.uint8)).view(np.uint32)
    return np.ascontiguousarray(words.reshape(DIGITS + 1, LANES))


def _digit(kind: str, shown: npt.NDArray[np.float32]) -> Integers:
    """The digits that products show; -1 for what is none."""
    exact = np.arange(BASE) if kind == "ue4m3" else 2.0 ** np.arange(BASE) - 1
    place = np.searchsorted(exact, shown - 1).clip(0, BASE - 1)
    return np.where(exact[place] == shown - 1, place, -1)


def _tags(state: State, scale: Scale, lines: Integers) -> Integers:
    """The byte that scales each element of the operand, int64[elements]; -1 where D shows none.

    Args:
        state: The device and the text.
        scale: The scales.
        lines: The row (or column) of each element, and of each element of D.
    """
    form, kind = scale.form, BLOCKS[scale.blocks][1]
    count, device = LANES * form.elements(scale.operand), state.device
    given = [
        device.array(_elements(form, operand, operand == scale.operand, count)) for operand in "AB"
    ]
    given += [device.array(_scale_words(operand == scale.operand, kind)) for operand in "AB"]
    out = device.zeros((DIGITS + 1, count, 4, LANES), np.float32)
    state.entry(scale.entry)((count, DIGITS + 1, 1), (LANES, 1, 1), [*given, out])
    shown = out.get().swapaxes(2, 3).reshape(DIGITS + 1, count, LANES * 4)
    own = lines[:count, None] == lines[None, count:]
    first = np.array([shown[:, n, own[n]][:, 0] for n in range(count)]).T
    whole = np.all(np.where(own, shown == first[..., None], shown == 0), axis=(0, 2))
    found = joined(list(_digit(kind, first)), BASE)
    return np.where(whole & (found < BYTES), found, -1)


def readings(state: State, products: str) -> list[TagReading]:
    """The scales of every pair of selectors at one number of blocks.

    Args:
        state: The device, the text, and the number of blocks.
        products: The text of the products without scales.
    """
    blocks = int(state["blocks"])
    form = BLOCKS[blocks][2]
    module = State(state.device, products, state.point, state.modules)
    named = names(form, kernel.meetings(state.device, module.entry(form.entry), form))
    return [_reading(state, each, named) for each in scales() if each.blocks == blocks]


def _reading(state: State, scale: Scale, named: dict[str, Integers] | None) -> TagReading:
    received = np.full((LANES, 4, 8), NO_CELL, np.int64)
    if named is not None:
        form, of_a = scale.form, scale.operand == "A"
        line, k = np.divmod(named[scale.operand], form.depth if of_a else form.columns)
        line, k = (line, k) if of_a else (k, line)
        of_d = named["D"] // form.columns if of_a else named["D"] % form.columns
        tags = _tags(state, scale, np.concatenate([line, of_d]))
        block = _blocks(line, k, tags, scale)
        if block is not None:
            received[:] = UNREAD
            cell = (line * scale.blocks + block)[:, None] * 8 + np.arange(8)
            received[tags // 4, tags % 4] = cell
    return TagReading(
        scale.variant,
        scale.instruction,
        "one element at a time against ones, a number in each byte of the operand's scales",
        1,
        DIGITS + 1,
        received.reshape(-1),
        np.arange(scale.geometry.source.size),
    )


def _blocks(line: Integers, k: Integers, tags: Integers, scale: Scale) -> Integers | None:
    """The block of each element, numbered by its first k.

    Returns:
        int64[elements]; None if lines do not divide k alike, or a byte scales two blocks.
    """
    if tags.min() < 0:
        return None
    table = np.full((scale.lines, scale.form.depth), -1)
    table[line, k] = tags
    _, first = np.unique(table[0], return_index=True)
    number = np.searchsorted(np.sort(first), _firsts(table[0]))
    alike = all(np.array_equal(_firsts(each), _firsts(table[0])) for each in table)
    if len(first) != scale.blocks or not alike or np.unique(table).size != table[:, first].size:
        return None
    return np.asarray(number[k], np.int64)


def _firsts(tags: Integers) -> Integers:
    """Where each tag of a line appears first."""
    _, first, inverse = np.unique(tags, return_index=True, return_inverse=True)
    return np.asarray(first[inverse.reshape(-1)], np.int64)


class Scales(TaggedMoves):
    """Explains which scale each byte is."""

    def _certificates(self, readings: Sequence[TagReading]) -> Iterator[Certificate]:
        spaces = self.geometry[readings[0].variant]
        count = spaces.source.size // 8
        yield Certificate(
            "each byte of the registers is any scale, or not read",
            BYTES,
            count + 1,
            count + 1,
            True,
        )
        yield Certificate(
            "which row, column and block of k have a number",
            1,
            2,
            1,
            False,
            "renamings of rows, of columns and of blocks of k, common to operands and their scales;"
            " names are those of mma_sync_fragments, and blocks follow their first k",
        )


def analysis() -> Scales:
    """The analysis of the readings."""
    geometry = {each.variant: each.geometry for each in scales()}
    return Scales(geometry, BitTags(1), Words("byte of the registers", "scale", "not read"), 0)
