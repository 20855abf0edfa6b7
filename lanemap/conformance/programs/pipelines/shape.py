"""The random choices that define a pipeline program."""

from __future__ import annotations

from dataclasses import dataclass

from lanemap.conformance.programs.chance import Chance

#: Threads that work on tiles; a warp after them loads tiles.
CONSUMERS, PRODUCERS = 128, 32
#: How tiles come into shared memory: TMA; linear bulk copies; cp.async of the consumers, with
#: groups and barriers of the CTA; cp.async of the producer warp, which arrives at an mbarrier.
LOADERS = ("tma", "bulk", "groups", "arrivals")
#: How a result leaves: from registers; by a bulk copy; by TMA; by a reduction of either.
WRITERS = ("registers", "bulk", "tma", "reduce", "reduce_tma")
REDUCTIONS = ("add.u32", "min.u32", "max.u32", "min.s32", "max.s32", "and.b32", "or.b32", "xor.b32")
SWIZZLES = {"none": 0, "32b": 32, "64b": 64, "128b": 128}


@dataclass(frozen=True)
class Kind:
    """One kind of wgmma.

    Attributes:
        name: The types after the shape, as PTX spells them: D, A, B.
        bits: Width of an element of A and B.
        element: The type of the tensor map, in the driver's words.
        tail: The immediates after the descriptors and scale-d, for operands in shared memory and
            for A in registers.
    """

    name: str
    bits: int
    element: str
    tail: tuple[str, str]


KINDS = (
    Kind("f32.f16.f16", 16, "float16", (", 1, 1, 0, 0", ", 1, 1, 0")),
    Kind("f32.bf16.bf16", 16, "bfloat16", (", 1, 1, 0, 0", ", 1, 1, 0")),
    Kind("f32.tf32.tf32", 32, "float32", (", 1, 1", ", 1, 1")),
    Kind("f32.e4m3.e4m3", 8, "uint8", (", 1, 1", ", 1, 1")),
    Kind("f32.e5m2.e4m3", 8, "uint8", (", 1, 1", ", 1, 1")),
    Kind("s32.s8.s8", 8, "uint8", ("", "")),
    Kind("s32.u8.s8", 8, "uint8", ("", "")),
)


@dataclass(frozen=True)
class Shape:
    """One program.

    Attributes:
        number: Its number.
        product: The kind of wgmma that consumes tiles; None: words are read and hashed.
        loader: One of LOADERS.
        writer: One of WRITERS.
        stages: Tiles that shared memory holds.
        steps: Tiles that each CTA works on.
        rows: Rows of a tile; of a product, 64 of A and then those of B.
        row_bytes: Bytes of a row; of a product these are k.
        swizzle: Swizzle of the tensor map that loads, one of SWIZZLES.
        ctas: CTAs of the cluster; two of them load half of each tile for both.
        piece: Bytes of one cp.async.
        behind: Groups of wgmma that may be in flight while the next step waits for its tile.
        from_registers: Whether A comes from registers.
        reduction: Operator and type of a reduction.
        first_row: First row of the first tile; TMA fills rows outside the tensor with zeros.
        seed: Seed of the inputs and constants.
    """

    number: int
    product: Kind | None
    loader: str
    writer: str
    stages: int
    steps: int
    rows: int
    row_bytes: int
    swizzle: str
    ctas: int
    piece: int
    behind: int
    from_registers: bool
    reduction: str
    first_row: int
    seed: int

    @property
    def name(self) -> str:
        """A name that says what the program does."""
        what = f"wgmma {self.product.name}" if self.product else "words"
        return f"pipeline {self.number:02d}: {self.loader}, {what}, {self.writer}"

    @property
    def tile_bytes(self) -> int:
        """Bytes of a tile."""
        return self.rows * self.row_bytes

    @property
    def columns(self) -> int:
        """N of a product."""
        return self.rows - 64


def shape(number: int) -> Shape:
    """Choose what one program does; loaders, writers and kinds take turns."""
    chance = Chance("pipelines", number)
    product = KINDS[number // 8 % len(KINDS)] if number % 8 in (0, 5) else None
    loader = LOADERS[number % len(LOADERS)] if product is None else "tma"
    writer = WRITERS[number // 4 % len(WRITERS)] if product is None else "registers"
    swizzle = chance.of(tuple(SWIZZLES)[1:] if product else tuple(SWIZZLES))
    swizzle = swizzle if loader == "tma" else "none"
    row_bytes = SWIZZLES[swizzle] or chance.of((64, 128, 256))
    if product is None:
        rows = max(chance.of((8, 16, 32, 64)), 2048 // row_bytes)
    else:
        # N of an integer product is 8, 24 or a multiple of 16.
        rows = 64 + chance.of((8, 16, 32, 64, 128) if "s32" in product.name else range(8, 136, 8))
    # Each CTA's half is whole groups of 8 rows, in which the swizzles repeat.
    halved = loader in ("tma", "bulk") and rows % 16 == 0
    from_registers = product is not None and chance.one_in(2)
    # Registers of A that a wgmma in flight reads may not be loaded anew.
    behind = 0 if from_registers else chance.below(2)
    first_row = chance.below(rows) - rows // 2 if loader == "tma" and chance.one_in(2) else 0
    return Shape(
        number,
        product,
        loader,
        writer,
        2 + chance.below(3),
        3 + chance.below(6),
        rows,
        row_bytes,
        swizzle,
        1 + (halved and chance.one_in(2)),
        chance.of((4, 8, 16)),
        behind,
        from_registers,
        chance.of(REDUCTIONS),
        first_row,
        chance.bits(32),
    )
