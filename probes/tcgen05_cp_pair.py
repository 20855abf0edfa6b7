"""tcgen05.cp of a pair of CTAs: whose shared memory arrives in whose tensor memory?

One thread of the first CTA issues the copy with .cta_group::2 and commits to both CTAs' mbarriers.
Shared and tensor memory of both hold tags of their own; both read back all of theirs.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from lanemap.layout import UNDEFINED, LayoutMap, Space
from lanemap.probing.finding import Finding, PatternResult
from lanemap.probing.probe import State, axis, probe
from lanemap.probing.proof.certificates import Certificate
from lanemap.probing.tags.bits import BitTags
from lanemap.probing.tmem.copies import (
    COPIES,
    SHARED_BYTES,
    SHARED_WORDS,
    SOURCES,
    SourceLayout,
    point,
    share,
    size_of,
)
from lanemap.probing.tmem.forms import (
    COLUMNS,
    CTA_THREADS,
    LANES,
)
from lanemap.probing.tmem.kernel import (
    HEAD,
    Piece,
    barrier,
    fill,
    kernel,
    read_back,
)
from lanemap.probing.tmem.moves import memory_words

CTAS = 2
MEMORY_WORDS = LANES * COLUMNS
# Shared memory of both CTAs, then tensor memory of both.
TAGS = BitTags(CTAS * (SHARED_WORDS + MEMORY_WORDS))
UNCHANGED, OTHER = -1, -2
MEET = Piece("""\
    barrier.cluster.arrive.release.aligned;
    barrier.cluster.wait.acquire.aligned;
""")


def name_of(form: str) -> str:
    """The kernel that asks of a form."""
    return "tcgen05_cp_pair_" + re.sub(r"\W+", "_", form)


def text(form: str) -> str:
    """The kernel that asks of one form; CTA numbers count passes and ranks together."""
    first = """\
    tcgen05.fence::after_thread_sync;
    mov.u32 word, %cluster_ctarank;
    setp.eq.u32 more, word, 0;
    and.pred one, one, more;
"""
    copy = f"""\
    mov.u16 both, 3;
    @one tcgen05.cp.cta_group::1.{form} [target], far;
    @one tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.multicast::cluster.b64 \
[bar], both;
committing:
    mbarrier.try_wait.parity.shared::cta.b64 more, [bar], 0;
    @!more bra committing;
    tcgen05.fence::after_thread_sync;
