"""tcgen05.cp: the six forms without decompression, with several descriptors.

Shared memory is filled with tags, one thread copies and commits, and all of tensor memory is read
back. The decompressing `.b8x16` forms are left out: no public source says which bytes they make.
"""

from __future__ import annotations

import re

import numpy as np

from lanemap.probing.probe import State, axis, probe
from lanemap.probing.tensor_copies import (
    COPIES,
    SHARED_BYTES,
    SHARED_WORDS,
    SOURCES,
    Copies,
    CopyReading,
    images,
    sources,
)
from lanemap.probing.tensor_memory import (
    COLUMNS,
    CTA_THREADS,
    HEAD,
    LANES,
    barrier,
    commit,
    fill,
    kernel,
    read_back,
)


def name_of(form: str) -> str:
    """The kernel that asks of a form."""
    return "tcgen05_cp_" + re.sub(r"\W+", "_", form)


def text(form: str) -> str:
    """The kernel that asks of one form; `high` and `offset` are the descriptor and taddr."""
    body = f"""\
    mul.wide.u32 from, pass, {SHARED_BYTES};
    add.s64 from, from, shared_images;
    mul.wide.u32 far, thread, 4;
    add.s64 from, from, far;
    mov.u32 address, source;
    mad.lo.u32 address, thread, 4, address;
    mov.u32 column, thread;
sharing:
    ld.global.b32 word, [from];
    st.shared.b32 [address], word;
    add.s64 from, from, {4 * CTA_THREADS};
    add.u32 address, address, {4 * CTA_THREADS};
    add.u32 column, column, {CTA_THREADS};
    setp.lt.u32 more, column, {SHARED_WORDS};
    @more bra sharing;
    fence.proxy.async.shared::cta;
{fill("filling")}{barrier()}\
    mov.u32 address, source;
    ld.global.u32 column, [descriptors];
    add.u32 address, address, column;
    shr.u32 address, address, 4;
    cvt.u64.u32 far, address;
    ld.global.u64 from, [descriptors+8];
    or.b64 far, far, from;
    ld.shared.b32 target, [slot];
    add.u32 target, target, offset;
    @one tcgen05.cp.cta_group::1.{form} [target], far;
{commit("committing")}{barrier()}{read_back("reading")}"""
    declared = f".shared .align 1024 .b8 source[{SHARED_BYTES}];"
    pointers = ("images", "shared_images", "descriptors", "output")
    return kernel(name_of(form), pointers, 1, body, declared)


SOURCE = HEAD + "".join(map(text, COPIES))


@axis("form", COPIES)
@axis("source", tuple(SOURCES))
@probe("tcgen05.cp", target="sm_100a", source=SOURCE, analysis=Copies())
def tcgen05_cp(state: State) -> list[CopyReading]:
    """Which bit of which row of shared memory arrives in each bit of tensor memory?"""
    form = state.choose("form", {each: each for each in COPIES})
    source = state.choose("source", SOURCES)
    device, passes = state.device, len(images())
    output = device.zeros((passes, COLUMNS, LANES), np.uint32)
    state.entry(name_of(form))(
        (passes, 1, 1),
        (CTA_THREADS, 1, 1),
        [
            device.array(images()),
            device.array(sources()),
            device.array(np.array([source.start, source.descriptor], np.uint64)),
            output,
            np.uint32(source.column),
            np.uint32(0),
        ],
    )
    variant = f"tcgen05.cp.{form}"
    return [
        CopyReading(
            variant, source.name, source.description, 0, source.column, output.get(), source
        )
    ]
