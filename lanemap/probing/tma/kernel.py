"""The PTX around a tensor copy, and the tags that it is given.

CTA p runs pass p. The tensor of bytes has the passes as its outermost dimension, so that one map
serves all of them. The kernel fills shared memory with image p, copies one box, and writes out all
of shared memory; of a store, the tensor itself is read back.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from lanemap.probing.tags.bits import BitTags
from lanemap.targets import TARGETS as DEFINED
from lanemap.targets import probed

Integers = npt.NDArray[np.int64]
Words = npt.NDArray[np.uint32]
#: Bytes of a line of the tensor, its lines, and the bytes of shared memory.
LINE_BYTES, LINES, SHARED_BYTES = 256, 40, 4096
TENSOR_BYTES = LINE_BYTES * LINES
# The tensor comes first in the numbering, then shared memory.
TAGS = BitTags((TENSOR_BYTES + SHARED_BYTES) // 4)
TARGETS = probed("bulk copies")
HEAD = ".version {version}\n.target {target}\n.address_size 64\n"
_THREADS = 128
_TEXT = """
.extern .shared .align 1024 .b8 rows[];
.visible .entry {name}(
    .param .align 64 .b8 map[128],
    .param .u64 images_at,
    .param .u64 output_at,
    .param .s32 x_at,
    .param .s32 y_at,
    .param .u32 base_at,
    .param .u32 bytes_at
)
{{
    .shared .align 8 .b64 arrived;
    .reg .b64 map_at, images, output, far;
    .reg .b32 thread, pass, x, y, base, bytes, word, place, value, tries;
    .reg .pred done, others;
    ld.param.u64 images, [images_at];
    ld.param.u64 output, [output_at];
    ld.param.s32 x, [x_at];
    ld.param.s32 y, [y_at];
    ld.param.u32 base, [base_at];
    ld.param.u32 bytes, [bytes_at];
    mov.b64 map_at, map;
    cvta.param.u64 map_at, map_at;
    mov.u32 thread, %tid.x;
    mov.u32 pass, %ctaid.x;
    mov.u32 place, rows;
    add.u32 base, base, place;
    mad.wide.u32 images, pass, {shared_bytes}, images;   // the image of this pass
    mad.wide.u32 output, pass, {shared_bytes}, output;
    mov.u32 word, thread;
fill:
    mad.wide.u32 far, word, 4, images;
    ld.global.b32 value, [far];
    mad.lo.u32 tries, word, 4, place;
    st.shared.b32 [tries], value;
    add.u32 word, word, {threads};
    setp.lt.u32 done, word, {shared_words};
    @done bra fill;
    setp.ne.u32 others, thread, 0;
    @others bra ready;
    mbarrier.init.shared.b64 [arrived], 1;
    fence.mbarrier_init.release.cluster;
ready:
    fence.proxy.async.shared::cta;
    bar.sync 0;                                          // the image is whole
    @others bra copied;
{body}copied:
    bar.sync 0;
    mov.u32 word, thread;
read:
    mad.lo.u32 tries, word, 4, place;
    ld.shared.b32 value, [tries];
    mad.wide.u32 far, word, 4, output;
    st.global.b32 [far], value;
    add.u32 word, word, {threads};
    setp.lt.u32 done, word, {shared_words};
    @done bra read;
    ret;
}}
"""
_LOAD = """\
    mbarrier.arrive.expect_tx.shared.b64 _, [arrived], bytes;
    cp.async.bulk.tensor.3d.shared::cluster.global.tile.mbarrier::complete_tx::bytes
        [base], [map_at, {x, y, pass}], [arrived];
    mov.u32 tries, 0;
wait:                                                    // bounded: the bytes may be others
    mbarrier.try_wait.parity.shared.b64 done, [arrived], 0;
    @done bra copied;
    add.u32 tries, tries, 1;
    setp.lt.u32 done, tries, 100;
    @done bra wait;
    trap;
"""
_STORE = """\
    cp.async.bulk.tensor.3d.global.shared::cta.tile.bulk_group [map_at, {x, y, pass}], [base];
    cp.async.bulk.commit_group;
    cp.async.bulk.wait_group 0;
