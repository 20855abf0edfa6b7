"""What a pipeline multiplies: numbers, the bytes of its tiles, and its sums by NumPy.

Places of elements are those of `mma_kernels`, from the documents. Scale factors lie as the PTX ISA
(Block Scaling) and NVIDIA/cutlass at 7107b05 (mma_traits_sm100.hpp, tmem_sf_frg) have them: four
of a row side by side, row r in 16 bytes of the rows r % 32.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from tests.emulator.ptx.mma_kernels import LANES, SWIZZLES, WIDTHS, Array, Operand, codes, put
from tests.emulator.ptx.tensor_pipelines.shape import SHARED_ALIGNMENT, Shape

#: What the output holds where a program writes nothing.
UNTOUCHED = 0xDEADBEEF


def rounded(count: int) -> int:
    """The next multiple of the alignment of shared memory."""
    return -(-count // SHARED_ALIGNMENT) * SHARED_ALIGNMENT


@dataclass(frozen=True)
class Tile:
    """Where the parts of a tile lie in the shared memory of a CTA, in bytes from its begin.

    Attributes:
        a, b: Begin of each block of A and B.
        sfa, sfb: Begin of the scales.
        sfb_bytes: Bytes of four scales of B's rows.
        near: Bytes of A and scales; B follows.
        size: Bytes of everything.
    """

    a: tuple[int, ...]
    b: tuple[int, ...]
    sfa: int
    sfb: int
    sfb_bytes: int
    near: int
    size: int


def _span(operand: Operand, bits: int, lines: int, depth: int) -> int:
    """Bytes of an operand, whole rows of the swizzle's pattern."""
    return rounded(int(operand.places(bits, lines, depth).max()) // 8 + 1)


def tile_of(s: Shape) -> Tile:
    """Lay the parts out one behind the other."""
    m, depth = s.mma, s.mma.depth * s.depths
    of_a, of_b = _span(s.near, m.bits, s.rows, depth), _span(s.far, m.bits, s.columns, depth)
    a = tuple(of_a * i for i in range(s.a_blocks))
    sfa = of_a * s.a_blocks
    sfb = sfa + 512 * s.scale_words
    # of M = 128 a pair's scales of B are two halves of 64x128b.warpx2::01_23
    sfb_bytes = 1024 if s.fold == 2 else 512 * -(-m.columns // 128)
    near = rounded(sfb + sfb_bytes * s.scale_words)
    b = tuple(near + of_b * i for i in range(s.b_blocks))
    return Tile(a, b, sfa, sfb, sfb_bytes, near, near + of_b * s.b_blocks)


@dataclass(frozen=True)
class Numbers:
    """Operands of one team (a CTA, or a pair): [tile, block, row, k], scales [tile, row, scale]."""

    a: Array
    b: Array
    sfa: Array
    sfb: Array


def _values(kind: str, shape: tuple[int, ...], small: bool, rng: np.random.Generator) -> Array:
    """Whole numbers of a type: sums of them are exact."""
    most = 1 if small else 4
    return rng.integers(0 if kind == "u8" else -most, most + 1, shape).astype(float)


def numbers(s: Shape) -> list[Numbers]:
    """What each team multiplies; a B that is shared is the same in all of them."""
    m, depth = s.mma, s.mma.depth * s.depths
    rng, teams = np.random.default_rng(s.seed), []
    powers = [0.5, 1.0, 2.0] if s.scale_type != "ue4m3" else [0.5, 1.0, 1.5, 3.0]
    small = m.d == "f16"
    for _ in range(s.ctas // s.group):
        a = _values(m.a, (s.tiles, s.a_blocks, m.rows, depth), small, rng)
        b = _values(m.b, (s.tiles, s.b_blocks, m.columns, depth), small, rng)
        sfa, sfb = (
            rng.choice(powers, (s.tiles, lines, s.depths * s.scales))
            for lines in (m.rows, m.columns)
        )
        teams.append(Numbers(a, teams[0].b if teams and s.sharing else b, sfa, sfb))
    return teams


def _packed(s: Shape, scales: Array, folded: bool, image: Array) -> None:
    """Scales [row, scale], four to a word: of 32 rows a column of 16 bytes in 32 lanes."""
    found = codes(s.scale_type, scales)
    for number in range(s.scale_words):
        four = found[:, 4 * number : 4 * number + 4]
        size = len(image) // s.scale_words
        words = image[size * number :][:size].reshape(-1, 4, 4)  # [source row, column, byte]
        for row in range(len(four)):
            half = len(four) // 2
            here = row % half if folded else row
            # the second half of a folded B, or the second 128 rows of a long one
            source = 32 * (row // half) if folded else 32 * (row // 128)
            words[source + here % 32, here % 128 // 32, : four.shape[1]] = four[row]


def image(s: Shape, cta: int, tile: int, team: Numbers) -> Array:
    """The bytes of one tile in the shared memory of one CTA; the rest is random."""
    t, m, depth = tile_of(s), s.mma, s.mma.depth * s.depths
    # of a shared B, the bytes between its elements come from one CTA for all
    rng = np.random.default_rng((s.seed, cta % s.group if s.sharing else cta, tile))
    found = rng.integers(0, 256, t.size, dtype=np.uint8)
    rank = cta % s.group
    near = s.near.places(m.bits, s.rows, depth, m.a)
    far = s.far.places(m.bits, s.columns, depth, m.b)
    for at, block in zip(t.a, team.a[tile], strict=True):
        mine = codes(m.a, block[rank * s.rows :][: s.rows])
        put(found[at:], near, mine, WIDTHS.get(m.a, m.bits))
    for at, block in zip(t.b, team.b[tile], strict=True):
        mine = codes(m.b, block[rank * s.columns :][: s.columns])
        put(found[at:], far, mine, WIDTHS.get(m.b, m.bits))
    if m.scaled:
        mine = team.sfa[tile, rank * s.rows :][: s.rows]
        _packed(s, mine, False, found[t.sfa : t.sfb])
        sfb = found[t.sfb : t.sfb + t.sfb_bytes * s.scale_words]
        _packed(s, team.sfb[tile], s.fold == 2, sfb)
    return found


def step_bytes(operand: Operand, bits: int, lines: int, depth: int, k: int) -> int:
    """How far element k of line 0 lies behind element 0, before the swizzle (canonical layouts)."""
    _, width, mask, _, group = SWIZZLES[operand.swizzle]
    leading, stride = operand.offsets(bits, lines, depth)
    if operand.mn:
        return k // group * (stride if mask else leading)
    return k * bits // 8 if mask else k * bits // 128 * leading


def _sum(s: Shape, team: Numbers, tiles: range, a_block: int, b_block: int) -> Array:
    total = np.zeros((s.mma.rows, s.mma.columns))
    for tile in tiles:
        a, b = team.a[tile, a_block], team.b[tile, b_block]
        if s.moved:  # each row of a slab of 32 takes the next one, the last keeps its own
            slabs = a.reshape(-1, 32, a.shape[1])
            a = np.concatenate([slabs[:, 1:], slabs[:, 31:]], axis=1).reshape(a.shape)
        if s.scales:
            each = s.mma.depth // s.scales
            a, b = a * np.repeat(team.sfa[tile], each, 1), b * np.repeat(team.sfb[tile], each, 1)
        total += a @ b.T
    return total


def places(s: Shape) -> tuple[Array, Array, Array]:
    """CTA of the team, lane and column of each element of D (PTX ISA, Data Path Layouts A to G)."""
    row, n = np.indices((s.mma.rows, s.mma.columns))
    here, lane = row // s.rows, row % s.rows
    if s.rows == 64 and s.fold == 1:  # layout F
        lane = 32 * (lane // 16) + lane % 16
    return here, lane + s.rows * (n // s.width), n % s.width


def sums(s: Shape) -> Any:
    """What the program writes: uint32[CTA, sum, lane, column]."""
    out = np.full((s.ctas, s.sums, LANES, s.blocks * s.width), UNTOUCHED, np.uint32)
    rank, lane, column = places(s)
    for number, team in enumerate(numbers(s)):
        for i in range(s.sums):
            tiles = range(i * s.steps, (i + 1) * s.steps)
            for block in range(s.blocks):
                a_block, b_block = divmod(block, s.b_blocks)
                total = codes(s.mma.d, _sum(s, team, tiles, a_block, b_block))
                out[number * s.group + rank, i, lane, block * s.width + column] = total
    return out