"""
    body = [
        Piece("    @one fence.mbarrier_init.release.cluster;\n", "one"),
        share("sharing"),
        fill("filling"),
        Piece("    tcgen05.fence::before_thread_sync;\n"),
        MEET,
        Piece(first, "one", "word more one"),
        point(),
        Piece(copy, "one target far", "both more"),
        barrier(),
        read_back("reading"),
        MEET,
    ]
    declared = f".shared .align 1024 .b8 source[{SHARED_BYTES}];"
    pointers = ("images", "shared_images", "descriptors", "output")
    return kernel(name_of(form), pointers, 1, body, declared, {"both": "b16"}, CTAS)


SOURCE = HEAD + "".join(map(text, COPIES))


@cache
def images() -> np.ndarray:
    """Tensor memory of both CTAs before, uint32[passes, cta, column, lane]."""
    first = CTAS * SHARED_WORDS + MEMORY_WORDS * np.arange(CTAS)
    return TAGS.show(first[:, None, None] + memory_words())


@cache
def sources() -> np.ndarray:
    """Shared memory of both CTAs, uint32[passes, cta, word]."""
    return TAGS.show(np.arange(CTAS * SHARED_WORDS).reshape(CTAS, SHARED_WORDS))


@dataclass(frozen=True, eq=False)
class PairReading:
    """Tensor memory of both CTAs after one launch, uint32[passes, cta, column, lane]."""

    form: str
    source: SourceLayout
    words: np.ndarray

    @property
    def variant(self) -> str:
        """The variant that was asked of."""
        return f"tcgen05.cp.cta_group::2.{self.form}"

    def codes(self) -> np.ndarray:
        """Row bit of whose shared memory in each bit of the frames, [cta, lane, column, bit]."""
        rows, bits = size_of(self.form)
        frame = slice(self.source.column, self.source.column + bits // 32)
        own, before = self.words[:, :, frame], images()[:, :, frame]
        touched = np.any(own != before, axis=0)
        number = np.full((*touched.shape, 32), UNCHANGED, np.int64)
        number[touched] = TAGS.identify(own[:, touched])
        row, chunk = np.indices((rows, bits // 128))
        first = self.source.byte(row, chunk)[..., None] * 8 + np.arange(128)
        placed = np.full(CTAS * SHARED_WORDS * 32, OTHER, np.int64)
        for cta in range(CTAS):
            index = (cta * rows * bits + np.arange(rows * bits)).reshape(first.shape)
            placed[first + cta * SHARED_WORDS * 32] = index
        shared = (number >= 0) & (number < placed.size)
        found = np.where(shared, placed[np.where(shared, number, 0)], OTHER)
        return np.where(number == UNCHANGED, UNCHANGED, found).transpose(0, 2, 1, 3)

    def changed_outside(self) -> int:
        """Words that changed outside the frames."""
        changed = np.any(self.words != images(), axis=0)
        columns = size_of(self.form)[1] // 32
        changed[:, self.source.column : self.source.column + columns] = False
        return int(changed.sum())


class Pairs:
    """Explains the readings of one form."""

    def observe(self, readings: Sequence[PairReading]) -> LayoutMap:
        """The observation on bits: undefined where no row arrives."""
        rows, bits = size_of(readings[0].form)
        tmem = (("cta", CTAS), ("lane", LANES), ("column", bits // 32), ("bit", 32))
        shared = Space("shared", (("cta", CTAS), ("row", rows), ("bit", bits)))
        each = np.stack([reading.codes().reshape(-1) for reading in readings])
        settled = np.where(np.all(each == each[0], axis=0), each[0], UNDEFINED)
        return LayoutMap(Space("tmem", tmem), shared, np.maximum(settled, UNDEFINED))

    def explain(self, readings: Sequence[PairReading]) -> Finding:
        """The observation, and the CTA that each CTA's memory goes to."""
        layout = self.observe(readings)
        each = [reading.codes().reshape(-1) for reading in readings]
        whole = all(np.all((codes != OTHER) & (codes == each[0])) for codes in each)
        here = layout.destination.grid()["cta"][layout.defined]
        giver = layout.source.coords(layout.table[layout.defined])["cta"]
        facts: dict[str, Any] = {
            f"cta_{cta}_receives_shared_memory_of": np.unique(giver[here == cta]).tolist()
            for cta in range(CTAS)
        }
        outside = sum(reading.changed_outside() for reading in readings)
        told = TAGS.names_every_bit
        rules = TAGS.words * 32
        what = (
            "each bit of both tensor memories from any bit of both shared and both tensor memories"
        )
        return Finding(
            map=layout,
            cell_map=layout.coarsen(32, "word"),
            certificates=(Certificate(what, CTAS * MEMORY_WORDS * 32, rules, rules, told),),
            patterns=tuple(
                PatternResult(
                    reading.source.name,
                    reading.source.description,
                    bool(np.array_equal(codes, each[0])),
                    int((codes >= 0).sum()),
                    CTAS,
                )
                for reading, codes in zip(readings, each, strict=True)
            ),
            passes=sum(len(reading.words) for reading in readings),
            facts=facts,
            explained=whole and not outside,
            no_source=~layout.defined,
        )

    def shown_by(self, maps: Sequence[LayoutMap], readings: Sequence[PairReading]) -> list[Any]:
        """The readings that maps predict: tags name every bit, so this is the map itself."""
        return [layout.table[:, None].astype(np.int32) for layout in maps]

    def seen(self, readings: Sequence[PairReading]) -> tuple[Any, bool]:
        """The actual readings in that form."""
        return self.observe(readings).table[:, None].astype(np.int32), True


@axis("form", COPIES)
@axis("source", ("near", "swizzled"))
@probe("tcgen05.cp.cta_group::2", target="sm_100a", source=SOURCE, analysis=Pairs())
def tcgen05_cp_pair(state: State) -> list[PairReading]:
    """Whose shared memory arrives in whose tensor memory, of a pair of CTAs?"""
    form = state.choose("form", {each: each for each in COPIES})
    source = state.choose("source", SOURCES)
    device, passes = state.device, len(images())
    output = device.zeros((passes, CTAS, COLUMNS, LANES), np.uint32)
    arguments = [
        device.array(images()),
        device.array(sources()),
        device.array(np.array([source.start, source.descriptor], np.uint64)),
        output,
        np.uint32(source.column),
        np.uint32(0),
    ]
    state.entry(name_of(form))(
        (passes * CTAS, 1, 1), (CTA_THREADS, 1, 1), arguments, cluster=(CTAS, 1, 1)
    )
    return [PairReading(form, source, output.get())]
