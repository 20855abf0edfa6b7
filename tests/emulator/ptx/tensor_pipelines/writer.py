"""What writes the lines of a pipeline, and where it lays things in tensor memory."""

from __future__ import annotations

from tests.emulator.ptx.mma_kernels import Operand
from tests.emulator.ptx.tensor_pipelines.operands import step_bytes, tile_of
from tests.emulator.ptx.tensor_pipelines.shape import Shape

#: Rows of 128 bytes that one box of a tensor map has at most.
_BOX_ROWS = 256


def box_rows(size: int) -> int:
    """Rows of 128 bytes of each box of a part of a tile: as many as fit."""
    rows = size // 128
    return next(count for count in range(min(rows, _BOX_ROWS), 0, -1) if rows % count == 0)


def sharers(s: Shape) -> int:
    """CTAs that each load a part of one B."""
    return s.ctas // s.group if s.sharing else 1


def share_bytes(s: Shape) -> int:
    """Bytes of B that one CTA loads."""
    tile = tile_of(s)
    return (tile.size - tile.near) // sharers(s)


def relays(s: Shape) -> bool:
    """Whether the odd CTA of a pair waits for its tiles itself."""
    return s.group == 2 and s.loader == "bulk"


def freed_mask(s: Shape) -> str | None:
    """The register that says which CTAs load a tile again when a product is over."""
    return "%freed" if s.sharing or s.group == 2 else None


class Columns:
    """Where things lie in tensor memory."""

    def __init__(self, s: Shape) -> None:
        """Lay them out: sums, then for each tile of the ring A, scales of A, scales of B."""
        self.a = s.places * s.blocks * s.width
        self.a_tile = 8 * s.depths * s.a_blocks if s.mma.tensor else 0
        self.sfa = self.a + self.a_tile * s.stages
        self.sfa_tile = 4 * s.scale_words
        self.sfb = self.sfa + self.sfa_tile * s.stages
        self.sfb_word = -(-(s.mma.columns // s.fold) // 128) * 4
        self.sfb_tile = self.sfb_word * s.scale_words
        used = self.sfb + self.sfb_tile * s.stages
        self.count = max(32, 1 << (used - 1).bit_length())


class Writer:
    """Collects lines."""

    def __init__(self, s: Shape) -> None:
        """Begin with the text that all programs have."""
        self.s, self.tile, self.columns = s, tile_of(s), Columns(s)
        self.lines: list[str] = []
        self._labels = 0

    def line(self, *lines: str, name: str = "") -> None:
        """Append lines, with the name of the step that they are."""
        self.lines += [f"{line} // @{name}" if name else line for line in lines]

    def label(self) -> str:
        """A new label."""
        self._labels += 1
        return f"L{self._labels}"

    def wait(self, array: str, index: str, turn: str, name: str) -> None:
        """Wait for the phase of a parity of one mbarrier of an array."""
        scope = ".acquire.cluster" if self.s.ctas > 1 else ""
        again = self.label()
        self.line(f"mad.lo.u32 %bar, {index}, 8, {array};")
        self.line(
            f"{again}: mbarrier.try_wait.parity{scope}.shared::cta.b64 %p, [%bar], {turn}; "
            f"@!%p bra {again};",
            name=name,
        )

    def arrive(self, array: str, index: str, name: str) -> None:
        """Arrive at an mbarrier of the CTA that multiplies."""
        self.line(f"mad.lo.u32 %bar, {index}, 8, {array};")
        if self.s.group == 1:
            self.line("mbarrier.arrive.shared::cta.b64 _, [%bar];", name=name)
            return
        self.line(
            "mapa.shared::cluster.u32 %bar, %bar, %even;",
            "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%bar];",
            name=name,
        )

    def commit(self, array: str, index: str, mask: str | None, name: str) -> None:
        """Let an mbarrier, of each CTA of a mask, follow what this thread has issued."""
        cast = "" if mask is None else ".multicast::cluster"
        also = "" if mask is None else f", {mask}"
        self.line(f"mad.lo.u32 %bar, {index}, 8, {array};")
        self.line(
            f"tcgen05.commit.cta_group::{self.s.group}.mbarrier::arrive::one.shared::cluster{cast}"
            f".b64 [%bar]{also};",
            name=name,
        )

    def before(self, name: str) -> None:
        """Order this thread's accesses of tensor memory before what follows."""
        self.line("tcgen05.fence::before_thread_sync;", name=f"{name} before")

    def after(self, name: str) -> None:
        """Order accesses of tensor memory after what came before."""
        self.line("tcgen05.fence::after_thread_sync;", name=f"{name} after")

    def begin_tiles(self) -> str:
        """Begin a loop over all tiles; return its label."""
        again = self.label()
        self.line("mov.u32 %i, 0;", "mov.u32 %slot, 0;", "mov.u32 %turn, 0;", f"{again}:")
        return again

    def next_slot(self) -> None:
        """Go on to the next tile of the ring."""
        self.line(
            "add.u32 %slot, %slot, 1;",
            f"setp.eq.u32 %p, %slot, {self.s.stages};",
            "@%p mov.u32 %slot, 0;",
            "@%p xor.b32 %turn, %turn, 1;",
        )

    def end_tiles(self, again: str) -> None:
        """Close the loop."""
        self.next_slot()
        self.line("add.u32 %i, %i, 1;", f"setp.lt.u32 %p, %i, {self.s.tiles};", f"@%p bra {again};")

    # -- descriptors ------------------------------------------------------------------------------
    def descriptor(self, register: str, fixed: int, start: int) -> None:
        """A descriptor of something `start` bytes into the tile at %tile."""
        self.line(
            f"add.u32 %x, %tile, {start};",
            "shr.u32 %x, %x, 4;",
            "and.b32 %x, %x, 0x3fff;",
            f"cvt.u64.u32 {register}, %x;",
            f"or.b64 {register}, {register}, {fixed:#x};",
        )

    def operand(self, register: str, operand: Operand, lines: int, start: int, k: int) -> None:
        """The descriptor of one step of k of A or B."""
        s = self.s
        bits, depth = s.mma.bits, s.mma.depth * s.depths
        here = start + step_bytes(operand, bits, lines, depth, k * s.mma.depth)
        self.descriptor(register, operand.descriptor(bits, lines, depth), here)