"""


def sources() -> dict[str, str]:
    """The text with a kernel that loads and one that stores, for every target."""
    sizes = {"shared_bytes": SHARED_BYTES, "shared_words": SHARED_BYTES // 4, "threads": _THREADS}
    load = _TEXT.format(name="load", body=_LOAD, **sizes)
    store = _TEXT.format(name="store", body=_STORE, **sizes)
    store = store.replace(".extern .shared .align 1024 .b8 rows[];\n", "")
    heads = {
        target: HEAD.format(target=target, version=max("8.6", DEFINED[target].first_ptx))
        for target in TARGETS
    }
    return {target: head + load + store for target, head in heads.items()}


@dataclass(frozen=True)
class Box:
    """A box of bytes, and where it begins.

    Attributes:
        width: Bytes of a row.
        rows: Its rows.
        x: The byte of a line at which it begins, a multiple of 16.
        y: The line at which it begins.
        base: Where it begins in shared memory, a multiple of 128.
        pitch: How far apart its rows lie in shared memory.
    """

    width: int
    rows: int
    x: int
    y: int
    base: int
    pitch: int

    def tensor_bytes(self) -> Integers:
        """The bytes of the tensor that its bytes are, int64[rows, width]; they may lie outside."""
        line, byte = self.y + np.arange(self.rows), self.x + np.arange(self.width)
        return line[:, None] * LINE_BYTES + byte[None, :]

    def inside(self, sizes: tuple[int, int]) -> npt.NDArray[np.bool_]:
        """Which of its bytes lie in a tensor of so many lines of so many bytes."""
        line, byte = self.y + np.arange(self.rows), self.x + np.arange(self.width)
        good = ((line >= 0) & (line < sizes[0]))[:, None] & ((byte >= 0) & (byte < sizes[1]))[None]
        return np.asarray(good)


@cache
def shared_images() -> Words:
    """Shared memory in every pass, uint32[passes, words]."""
    return TAGS.show(TENSOR_BYTES // 4 + np.arange(SHARED_BYTES // 4))


@cache
def tensor_images() -> Words:
    """The tensor in every pass, uint32[passes, words]."""
    return TAGS.show(np.arange(TENSOR_BYTES // 4))


def launch(
    device: Any,
    entry: Any,
    box: Box,
    sizes: tuple[int, int] = (LINES, LINE_BYTES),
    *,
    dtype: str = "uint8",
    swizzle: str = "none",
    oob_fill: str = "none",
    item: int = 1,
    inverted: int = 0,
) -> tuple[Words, Words]:
    """Copy a box in every pass.

    Args:
        device: The device to launch on.
        entry: The kernel that loads, or the one that stores.
        box: The box to copy.
        sizes: Lines and bytes of a line that belong to the tensor.
        dtype: Type of the map's elements.
        swizzle: Swizzle of the map.
        oob_fill: Out-of-bounds fill of the map.
        item: Bytes of an element.
        inverted: Bits of the map that are not as the driver encodes them, as a number.

    Returns:
        Shared memory and the tensor afterward, uint32[passes, words] each.
    """
    tensor = device.array(tensor_images())
    output = device.zeros((TAGS.passes, SHARED_BYTES // 4), np.uint32)
    tensor_map = device.tensor_map(
        tensor,
        (1, box.rows, box.width // item),
        dtype=dtype,
        sizes=(TAGS.passes, sizes[0], sizes[1] // item),
        strides=(TENSOR_BYTES, LINE_BYTES),
        swizzle=swizzle,
        oob_fill=oob_fill,
    )
    entry(
        TAGS.passes,
        _THREADS,
        [
            tensor_map.with_flipped(inverted),
            device.array(shared_images()),
            output,
            np.int32(box.x // item),
            np.int32(box.y),
            np.uint32(box.base),
            np.uint32(box.rows * box.width),
        ],
        shared_bytes=SHARED_BYTES,
    )
    return output.get(), tensor.get()


def bit_numbers(bytes_: Integers) -> Integers:
    """The tags of bytes in the numbering of all, int64[bytes * 8]."""
    return (bytes_.reshape(-1)[:, None] * 8 + np.arange(8)).reshape(-1)


def bits_of(words: Words, bytes_: Integers) -> Integers:
    """The tags that bytes of a memory hold, int64[bytes * 8]; `bytes_` count from its start."""
    identified = TAGS.identify(words).reshape(-1)
    found: Integers = identified[(bytes_.reshape(-1)[:, None] * 8 + np.arange(8)).reshape(-1)]
    return found
