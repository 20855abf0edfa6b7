"""Fragments of `mma.sp`: a sparse A with half of its elements, and its metadata.

A row of A consists of chunks of 4 elements, of which 2 are stored; of tf32 of 2, of which one is
stored; of 4-bit elements of 8, of which 2 pairs are stored. The stored elements lie in the
registers as the elements of a dense A with half the K do; B, C and D lie as in `mma.sync`.

Four bits of metadata describe a chunk. A word has those of eight chunks. With `selector` s:

* 16 and 32 bits: bits 0 to 15 of a word are for row g = lane/4, the others for row g + 8, four
  chunks each. With the smaller K thread s of each quad gives them, with the larger one thread 2*s
  those of the lower half of the chunks, and thread 2*s + 1 those of the upper half.
* 8 and 4 bits: a word has eight chunks of one row. With the smaller K thread 2*s of each quad gives
  those of row g, thread 2*s + 1 those of row g + 8. With the larger K all threads give them: 0 and
  2 for row g, 1 and 3 for row g + 8, 2 and 3 for the upper half of the chunks.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from lanemap.layout import UNDEFINED, LayoutMap, Space
from lanemap.model.mma_sync import GAUGE, LANES, NARROW, a_map, b_map
from lanemap.model.mma_sync import Shape as DenseShape
from lanemap.model.variant import Variant
from lanemap.targets import modeled

ROWS = 16


@dataclass(frozen=True)
class Shape:
    """One sparse shape with one width of elements.

    Attributes:
        depth: K, of the dense matrix.
        bits: Width of elements of A and B.
        types: Types of that width.
        results: Types of C and D.
        selectors: How many values the sparsity selector has.
        padding: Of `bits`, how many lie below and above an element and belong to nothing.
        needs: The feature that a target must have (lanemap.targets.FEATURES).
    """

    depth: int
    bits: int
    types: tuple[str, ...]
    results: tuple[str, ...]
    selectors: int
    padding: tuple[int, int] = (0, 0)
    needs: str = "matrices of sm_80"

    @property
    def name(self) -> str:
        """As the instruction spells it."""
        return f"m16n8k{self.depth}"

    @property
    def chunk(self) -> int:
        """Elements of A that four bits of metadata describe."""
        return {32: 2, 4: 8}.get(self.bits, 4)

    @property
    def chunks(self) -> int:
        """Chunks of a row."""
        return self.depth // self.chunk


_HALF, _BYTE, _NIBBLE = ("f16", "bf16"), ("s8", "u8"), ("s4", "u4")
SHAPES = (
    Shape(16, 16, _HALF, ("f16", "f32"), 4),
    Shape(32, 16, _HALF, ("f16", "f32"), 2),
    Shape(8, 32, ("tf32",), ("f32",), 4),
    Shape(16, 32, ("tf32",), ("f32",), 2),
    Shape(32, 8, _BYTE, ("s32",), 2),
    Shape(64, 8, _BYTE, ("s32",), 1),
    Shape(64, 8, ("e4m3", "e5m2"), ("f32",), 1, needs="FP8"),
    Shape(64, 4, _NIBBLE, ("s32",), 2),
    Shape(128, 4, _NIBBLE, ("s32",), 1),
    Shape(64, 8, ("e3m2", "e2m3"), ("f16", "f32"), 1, (0, 2), NARROW),
    Shape(64, 8, ("e2m1",), ("f16", "f32"), 1, (2, 2), NARROW),
    Shape(128, 4, ("e2m1",), ("f32",), 1, needs=NARROW),
)


def shape_of(name: str, kind: str) -> Shape | None:
    """The shape of that name with elements of a type; None if there is none."""
    return next((each for each in SHAPES if each.name == name and kind in each.types), None)


def stored_map(shape: Shape) -> LayoutMap:
    """Registers of A and the stored elements that they hold: matrix row, k (stored), bit."""
    return a_map(DenseShape(ROWS, shape.depth // 2, shape.bits, (), (), shape.padding))


def other_map(shape: Shape) -> LayoutMap:
    """Registers of B and the elements that they hold: matrix k, column, bit."""
    return b_map(DenseShape(ROWS, shape.depth, shape.bits, (), (), shape.padding))


def metadata_map(shape: Shape, selector: int) -> LayoutMap:
    """The register of metadata and the chunks that it describes: matrix row, chunk, bit 4."""
    register = Space("register", (("lane", LANES), ("register", 1), ("bit", 32)))
    matrix = Space("matrix", (("row", ROWS), ("chunk", shape.chunks), ("bit", 4)))
    wide = shape.bits >= 16

    def source(lane: Any, register: Any, bit: Any) -> dict[str, Any]:
        row, place, thread = lane // 4, bit // 4, lane % 4
        threads = 4 // shape.selectors
        own = thread - threads * selector
        given = (own >= 0) & (own < threads)
        if wide:
            row, chunk = row + 8 * (place // 4), place % 4 + 4 * own
        else:
            row, chunk = row + 8 * (own % 2), place + 8 * (own // 2)
        return {"row": row, "chunk": np.where(given, chunk, UNDEFINED), "bit": bit % 4}

    return LayoutMap.from_function(register, matrix, source)


_ISA = "NVIDIA PTX ISA, Sparse matrix storage and matrix fragments for sparse mma.{}"


def _variant(name: str, formula: str, build: Any, shape: Shape, gauge: str, rest: str) -> Variant:
    targets = modeled(shape.needs)
    return Variant(
        name=name,
        targets=targets,
        family="sparse mma.sync fragment",
        formula=formula,
        citations=(_ISA.format(shape.name),),
        legality=f"{', '.join(targets)}; .sync.aligned: all threads of the warp, converged",
        build=build,
        gauge=gauge,
        rest=rest,
    )


def _of(shape: Shape) -> Iterator[Variant]:
    for kind in shape.types:
        prefix = f"mma.sp.{shape.name}.{kind}"
        words = "as {} of a dense m16n8k{}"
        rest = "padding, not read" if shape.padding != (0, 0) else ""
        yield _variant(
            f"{prefix}:A",
            f"stored elements {words.format('A', shape.depth // 2)}",
            lambda: stored_map(shape),
            shape,
            GAUGE,
            rest,
        )
        yield _variant(
            f"{prefix}:B",
            words.format("B", shape.depth),
            lambda: other_map(shape),
            shape,
            GAUGE,
            rest,
        )
        for selector in range(shape.selectors):

            def build(selector: int = selector) -> LayoutMap:
                return metadata_map(shape, selector)

            yield _variant(
                f"{prefix}.selector{selector}:E",
                "four bits a chunk, eight chunks a word",
                build,
                shape,
                "",
                "not read" if shape.selectors > 1 else "",
            )


def variants() -> list[Variant]:
    """A, B and the metadata of every sparse shape; C and D are those of the dense ones."""
    return [each for shape in SHAPES for each in _of(shape)]
